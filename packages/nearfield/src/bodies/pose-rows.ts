// Copies many poses into kernel memory and checks them there.

import type { PoseRows } from './engine.ts';

/** Rows per block. A block is checked right after it was copied, while it is in the cache. */
const rowsAtOnce = 512;

/** The kernel that checks poses at an address of its memory (cpu/poses.as.ts). */
export interface PoseKernel {
  firstUncommonPose(poses: number, first: number, end: number): number;
}

/** Copies poses and returns whether all of them are plainly valid. */
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
