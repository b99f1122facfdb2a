// Many poses on their way into memory that a kernel reads.

import type { PoseRows } from './engine.ts';

/** Copied and checked while they are near. */
const rowsAtOnce = 512;

/** The check of poses that lie at an address of the kernel's memory (bvh/cpu/poses.as.ts). */
export interface PoseKernel {
  firstUncommonPose(poses: number, first: number, end: number): number;
}

/** Copies poses and says whether all of them are plainly good. */
export function copyPoses(values: Float64Array, { poses, at }: PoseRows, kernel: PoseKernel): boolean {
  const count = values.length / 16;
  let good = true;
  for (let from = 0; from < count; from += rowsAtOnce) {
    const to = Math.min(count, from + rowsAtOnce);
    poses.set(values.subarray(16 * from, 16 * to), 16 * from);
    good &&= kernel.firstUncommonPose(at, from, to) === to;
  }
  return good;
}
