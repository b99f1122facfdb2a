// What do a million boxes take in the library, asked only which of them meet? Time, JavaScript's heap per body and per
// pair, and the memory of the process, beside those of another clone that has been built:
//   node bench/dist/many-boxes.js 1000000 3 ../before
// Every run is a process of its own, which has its clones in turns. The least times count.

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Pose } from 'nearfield';
import { turnedBoxes } from '../scenes/turned-boxes.ts';

/** What a run took: seconds, bytes of heap, megabytes. */
export interface BoxesRow {
  readonly bodies: number;
  readonly pairs: number;
  readonly clock: number;
  readonly processor: number;
  readonly heapPerBody: number;
  readonly heapPerPair: number;
  /** Heap and array buffers per pair, with the engine's memory. */
  readonly bytesPerPair: number;
  readonly memory: number;
}

const [first, ...rest] = process.argv.slice(2);
if (first === '--measure') process.stdout.write(JSON.stringify(await measure(Number(rest[0]), rest[1])));
else compare(first ?? '1000000', Number(rest[0] ?? 1), rest[1]);

/** Asks the library of this program, or of another clone. */
async function measure(count: number, other?: string): Promise<BoxesRow> {
  const library: typeof import('nearfield') =
    other === undefined ? await import('nearfield') : await import(other);
  const { mesh, open } = library;
  const kinds = turnedBoxes(count).map(kind => ({
    ...kind,
    mesh: mesh(kind.mesh.positions, kind.mesh.indices),
  }));
  const nf = await open({ backend: 'cpu' });
  const start = performance.now();
  const used = process.cpuUsage();
  const scene = nf.scene();
  // The first of everything is compiled, and not a body's.
  scene.add(kinds[0].mesh, { pose: poseAt(kinds[0], 0) });
  const empty = memoryNow();
  let bodies = 1;
  for (const kind of kinds) {
    for (let i = bodies === 1 ? 1 : 0; i < kind.translations.length / 3; i++, bodies++)
      scene.add(kind.mesh, { pose: poseAt(kind, i) });
  }
  const placed = memoryNow();
  const answer = await scene.interferences({ detail: 'any' });
  const clock = (performance.now() - start - empty.time - placed.time) / 1000;
  const { user, system } = process.cpuUsage(used);
  const answered = memoryNow();
  const pairs = answer.length;
  // The scene and the answer are alive until here.
  scene.close();
  nf.close();
  return {
    ...{ bodies, pairs, clock, processor: (user + system) / 1e6 },
    heapPerBody: (placed.heap - empty.heap) / (bodies - 1),
    heapPerPair: (answered.heap - placed.heap) / pairs,
    bytesPerPair: (answered.heap + answered.buffers - placed.heap - placed.buffers) / pairs,
    memory: process.resourceUsage().maxRSS / 1024,
  };
}

/** Bytes in use after everything that can be freed is freed, and how many milliseconds that took. */
function memoryNow(): { heap: number; buffers: number; time: number } {
  const start = performance.now();
  (globalThis as { gc?: () => void }).gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers, time: performance.now() - start };
}

function poseAt(
  { translations, rotations }: { translations: Float32Array; rotations: Float32Array },
  i: number,
): Pose {
  const [x, y, z, w] = rotations.subarray(4 * i, 4 * i + 4);
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
    ...[...translations.subarray(3 * i, 3 * i + 3), 1],
  );
}

/** Measures in turns and prints a line per clone, with the ratios to the first. */
function compare(count: string, turns: number, other: string | undefined): void {
  const program = fileURLToPath(import.meta.url);
  const cases: { name: string; words: string[]; rows: BoxesRow[] }[] = [
    { name: 'here', words: [], rows: [] },
  ];
  if (other !== undefined) {
    const library = pathToFileURL(resolve(other, 'packages/nearfield/dist/index.js')).href;
    cases.push({ name: 'before', words: [library], rows: [] });
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const { words, rows } of cases) {
      const node = ['--expose-gc', '--max-old-space-size=8192', program, '--measure', count, ...words];
      const { status, stdout, stderr } = spawnSync(process.execPath, node, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      rows.push(JSON.parse(stdout));
    }
  }
  const least = (rows: readonly BoxesRow[], of: keyof BoxesRow) => Math.min(...rows.map(row => row[of]));
  for (const { name, rows } of cases) {
    const figure = (of: keyof BoxesRow, digits: number): string => {
      const ratio = (least(rows, of) / least(cases[0].rows, of)).toFixed(2);
      return `${least(rows, of).toFixed(digits)}${name === 'here' ? '' : ` (× ${ratio})`}`;
    };
    console.log(
      [
        `${name.padEnd(7)} ${rows[0].bodies} bodies, ${rows[0].pairs} pairs`,
        `clock ${figure('clock', 2)} s, processor ${figure('processor', 2)} s, memory ${figure('memory', 0)} MB`,
        `heap: ${figure('heapPerBody', 0)} bytes per body, ${figure('heapPerPair', 1)} per pair`,
        `with array buffers ${figure('bytesPerPair', 0)} per pair`,
      ].join('; '),
    );
  }
}
