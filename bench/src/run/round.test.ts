import { expect, it } from 'vitest';
import type { Case } from '../case.ts';
import { createNearfield } from '../peers/nearfield.ts';
import { movingBoxes } from '../scenes/boxes.ts';
import { foldingSphere } from '../scenes/deform.ts';
import { wall } from '../scenes/exact/flush.ts';
import { readCase, writeCase } from './case-file.ts';
import { exactAnswers, playRound } from './round.ts';

const cases: [string, Case][] = [
  ['boxes', movingBoxes('turned', 40)],
  ['a sphere that folds', foldingSphere(3)],
  ['a wall', wall(2)],
];

it.each(cases)('writes %s to a file and reads it back', (_, job) => {
  const truth = [Uint32Array.of(1, 2, 3, 4), new Uint32Array(), Uint32Array.of(5, 6)];
  const read = readCase(writeCase({ job, truth }));
  expect(read).toEqual({ job, truth });
  for (const [i, { mesh }] of job.bodies.entries()) {
    // Meshes are equal and shared in the same way.
    const first = job.bodies.findIndex(body => body.mesh === mesh);
    expect(read.job.bodies[i].mesh).toBe(read.job.bodies[first].mesh);
    expect(read.job.bodies[i].mesh.positions).toEqual(mesh.positions);
    expect(read.job.bodies[i].mesh.indices).toEqual(mesh.indices);
  }
});

it('reads a case without an exact answer', () => {
  const job = foldingSphere(2);
  expect(readCase(writeCase({ job, truth: undefined })).truth).toBeUndefined();
});

it('measures cold, warm and memory, and counts missed and false pairs', async () => {
  const engine = await createNearfield('cpu');
  const job = movingBoxes('turned', 600);
  const exact = (await exactAnswers(job, engine))!;
  const [first, ...others] = exact;
  expect(first.length).toBeGreaterThan(2);
  const truth = [Uint32Array.of(...first.subarray(2), 598, 599), ...others];
  const round = await playRound({ job, truth }, engine, { time: 1, compare: true });
  const found = exact.reduce((sum, pairs) => sum + pairs.length / 2, 0);
  expect(round.pairs).toEqual({ found: found - 1, missed: 1, false: 1 });
  // Questions so short that several make one sample give fewer samples than there are frames.
  expect(round.warm.length).toBeGreaterThan(0);
  for (const value of [round.cold.clock, round.peakMiB]) expect(value).toBeGreaterThanOrEqual(0);
  engine.close?.();
});
