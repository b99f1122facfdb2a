// World positions as integers: doubles times one power of two. Each point also keeps its coordinates as doubles, for
// filters: signs that are certain in double are not computed in integers.

import {
  bitLength,
  cross,
  dot,
  fractionBits,
  scaledInteger,
  type Vector,
} from '../../math/exact/rational.ts';

/** A vector of integers, and its coordinates rounded to doubles; infinite beyond their range. */
export interface IntegerPoint extends Vector {
  readonly near: readonly [x: number, y: number, z: number];
}

/** How many binary digits after the point all doubles need. */
export function commonBits(doubles: Iterable<number>): number {
  let bits = 0;
  for (const x of doubles) bits = Math.max(bits, fractionBits(x));
  return bits;
}

/** Doubles, three per point, times 2^bits. */
export function integerPoints(doubles: ArrayLike<number>, bits: number): IntegerPoint[] {
  const points: IntegerPoint[] = [];
  for (let i = 0; i < doubles.length; i += 3) {
    points.push(
      pointOf(
        scaledInteger(doubles[i], bits),
        scaledInteger(doubles[i + 1], bits),
        scaledInteger(doubles[i + 2], bits),
      ),
    );
  }
  return points;
}

export const pointOf = (x: bigint, y: bigint, z: bigint): IntegerPoint => ({
  x,
  y,
  z,
  near: [Number(x), Number(y), Number(z)],
});

export const minus = (p: Vector, q: Vector): IntegerPoint => pointOf(p.x - q.x, p.y - q.y, p.z - q.z);

/** Digits of the largest coordinate. */
export function digitsOf(points: readonly Vector[]): number {
  let most = 0n;
  for (const { x, y, z } of points) {
    for (const value of [x, y, z]) {
      const size = value < 0n ? -value : value;
      if (size > most) most = size;
    }
  }
  return most === 0n ? 0 : bitLength(most);
}

/** All x with n·x = height: a normal and a height of integers, and both rounded to doubles. */
export interface IntegerPlane {
  readonly normal: IntegerPoint;
  readonly height: bigint;
  readonly nearHeight: number;
  /** The height over the length of the normal, to 2^-49 of itself. */
  readonly distance: number;
}

/** The plane through three points, seen counter-clockwise from its upper side; undefined if they are in line. */
export function planeOf(p: Vector, q: Vector, r: Vector): IntegerPlane | undefined {
  const n = cross(minus(q, p), minus(r, p));
  if (n.x === 0n && n.y === 0n && n.z === 0n) return undefined;
  return planeAlong(pointOf(n.x, n.y, n.z), dot(n, p));
}

export function planeAlong(normal: IntegerPoint, height: bigint): IntegerPlane {
  const nearHeight = Number(height);
  return { normal, height, nearHeight, distance: nearHeight / lengthOf(normal) };
}

/** Right to 2^-50 of itself: three squares, two sums, a root, and the roundings of coordinates, with some room. */
export function lengthOf({ near: [x, y, z] }: IntegerPoint): number {
  const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  return size * Math.sqrt((x / size) ** 2 + (y / size) ** 2 + (z / size) ** 2);
}

/**
 * The sign of n·p − height. In doubles each product is off by three roundings of 2^-53, each sum by one: 2^-50 of the
 * sum of magnitudes is more. If that does not decide, or numbers are beyond the range of doubles, integers do.
 */
export function sideOf({ normal, height, nearHeight }: IntegerPlane, p: IntegerPoint): number {
  const x = normal.near[0] * p.near[0];
  const y = normal.near[1] * p.near[1];
  const z = normal.near[2] * p.near[2];
  const value = x + y + z - nearHeight;
  const error = 2 ** -50 * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(nearHeight));
  if (value > error) return 1;
  if (value < -error) return -1;
  const exact = dot(normal, p) - height;
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/**
 * The point farthest along a direction; the first of several. Only those that doubles cannot tell apart are compared
 * exactly.
 */
export function farthest(points: readonly IntegerPoint[], along: IntegerPoint, sign: 1 | -1): IntegerPoint {
  const [u, v, w] = along.near;
  let best = points[0];
  let [value, error] = [-Infinity, 0];
  let exact: bigint | undefined;
  for (const p of points) {
    const x = sign * u * p.near[0];
    const y = sign * v * p.near[1];
    const z = sign * w * p.near[2];
    const own = x + y + z;
    const off = 2 ** -50 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    if (own - value > off + error) {
      [best, value, error, exact] = [p, own, off, undefined];
    } else if (!(value - own > off + error)) {
      exact ??= BigInt(sign) * dot(along, best);
      const other = BigInt(sign) * dot(along, p);
      if (other > exact) [best, value, error, exact] = [p, own, off, other];
    }
  }
  return best;
}

/** The same points in units smaller by 2^digits. */
export const finer = (points: readonly IntegerPoint[], digits: number): readonly IntegerPoint[] =>
  digits === 0
    ? points
    : points.map(({ x, y, z }) => pointOf(x << BigInt(digits), y << BigInt(digits), z << BigInt(digits)));
