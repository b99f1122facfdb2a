// Exact rational points for the rare questions that signs of doubles cannot answer: where a segment pierces a plane, a
// point inside a polygon cut from a triangle, or on which side of a plane such a point lies. Every double is a dyadic
// rational. So points are kept in homogeneous coordinates, as four integers, and nothing is divided until a coordinate
// is converted back to a double.

import type { Sign } from './orient.ts';

/** A vector of integers. */
export interface Vector {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

/**
 * The point (x/w, y/w, z/w) if w > 0, the direction (x, y, z) if w = 0. w is never negative. A direction times a
 * positive number is the same direction. Different numbers may be the same point: compare with `samePoint`.
 */
export interface Homogeneous extends Vector {
  readonly w: bigint;
}

/** The plane x·px + y·py + z·pz + w·pw = 0. Its value at a point is positive BELOW the points that span it. */
export type Plane = Homogeneous;

const doubleBits = new DataView(new ArrayBuffer(8));

/** How often x must be doubled to become an integer: 0 for integers. */
export function fractionBits(x: number): number {
  if (Number.isInteger(x)) return 0;
  doubleBits.setFloat64(0, x);
  const high = doubleBits.getUint32(0);
  const low = doubleBits.getUint32(4);
  const exponent = (high >>> 20) & 0x7ff;
  // The implicit leading one, except for denormals. If the fraction is all zeros, it is also the last bit set.
  const fraction = (high & 0xfffff) | (exponent === 0 ? 0 : 0x100000);
  const trailingZeros = low !== 0 ? 31 - Math.clz32(low & -low) : 63 - Math.clz32(fraction & -fraction);
  return 1075 - Math.max(exponent, 1) - trailingZeros;
}

/** x·2^bits as an integer, for bits ≥ fractionBits(x). */
export function scaledInteger(x: number, bits: number): bigint {
  if (Number.isInteger(x)) return BigInt(x) << BigInt(bits);
  doubleBits.setFloat64(0, x);
  const high = doubleBits.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (high & 0xfffff) | (exponent === 0 ? 0 : 0x100000);
  const mantissa = BigInt(fraction * 2 ** 32 + doubleBits.getUint32(4));
  // Denormals share the exponent of the smallest normal numbers.
  const shift = BigInt(Math.max(exponent, 1) - 1075 + bits);
  const magnitude = shift >= 0n ? mantissa << shift : mantissa >> -shift;
  return x < 0 ? -magnitude : magnitude;
}

/** The point with these finite coordinates, exactly; w is the smallest power of two that makes them integers. */
export function fromDoubles(x: number, y: number, z: number): Homogeneous {
  const bits = Math.max(fractionBits(x), fractionBits(y), fractionBits(z));
  return {
    x: scaledInteger(x, bits),
    y: scaledInteger(y, bits),
    z: scaledInteger(z, bits),
    w: 1n << BigInt(bits),
  };
}

/** The point at p[at], p[at + 1], p[at + 2]. */
export const pointAt = (p: ArrayLike<number>, at: number): Homogeneous =>
  fromDoubles(p[at], p[at + 1], p[at + 2]);

/** The direction with these finite components, exactly (up to the positive factor that makes them integers). */
export function directionFromDoubles(x: number, y: number, z: number): Homogeneous {
  return direction(fromDoubles(x, y, z));
}

/** The direction (x, y, z); for a point, the direction from the origin to it. */
export const direction = ({ x, y, z }: Vector): Homogeneous => ({ x, y, z, w: 0n });

/** The direction from point a to point b; 0, 0, 0 if they are the same. */
export const fromTo = (a: Homogeneous, b: Homogeneous): Homogeneous => ({
  x: b.x * a.w - a.x * b.w,
  y: b.y * a.w - a.y * b.w,
  z: b.z * a.w - a.z * b.w,
  w: 0n,
});

export const minus = (u: Vector, v: Vector): Vector => ({ x: u.x - v.x, y: u.y - v.y, z: u.z - v.z });

export const negate = (u: Homogeneous): Homogeneous => ({ x: -u.x, y: -u.y, z: -u.z, w: 0n });

export const dot = (u: Vector, v: Vector): bigint => u.x * v.x + u.y * v.y + u.z * v.z;

export const cross = (u: Vector, v: Vector): Homogeneous => ({
  x: u.y * v.z - u.z * v.y,
  y: u.z * v.x - u.x * v.z,
  z: u.x * v.y - u.y * v.x,
  w: 0n,
});

export const isZero = (u: Homogeneous): boolean => u.x === 0n && u.y === 0n && u.z === 0n;

export const signOf = (n: bigint): Sign => (n > 0n ? 1 : n < 0n ? -1 : 0);

export const samePoint = (a: Homogeneous, b: Homogeneous): boolean =>
  a.x * b.w === b.x * a.w && a.y * b.w === b.y * a.w && a.z * b.w === b.z * a.w;

/** Lexicographic order of two points by x, then y, then z. On one line it is the order along the line. */
export function comparePoints(a: Homogeneous, b: Homogeneous): Sign {
  return signOf(a.x * b.w - b.x * a.w) || signOf(a.y * b.w - b.y * a.w) || signOf(a.z * b.w - b.z * a.w);
}

/** Which point lies further along a direction: positive if a does. */
export const compareAlong = (u: Homogeneous, a: Homogeneous, b: Homogeneous): Sign =>
  signOf(dot(u, a) * b.w - dot(u, b) * a.w);

/**
 * The plane through three points; any of them may be a direction instead, along which the plane then runs. Its value at
 * d is the determinant of the rows a, b, c, d. So `sideOf(planeThrough(a, b, c), d)` is `orient3dRational(a, b, c, d)`,
 * and (x, y, z) of the plane is the negative of a normal around which a, b, c run counter-clockwise. All numbers are
 * zero if the three do not span a plane.
 */
export function planeThrough(a: Homogeneous, b: Homogeneous, c: Homogeneous): Plane {
  // 2×2 minors of b and c, shared by the four 3×3 cofactors.
  const yz = b.y * c.z - b.z * c.y;
  const xz = b.x * c.z - b.z * c.x;
  const xy = b.x * c.y - b.y * c.x;
  const xw = b.x * c.w - b.w * c.x;
  const yw = b.y * c.w - b.w * c.y;
  const zw = b.z * c.w - b.w * c.z;
  return {
    x: a.z * yw - a.y * zw - a.w * yz,
    y: a.x * zw - a.z * xw + a.w * xz,
    z: a.y * xw - a.x * yw - a.w * xy,
    w: a.x * yz - a.y * xz + a.z * xy,
  };
}

/** Positive below the plane, negative above, zero on it. For a direction: positive if it points below. */
export const sideOf = (plane: Plane, d: Homogeneous): Sign => signOf(planeValue(plane, d));

const planeValue = (plane: Plane, d: Homogeneous): bigint =>
  plane.x * d.x + plane.y * d.y + plane.z * d.z + plane.w * d.w;

/**
 * As orient3dSign: positive iff d lies below the plane through a, b, c. Any of the four may be a direction. It is the
 * same as sideOf(planeThrough(a, b, c), d); keep the plane if you need it more than once.
 */
export const orient3dRational = (a: Homogeneous, b: Homogeneous, c: Homogeneous, d: Homogeneous): Sign =>
  sideOf(planeThrough(a, b, c), d);

/** Positive iff a, b, c run counter-clockwise seen from the tip of the normal: sign of normal · (b−a)×(c−a). */
export const turn = (normal: Homogeneous, a: Homogeneous, b: Homogeneous, c: Homogeneous): Sign =>
  orient3dRational(normal, a, b, c);

/**
 * The point in which the line through p and q meets a plane; q may be a direction. If f is the plane's value,
 * f(q)·p − f(p)·q has the value f(q)·f(p) − f(p)·f(q) = 0 and lies on the line. Throws if the line does not cross the
 * plane in one point. For coplanar segments pq and rs, use linePlane(p, q, planeThrough(r, s, n)), where n is a normal
 * of their plane.
 */
export function linePlane(p: Homogeneous, q: Homogeneous, plane: Plane): Homogeneous {
  const fp = planeValue(plane, p);
  const fq = planeValue(plane, q);
  const w = fq * p.w - fp * q.w;
  if (w === 0n) throw new RangeError('the line does not cross the plane in one point');
  const x = fq * p.x - fp * q.x;
  const y = fq * p.y - fp * q.y;
  const z = fq * p.z - fp * q.z;
  return w > 0n ? { x, y, z, w } : { x: -x, y: -y, z: -z, w: -w };
}

/**
 * A point in the relative interior of the points' convex hull: their sum as homogeneous vectors, which is their mean
 * with weights w. It costs no multiplication, and the integers hardly grow. Three corners that are not collinear are
 * enough for a point inside a convex polygon.
 */
export function mix(points: readonly Homogeneous[]): Homogeneous {
  let [x, y, z, w] = [0n, 0n, 0n, 0n];
  for (const point of points) {
    x += point.x;
    y += point.y;
    z += point.z;
    w += point.w;
  }
  return { x, y, z, w };
}

/** As `mix`, with each point multiplied by a positive weight. */
export function weightedMix(points: readonly Homogeneous[], weights: readonly number[]): Homogeneous {
  let [x, y, z, w] = [0n, 0n, 0n, 0n];
  points.forEach((point, i) => {
    const weight = BigInt(weights[i]);
    x += weight * point.x;
    y += weight * point.y;
    z += weight * point.z;
    w += weight * point.w;
  });
  return { x, y, z, w };
}

/** point + direction · numerator / denominator, denominator > 0. */
export const moved = (
  point: Homogeneous,
  along: Homogeneous,
  numerator: bigint,
  denominator: bigint,
): Homogeneous => ({
  x: point.x * denominator + along.x * numerator * point.w,
  y: point.y * denominator + along.y * numerator * point.w,
  z: point.z * denominator + along.z * numerator * point.w,
  w: point.w * denominator,
});

/**
 * The same point or direction in lowest terms. It costs some tens of microseconds. That pays if the point enters many
 * further products, and is needed if equal points must have equal integers.
 */
export function reduced(a: Homogeneous): Homogeneous {
  const divisor = greatestDivisor(greatestDivisor(greatestDivisor(a.w, a.x), a.y), a.z);
  return divisor <= 1n ? a : { x: a.x / divisor, y: a.y / divisor, z: a.z / divisor, w: a.w / divisor };
}

/**
 * The same point, direction or plane without common factors of two. They are cheap to remove, and most common factors of
 * products of doubles are factors of two.
 */
export function withoutTwos(a: Homogeneous): Homogeneous {
  const bits = a.x | a.y | a.z | a.w;
  // The lowest bit that is set, also of a negative number. Below 2^64 little is gained.
  const lowest = bits & -bits;
  if (lowest < 0x1_0000_0000_0000_0000n) return a;
  const shift = BigInt(bitLength(lowest) - 1);
  return { x: a.x >> shift, y: a.y >> shift, z: a.z >> shift, w: a.w >> shift };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  if (b < 0n) b = -b;
  if (a < 0n) a = -a;
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** The coordinates of a point as doubles, each correctly rounded (to nearest, ties to even). */
export const toDoubles = (a: Homogeneous): [number, number, number] => [
  ratioToDouble(a.x, a.w),
  ratioToDouble(a.y, a.w),
  ratioToDouble(a.z, a.w),
];

/** numerator / denominator as a double, correctly rounded; denominator > 0. ±Infinity beyond the range. */
export function ratioToDouble(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  const n = numerator < 0n ? -numerator : numerator;
  // 2^exponent ≤ n / denominator < 2^(exponent + 1).
  let exponent = bitLength(n) - bitLength(denominator);
  if (shifted(n, -exponent) < shifted(denominator, exponent)) exponent--;
  // The unit in the last place of the result: 52 bits below the highest bit, and at least that of the denormals.
  const unit = Math.max(exponent - 52, -1074);
  const dividend = shifted(n, -unit);
  const divisor = shifted(denominator, unit);
  let quotient = dividend / divisor;
  const twiceRest = 2n * (dividend - quotient * divisor);
  if (twiceRest > divisor || (twiceRest === divisor && (quotient & 1n) === 1n)) quotient++;
  // Exact: the quotient has at most 53 bits (or is 2^53), and its unit is a double's unit.
  const magnitude = unit > 971 ? Infinity : Number(quotient) * 2 ** unit;
  return numerator < 0n ? -magnitude : magnitude;
}

/** n·2^bits for bits ≥ 0, else n. */
const shifted = (n: bigint, bits: number): bigint => (bits > 0 ? n << BigInt(bits) : n);

/**
 * Number of binary digits of n > 0. As a double, n lies between the same two powers of two, or is rounded up to the
 * higher one. A comparison tells these cases apart.
 */
export function bitLength(n: bigint): number {
  const near = Number(n);
  if (near === Infinity) {
    const digits = n.toString(16);
    return 4 * digits.length - (Math.clz32(Number.parseInt(digits[0], 16)) - 28);
  }
  doubleBits.setFloat64(0, near);
  const high = doubleBits.getUint32(0);
  const exponent = (high >>> 20) - 1023;
  const isPower = (high & 0xfffff) === 0 && doubleBits.getUint32(4) === 0;
  return isPower && n < 1n << BigInt(exponent) ? exponent : exponent + 1;
}
