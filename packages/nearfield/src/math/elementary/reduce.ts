// Argument reduction, the first half of sine and cosine: finds the multiple of π/2 nearest to an angle, and the
// remainder in twice the precision of a double. Up to 2^20 by the method of Cody and Waite (Software Manual for the
// Elementary Functions, 1980) with π/2 in four parts, beyond that in big integers. It uses only sums, products and
// integers, so the bits are the same in every engine.

/**
 * The remainder that `reduce` found: a double, and a correction to it. The correction is at most 2^-53 of the double,
 * or 2^-20 of it if the double is below 2^-12.
 */
export const rest = new Float64Array(2);

/** Up to this angle, n·part is exact for the first three parts. */
const far = 2 ** 20;

/** π/2 = first + second + third + fourth: three parts of 33 bits, and a double that is off by less than 2^-157. */
const first = 1.5707963267341256;
const second = 6.077100506303966e-11;
const third = 2.0222662487111665e-21;
const fourth = 8.4784276603689e-32;
const quartersPerRadian = 0.6366197723675814;

/**
 * For an angle from π/4 to infinity, let n be the whole number for which |angle − n·π/2| is least. Returns n modulo 4,
 * and leaves that difference in `rest` with a relative error below 2^-70.
 *
 * Below 2^20, n has 20 bits, and n·first, n·second and n·third are exact. The angle is a multiple of 2^-53, n·first is
 * a multiple of 2^-32, and they differ by less than 1: their difference is exact. Subtracting n·second, a multiple of
 * 2^-66 below 2^-13, leaves a double and an error of at most 2^-54, which is exact too. Together with n·third, a
 * multiple of 2^-101 below 2^-48, that error makes an exact double. What is still missing, n·fourth, is below 2^-83:
 * less than 2^-70 of a difference that is not small itself.
 */
export function reduce(angle: number): number {
  if (!(angle <= far)) return reduceFar(angle);
  const n = Math.floor(angle * quartersPerRadian + 0.5);
  const most = angle - n * first;
  const next = n * second;
  const less = most - next;
  if (Math.abs(less) > 2 ** -12) {
    const tail = most - less - next - n * third;
    const head = less + tail;
    rest[0] = head;
    rest[1] = less - head + tail;
  } else {
    reduceClose(most, next, n);
  }
  return n & 3;
}

/**
 * Near a multiple of π/2 most of the angle cancels: this uses sums with their errors (Knuth), and all four parts. The
 * remaining errors are the roundings of n·fourth and of the last sum, and the error of `fourth`: less than 2^-135 and
 * 2^-106 of the result. No double comes nearer than 2^-62 to a multiple of π/2 (Muller, Elementary Functions, on the
 * worst cases of reduction).
 */
function reduceClose(most: number, next: number, n: number): void {
  const less = most - next;
  const back = less - most;
  const tail = most - (less - back) - (next + back) - n * third;
  const head = less + tail;
  const part = head - less;
  rest[0] = head;
  rest[1] = less - (head - part) + (tail - part) - n * fourth;
}

/** Bits after the point: more than the 1024 of the largest double, 62 that may cancel and 106 that are wanted. */
const fractionBits = 1200n;
const keptBits = 200n;

/**
 * Computes in units of 2^-1200. n is below 2^1024 and π/2 is off by less than 2^-1188, so their product is off by less
 * than 2^-164.
 */
function reduceFar(angle: number): number {
  if (!(angle < Infinity)) {
    rest.fill(NaN);
    return 0;
  }
  // From 2^20 on, a double is a multiple of 2^-32.
  const scaled = (BigInt(Math.floor(angle)) << 32n) + BigInt((angle % 1) * 2 ** 32);
  const whole = scaled << (fractionBits - 32n);
  quarterTurn ??= 2n * (4n * inverseArctangent(5n) - inverseArctangent(239n));
  const n = (2n * whole + quarterTurn) / (2n * quarterTurn);
  const left = (whole - n * quarterTurn) >> (fractionBits - keptBits);
  rest[0] = Number(left);
  rest[1] = Number(left - BigInt(rest[0])) * 2 ** -200;
  rest[0] *= 2 ** -200;
  return Number(n & 3n);
}

/** π/2 by Machin's formula, π/4 = 4·arctan(1/5) − arctan(1/239). Computed at the first use. */
let quarterTurn: bigint | undefined;

/** arctan(1/n) by its series, off by less than two units per term: some 520 units. */
function inverseArctangent(n: bigint): bigint {
  let sum = 0n;
  let power = (1n << fractionBits) / n;
  for (let k = 1n; power > 0n; k += 2n) {
    sum += (k & 2n) === 0n ? power / k : -power / k;
    power /= n * n;
  }
  return sum;
}
