// How does a check grow when it is divided? One file for any machine: generates a city, measures the processor time
// of each tile, simulates the schedule for up to 64 workers from these costs, and measures worker processes side by
// side on the clock. scripts/build.mjs bundles it.

import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { findInTile, makespan, partOf, type Tile, tilesOf } from '@nearfield/clashes';
import { cityParts } from '@nearfield/samples';
import { mesh, NearfieldError, open } from 'nearfield';
import { readWords } from './words.ts';

const usage = `usage: node shards.mjs [--parts N] [--tiles N] [--workers LIST] [--unique] [--whole] [--json FILE]

Checks a generated city with a clearance of 5 cm, divided into tiles as among machines, on the CPU.
  --parts N       how many parts the city has (default: 100000)
  --tiles N       into how many tiles it is divided (default: 128)
  --workers LIST  also times so many worker processes side by side, each with one thread: 1,2,8
  --unique        every part has a mesh of its own; otherwise a few are used again and again
  --whole         also asks the whole city at once
  --json FILE     writes the row to a file, too`;

const { values } = readWords(
  usage,
  {
    ...{ unique: { type: 'boolean' }, whole: { type: 'boolean' } },
    ...{ parts: { type: 'string' }, tiles: { type: 'string' } },
    ...{ workers: { type: 'string' }, json: { type: 'string' } },
  },
  [],
);
const options = values as {
  readonly [name in 'unique' | 'whole']?: boolean;
} & { readonly [name in 'parts' | 'tiles' | 'workers' | 'json']?: string };

function numberOf(text: string | undefined, usual: number): number {
  const value = text === undefined ? usual : Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  process.stderr.write(`expected a whole number from 1, got ${text}\n${usage}\n`);
  process.exit(2);
}
const count = numberOf(options.parts, 100_000);
const tileCount = numberOf(options.tiles, 128);
const workerCounts = options.workers?.split(',').map(text => numberOf(text, 1)) ?? [];

const bodies = cityParts(count);
const question = {
  ...({ bodies, method: 'auto', samples: false, keepTriangles: 'none', points: true } as const),
  ...{ clearance: 0.05, readTime: 0, openTime: 0, version: '', progress: () => {} },
};
const before = process.cpuUsage();
const tiles = tilesOf(question, tileCount);
const secondsPlanning = process.cpuUsage(before).user / 1e6;
// A worker has a core of its own.
const nf = await open({ backend: 'cpu', threads: 1 });

/** Seconds of processor time, and how many pairs were found. */
async function costOf(tile: Tile): Promise<{ seconds: number; pairs: number }> {
  const shared = partOf(question, tile);
  const own = (part: (typeof bodies)[number]) => ({
    ...part,
    mesh: mesh(part.mesh.positions.slice(), part.mesh.indices.slice()),
  });
  const part = options.unique ? { ...shared, bodies: shared.bodies.map(own) } : shared;
  const start = process.cpuUsage();
  const { frames } = await findInTile(nf, part, tile);
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, pairs: frames[0].pairs.length };
}

/** The cost of the whole check. Undefined if it does not fit into the memory of one engine. */
async function costOfWhole(): Promise<{ seconds: number; pairs: number } | undefined> {
  try {
    return await costOf(tilesOf(question, 1)[0]);
  } catch (error) {
    if (error instanceof NearfieldError && error.code === 'out-of-memory') return undefined;
    throw error;
  }
}

/** The seconds that worker processes take for all tiles, the largest first. Starting the processes does not count. */
async function clock(workers: number): Promise<number> {
  const children = Array.from({ length: workers }, () => fork(process.argv[1], process.argv.slice(2)));
  await Promise.all(children.map(child => new Promise(resolve => child.once('message', resolve))));
  const order = [...tiles.keys()].sort((p, q) => tiles[q].work - tiles[p].work);
  const start = performance.now();
  await Promise.all(
    children.map(async child => {
      for (let tile = order.shift(); tile !== undefined; tile = order.shift()) {
        const done = new Promise(resolve => child.once('message', resolve));
        child.send(tile);
        await done;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  for (const child of children) child.kill();
  return rounded(seconds);
}

const rounded = (value: number): number => Number(value.toFixed(3));

async function measure(): Promise<object> {
  // The first question compiles the kernels: its cost does not count.
  await costOf(tiles[0]);
  const whole = options.whole ? await costOfWhole() : undefined;
  const costs: number[] = [];
  let pairs = 0;
  for (const tile of tiles) {
    const cost = await costOf(tile);
    costs.push(cost.seconds);
    pairs += cost.pairs;
  }
  const secondsTiles = costs.reduce((p, q) => p + q, 0);
  const byWorkers = (seconds: number) =>
    Object.fromEntries(
      [1, 2, 4, 8, 16, 32, 64].map(each => [each, rounded(seconds / (each * makespan(costs, each)))]),
    );
  const onTheClock: Record<string, number> = {};
  for (const workers of workerCounts) onTheClock[workers] = await clock(workers);
  const work = tiles.map(tile => tile.work);
  return {
    machine: `${availableParallelism()} of ${cpus()[0]?.model}`,
    parts: bodies.length,
    triangles: bodies.reduce((sum, part) => sum + part.mesh.triangleCount, 0),
    meshes: options.unique ? bodies.length : new Set(bodies.map(part => part.mesh)).size,
    ...{ tiles: tileCount, pairs, pairsWhole: whole?.pairs, secondsWhole: whole?.seconds },
    ...{ secondsPlanning: rounded(secondsPlanning), secondsTiles: rounded(secondsTiles) },
    secondsLongest: Math.max(...costs),
    estimateSpread: rounded(Math.max(...work) / Math.min(...work)),
    // `busy`: the share of their time in which workers work. `efficiency`: the time of one machine over that of all
    // workers.
    ...{ busy: byWorkers(secondsTiles), efficiency: whole && byWorkers(whole.seconds), onTheClock },
    rss: process.memoryUsage().rss,
  };
}

if (process.send !== undefined) {
  // A worker: tiles come as messages.
  process.on('message', async (index: number) => {
    await costOf(tiles[index]);
    process.send!('done');
  });
  process.send('ready');
} else {
  const text = `${JSON.stringify(await measure(), null, 2)}\n`;
  process.stdout.write(text);
  if (options.json !== undefined) writeFileSync(options.json, text);
  nf.close();
}
