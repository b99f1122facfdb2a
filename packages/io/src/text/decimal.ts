// Which double is nearest to a decimal number of a text file? Exact products and quotients of two doubles if they
// suffice (Clinger 1990, "How to read floating point numbers accurately", the fast path), a double-double quotient
// with a proof of its rounding for up to 22 digits, and `Number` for the rest.

/** 10^0 … 10^22: the powers of ten that a double holds exactly. */
const powersOfTen = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

/** Splits a double into two halves of 26 bits (Veltkamp): 2^27 + 1. */
const splitter = 134217729;

/**
 * The double nearest to (high · 10^lowDigits + low) · 10^exponent, or NaN if this method cannot prove it. `high` <
 * 10^15 and `low` < 10^lowDigits are integers, lowDigits ≤ 7. An exact 0 is +0.
 */
export function nearestDouble(high: number, low: number, lowDigits: number, exponent: number): number {
  if (exponent < -22 || exponent > 22) return high === 0 && low === 0 ? 0 : Number.NaN;
  const power = powersOfTen[exponent < 0 ? -exponent : exponent];
  // Both factors are exact, so the one rounding of the product or quotient is the right one.
  if (lowDigits === 0) return exponent < 0 ? high / power : high * power;
  if (high === 0 && low === 0) return 0;

  // The digits as an unevaluated sum of two doubles: the product has 15 + 7 digits < 2^74, so `high · 10^n` is
  // the exact sum of its rounded value and a remainder, and so is the addition of `low`. Only `digitsLow`, their
  // sum, is rounded: a relative error of 2^-53 in a part at most 2^-52 of the whole.
  const shift = powersOfTen[lowDigits];
  const product = high * shift;
  const digits = product + low;
  const digitsLow = productRemainder(high, shift, product) + (low - (digits - product));

  let value: number;
  let correction: number;
  if (exponent < 0) {
    value = digits / power;
    // digits - value · power is a double (the remainder of a division always is), so both differences are exact.
    const back = value * power;
    correction = (digits - back - productRemainder(value, power, back) + digitsLow) / power;
  } else {
    value = digits * power;
    correction = productRemainder(digits, power, value) + digitsLow * power;
  }
  // The true number lies within value + correction · (1 ± 2^-40), or, if `correction` is smaller than its own
  // rounding errors (each at most 2^-105 of the value), within value ± 2^-100 · value more. Rounding is monotone: if
  // both ends round to the same double, that is the nearest one.
  const slack = Math.abs(correction) * 2 ** -40 + value * 2 ** -100;
  const nearest = value + (correction + slack);
  return nearest === value + (correction - slack) ? nearest : Number.NaN;
}

/** a · b - rounded, exactly (Dekker 1971). No overflow: both are below 10^45. */
function productRemainder(a: number, b: number, rounded: number): number {
  const aSplit = splitter * a;
  const aHigh = aSplit - (aSplit - a);
  const aLow = a - aHigh;
  const bSplit = splitter * b;
  const bHigh = bSplit - (bSplit - b);
  const bLow = b - bHigh;
  return aHigh * bHigh - rounded + aHigh * bLow + aLow * bHigh + aLow * bLow;
}
