// Numbers of twice the precision of doubles: an unevaluated sum of two, the second at most half a unit in the last place of the
// first. The algorithms and bounds are those of Joldes, Muller and Popescu, Tight and Rigorous Error Bounds for Basic
// Building Blocks of Double-Word Arithmetic, 2017. With u = 2^-53, no result is off by more than 2^-102 = 16u² of itself. As in
// double-double.ts, factors are 0 or between 10^-140 and 10^140 in magnitude.

import { tail, twoProduct, twoSum } from './double-double.ts';

/** high + low. */
export type Wide = readonly [high: number, low: number];

/** Three of them. */
export type WideVector = readonly [x: Wide, y: Wide, z: Wide];

export const zero: Wide = [0, 0];
export const one: Wide = [1, 0];

export const wide = (value: number): Wide => [value, 0];

/** a + b, exactly. */
export function sumOf(a: number, b: number): Wide {
  const sum = twoSum(a, b);
  return [sum, tail];
}

/** a·b, exactly. */
export function productOf(a: number, b: number): Wide {
  const product = twoProduct(a, b);
  return [product, tail];
}

/** Algorithm 6: off by 3u² and less than 13u³ of the result, however much cancels. */
export function plus(a: Wide, b: Wide): Wide {
  const high = twoSum(a[0], b[0]);
  const highError = tail;
  const low = twoSum(a[1], b[1]);
  const lowError = tail;
  const rest = highError + low;
  const most = high + rest;
  const last = lowError + (rest - (most - high));
  const sum = most + last;
  return [sum, last - (sum - most)];
}

export const negated = (a: Wide): Wide => [-a[0], -a[1]];

export const minus = (a: Wide, b: Wide): Wide => plus(a, negated(b));

/** Algorithm 10: off by 7u² of the result. */
export function times(a: Wide, b: Wide): Wide {
  const product = twoProduct(a[0], b[0]);
  const rest = tail + (a[0] * b[1] + a[1] * b[0]);
  const sum = product + rest;
  return [sum, rest - (sum - product)];
}

/** Algorithm 15: off by 3u² of the result. */
export function over(a: Wide, divisor: number): Wide {
  const quotient = a[0] / divisor;
  const product = twoProduct(quotient, divisor);
  const rest = (a[0] - product - tail + a[1]) / divisor;
  const sum = quotient + rest;
  return [sum, rest - (sum - quotient)];
}

/**
 * a / b by one step of Newton's iteration for 1/b, then one for the quotient: q = a₀/b₀ is off by 3u, the remainder a − q·b is off
 * by 7u² of a, and dividing it by b₀ adds 3u of 3u. Together less than 16u² of the result.
 */
export function ratio(a: Wide, b: Wide): Wide {
  const quotient = a[0] / b[0];
  const rest = minus(a, times(wide(quotient), b))[0] / b[0];
  return sumOf(quotient, rest);
}

/** The square root of a number above 0, by one step from that of its high part: off by less than 4u² of the result. */
export function rootOf(a: Wide): Wide {
  const root = Math.sqrt(a[0]);
  const square = twoProduct(root, root);
  const rest = (a[0] - square - tail + a[1]) / (2 * root);
  return sumOf(root, rest);
}

export const dotOf = (a: WideVector, b: WideVector): Wide =>
  plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));

/** The vector of length 1 in the direction of one that is not 0 and has a moderate length. */
export function unitVector([x, y, z]: readonly [number, number, number]): WideVector {
  const length = rootOf(plus(plus(productOf(x, x), productOf(y, y)), productOf(z, z)));
  return [ratio(wide(x), length), ratio(wide(y), length), ratio(wide(z), length)];
}
