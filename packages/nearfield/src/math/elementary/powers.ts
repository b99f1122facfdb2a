// Exponential, logarithm and cube root with the same bits in every JavaScript engine (angles.ts says why). u is 2^-53,
// the largest relative error of one rounding.

/** ln 2 = high + low. `high` has 32 bits, so that products with exponents are exact; `low` is a full double. */
const ln2High = 0.6931471803691238;
const ln2Low = 1.9082149292705877e-10;

/**
 * e^x, with a relative error below 2^-52, or an absolute one of 2^-1074 if the result is below 2^-1022.
 *
 * x = n·ln 2 + r with |r| < 0.35, and e^r is Taylor's polynomial of degree 13, whose remainder is 0.35¹⁴/14! < 2^-57.
 * x − n·high is exact. r is off by at most u/4, r²·(1/2 + …) < 0.07 by four roundings, its sum with r by u/4, and the
 * last sum by u above 1 and by u/2 below 1, where e^r is at least 0.7. Together this is less than 1.7 u of e^r.
 * Multiplying by powers of two is exact.
 */
export function exponential(x: number): number {
  if (!(x > -746)) return x <= -746 ? 0 : NaN;
  if (x > 710) return Infinity;
  const n = Math.floor(x * Math.LOG2E + 0.5);
  const r = x - n * ln2High - n * ln2Low;
  const high = 1 / 5040 + r * (1 / 40_320 + r * (1 / 362_880 + r * highest(r)));
  const q = 1 / 2 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r * high))));
  const value = 1 + (r + r * r * q);
  if (n > -1022 && n < 1023) return value * powerOfTwo(n);
  // In two steps, since 2^n itself may overflow or underflow although the product does not.
  const half = n >> 1;
  return value * powerOfTwo(half) * powerOfTwo(n - half);
}

const highest = (r: number): number =>
  1 / 3_628_800 + r * (1 / 39_916_800 + r * (1 / 479_001_600 + r * (1 / 6_227_020_800)));

/** 2^n by its bits, for n from −1022 to 1023. */
function powerOfTwo(n: number): number {
  bits.setUint32(0, (n + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

const bits = new DataView(new ArrayBuffer(8));

/**
 * The natural logarithm, with a relative error below 2^-50. −Infinity for 0, NaN for negative numbers.
 *
 * x = m·2^e with √½ ≤ m < √2, and ln m = 2·artanh s with s = (m − 1)/(m + 1), |s| < 0.172. The series up to s²¹ leaves
 * less than 2^-60 of s. m − 1 is exact; s is off by 2 u and ln m by 3 u, relatively. e·high is exact. If e is not 0,
 * the logarithm is at least 0.34 and no smaller than ln m. With the last sum the error is 4 u of it, and a little.
 */
export function logarithm(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return x;
  let [m, e] = [x, 0];
  if (m < 2 ** -1022) {
    m *= 2 ** 54;
    e = -54;
  }
  bits.setFloat64(0, m);
  const high = bits.getUint32(0);
  e += (high >>> 20) - 1023;
  bits.setUint32(0, (high & 0xfffff) | 0x3ff00000);
  m = bits.getFloat64(0);
  if (m >= Math.SQRT2) {
    m /= 2;
    e++;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let q = 0;
  for (let k = 21; k > 1; k -= 2) q = z * (1 / k + q);
  return e * ln2High + (2 * s + (2 * s * q + e * ln2Low));
}

/**
 * The cube root, with a relative error below 2^-52.
 *
 * Newton's iteration r − (r − m/r²)/3 for m = x/8^k between 1 and 8 turns an error e into e² and a little. The start is
 * off by at most 0.15, so after six steps only rounding errors are left. The last step rounds m/r² twice, of which a
 * third counts, and its own difference once: 1.7 u.
 */
export function cubeRoot(x: number): number {
  let [m, scale] = [Math.abs(x), x < 0 ? -1 : 1];
  if (!(m > 0 && m < Infinity)) return x;
  for (; m >= 8; scale *= 2) m /= 8;
  for (; m < 1; scale /= 2) m *= 8;
  let r = 0.95 + m / 6;
  for (let step = 0; step < 7; step++) r -= (r - m / (r * r)) / 3;
  return scale * r;
}
