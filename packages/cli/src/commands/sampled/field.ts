// `nearfield field FILE --out FILE.vti`: the distance field of one file, taken as one body, as a file of samples.

import { jsonText, naming } from '@nearfield/clashes';
import { type Grid, NearfieldError } from 'nearfield';
import { openLibrary } from '../../backend.ts';
import { Files } from '../../files.ts';
import { type LoadedBody, loadBodies } from '../../input/load.ts';
import { expandSinglePatterns } from '../../input/patterns.ts';
import { FieldFile, type FieldFormat, firstSample, rawDescription } from '../../output/files/field-file.ts';
import { Progress } from '../../output/progress.ts';
import { rounded, roundedUp } from '../../output/sentences.ts';
import { printable, say, type Terminal } from '../../output/terminal.ts';
import { version } from '../../version.ts';
import { parseBackend, parseExpansion, parsePositive } from '../options.ts';

export interface FieldOptions {
  readonly backend: string;
  readonly out: string;
  readonly tolerance?: string | undefined;
  readonly resolution?: string | undefined;
  readonly upTo?: string | undefined;
  readonly json?: boolean | undefined;
  readonly maxExpansion?: string | undefined;
}

export async function field(name: string, options: FieldOptions, terminal: Terminal): Promise<number> {
  const backend = parseBackend(options.backend);
  const format = formatOf(options.out);
  const sampling = {
    tolerance: parsePositive(options.tolerance, '--tolerance'),
    resolution: parsePositive(options.resolution, '--resolution'),
    upTo: parsePositive(options.upTo, '--up-to'),
  };
  const maxExpansion = parseExpansion(options.maxExpansion);
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const progress = new Progress(terminal);
  const nf = await openLibrary(backend);
  try {
    const fileNames = await expandSinglePatterns([name], terminal.cwd);
    progress.stage('reading');
    const [loaded] = await loadBodies(fileNames, { oneBody: true, maxExpansion }, files, progress, terminal);
    const description = `${options.out}.json`;
    await files.checkOutput(options.out, '--out');
    if (format === 'raw') await files.checkOutput(description, '--out');
    progress.stage('sampling');
    const started = performance.now();
    const scene = nf.scene();
    const body = naming(loaded.file, () => scene.add(loaded.mesh, { name: loaded.name }));
    const slabs = await scene.fieldSlabs(body, {
      ...sampling,
      signal: terminal.signal,
      progress: progress.update,
    });
    const facts = await files.replace(options.out, '--out', async handle => {
      const file = await FieldFile.begin(handle, format, slabs.grid);
      const found = { inside: 0, unsure: 0, least: Infinity, most: -Infinity, backend: nf.backend };
      for await (const slab of slabs) {
        await file.add(slab);
        found.unsure += slab.unsure.length;
        for (const distance of slab.distance) {
          if (distance < 0 || Object.is(distance, -0)) found.inside++;
          if (distance < found.least) found.least = distance;
          if (distance > found.most) found.most = distance;
        }
      }
      return found;
    });
    if (format === 'raw') {
      const text = `${jsonText(rawDescription(slabs.grid, options.out), 2)}\n`;
      await files.write(description, '--out', text);
    }
    progress.clear();
    const answer = answerOf(loaded, options.out, slabs.grid, facts, performance.now() - started);
    await terminal.out(options.json ? `${jsonText(answer)}\n` : fieldTable(answer));
    return 0;
  } finally {
    progress.clear();
    nf.close();
  }
}

interface Facts {
  readonly backend: string;
  readonly inside: number;
  readonly unsure: number;
  readonly least: number;
  readonly most: number;
}

function answerOf({ name, mesh }: LoadedBody, file: string, grid: Grid, facts: Facts, milliseconds: number) {
  const { dimensions, cell } = grid;
  // JSON has no infinity.
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    version,
    backend: facts.backend,
    method: 'field',
    body: name,
    triangles: mesh.triangleCount,
    closed: mesh.closed,
    file,
    dimensions,
    origin: firstSample(grid),
    spacing: cell,
    tolerance: (cell * Math.sqrt(3)) / 2,
    samples: dimensions[0] * dimensions[1] * dimensions[2],
    inside: facts.inside,
    unsure: facts.unsure,
    minimum: finite(facts.least),
    maximum: finite(facts.most),
    timing: { sample: Math.round(milliseconds * 1000) / 1000 },
  };
}

function fieldTable(answer: ReturnType<typeof answerOf>): string {
  const { body, file, dimensions, spacing, tolerance, inside, samples, unsure, minimum, maximum, backend } =
    answer;
  const count = (value: number) => value.toLocaleString('en');
  const bound = (value: number | null) => (value === null ? 'beyond --up-to' : rounded(value));
  const lines = [
    `${printable(file)}: distances to ${printable(body)} at ${dimensions.join(' × ')} samples, ${rounded(spacing)} apart`,
    `  from ${bound(minimum)} to ${bound(maximum)}, ${count(inside)} of ${count(samples)} samples inside`,
    `  the surface where the sign changes is off by at most ${roundedUp(tolerance)} (${backend})`,
  ];
  if (!answer.closed) {
    lines.push(
      `  the mesh is open: a point counts as inside if its winding number is at least one half; ${count(unsure)} samples are close calls`,
    );
  }
  return `${lines.join('\n')}\n`;
}

function formatOf(out: string): FieldFormat {
  if (/\.vti$/i.test(out)) return 'vti';
  if (/\.raw$/i.test(out)) return 'raw';
  throw new NearfieldError(
    'bad-option',
    `--out must end in .vti (VTK ImageData) or .raw (bare arrays), not "${out}"`,
  );
}
