// The heights of an edge's ends over the plane of a triangle, times twice the triangle's area, in double-double
// (Dekker, A Floating-Point Technique for Extending the Available Precision, 1971). Differences of doubles are exact
// sums of two; a product of two such is off by less than 2^-103 of itself, a sum by less than 2^-104 of its terms'
// magnitudes. A height is a sum of six products of three differences each, so it is off by less than 2^-96 of |u||v|D,
// for sides u and v of the triangle and D the size of everything, and, rounded to a double, by 2^-53 of itself.

import { tail, twoProduct, twoSum } from '../../math/exact/double-double.ts';

/** The heights of the first and the second end, along (b − a) × (c − a). */
export const heights = new Float64Array(2);

/** High and low parts of the two sides and of the normal, three each. */
const u = new Float64Array(6);
const v = new Float64Array(6);
const n = new Float64Array(6);
const w = new Float64Array(6);

/**
 * Computes them for the edge at p[0…] and p[3…] and the triangle at p[6…]. Lengths must be from 1e-100 to 1e100, so
 * that no product of three is beyond the range.
 */
export function findHeights(p: Float64Array): void {
  subtract(p, 9, 6, u);
  subtract(p, 12, 6, v);
  for (let axis = 0; axis < 3; axis++) {
    const i = axis === 2 ? 0 : axis + 1;
    const j = axis === 0 ? 2 : axis - 1;
    multiply(u[2 * i], u[2 * i + 1], v[2 * j], v[2 * j + 1]);
    const [first, rest] = [high, low];
    multiply(u[2 * j], u[2 * j + 1], v[2 * i], v[2 * i + 1]);
    add(first, rest, -high, -low);
    n[2 * axis] = high;
    n[2 * axis + 1] = low;
  }
  for (let end = 0; end < 2; end++) {
    subtract(p, 3 * end, 6, w);
    let [sum, rest] = [0, 0];
    for (let axis = 0; axis < 3; axis++) {
      multiply(n[2 * axis], n[2 * axis + 1], w[2 * axis], w[2 * axis + 1]);
      add(sum, rest, high, low);
      [sum, rest] = [high, low];
    }
    heights[end] = sum;
  }
}

/** The last result is high + low. */
let high = 0;
let low = 0;

function subtract(p: Float64Array, a: number, b: number, out: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    out[2 * axis] = twoSum(p[a + axis], -p[b + axis]);
    out[2 * axis + 1] = tail;
  }
}

function multiply(a: number, aLow: number, b: number, bLow: number): void {
  const product = twoProduct(a, b);
  const rest = tail + (a * bLow + aLow * b);
  high = product + rest;
  low = rest - (high - product);
}

function add(a: number, aLow: number, b: number, bLow: number): void {
  const sum = twoSum(a, b);
  const rest = tail + (aLow + bLow);
  high = sum + rest;
  low = rest - (high - sum);
}
