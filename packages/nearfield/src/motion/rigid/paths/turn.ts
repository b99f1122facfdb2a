// Rotations about an axis, from sums, products and the sine of math/elementary: the same bits in every JavaScript engine.
// Matrices are 3×3, column by column, as in a pose.

import { arctangent, unitAt } from '../../../math/elementary/angles.ts';
import type { Pose } from '../../../math/pose.ts';
import type { Vector } from '../../../math/vector.ts';

/** A turn about an axis of unit length (up to rounding), by an angle in radians. */
export interface Turn {
  readonly axis: Vector;
  readonly angle: number;
}

/**
 * The matrix of a turn (Rodrigues). Each entry is off by less than 16·2^-53 from that of the exact turn about the direction
 * of the axis: cosine and sine by 2 units of 2^-53, their angle by 3, the axis, which was divided by its length, by 3 per factor.
 */
export function turnMatrix([x, y, z]: Vector, angle: number, out: Float64Array): void {
  const [c, s] = unitAt(angle);
  // 1 − cos loses digits for small angles, where it matters least: the entry is then near 1 or 0.
  const rest = 1 - c;
  out[0] = c + x * x * rest;
  out[1] = x * y * rest + z * s;
  out[2] = x * z * rest - y * s;
  out[3] = x * y * rest - z * s;
  out[4] = c + y * y * rest;
  out[5] = y * z * rest + x * s;
  out[6] = x * z * rest + y * s;
  out[7] = y * z * rest - x * s;
  out[8] = c + z * z * rest;
}

/**
 * The turn whose matrix is nearest to a matrix that is a rotation up to rounding, by its quaternion. The angle is from 0 to
 * π; at π either direction of the axis is right, and one of them is chosen.
 */
export function turnOf(m: Float64Array): Turn {
  const trace = m[0] + m[4] + m[8];
  let w: number;
  let v: [number, number, number];
  // The largest of the four components is computed by a root, the others from it.
  if (trace >= Math.max(m[0], m[4], m[8])) {
    w = 1 + trace;
    v = [m[5] - m[7], m[6] - m[2], m[1] - m[3]];
  } else if (m[0] >= m[4] && m[0] >= m[8]) {
    w = m[5] - m[7];
    v = [1 + m[0] - m[4] - m[8], m[1] + m[3], m[6] + m[2]];
  } else if (m[4] >= m[8]) {
    w = m[6] - m[2];
    v = [m[1] + m[3], 1 + m[4] - m[0] - m[8], m[5] + m[7]];
  } else {
    w = m[1] - m[3];
    v = [m[6] + m[2], m[5] + m[7], 1 + m[8] - m[0] - m[4]];
  }
  if (w < 0) [w, v] = [-w, [-v[0], -v[1], -v[2]]];
  const length = lengthOf(v);
  if (length === 0) return { axis: [0, 0, 1], angle: 0 };
  return {
    axis: [v[0] / length, v[1] / length, v[2] / length],
    angle: 2 * arctangent(length, w),
  };
}

/** The product of two 3×3 matrices. */
export function multiply3(a: ArrayLike<number>, b: ArrayLike<number>, out: Float64Array): void {
  for (let column = 0; column < 9; column += 3)
    for (let row = 0; row < 3; row++)
      out[column + row] = a[row] * b[column] + a[3 + row] * b[column + 1] + a[6 + row] * b[column + 2];
}

/** The linear part of a pose. */
export const linearOf = (m: Pose): Float64Array =>
  Float64Array.of(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]);

/** L₁·L₀⁻¹ by cofactors; NaN or infinite if L₀ is nearly singular. A common factor changes nothing. */
export function quotient3(to: Float64Array, from: Float64Array): Float64Array {
  const unit = unitFor(from);
  const [l1, l0] = [to.map(x => x * unit), from.map(x => x * unit)];
  const [a, b, c] = [l0.subarray(0, 3), l0.subarray(3, 6), l0.subarray(6, 9)];
  const rows = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = a[0] * rows[0][0] + a[1] * rows[0][1] + a[2] * rows[0][2];
  const inverse = new Float64Array(9);
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) inverse[3 * column + row] = rows[row][column] / determinant;
  const out = new Float64Array(9);
  multiply3(l1, inverse, out);
  return out;
}

export const lengthOf = (v: ArrayLike<number>): number => normOf(v);

/**
 * The Frobenius norm of a matrix: the matrix makes no vector longer than this times its length. The norm of a vector is its
 * length. Squares neither overflow nor underflow, and every JavaScript engine gives the same bits, which `Math.hypot`
 * does not promise.
 */
export function normOf(m: ArrayLike<number>): number {
  const unit = unitFor(m);
  let sum = 0;
  for (let i = 0; i < m.length; i++) sum += (m[i] * unit) ** 2;
  return Math.sqrt(sum) / unit;
}

/** A power of two by which the largest of some numbers is moderate: 1 if it is so already. */
export function unitFor(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]));
  return unitOf(most);
}

/** The same for a number that is not negative: 1 between 2^-200 and 2^200. */
export function unitOf(size: number): number {
  if ((size > 2 ** -200 && size < 2 ** 200) || !(size > 0 && size < Infinity)) return 1;
  return 2 ** Math.min(1000, -Math.round(Math.log2(size)));
}

/** As in math/vector.ts, without the file: with it, a page that asks about distances or motion would download more. */
export const cross = (u: ArrayLike<number>, v: ArrayLike<number>): Vector => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];
