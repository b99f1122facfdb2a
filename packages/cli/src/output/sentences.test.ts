import { expect, it } from 'vitest';
import { rounded, roundedDown, roundedUp } from './sentences.ts';

it('rounds to nine digits, and bounds never cross the value', () => {
  expect(rounded(0.040000000000000036)).toBe('0.04');
  expect(roundedUp(0.040000000000000036)).toBe('0.0400000001');
  expect(roundedDown(0.040000000000000036)).toBe('0.04');
  expect(roundedUp(0.999999999999)).toBe('1');
  expect(roundedDown(0.999999999999)).toBe('0.999999999');
  expect([roundedUp(0), roundedDown(0), roundedUp(0.5), roundedDown(123456789)]).toEqual([
    ...['0', '0', '0.5', '123456789'],
  ]);
  // Seeded: a linear congruential generator, over forty powers of ten.
  let seed = 7;
  for (let i = 0; i < 2000; i++) {
    seed = (1664525 * seed + 1013904223) % 2 ** 32;
    const value = (seed / 2 ** 32) * 10 ** ((i % 40) - 20);
    expect(Number(roundedUp(value)), `step ${i}`).toBeGreaterThanOrEqual(value);
    expect(Number(roundedDown(value)), `step ${i}`).toBeLessThanOrEqual(value);
    expect(Number(roundedUp(value)) - Number(roundedDown(value))).toBeLessThanOrEqual(1.01e-8 * value);
  }
});
