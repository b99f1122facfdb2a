// Sums and products with their rounding errors (Knuth; Dekker, A Floating-Point Technique for Extending the Available
// Precision, 1971), and dot products with the right sign built from them. Nothing is allocated: a function returns the
// rounded result and leaves its error in `tail`.
//
// No product may underflow or overflow: factors must be 0 or between 10^-140 and 10^140 in magnitude.

const splitter = 2 ** 27 + 1;

/** The error of the last sum or product: exact result = result + tail. */
export let tail = 0;

export function twoSum(a: number, b: number): number {
  const sum = a + b;
  const v = sum - a;
  tail = a - (sum - v) + (b - v);
  return sum;
}

export function twoProduct(a: number, b: number): number {
  const product = a * b;
  let v = splitter * a;
  const a1 = v - (v - a);
  const a0 = a - a1;
  v = splitter * b;
  const b1 = v - (v - b);
  const b0 = b - b1;
  tail = a0 * b0 - (product - a1 * b1 - a0 * b1 - a1 * b0);
  return product;
}

/**
 * The dot product of `count` numbers as if computed in twice the precision and rounded once (Ogita, Rump and Oishi,
 * Accurate Sum and Dot Product, 2005). It is off by at most 2^-53 of itself plus (2n)²·2^-106 of the sum of magnitudes.
 */
function accurateDot(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  let low = 0;
  for (let i = 0; i < count; i++) {
    const product = twoProduct(a[i], b[i]);
    low += tail;
    sum = twoSum(sum, product);
    low += tail;
  }
  return sum + low;
}

const left = new Float64Array(3);
const right = new Float64Array(3);

/**
 * ax·bx + ay·by + az·bz with the right sign, off by no more than 3·2^-53 of the sum of magnitudes. The result is 0 if
 * the true value is 0 or below 2^-100 of that sum.
 */
export function dot3(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
  const x = ax * bx;
  const y = ay * by;
  const z = az * bz;
  const sum = x + y + z;
  const magnitude = Math.abs(x) + Math.abs(y) + Math.abs(z);
  if (Math.abs(sum) > 2 ** -50 * magnitude || magnitude === 0) return sum;
  left[0] = ax;
  left[1] = ay;
  left[2] = az;
  right[0] = bx;
  right[1] = by;
  right[2] = bz;
  const accurate = accurateDot(left, right, 3);
  return Math.abs(accurate) > 2 ** -100 * magnitude ? accurate : 0;
}
