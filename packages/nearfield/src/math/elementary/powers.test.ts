import { describe, expect, test } from 'vitest';
import { exactExponential, fixed, relativeError } from '../../../../../test/oracle/elementary.ts';
import { createRandom } from '../../shapes/random.ts';
import { cubeRoot, exponential, logarithm } from './powers.ts';

const rounds = process.env['NEARFIELD_SLOW'] ? 10_000 : 200;
/** Enough bits for e^-745 to have 300 digits. */
const digits = 1400;

describe('exponential against Taylor’s series in big integers', () => {
  function check(x: number, what: string): void {
    const exact = exactExponential(fixed(x, digits), digits);
    const found = exponential(x);
    if (found < 2 ** -1022) {
      const off = fixed(found, digits) - exact;
      expect(Math.abs(Number(off)), `${what}: ${x}`).toBeLessThan(Number(1n << BigInt(digits - 1074)));
      return;
    }
    const off = relativeError(found, exact, digits);
    expect(off, `${what}: ${x}, off by ${off}`).toBeLessThan(2 ** -52);
  }

  test('random numbers of every size', () => {
    const random = createRandom(41);
    for (let i = 0; i < rounds; i++) {
      check(random.between(-1, 1), `seed 41/${i}`);
      check(random.between(-745, 709), `seed 41/${i}, all`);
      check(random.between(-1, 1) * 2 ** -random.integer(80), `seed 41/${i}, small`);
      check(
        (random.integer(400) - 200.5) * Math.LN2 * (1 + (random.integer(3) - 1) * 2 ** -52),
        `seed 41/${i}`,
      );
    }
  });

  test('the limits of the range', () => {
    for (const x of [0, -0, Number.MIN_VALUE, 709.782712893384, -708.4, -745.13, -744.9]) check(x, 'ends');
    expect([exponential(0), exponential(-0)]).toEqual([1, 1]);
    expect([exponential(709.782712893385), exponential(1e300), exponential(Infinity)]).toEqual([
      ...[Infinity, Infinity, Infinity],
    ]);
    expect([exponential(-745.14), exponential(-1e300), exponential(-Infinity)]).toEqual([0, 0, 0]);
    expect(exponential(NaN)).toBe(NaN);
  });
});

describe('logarithm', () => {
  /** Checks that the exponentials of a slightly smaller and a slightly larger number enclose x. */
  function check(x: number, what: string): void {
    const found = fixed(logarithm(x), digits);
    const slack = (found < 0n ? -found : found) >> 50n;
    const given = fixed(x, digits);
    const below = exactExponential(found - slack, digits);
    const above = exactExponential(found + slack, digits);
    expect(below <= given && given <= above, `${what}: ${x}`).toBe(true);
  }

  test('random numbers of every size, and near 1', () => {
    const random = createRandom(42);
    for (let i = 0; i < rounds; i++) {
      check(random.between(0, 4), `seed 42/${i}`);
      check(random.next() * 2 ** (random.integer(1800) - 900), `seed 42/${i}, all`);
      check(1 + random.between(-1, 1) * 2 ** -random.integer(52), `seed 42/${i}, near 1`);
    }
    const root = Math.SQRT2;
    for (const x of [root, root * (1 - 2 ** -53), root / 2, 1 + 2 ** -52, 1 - 2 ** -53]) check(x, 'ends');
  });

  test('the limits of the range', () => {
    expect([logarithm(1), logarithm(0), logarithm(-0), logarithm(Infinity)]).toEqual([
      ...[0, -Infinity, -Infinity, Infinity],
    ]);
    for (const none of [-1, -Number.MIN_VALUE, -Infinity, NaN]) expect(logarithm(none)).toBe(NaN);
    expect(logarithm(Number.MIN_VALUE) / (1074 * Math.LN2)).toBeCloseTo(-1, 15);
    expect(logarithm(Number.MAX_VALUE) / (1024 * Math.LN2)).toBeCloseTo(1, 15);
  });
});

describe('cube root', () => {
  test('its exact cube equals the argument up to a relative 3·2^-52', () => {
    const random = createRandom(43);
    for (let i = 0; i < 20 * rounds; i++) {
      const x = random.between(-1, 1) * 2 ** (random.integer(1200) - 600);
      const [root, given] = [fixed(cubeRoot(x), digits / 2), fixed(x, digits)];
      const off = (root * root * root - (given << BigInt(digits / 2))) * 2n ** 52n;
      const most = 3n * (given << BigInt(digits / 2));
      expect(off * off < most * most, `seed 43/${i}: ${x}`).toBe(true);
    }
  });

  test('cubes of whole numbers, zeros and the limits of the range', () => {
    for (let i = -300; i <= 300; i++) expect(cubeRoot(i * i * i)).toBe(i);
    for (const same of [0, -0, Infinity, -Infinity, NaN]) expect(cubeRoot(same)).toBe(same);
    expect(cubeRoot(2 ** -1074)).toBe(2 ** -358);
    expect(cubeRoot(2 ** 1023)).toBe(2 ** 341);
  });
});
