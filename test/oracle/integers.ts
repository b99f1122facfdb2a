// Integers for the oracles: numbers if small grids keep every product below 2^53, and bigints otherwise. The
// operators + - * and the comparisons with 0 by < and > mean the same for both. So the oracles are written once,
// typed as numbers; they use no other number literals and no ===.

export type Integer = number;

export const isZero = (n: Integer): boolean => !(n > 0) && !(n < 0);

export const signOf = (n: Integer): -1 | 0 | 1 => (n > 0 ? 1 : n < 0 ? -1 : 0);

/** The doubles multiplied by the power of two that makes all of them integers, as bigints. */
export function toIntegers(doubles: ArrayLike<number>): Integer[] {
  let bits = 0;
  for (let i = 0; i < doubles.length; i++) {
    let x = doubles[i];
    let own = 0;
    // Doubling is exact; 1074 times is enough for any double.
    while (!Number.isInteger(x)) {
      x *= 2;
      own++;
    }
    bits = Math.max(bits, own);
  }
  const integers = Array.from(doubles, x => {
    let left = bits;
    while (!Number.isInteger(x)) {
      x *= 2;
      left--;
    }
    return BigInt(x) << BigInt(left);
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
