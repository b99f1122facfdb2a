// The corners of the region inside some planes around a centre, as integers. With y = x − c, a plane is n·y = g, g > 0,
// and its dual point is n/g. A facet m·d = k of the hull of the dual points is a corner y = m/k. Dual points and
// corners are rounded to integers of some more digits; then corners are moved towards the centre until all lie inside
// all planes, which is checked without rounding.

import { bitLength, dot, ratioToDouble, type Vector } from '../../math/exact/rational.ts';
import { hullOf } from './exact-hull.ts';
import { type IntegerPoint, pointOf } from './integer-points.ts';

/** n·x ≤ n·c + inside: a plane, and the centre's distance inside it times the length of its normal. */
export interface Side {
  readonly normal: Vector;
  readonly inside: bigint;
}

/** How much finer than the centre corners are, and how many more digits dual points have than that needs. */
const cornerDigits = 24n;
const dualDigits = 120;

/**
 * Undefined if the planes do not enclose a region. `digits` says how much finer the centre's unit is than another; the
 * result counts from that one.
 */
export function cornersWithin(
  centre: Vector,
  sides: readonly Side[],
  digits: number,
): { corners: IntegerPoint[]; digits: number } | undefined {
  // The dual point of the farthest plane still has its digits.
  let farthest = 0;
  for (const { normal, inside } of sides) farthest = Math.max(farthest, bitLength(inside) - sizeOf(normal));
  const power = BigInt(farthest + dualDigits);
  const duals = sides.map(({ normal: { x, y, z }, inside }) =>
    pointOf((x << power) / inside, (y << power) / inside, (z << power) / inside),
  );
  const found: Vector[] = [];
  for (const { normal, height } of hullOf(duals)) {
    if (height <= 0n) return undefined;
    const shift = power + cornerDigits;
    const corner = {
      x: (normal.x << shift) / height,
      y: (normal.y << shift) / height,
      z: (normal.z << shift) / height,
    };
    if (!found.some(other => isNear(other, corner))) found.push(corner);
  }
  let excess = 0;
  for (const { normal, inside } of sides) {
    const reach = inside << cornerDigits;
    for (const corner of found) {
      const own = dot(normal, corner);
      if (own > reach) excess = Math.max(excess, ratioToDouble(own - reach, reach));
    }
  }
  // Moved by a share d = 2^-drawn that is more than the excess e: (1 + e)·(1 − d) ≤ 1 for d ≥ e.
  const drawn = excess === 0 ? 64 : -Math.ceil(Math.log2(1.001 * excess));
  if (drawn < 8) return undefined;
  const more = BigInt(drawn) + cornerDigits;
  const place = (y: bigint, c: bigint): bigint => (y << BigInt(drawn)) - y + (c << more);
  return {
    corners: found.map(({ x, y, z }) => pointOf(place(x, centre.x), place(y, centre.y), place(z, centre.z))),
    digits: digits + Number(more),
  };
}

/** Digits of the largest coordinate. */
function sizeOf({ x, y, z }: Vector): number {
  let most = 0n;
  for (const value of [x, y, z]) {
    const size = value < 0n ? -value : value;
    if (size > most) most = size;
  }
  return bitLength(most);
}

/** If more than three planes meet in one point, the computed corners differ by rounding. */
function isNear(p: Vector, q: Vector): boolean {
  for (const apart of [p.x - q.x, p.y - q.y, p.z - q.z]) if (apart > 64n || apart < -64n) return false;
  return true;
}
