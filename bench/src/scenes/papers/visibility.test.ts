import { open } from 'nearfield';
import { afterAll, expect, it } from 'vitest';
import type { Case } from '../../case.ts';
import { comparePairs } from '../../compare.ts';
import { createNearfield } from '../../peers/nearfield.ts';
import { threeMeshBvh } from '../../peers/three-mesh-bvh/engine.ts';
import { readCase, writeCase } from '../../run/case-file.ts';
import { exactAnswers } from '../../run/round.ts';
import { breaking, bunnies, foldingCloth, leaves } from './visibility.ts';

const nf = await open({ backend: 'cpu' });
const nearfield = await createNearfield('cpu');
afterAll(() => {
  nf.close();
  nearfield.close?.();
});

/** Created once, on first use: scenes take a second to reach their first frame. */
function once(make: () => Case): () => Case {
  let made: Case | undefined;
  return () => (made ??= make());
}

const scenes: readonly (readonly [string, () => Case])[] = [
  [
    'breaking',
    () =>
      breaking(
        nf,
        { triangles: 3000, fallingTriangles: 1500, pieces: 40 },
        process.env.NEARFIELD_SLOW ? { first: 12, every: 4, frames: 8 } : { first: 12, every: 7, frames: 5 },
      ),
  ],
  ['leaves', () => leaves(nf, { leaves: 20, fineness: 0.5 }, { first: 1, every: 20, frames: 4 })],
  ['folding cloth', () => foldingCloth(nf, { triangles: 3200 }, { first: 200, every: 10, frames: 2 })],
  ['bunnies', () => bunnies(nf, { triangles: 1500 }, { first: 1, every: 30, frames: 4 })],
];
const small = scenes.map(([name, make]) => [name, once(make)] as const);

it.each(small)('%s: an engine with another traversal and other tests finds the same', async (_, make) => {
  const job = make();
  const truth = (await exactAnswers(job, nearfield))!;
  expect(truth.some(pairs => pairs.length > 0)).toBe(true);
  const session = await threeMeshBvh.load(job);
  let [found, other] = [0, 0];
  for (const [i, frame] of job.frames.entries()) {
    const compared = comparePairs(truth[i], session.pairs(await session.ask(frame)));
    found += compared.found;
    other += compared.missed + compared.false;
  }
  // The other engine rounds, and treats contact differently.
  expect(other).toBeLessThan(0.02 * found + 3);
});

it('has bodies that come and go, with a pose per existing body in each frame', () => {
  const job = small[0][1]();
  const counts = job.frames.map(({ present }) => present!.length);
  expect(counts[0]).toBe(2);
  expect(counts[counts.length - 1]).toBeGreaterThan(20);
  expect(job.frames.map(({ poses }) => poses!.length)).toEqual(counts);
  expect(job.candidates).toBeGreaterThan(counts.length);
  expect(new Set(job.frames.flatMap(({ present }) => [...present!])).size).toBe(job.bodies.length);
});

it.each(small)('%s is written to a file and read back', (_, make) => {
  const job = make();
  const read = readCase(writeCase({ job, truth: [] })).job;
  expect(read.frames).toEqual(job.frames);
  expect([read.candidates, read.paper, read.bodies.length]).toEqual([
    job.candidates,
    job.paper,
    job.bodies.length,
  ]);
});

it('counts the same for existing bodies and for new ones', async () => {
  const job = small[0][1]();
  const forwards = (await exactAnswers(job, nearfield))!;
  const backwards = (await exactAnswers({ ...job, frames: [...job.frames].reverse() }, nearfield))!.reverse();
  forwards.forEach((pairs, i) => {
    expect(comparePairs(pairs, backwards[i])).toMatchObject({ missed: 0, false: 0 });
  });
});
