// Axis-aligned boxes as six numbers: minimum x, y, z, then maximum x, y, z. An empty box has minimum > maximum.

import type { Pose } from './pose.ts';

/** A box along the axes: the least x, y and z, then the greatest. */
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

export const unionOfBoxes = (a: Box, b: Box): Box =>
  a.map((x, k) => (k < 3 ? Math.min(x, b[k]) : Math.max(x, b[k])));

/** Half the greatest extent, which is always finite. */
export const halfOfBox = (box: Box): number =>
  Math.max(...[0, 1, 2].map(k => 0.5 * box[k + 3] - 0.5 * box[k]));

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
 * A box that contains the world position of every point of `box`, as `applyPose` rounds it. Rounding is monotonic. So
 * the contract's own operations, applied in the same order to the ends of the intervals, give bounds for the rounded
 * result. No slack is needed.
 */
export function placeBox(pose: Pose, box: Box, out: Box = new Float64Array(6)): Box {
  for (let row = 0; row < 3; row++) {
    const x0 = pose[row] * box[0];
    const x1 = pose[row] * box[3];
    const y0 = pose[4 + row] * box[1];
    const y1 = pose[4 + row] * box[4];
    const z0 = pose[8 + row] * box[2];
    const z1 = pose[8 + row] * box[5];
    const t = pose[12 + row];
    out[row] = Math.min(x0, x1) + Math.min(y0, y1) + Math.min(z0, z1) + t;
    out[row + 3] = Math.max(x0, x1) + Math.max(y0, y1) + Math.max(z0, z1) + t;
  }
  return out;
}

/**
 * Whether the world positions of a box's points, with what rounding may add, fit in doubles. This is the same
 * computation as in the CPU engine (bvh/cpu/place/place.as.ts), so that every engine refuses the same bodies.
 */
export function boxIsPlaced(pose: Pose, box: Box): boolean {
  return isPlainlyPlaced(pose, box) || isEmptyBox(box) || isPlaced(pose, box);
}

/**
 * Whether `isPlaced` certainly holds, because coordinates have ordinary sizes. This is cheap, and many searches ask.
 * Let R be the sum of |entry|·|coordinate| and |translation|, rounded. What `isPlaced` compares are sums of at most
 * eight terms below 2·R, far below the largest double. False for NaN.
 */
function isPlainlyPlaced(pose: Pose, box: Box): boolean {
  const x = Math.max(Math.abs(box[0]), Math.abs(box[3]));
  const y = Math.max(Math.abs(box[1]), Math.abs(box[4]));
  const z = Math.max(Math.abs(box[2]), Math.abs(box[5]));
  for (let row = 0; row < 3; row++) {
    const reach =
      Math.abs(pose[row]) * x +
      Math.abs(pose[4 + row]) * y +
      Math.abs(pose[8 + row]) * z +
      Math.abs(pose[12 + row]);
    if (!(reach < 2 ** 1000)) return false;
  }
  return true;
}

function isPlaced(pose: Pose, box: Box): boolean {
  for (let row = 0; row < 3; row++) {
    let place = 0;
    let size = 0;
    let half = 0;
    for (let axis = 0; axis < 3; axis++) {
      const [low, high, entry] = [box[axis], box[axis + 3], pose[4 * axis + row]];
      const centre = low * 0.5 + high * 0.5;
      place += entry * centre;
      size += Math.abs(entry) * Math.max(Math.abs(low), Math.abs(high));
      half += Math.abs(entry) * (Math.max(high - centre, centre - low) * (1 + 2 ** -51));
    }
    place += pose[12 + row];
    half += 2 ** -48 * (size + Math.abs(pose[12 + row])) + 2 ** -1060;
    if (!Number.isFinite(place - half) || !Number.isFinite(place + half)) return false;
  }
  return true;
}
