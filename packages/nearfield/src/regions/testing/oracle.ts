// Whether boxes and spheres meet triangles, by another algorithm: the triangle is clipped by the six sides of the
// box, one after another (Sutherland and Hodgman, Reentrant Polygon Clipping, 1974), in exact fractions. What is left
// is empty if and only if they are disjoint.

import {
  compareFractions,
  fractionOf,
  pointSquaredDistance,
} from '../../../../../test/oracle/triangles/least-difference.ts';
import { fromDoubles, type Homogeneous } from '../../math/exact/rational.ts';

/** Whether the box of six numbers and the triangle of nine have a point in common. */
export function oracleBoxMeets(box: ArrayLike<number>, corners: ArrayLike<number>): boolean {
  let polygon = [0, 3, 6].map(at => fromDoubles(corners[at], corners[at + 1], corners[at + 2]));
  for (let side = 0; side < 6; side++) {
    const axis = (['x', 'y', 'z'] as const)[side % 3];
    const { x: end, w: unit } = fromDoubles(box[side], 0, 0);
    // How far a point lies on the inner side, times a positive number.
    const depth = (p: Homogeneous) => (side < 3 ? p[axis] * unit - end * p.w : end * p.w - p[axis] * unit);
    polygon = polygon.flatMap((from, i) => {
      const to = polygon[(i + 1) % polygon.length];
      const [a, b] = [depth(from), depth(to)];
      const kept = a >= 0n ? [from] : [];
      return (a > 0n && b < 0n) || (a < 0n && b > 0n) ? [...kept, between(from, to, a, b)] : kept;
    });
  }
  return polygon.length > 0;
}

/**
 * Where a plane cuts the segment between two points, a and b on different sides of it. Depths are values of one linear form at homogeneous
 * coordinates, so b·from − a·to is a point of the plane, and its last coordinate is not 0.
 */
function between(from: Homogeneous, to: Homogeneous, a: bigint, b: bigint): Homogeneous {
  const sign = b * from.w - a * to.w > 0n ? 1n : -1n;
  const at = (p: bigint, q: bigint) => sign * (b * p - a * q);
  return { x: at(from.x, to.x), y: at(from.y, to.y), z: at(from.z, to.z), w: at(from.w, to.w) };
}

/** Whether the sphere of four numbers and the triangle of nine have a point in common. */
export function oracleSphereMeets(sphere: ArrayLike<number>, corners: ArrayLike<number>): boolean {
  const centre = [sphere[0], sphere[1], sphere[2]];
  const { numerator, denominator } = fractionOf(sphere[3]);
  const squared = { numerator: numerator * numerator, denominator: denominator * denominator };
  return compareFractions(pointSquaredDistance(centre, corners), squared) <= 0;
}
