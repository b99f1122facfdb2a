// Orders points in the kernels' memory so that each is near the one before it (spatial-order.as.ts), on all threads if they
// are very many.

import type { CpuEngine } from '../../../cpu/engine.ts';
import { runPhase } from '../../../cpu/threads/phase.ts';
import * as layout from '../kernels.layout.ts';
import { distanceKernels } from '../kernels.ts';

/** From this many points on, other threads help: about a millisecond of work. */
const pointsToShare = 1 << 16;

export interface PointsInMemory {
  /** The address of points of three doubles, all finite. */
  readonly points: number;
  readonly count: number;
}

/**
 * The address of the points' numbers in that order, a word each. `reserve` allocates memory that the caller frees. Yields 0
 * now and then.
 */
export function* orderPoints(
  engine: CpuEngine,
  { points, count }: PointsInMemory,
  reserve: (bytes: number) => number,
  toShare = pointsToShare,
): Generator<number, number> {
  const kernels = engine.kernels(distanceKernels);
  const { call, memory } = kernels;
  const job = reserve(layout.orderingBytes);
  const set = (offset: number, value: number) => void (memory.u32[(job + offset) >>> 2] = value);
  set(layout.Ordering.points, points);
  set(layout.Ordering.count, count);
  call.startOrdering(job, reserve(call.orderBytes(count)));
  const phases = [layout.boxPhase, layout.cellPhase, layout.placePhase, layout.sortPhase];
  let isWhole = false;
  // If a thread fails, the calling one starts again, alone.
  for (let share = count >= toShare; !isWhole; share = false) {
    isWhole = true;
    for (const phase of phases) {
      call.startPhase(job, phase);
      isWhole &&= yield* runPhase({
        ...{ engine, kernels, name: 'orderPoints', job, share },
        scratch: () => reserve(layout.orderScratchBytes),
      });
    }
  }
  return memory.u32[(job + layout.Ordering.order) >>> 2];
}
