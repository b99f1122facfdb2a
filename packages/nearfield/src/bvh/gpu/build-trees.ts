// Builds trees before any question: for measurements, and to have them ready.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../bodies/snapshot/snapshot-of.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import { treesIn } from './ask.ts';
import { shapesOf } from './asked-shapes.ts';

/**
 * Brings trees up to date before a question, as the question itself would do first, and waits for it. Returns the GPU
 * milliseconds of the last batch of trees if timing is on.
 */
export function buildTrees(
  engine: GpuEngine,
  bodies: readonly Placed[],
  { welded = false } = {},
): Promise<number | undefined> {
  return engine.ask({}, async ({ session }) => {
    const { device } = session.opened;
    const trees = await treesIn(session);
    device.pushErrorScope('out-of-memory');
    device.pushErrorScope('validation');
    let dispatches: number;
    let errors: Promise<(GPUError | null)[]>;
    try {
      dispatches = trees.update(shapesOf(snapshotOf(bodies)), welded);
    } finally {
      errors = Promise.all([device.popErrorScope(), device.popErrorScope()]);
    }
    for (const error of await errors) {
      if (error === null) continue;
      throw new NearfieldError('out-of-memory', `the GPU refused to build trees: ${error.message}`);
    }
    if (dispatches === 0) return undefined;
    await device.queue.onSubmittedWorkDone();
    await trees.stopwatch.read(device);
    return trees.stopwatch.milliseconds;
  });
}
