// Finds pairs of triangles of one body on the CPU, by the walk of self.as.ts.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { treesOf } from '../../../../bvh/cpu/build/trees.ts';
import type { Limits } from '../../../../core/limits.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import type { RawAnswer } from '../../../request.ts';
import { jobsOf, type TriangleQuestion } from '../job/jobs.ts';
import { prepareSelf } from './fans.ts';
import { selfKernels } from './kernels.ts';

/** Records (0, i, j), i < j, of triangles of one body that may share more than their common positions. */
export const selfIntersectSync = (engine: CpuEngine, body: Placed, limits: Limits): RawAnswer =>
  jobsOf(engine).answerSync(question(engine, body, limits));

/** The same in slices of time. */
export const selfIntersectInSlices = (engine: CpuEngine, body: Placed, limits: Limits): Promise<RawAnswer> =>
  jobsOf(engine).answer(question(engine, body, limits));

const question = (engine: CpuEngine, body: Placed, limits: Limits): TriangleQuestion => ({
  request: { ...limits, detail: 'list' },
  table: 0,
  *begin(job, front) {
    yield* treesOf(engine).makeNew([body]);
    front.rows.single(body);
    // A tree that a question holds must not change, so fans are marked before it is held.
    prepareSelf(engine, body.shape);
    front.hold();
    const shared = engine.kernels(selfKernels);
    job.beginSelf(front, shared.call.startSelf);
    return { kernel: shared.call.traverseSelf, shared };
  },
});
