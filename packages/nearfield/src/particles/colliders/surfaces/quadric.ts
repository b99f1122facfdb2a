// Quadrics: h(σ) = Q(p(σ)), a quartic if particles accelerate (Knott, equations 3.8 and 3.9, for first order). With
// d = x − centre and g = half of the gradient there:
//   h = Q(d) + 2g·v σ + (g·a + vᵀQv) σ² + vᵀQa σ³ + ¼aᵀQa σ⁴.
// The sign of the first coefficient says on which side a path begins. If rounding could change it, it is computed in twice
// the precision. Each coefficient is off by at most 2^-49 of the magnitudes it is summed from.

import { bad, inWords, isObject } from '../../../core/arguments.ts';
import { tail, twoProduct, twoSum } from '../../../math/exact/double-double.ts';
import { finiteNumber } from '../../check.ts';
import type { CompiledQuadric } from '../../compiled.ts';
import type { Vector } from '../shapes.ts';

export const sphereOf = (centre: Vector, radius: number): CompiledQuadric => ({
  q: Float64Array.from([1, 1, 1, 0, 0, 0, 0, 0, 0, -radius * radius]),
  centre,
  radius,
});

/** Compiled about its centre if it has one that is well determined, else about the origin, as given. */
export function compileQuadric(given: ArrayLike<number>, what: string): CompiledQuadric {
  const length = isObject(given) ? given.length : undefined;
  if (length !== 10 && length !== 16)
    throw bad(
      `${what}: a quadric needs 16 or 10 numbers, not ${isObject(given) ? inWords(length) : inWords(given)}`,
    );
  const m = Array.from(given, (value, i) => finiteNumber(value, `${what}: quadric's number ${i}`));
  if (length === 16) {
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < row; column++) {
        const [a, b] = [m[4 * row + column], m[4 * column + row]];
        if (a !== b)
          throw bad(`${what}: the quadric is not symmetric: ${b} in row ${column}, ${a} in row ${row}`);
      }
    }
  }
  const q = length === 10 ? m : [m[0], m[5], m[10], m[1], m[2], m[6], m[3], m[7], m[11], m[15]];
  if (q.slice(0, 9).every(value => value === 0)) throw bad(`${what}: the quadric is 0 everywhere or nowhere`);
  const centre = centreOf(q);
  return { q: recentred(q, centre), centre, radius: undefined };
}

/** −Q₃⁻¹g, or the origin if that is far off or ill-determined. */
function centreOf(q: readonly number[]): Vector {
  const [A, B, C, D, E, F, G, H, I] = q;
  const [yz, xz, xy] = [B * C - F * F, E * F - D * C, D * F - E * B];
  const determinant = A * yz + D * xz + E * xy;
  const size = Math.max(...q.slice(0, 6).map(Math.abs));
  if (!(Math.abs(determinant) > 2 ** -20 * size ** 3)) return centreOfCylinder(q, size);
  const solve = (a: number, b: number, c: number) => -(a * G + b * H + c * I) / determinant;
  return [
    solve(yz, xz, xy),
    solve(xz, A * C - E * E, D * E - A * F),
    solve(xy, D * E - A * F, A * B - D * D),
  ];
}

/** For a cylinder or paraboloid along an axis: the centre of its cross section. */
function centreOfCylinder([A, B, C, D, E, F, G, H, I]: readonly number[], size: number): Vector {
  const centre: [number, number, number] = [0, 0, 0];
  const sections = [
    [0, 1, A, B, D, G, H, Math.abs(C) + Math.abs(E) + Math.abs(F)],
    [0, 2, A, C, E, G, I, Math.abs(B) + Math.abs(D) + Math.abs(F)],
    [1, 2, B, C, F, H, I, Math.abs(A) + Math.abs(D) + Math.abs(E)],
  ];
  for (const [i, j, a, b, mixed, p, q, other] of sections) {
    const determinant = a * b - mixed * mixed;
    if (other !== 0 || !(Math.abs(determinant) > 2 ** -20 * size * size)) continue;
    centre[i] = -(b * p - mixed * q) / determinant;
    centre[j] = -(a * q - mixed * p) / determinant;
    return centre;
  }
  return centre;
}

/** The same surface about a centre. The linear terms and the constant are computed in twice the precision and rounded once. */
function recentred(q: readonly number[], [x, y, z]: Vector): Float64Array {
  const [A, B, C, D, E, F, G, H, I, J] = q;
  const out = Float64Array.from(q);
  if (x === 0 && y === 0 && z === 0) return out;
  out[6] = accurateSum([A, x, 1], [D, y, 1], [E, z, 1], [G, 1, 1]);
  out[7] = accurateSum([D, x, 1], [B, y, 1], [F, z, 1], [H, 1, 1]);
  out[8] = accurateSum([E, x, 1], [F, y, 1], [C, z, 1], [I, 1, 1]);
  const squares = [
    [A, x, x],
    [B, y, y],
    [C, z, z],
    [2 * D, x, y],
    [2 * E, x, z],
    [2 * F, y, z],
  ];
  out[9] = accurateSum(...squares, [2 * G, x, 1], [2 * H, y, 1], [2 * I, z, 1], [J, 1, 1]);
  return out;
}

/** Σ a·b·c as if computed in twice the precision. */
function accurateSum(...terms: readonly number[][]): number {
  const sum = new ProductSum();
  for (const [a, b, c] of terms) sum.add(a, b, c);
  return sum.value;
}

/** A sum of products of three factors, as if computed in twice the precision. */
class ProductSum {
  #high = 0;
  #low = 0;

