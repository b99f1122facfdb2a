// Trees ahead of any question: for measurements, and to have them ready.

import { NearfieldError } from '../../core/errors.ts';
import type { Session } from '../../gpu/session.ts';
import type { Shape } from '../../interferences/engine.ts';

/** Builds trees by themselves, and waits for them. */
export async function buildTrees(
  { opened: { device }, trees }: Session,
  shapes: readonly Shape[],
  welded: boolean,
): Promise<number | undefined> {
  device.pushErrorScope('out-of-memory');
  device.pushErrorScope('validation');
  let dispatches: number;
  let errors: Promise<(GPUError | null)[]>;
  try {
    dispatches = trees.update(shapes, welded);
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
}
