// How does a check grow when it is divided? A generated city, each tile's cost measured here as processor time, and the
// schedule for up to 64 workers simulated from these costs:
//   node bench/dist/shards.js 100000 64        parts and tiles
//   node bench/dist/shards.js 100000 64 2      also the time on the clock with 1 and with 2 worker processes

import { fork } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { findInTile, makespan, partOf, tilesOf } from '@nearfield/clashes';
import { cityParts } from '@nearfield/samples';
import { NearfieldError, open } from 'nearfield';

const [count, tileCount, most] = process.argv.slice(2).map(Number);
const bodies = cityParts(count || 100_000);
const tiles = tileCount || 64;
const question = {
  ...({
    bodies,
    method: 'auto',
    samples: false,
    keepTriangles: 'none',
    points: true,
    clearance: 0.05,
  } as const),
  ...{ readTime: 0, openTime: 0, version: '', progress: () => {} },
};
const nf = await open({ backend: 'cpu' });

/** The tiles, which a worker finds once. */
const before = process.cpuUsage();
const divided = tilesOf(question, tiles);
const planning = process.cpuUsage(before).user / 1e6;
const undivided = tilesOf(question, 1);

/** Seconds of processor time, and how many pairs were found. */
async function costOf(index: number, of: number): Promise<{ seconds: number; pairs: number }> {
  const start = process.cpuUsage();
  const tile = (of === 1 ? undivided : divided)[index - 1];
  const { frames } = await findInTile(nf, partOf(question, tile), tile);
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, pairs: frames[0].pairs.length };
}

if (process.send !== undefined) {
  // A worker: tiles come as messages.
  process.on('message', async (index: number) => {
    await costOf(index, tiles);
    process.send!('done');
  });
  process.send('ready');
} else {
  const triangles = bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
  const work = divided.map(tile => tile.work);
  // The first question compiles; its cost counts for nobody.
  await costOf(1, tiles);
  // A large city does not fit into the memory of one engine: then only tiles do.
  const whole = await costOf(1, 1).catch((error: unknown) => {
    if (error instanceof NearfieldError && error.code === 'out-of-memory') return undefined;
    throw error;
  });
  const costs: number[] = [];
  let pairs = 0;
  for (let index = 1; index <= tiles; index++) {
    const cost = await costOf(index, tiles);
    costs.push(cost.seconds);
    pairs += cost.pairs;
  }
  const total = costs.reduce((p, q) => p + q, 0);
  const workers = [1, 2, 4, 8, 16, 32, 64];
  const perWorker = (seconds: number) =>
    Object.fromEntries(
      workers.map(each => [each, Number((seconds / (each * makespan(costs, each))).toFixed(3))]),
    );
  // How busy workers are, and how much of their time one machine would have needed too.
  const [busy, efficiency] = [perWorker(total), whole && perWorker(whole.seconds)];
  const result = {
    ...{
      machine: `${availableParallelism()} of ${cpus()[0]?.model}`,
      parts: bodies.length,
      triangles,
      tiles,
      pairs,
    },
    ...{
      pairsWhole: whole?.pairs,
      secondsWhole: whole?.seconds,
      secondsPlanning: planning,
      secondsTiles: total,
    },
    ...{
      longest: Math.max(...costs),
      estimateSpread: Math.max(...work) / Math.min(...work),
      busy,
      efficiency,
    },
    heap: process.memoryUsage().rss,
  };
  console.log(JSON.stringify(result, null, 2));
  for (let each = 1; each <= (most || 0); each++)
    console.log(`${each} workers: ${await clock(each)} s on the clock`);
}
nf.close();

/** Seconds that all tiles take with worker processes, without their start. */
async function clock(workers: number): Promise<number> {
  const children = Array.from({ length: workers }, () => fork(process.argv[1], process.argv.slice(2)));
  await Promise.all(children.map(child => new Promise(resolve => child.once('message', resolve))));
  const start = performance.now();
  let next = 1;
  await Promise.all(
    children.map(async child => {
      while (next <= tiles) {
        const done = new Promise(resolve => child.once('message', resolve));
        child.send(next++);
        await done;
      }
    }),
  );
  for (const child of children) child.kill();
  return Math.round(performance.now() - start) / 1000;
}
