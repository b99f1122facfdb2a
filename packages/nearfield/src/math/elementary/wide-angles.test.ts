// Cosines and sines of twice the precision against series in big integers, with π from Machin's formula.

import { expect, test } from 'vitest';
import { randomFrom } from '../../../../../test/oracle/triangles/generators.ts';
import { ratio, rootOf, times, type Wide, wide } from '../exact/wide.ts';
import { mostAngle, wideUnitAt } from './wide-angles.ts';

const bits = 400n;
const unit = 1n << bits;

/** A double in units of 2^-400. Exact from 2^-300 on. */
function scaled(x: number): bigint {
  const exponent = Math.max(0, 60 + Math.ceil(Math.log2(Math.abs(x) || 1) * -1));
  return (BigInt(x * 2 ** exponent) << bits) >> BigInt(exponent);
}
const scaledWide = ([high, low]: Wide): bigint => scaled(high) + scaled(low);

/** Cosine and sine of an angle in those units, by their series without reduction: enough terms for angles up to 40. */
function series(angle: bigint): [bigint, bigint] {
  let [cosine, sine] = [0n, 0n];
  let term = unit;
  for (let k = 0n; term !== 0n || k < 8n; k++) {
    const sign = (k & 2n) === 0n ? 1n : -1n;
    if ((k & 1n) === 0n) cosine += sign * term;
    else sine += sign * term;
    term = (term * angle) / unit / (k + 1n);
  }
  return [cosine, sine];
}

const arctangent = (n: bigint): bigint => {
  let [sum, power] = [0n, unit / n];
  for (let k = 1n; power > 0n; k += 2n) {
    sum += (k & 2n) === 0n ? power / k : -power / k;
    power /= n * n;
  }
  return sum;
};
const turn = 8n * (4n * arctangent(5n) - arctangent(239n));

const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);

test('cosine and sine are off by less than 2^-98', () => {
  const seed = 22;
  const random = randomFrom(seed);
  const most = unit >> 98n;
  for (let i = 0; i < 400; i++) {
    const size = [1e-9, 0.8, 4, 400, 1e6, mostAngle][i % 6];
    const high = (2 * random() - 1) * size;
    const angle: Wide = [high, (random() - 0.5) * Math.abs(high) * 2 ** -53];
    const exact = scaledWide(angle);
    const [cosine, sine] = series(exact % turn);
    const found = wideUnitAt(angle);
    expect(magnitude(scaledWide(found[0]) - cosine) < most, `seed ${seed}, cosine of ${angle}`).toBe(true);
    expect(magnitude(scaledWide(found[1]) - sine) < most, `seed ${seed}, sine of ${angle}`).toBe(true);
  }
});

test('quotients and roots are off by less than 2^-102 of themselves', () => {
  const random = randomFrom(23);
  const number = (): Wide => {
    const high = (random() + 0.5) * 2 ** Math.floor(40 * random() - 20);
    return [high, (random() - 0.5) * high * 2 ** -53];
  };
  for (let i = 0; i < 400; i++) {
    const [a, b] = [number(), number()];
    const quotient = (scaledWide(a) * unit) / scaledWide(b);
    expect(magnitude(scaledWide(ratio(a, b)) - quotient) <= quotient >> 102n).toBe(true);
    const root = scaledWide(rootOf(a));
    // (1 + e)² = 1 + 2e.
    expect(magnitude((root * root) / unit - scaledWide(a)) <= scaledWide(a) >> 101n).toBe(true);
    const product = (scaledWide(a) * scaledWide(b)) / unit;
    expect(magnitude(scaledWide(times(a, b)) - product) <= product >> 102n).toBe(true);
  }
  expect(times(wide(3), wide(0.5))).toEqual([1.5, 0]);
});