  add(a: number, b: number, c: number): void {
    const two = twoProduct(b, c);
    const twoTail = tail;
    const three = twoProduct(a, two);
    this.#low += tail + a * twoTail;
    this.#high = twoSum(this.#high, three);
    this.#low += tail;
  }

  get value(): number {
    return this.#high + this.#low;
  }

  /** The sum, or 0 if 106 bits do not tell it from 0. `magnitude` is the sum of the products' magnitudes. */
  valueOrZero(magnitude: number): number {
    const { value } = this;
    return Math.abs(value) > 2 ** -97 * magnitude ? value : 0;
  }
}

/** A bound of the gradient's length where a path in the collider's own coordinates begins. */
export function quadricSteepness({ q, centre, radius }: CompiledQuadric, path: Float64Array): number {
  const x = path[0] - centre[0];
  const y = path[1] - centre[1];
  const z = path[2] - centre[2];
  if (radius !== undefined) return 2 * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  const gx = q[0] * x + q[3] * y + q[4] * z + q[6];
  const gy = q[3] * x + q[1] * y + q[5] * z + q[7];
  const gz = q[4] * x + q[5] * y + q[2] * z + q[8];
  return 2 * (Math.abs(gx) + Math.abs(gy) + Math.abs(gz));
}

/**
 * Writes the coefficients of h along a path in the collider's own coordinates. Returns the sum of the magnitudes of the
 * terms in the first.
 */
export function quadricCoefficients(quadric: CompiledQuadric, path: Float64Array, c: Float64Array): number {
  const { q, centre, radius } = quadric;
  const x = path[0] - centre[0];
  const y = path[1] - centre[1];
  const z = path[2] - centre[2];
  const vx = path[3];
  const vy = path[4];
  const vz = path[5];
  const ax = path[6];
  const ay = path[7];
  const az = path[8];
  if (radius !== undefined) {
    const plain = x * x + y * y + z * z - radius * radius;
    const magnitude = x * x + y * y + z * z + radius * radius;
    c[0] = Math.abs(plain) > 2 ** -48 * magnitude ? plain : accurateSphere(x, y, z, radius, magnitude);
    c[1] = 2 * (x * vx + y * vy + z * vz);
    c[2] = vx * vx + vy * vy + vz * vz + (x * ax + y * ay + z * az);
    c[3] = vx * ax + vy * ay + vz * az;
    c[4] = 0.25 * (ax * ax + ay * ay + az * az);
    return magnitude;
  }
  const A = q[0];
  const B = q[1];
  const C = q[2];
  const D = q[3];
  const E = q[4];
  const F = q[5];
  const G = q[6];
  const H = q[7];
  const I = q[8];
  const J = q[9];
  const gx = A * x + D * y + E * z + G;
  const gy = D * x + B * y + F * z + H;
  const gz = E * x + F * y + C * z + I;
  // Q(d) = d·g + (G, H, I)·d + J
  const plain = x * gx + y * gy + z * gz + (G * x + H * y + I * z) + J;
  const magnitude =
    Math.abs(A) * x * x +
    Math.abs(B) * y * y +
    Math.abs(C) * z * z +
    2 *
      (Math.abs(D * x * y) +
        Math.abs(E * x * z) +
        Math.abs(F * y * z) +
        Math.abs(G * x) +
        Math.abs(H * y) +
        Math.abs(I * z)) +
    Math.abs(J);
  c[0] = Math.abs(plain) > 2 ** -48 * magnitude ? plain : accurateQuadric(q, x, y, z, magnitude);
  c[1] = 2 * (gx * vx + gy * vy + gz * vz);
  const wx = A * vx + D * vy + E * vz;
  const wy = D * vx + B * vy + F * vz;
  const wz = E * vx + F * vy + C * vz;
  c[2] = vx * wx + vy * wy + vz * wz + (gx * ax + gy * ay + gz * az);
  c[3] = ax * wx + ay * wy + az * wz;
  const bx = A * ax + D * ay + E * az;
  const by = D * ax + B * ay + F * az;
  const bz = E * ax + F * ay + C * az;
  c[4] = 0.25 * (ax * bx + ay * by + az * bz);
  return magnitude;
}

function accurateSphere(x: number, y: number, z: number, radius: number, magnitude: number): number {
  const sum = new ProductSum();
  sum.add(1, x, x);
  sum.add(1, y, y);
  sum.add(1, z, z);
  sum.add(-1, radius, radius);
  return sum.valueOrZero(magnitude);
}

function accurateQuadric(q: Float64Array, x: number, y: number, z: number, magnitude: number): number {
  const sum = new ProductSum();
  sum.add(q[0], x, x);
  sum.add(q[1], y, y);
  sum.add(q[2], z, z);
  sum.add(2 * q[3], x, y);
  sum.add(2 * q[4], x, z);
  sum.add(2 * q[5], y, z);
  sum.add(2 * q[6], x, 1);
  sum.add(2 * q[7], y, 1);
  sum.add(2 * q[8], z, 1);
  sum.add(q[9], 1, 1);
  return sum.valueOrZero(magnitude);
}

/** Half of the gradient at a place in the collider's own coordinates. */
export function quadricGradient(
  { q, centre }: CompiledQuadric,
  px: number,
  py: number,
  pz: number,
  out: Float64Array,
): void {
  const x = px - centre[0];
  const y = py - centre[1];
  const z = pz - centre[2];
  out[0] = q[0] * x + q[3] * y + q[4] * z + q[6];
  out[1] = q[3] * x + q[1] * y + q[5] * z + q[7];
  out[2] = q[4] * x + q[5] * y + q[2] * z + q[8];
}
