// Integers for the oracles: numbers if small grids keep every product below 2^53, and bigints otherwise. The
// operators + - * and the comparisons with 0 by < and > mean the same for both. So the oracles are written once,
// typed as numbers; they use no other number literals and no ===.

export type Integer = number;

export const isZero = (n: Integer): boolean => !(n > 0) && !(n < 0);

export const signOf = (n: Integer): -1 | 0 | 1 => (n > 0 ? 1 : n < 0 ? -1 : 0);

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** The least number of doublings that makes a double an integer: the number of bits after its binary point. */
function bitsAfterPoint(x: number): number {
  if (Number.isInteger(x)) return 0;
  double[0] = x;
  const [low, high] = words;
  // The double is its 52 bits, with a 1 in front if it is normal, times 2^(exponent − 1075).
  const exponent = Math.max((high >>> 20) & 2047, 1);
  const fraction = high & 0xfffff;
  const zeros = low !== 0 ? trailingZeros(low) : fraction !== 0 ? 32 + trailingZeros(fraction) : 52;
  return 1075 - exponent - zeros;
}

const trailingZeros = (word: number): number => 31 - Math.clz32(word & -word);

/** x · 2^bits, an integer. Such a power need not be a double, so it is taken in two steps, both exact. */
const scaledUp = (x: number, bits: number): bigint =>
  BigInt(x * 2 ** Math.min(bits, 1000) * 2 ** Math.max(bits - 1000, 0));

/** The exponent of the power of two by which `toIntegers` multiplies. */
export function commonBits(doubles: ArrayLike<number>): number {
  let bits = 0;
  for (let i = 0; i < doubles.length; i++) bits = Math.max(bits, bitsAfterPoint(doubles[i]));
  return bits;
}

/** The doubles multiplied by the power of two that makes all of them integers, as bigints. */
export function toIntegers(doubles: ArrayLike<number>): Integer[] {
  const bits = commonBits(doubles);
  const integers = Array.from(doubles, x => {
    const own = bitsAfterPoint(x);
    return scaledUp(x, own) << BigInt(bits - own);
  });
  return integers as unknown as Integer[];
}

export type Vector = readonly [Integer, Integer, Integer];

export const cornerAt = (c: readonly Integer[], at: number): Vector => [c[at], c[at + 1], c[at + 2]];

export const subtract = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

export const dot = (a: Vector, b: Vector): Integer => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export const isZeroVector = (a: Vector): boolean => isZero(a[0]) && isZero(a[1]) && isZero(a[2]);

export const scale = (a: Vector, factor: Integer): Vector => [a[0] * factor, a[1] * factor, a[2] * factor];
