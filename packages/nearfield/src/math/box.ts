// Axis-aligned boxes as six numbers: minimum x, y, z, then maximum x, y, z. An empty box has minimum > maximum.

import type { Pose } from './pose.ts';

export type Box = Float64Array;

export const emptyBox = (): Box =>
  new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);

export const isEmptyBox = (box: Box): boolean => box[0] > box[3];

export function growBox(box: Box, x: number, y: number, z: number): void {
  if (x < box[0]) box[0] = x;
  if (y < box[1]) box[1] = y;
  if (z < box[2]) box[2] = z;
  if (x > box[3]) box[3] = x;
  if (y > box[4]) box[4] = y;
  if (z > box[5]) box[5] = z;
}

/** Whether two closed boxes share a point. */
export const boxesMeet = (a: Box, b: Box): boolean =>
  a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];

export const boxHolds = (box: Box, point: ArrayLike<number>): boolean =>
  box[0] <= point[0] &&
  point[0] <= box[3] &&
  box[1] <= point[1] &&
  point[1] <= box[4] &&
  box[2] <= point[2] &&
  point[2] <= box[5];

/**
 * A box that holds the world position of every point of `box`, as `applyPose` rounds it. Rounding is monotonic,
 * so running the contract's own operations on the ends of the intervals, in the same order, gives bounds for
 * the rounded result: no slack is needed.
 */
export function placeBox(pose: Pose, box: Box): Box {
  if (isEmptyBox(box)) return emptyBox();
  const world = emptyBox();
  for (let row = 0; row < 3; row++) {
    let [low, high] = [0, 0];
    for (let axis = 0; axis < 3; axis++) {
      const [p, q] = [pose[4 * axis + row] * box[axis], pose[4 * axis + row] * box[axis + 3]];
      low = axis === 0 ? Math.min(p, q) : low + Math.min(p, q);
      high = axis === 0 ? Math.max(p, q) : high + Math.max(p, q);
    }
    world[row] = low + pose[12 + row];
    world[row + 3] = high + pose[12 + row];
  }
  return world;
}
