// The heights of an edge's ends over the plane of a triangle, times twice the triangle's area, in double-double
// (Dekker, A Floating-Point Technique for Extending the Available Precision, 1971). Differences of doubles are exact
// sums of two; a product of two such is off by less than 2^-103 of itself, a sum by less than 2^-104 of its terms'
// magnitudes. A height is a sum of six products of three differences each, so it is off by less than 2^-96 of |u||v|D,
// for sides u and v of the triangle and D the size of everything, and, rounded to a double, by 2^-53 of itself.

import { tail, twoProduct, twoSum } from '../../math/exact/double-double.ts';

/** High and low parts of the two sides, of the normal, and from the triangle to an end of the edge: three each. */
const u = new Float64Array(6);
const v = new Float64Array(6);
const n = new Float64Array(6);
const w = new Float64Array(6);
/** High and low parts of a product and of a sum. */
const product = new Float64Array(2);
const sum = new Float64Array(2);

/**
 * Writes the heights of the edge at p[0…] and p[3…], of the first and of the second end, over the triangle a, b, c at p[6…],
 * along (b − a) × (c − a). Lengths must be from 1e-100 to 1e100, so that no product of three is beyond the range.
 */
export function writeHeights(p: Float64Array, out: Float64Array): void {
  subtract(p, 9, 6, u);
  subtract(p, 12, 6, v);
  for (let axis = 0; axis < 3; axis++) {
    const i = axis === 2 ? 0 : axis + 1;
    const j = axis === 0 ? 2 : axis - 1;
    multiply(u[2 * i], u[2 * i + 1], v[2 * j], v[2 * j + 1], sum);
    multiply(u[2 * j], u[2 * j + 1], v[2 * i], v[2 * i + 1], product);
    add(sum, -product[0], -product[1]);
    n[2 * axis] = sum[0];
    n[2 * axis + 1] = sum[1];
  }
  for (let end = 0; end < 2; end++) {
    subtract(p, 3 * end, 6, w);
    sum.fill(0);
    for (let axis = 0; axis < 3; axis++) {
      multiply(n[2 * axis], n[2 * axis + 1], w[2 * axis], w[2 * axis + 1], product);
      add(sum, product[0], product[1]);
    }
    out[end] = sum[0];
  }
}

function subtract(p: Float64Array, a: number, b: number, out: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    out[2 * axis] = twoSum(p[a + axis], -p[b + axis]);
    out[2 * axis + 1] = tail;
  }
}

function multiply(a: number, aLow: number, b: number, bLow: number, out: Float64Array): void {
  const high = twoProduct(a, b);
  const low = tail + (a * bLow + aLow * b);
  out[0] = high + low;
  out[1] = low - (out[0] - high);
}

/** Adds to a sum. */
function add(to: Float64Array, a: number, aLow: number): void {
  const high = twoSum(to[0], a);
  const low = tail + (to[1] + aLow);
  to[0] = high + low;
  to[1] = low - (to[0] - high);
}
