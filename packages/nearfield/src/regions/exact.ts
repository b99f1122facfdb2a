// Does a box or a sphere meet a triangle? In exact integers, for what doubles leave open: corners and edges that
// graze, triangles that only just touch. All coordinates are doubles, so they are integers after multiplication with
// a power of two.

import type { PointTarget } from '../distance/exact/point-triangle.ts';
import { nearestToPoint } from '../distance/exact/point-triangle.ts';
import { fractionBits, fromDoubles, scaledInteger } from '../math/exact/rational.ts';

/**
 * Whether the box at boxes[at…], six numbers, and the triangle at corners[0…8] have a point in common: no strict separation along the
 * thirteen directions of cpu/box-triangle.as.ts, which has the proof that these suffice.
 */
export function boxMeets(boxes: ArrayLike<number>, at: number, corners: ArrayLike<number>): boolean {
  let bits = 0;
  for (let i = 0; i < 9; i++) bits = Math.max(bits, fractionBits(corners[i]));
  for (let i = 0; i < 6; i++) bits = Math.max(bits, fractionBits(boxes[at + i]));
  const low = [0, 1, 2].map(axis => scaledInteger(boxes[at + axis], bits));
  const high = [3, 4, 5].map(axis => scaledInteger(boxes[at + axis], bits));
  const triangle = [0, 3, 6].map(corner =>
    [0, 1, 2].map(axis => scaledInteger(corners[corner + axis], bits)),
  );
  return ![...directions(triangle)].some(direction => separates(direction, low, high, triangle));
}

/** The three axes, the normal, and the cross products of the edges with the axes. */
function* directions([a, b, c]: readonly bigint[][]): Generator<readonly bigint[]> {
  yield* axes;
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ].map(([from, to]) => to.map((x, axis) => x - from[axis]));
  yield cross(edges[0], edges[1]);
  for (const edge of edges) for (const axis of axes) yield cross(edge, axis);
}

const axes: readonly (readonly bigint[])[] = [
  [1n, 0n, 0n],
  [0n, 1n, 0n],
  [0n, 0n, 1n],
];

const cross = ([ux, uy, uz]: readonly bigint[], [vx, vy, vz]: readonly bigint[]): bigint[] => [
  uy * vz - uz * vy,
  uz * vx - ux * vz,
  ux * vy - uy * vx,
];

/** Whether all of a box lies before all of a triangle along a direction, or behind it. */
function separates(
  direction: readonly bigint[],
  low: readonly bigint[],
  high: readonly bigint[],
  triangle: readonly (readonly bigint[])[],
): boolean {
  const along = (point: readonly bigint[]) => direction.reduce((sum, x, axis) => sum + x * point[axis], 0n);
  const least = along(direction.map((x, axis) => (x > 0n ? low : high)[axis]));
  const most = along(direction.map((x, axis) => (x > 0n ? high : low)[axis]));
  const places = triangle.map(along);
  return places.every(place => place < least) || places.every(place => place > most);
}

/** Whether the sphere at spheres[at…], centre and radius, and a triangle of a body have a point in common. */
export function sphereMeets(spheres: Float64Array, at: number, body: PointTarget, triangle: number): boolean {
  const found = nearestToPoint(spheres.subarray(at, at + 3), body, [triangle], Infinity)!;
  const { x, w } = fromDoubles(spheres[at + 3], 0, 0);
  return found.numerator * w * w <= x * x * found.denominator * found.unit ** 2n;
}
