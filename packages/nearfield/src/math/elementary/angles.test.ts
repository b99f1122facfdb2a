import { describe, expect, test } from 'vitest';
import {
  exactArctangent,
  exactCosine,
  exactPi,
  exactSine,
  relativeError,
} from '../../../../../test/oracle/elementary.ts';
import { createRandom } from '../../shapes/random.ts';
import { arccosine, arctangent, cosine, sine, unitAt } from './angles.ts';

const rounds = process.env['NEARFIELD_SLOW'] ? 20_000 : 400;

/** Bits of the reference: enough for the smallest doubles, and for the cancellation near multiples of π/2. */
const bits = (x: number): number => (Math.abs(x) < 2 ** -200 ? 1300 : 420);

function checkAngle(angle: number, what: string): void {
  expect(unitAt(angle), `${what}: ${angle}`).toEqual([cosine(angle), sine(angle)]);
  const digits = bits(angle);
  const off = [
    relativeError(sine(angle), exactSine(angle, digits), digits),
    relativeError(cosine(angle), exactCosine(angle, digits), digits),
  ];
  expect(Math.max(...off), `${what}: ${angle}, sine off by ${off[0]}, cosine by ${off[1]}`).toBeLessThan(
    2 ** -52,
  );
}

describe('sine and cosine against series in big integers', () => {
  test('random angles of every size', () => {
    const random = createRandom(31);
    for (let i = 0; i < rounds; i++) {
      checkAngle(random.between(-7, 7), `seed 31/${i}, some turns`);
      checkAngle(random.between(-1, 1) * 2 ** random.integer(20), `seed 31/${i}, many turns`);
      checkAngle(random.between(-1, 1) * 2 ** -random.integer(60), `seed 31/${i}, small`);
      if (i % 8 === 0)
        checkAngle(random.between(-1, 1) * 2 ** (20 + random.integer(1003)), `seed 31/${i}, huge`);
    }
  });

  test('the doubles next to multiples of π/4 and π/2', () => {
    const random = createRandom(32);
    const near = (k: number, off: number): void => {
      const angle = (k * Math.PI) / 4;
      const unit = 2 ** (Math.floor(Math.log2(angle)) - 52);
      checkAngle(angle + off * unit, `${k} eighths of a turn and ${off} units`);
    };
    for (let k = 1; k <= 40; k++) for (let off = -1; off <= 1; off++) near(k, off);
    for (let i = 0; i < 4 * rounds; i++) near(1 + random.integer(2 ** 20), random.integer(5) - 2);
  });

  test('the limits of each reduction, and angles known to be hard', () => {
    const hard = [
      ...[Math.PI / 4, 2 ** 20, 2 ** 20 * (1 + 2 ** -52), 2 ** 20 * (1 - 2 ** -53), 2 ** 32, 2 ** 53],
      // The remainder is π/4, and its tail was not small in comparison.
      813621.4463991356,
      // The double that is nearest to a multiple of π/2, 2^-61 away from it; and the largest double.
      ...[6381956970095103 * 2 ** 797, Number.MAX_VALUE, 1e22, 1e300],
      ...[Number.MIN_VALUE, 3 * Number.MIN_VALUE, 2 ** -1022, 1e-300, 2 ** -27, 2 ** -26],
    ];
    for (const angle of hard) {
      checkAngle(angle, 'hard');
      checkAngle(-angle, 'hard');
    }
  });

  test('signs, zeros, infinities and NaN', () => {
    const random = createRandom(33);
    for (let i = 0; i < rounds; i++) {
      const angle = random.between(0, 1) * 2 ** (random.integer(80) - 40);
      expect(sine(-angle), `seed 33/${i}`).toBe(-sine(angle));
      expect(cosine(-angle), `seed 33/${i}`).toBe(cosine(angle));
      expect(Math.abs(sine(angle)) <= 1 && Math.abs(cosine(angle)) <= 1, `seed 33/${i}`).toBe(true);
    }
    expect([sine(0), sine(-0), cosine(0), cosine(-0)]).toEqual([0, -0, 1, 1]);
    for (const none of [NaN, Infinity, -Infinity])
      expect([sine(none), ...unitAt(none)]).toEqual([NaN, NaN, NaN]);
  });
});

describe('arctangent and arccosine', () => {
  function checkPoint(y: number, x: number, what: string): void {
    const digits = Math.abs(y / x) < 2 ** -200 ? 1300 : 320;
    const first = exactArctangent(Math.abs(y), Math.abs(x), digits);
    const exact = x < 0 ? exactPi(digits) - first : first;
    const off = relativeError(arctangent(y, x), y < 0 ? -exact : exact, digits);
    expect(off, `${what}: (${x}, ${y}), off by ${off}`).toBeLessThan(2 ** -50);
  }

  test('random points in all directions, near and far', () => {
    const random = createRandom(34);
    for (let i = 0; i < rounds / 4; i++) {
      const [x, y] = [random.between(-1, 1), random.between(-1, 1)];
      checkPoint(y, x, `seed 34/${i}`);
      checkPoint(y * 2 ** -random.integer(60), x, `seed 34/${i}, flat`);
      checkPoint(y, x * 2 ** -random.integer(60), `seed 34/${i}, steep`);
      checkPoint(y * 2 ** 900, x * 2 ** 900, `seed 34/${i}, far`);
    }
  });

  test('ratios of sixteenths, where the reduction changes', () => {
    for (let k = 1; k <= 40; k++) {
      for (const off of [1 - 2 ** -53, 1, 1 + 2 ** -52]) checkPoint((k / 16) * off, 1, 'sixteenths');
    }
    checkPoint(2 ** -1000, 1, 'tiny');
  });

  test('zeros and infinities give the same angles as Math.atan2', () => {
    const values = [0, -0, 1, -1, Infinity, -Infinity];
    for (const y of values) for (const x of values) expect(arctangent(y, x)).toBe(Math.atan2(y, x));
    for (const y of [...values, NaN]) expect([arctangent(y, NaN), arctangent(NaN, y)]).toEqual([NaN, NaN]);
  });

  test('the cosine of an arccosine is the original number', () => {
    const random = createRandom(35);
    for (let i = 0; i < rounds; i++) {
      const given = i % 2 === 0 ? random.between(-1, 1) : 1 - 2 ** -random.between(1, 50);
      const angle = arccosine(given);
      // The angle is off by at most 2^-49 of itself, which moves the cosine by at most that times the sine; plus one
      // rounding.
      const exact = Number(exactCosine(angle, 420) >> 320n) * 2 ** -100;
      const most = angle * Math.sqrt(1 - given * given) * 2 ** -49 + 2 ** -53 * Math.abs(given) + 2 ** -99;
      expect(Math.abs(exact - given), `seed 35/${i}: ${given}`).toBeLessThanOrEqual(most);
    }
    expect([arccosine(1), arccosine(0), arccosine(-1)]).toEqual([0, Math.PI / 2, Math.PI]);
    expect([arccosine(1 + 2 ** -52), arccosine(-2), arccosine(NaN)]).toEqual([NaN, NaN, NaN]);
  });
});
