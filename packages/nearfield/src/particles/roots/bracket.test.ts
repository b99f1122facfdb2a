// Bracketed crossings: of polynomials against Sturm sequences, of waves against their known roots; touches, contacts,
// and functions that stay 0 for long.

import { describe, expect, it } from 'vitest';
import { exactFirstCrossing } from '../../../../../test/oracle/motion/polynomials.ts';
import { createRandom } from '../../shapes/random.ts';
import { Bracket, type Traced } from './bracket.ts';

/** A function with its first two derivatives. Bounds on an interval come from its middle and its third derivative. */
class Known implements Traced {
  value = 0;
  slope = 0;
  curvature = 0;
  steepness = 0;
  error = 0;
  clear = false;
  evaluations = 0;

  constructor(
    readonly f: (t: number) => readonly [number, number, number],
    readonly third: number,
    readonly rounding: number,
  ) {}

  evaluate(t: number, reach: number): void {
    const [value, slope, curvature] = this.f(t);
    this.evaluations++;
    this.value = value;
    this.slope = slope;
    this.curvature = Math.abs(curvature) + this.third * reach;
    this.steepness = Math.abs(slope) + this.curvature * reach;
    this.error = this.rounding;
  }
}

const all = (traced: Traced, from: number, to: number, side = 0, around = 0): number[] => {
  const bracket = new Bracket();
  const times: number[] = [];
  bracket.begin(traced, from, to, side, around);
  let before = 0;
  for (let t = bracket.next(Infinity); t >= 0; t = bracket.next(Infinity)) {
    if (times.length > 0) expect(bracket.before).toBe(-before);
    before = bracket.before;
    times.push(t);
  }
  return times;
};

describe('Bracket', () => {
  it('finds the same roots of cubics as Sturm sequences', () => {
    const random = createRandom(31);
    for (let i = 0; i < (process.env['NEARFIELD_SLOW'] === '1' ? 50_000 : 1000); i++) {
      const c = Float64Array.from({ length: 4 }, () => random.between(-1, 1));
      const f = (t: number) =>
        [
          ((c[3] * t + c[2]) * t + c[1]) * t + c[0],
          (3 * c[3] * t + 2 * c[2]) * t + c[1],
          6 * c[3] * t + 2 * c[2],
        ] as const;
      const [time] = all(new Known(f, 6 * Math.abs(c[3]), 2 ** -49), 0, 2);
      const exact = exactFirstCrossing(c, 0, 2, time);
      expect(time === undefined, `seed 31/${i}`).toBe(exact === undefined);
      if (exact !== undefined) {
        const slope = Math.abs(f(exact.time)[1]);
        expect(Math.abs(time - exact.time), `seed 31/${i}`).toBeLessThan(2 ** -45 / slope + 2 ** -45);
      }
    }
  });

  it('finds every root of a wave, in order, with few evaluations each', () => {
    for (const rate of [1, 7, 40]) {
      const wave = new Known(
        t => [
          Math.sin(rate * t + 0.3),
          rate * Math.cos(rate * t + 0.3),
          -rate * rate * Math.sin(rate * t + 0.3),
        ],
        rate ** 3,
        2 ** -48,
      );
      const times = all(wave, 0, 10);
      const expected: number[] = [];
      for (let k = 1; (k * Math.PI - 0.3) / rate < 10; k++) expected.push((k * Math.PI - 0.3) / rate);
      expect(times.length).toBe(expected.length);
      times.forEach((time, i) => {
        expect(time).toBeCloseTo(expected[i], 12);
      });
      expect(wave.evaluations / expected.length).toBeLessThan(60);
    }
  });

  it('does not count a touch, and ends on functions that are 0 all along', () => {
    const touch = new Known(t => [(t - 0.7) ** 2, 2 * (t - 0.7), 2], 0, 2 ** -50);
    expect(all(touch, 0, 2)).toEqual([]);
    expect(touch.evaluations).toBeLessThan(2000);
    const flat = new Known(() => [0, 0, 0], 1, 2 ** -50);
    expect(all(flat, 0, 2)).toEqual([]);
    expect(flat.evaluations).toBeLessThan(200_000);
  });

  it('uses the given side if it begins on the surface', () => {
    const rising = new Known(t => [t - 1e-18, 1, 0], 0, 2 ** -50);
    expect(all(rising, 0, 1, 1, 2 ** -44)).toEqual([]);
    expect(all(rising, 0, 1, -1, 2 ** -44)).toEqual([0]);
    const back = new Known(t => [t * (1 - t), 1 - 2 * t, -2], 0, 2 ** -50);
    const [time, ...rest] = all(back, 0, 3, 1, 2 ** -44);
    expect(rest).toEqual([]);
    expect(time).toBeCloseTo(1, 12);
  });

  it('does not compare signs across clear intervals', () => {
    class Part extends Known {
      override evaluate(t: number, reach: number): void {
        super.evaluate(t, reach);
        this.clear = reach > 0 && t - reach > 0.4 && t + reach < 0.6;
      }
    }
    const line = new Part(t => [t - 0.5, 1, 0], 0, 2 ** -50);
    // The change of sign lies where nothing matters; if the interval is not cut there, it is found.
    expect(all(line, 0.45, 0.55)).toEqual([]);
    expect(all(line, 0, 1)).toEqual([0.5]);
  });
});
