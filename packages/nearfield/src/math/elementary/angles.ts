// Sine, cosine and their inverses with the same bits in every JavaScript engine. The language leaves the last digits of
// Math.sin and the like to the engine, and engines differ. It defines sums, products, quotients and square roots
// exactly. So shapes generated with these functions are the same everywhere, and so is every answer about them.
//
// u is 2^-53, the largest relative error of one rounding. Polynomials are Taylor polynomials: the remainder of an
// alternating series is less than its next term.

import { reduce, rest } from './reduce.ts';

const eighthTurn = Math.PI / 4;

/** The sine, with a relative error below 2^-52. NaN for NaN and infinite angles. */
export function sine(angle: number): number {
  const size = Math.abs(angle);
  if (size <= eighthTurn) return size < 2 ** -27 ? angle : sineNear(angle, 0);
  const quarter = reduce(size);
  const value = quarter & 1 ? cosineNear(rest[0], rest[1]) : sineNear(rest[0], rest[1]);
  return quarter < 2 === angle > 0 ? value : -value;
}

/** The cosine, with a relative error below 2^-52. NaN for NaN and infinite angles. */
export function cosine(angle: number): number {
  const size = Math.abs(angle);
  if (size <= eighthTurn) return cosineNear(angle, 0);
  const quarter = reduce(size);
  const value = quarter & 1 ? sineNear(rest[0], rest[1]) : cosineNear(rest[0], rest[1]);
  return quarter === 0 || quarter === 3 ? value : -value;
}

/**
 * Cosine and sine of one angle, with the same bits as from `cosine` and `sine`, in little more than the time of one.
 */
export function unitAt(angle: number): [cosine: number, sine: number] {
  const size = Math.abs(angle);
  if (size <= eighthTurn) return [cosineNear(angle, 0), size < 2 ** -27 ? angle : sineNear(angle, 0)];
  const quarter = reduce(size);
  const [along, up] = [cosineNear(rest[0], rest[1]), sineNear(rest[0], rest[1])];
  const [x, y] = quarter & 1 ? [up, along] : [along, up];
  return [quarter === 0 || quarter === 3 ? x : -x, quarter < 2 === angle > 0 ? y : -y];
}

/**
 * The sine of y + tail, |y| ≤ π/4: y + y·z·q(z), z = y². The remainder is less than z⁹/19! < 2^-63 of y. |z·q| is below
 * 0.1 and has six roundings: 0.6 u of y, which is 0.67 u of the sine. The last sum adds one u. The tail's factor is cos
 * y, for which 1 − z/2 is accurate enough.
 */
function sineNear(y: number, tail: number): number {
  const z = y * y;
  const w = z * z;
  const high =
    -1 / 39_916_800 + z * (1 / 6_227_020_800) + w * (-1 / 1_307_674_368_000 + z * (1 / 355_687_428_096_000));
  const q = -1 / 6 + z * (1 / 120) + w * (-1 / 5040 + z * (1 / 362_880) + w * high);
  return y + (y * z * q + tail * (1 - 0.5 * z));
}

/**
 * The cosine of y + tail, |y| ≤ π/4: 1 − z/2 + z²·q(z). The remainder is less than z⁹/18! < 2^-58. The rounding error
 * of 1 − z/2 is computed exactly and added back. z is off by u/2, z²·q < 0.016 by five roundings, and the last sum
 * rounds a number below 1 by u/2: together less than 0.9 u, which is 1.3 u of the cosine.
 */
function cosineNear(y: number, tail: number): number {
  const z = y * y;
  const w = z * z;
  const high = 1 / 479_001_600 + z * (-1 / 87_178_291_200) + w * (1 / 20_922_789_888_000);
  const q = 1 / 24 + z * (-1 / 720) + w * (1 / 40_320 + z * (-1 / 3_628_800) + w * high);
  const half = 0.5 * z;
  const most = 1 - half;
  return most + (1 - most - half + (w * q - y * tail));
}

/**
 * The angle of the point (x, y), from −π to π, with the conventions of Math.atan2 for zeros and infinities. Relative
 * error below 2^-50.
 *
 * Let q ≤ 1 be the ratio of the smaller coordinate to the larger, and i/8 the nearest eighth. Then arctan q = arctan
 * i/8 + arctan t with t = (q − i/8)/(1 + q·i/8), |t| ≤ 1/16. The series up to t¹³ leaves less than 2^-60 of t. q − i/8
 * is exact. Rounding errors: of q, u of the angle; of t, 2.1 u of t; of the sums, u of t and u of the angle. This is
 * largest, relative to the angle, where the angle is smallest and t is as large as the angle, at 1/16: 5.1 u of it.
 */
export function arctangent(y: number, x: number): number {
  const [height, width] = [Math.abs(y), Math.abs(x)];
  if (!(height >= 0 && width >= 0)) return NaN;
  const steep = height > width;
  const [small, large] = steep ? [width, height] : [height, width];
  const q = large === 0 ? 0 : small === large ? 1 : small / large;
  const i = Math.floor(8 * q + 0.5);
  const t = (q - i / 8) / (1 + q * (i / 8));
  const z = t * t;
  const series = z * (-1 / 3 + z * (1 / 5 + z * (-1 / 7 + z * (1 / 9 + z * (-1 / 11 + z * (1 / 13))))));
  const first = eighths[i] + (t + (t * series + eighthTails[i]));
  const leftwards = x < 0 || Object.is(x, -0);
  let angle = first;
  if (steep) angle = quarterTurn + (leftwards ? quarterTail + first : quarterTail - first);
  else if (leftwards) angle = 2 * quarterTurn - (first - 2 * quarterTail);
  return y < 0 || Object.is(y, -0) ? -angle : angle;
}

/** arctan i/8, and the errors of these doubles. */
const eighths = [
  0, 0.12435499454676144, 0.24497866312686414, 0.35877067027057225, 0.4636476090008061, 0.5585993153435624,
  0.6435011087932844, 0.7188299996216245, 0.7853981633974483,
];
const eighthTails = [
  0, -3.1253241424539383e-18, 1.0698755618734451e-17, -2.4623815582638635e-17, 2.2698777452961687e-17,
  -5.4556305485916264e-18, 1.5834785051444286e-17, -2.1478388444456983e-17, 3.061616997868383e-17,
];
const quarterTurn = 1.5707963267948966;
const quarterTail = 6.123233995736766e-17;

/**
 * The angle from 0 to π with this cosine; NaN beyond ±1. The relative error is below 2^-49: the sine has four
 * roundings, three of which the square root halves, so it is off by 2.5 u. The angle is off by at most as much, plus
 * the error of `arctangent`.
 */
export const arccosine = (cosine: number): number =>
  arctangent(Math.sqrt((1 - cosine) * (1 + cosine)), cosine);
