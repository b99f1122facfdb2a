// Compares polynomials' sign changes with Sturm sequences in whole numbers: the decisions, and the errors of times.

import { describe, expect, it } from 'vitest';
import { exactFirstCrossing } from '../../../../../test/oracle/motion/polynomials.ts';
import { createRandom, type Random } from '../../shapes/random.ts';
import { Crossings } from './crossings.ts';
import { crossingsOf } from './polynomial.ts';

const slow = process.env['NEARFIELD_SLOW'] === '1';
// Three ways of making them: ten thousand per degree.
const rounds = slow ? 340_000 : 800;
const found = new Crossings();

/** Messages are built only for failures: they take longer than the rest. */
function check(c: Float64Array, end: number, seed: string): void {
  crossingsOf(c, c.length - 1, end, Infinity, found);
  const time = found.count > 0 ? found.times[0] : undefined;
  const exact = exactFirstCrossing(c, 0, end, time);
  const fail = (what: string) =>
    expect.fail(`${seed}: ${what} of [${c.join(', ')}] in (0, ${end}): ${time} for ${exact?.time}`);
  if ((time === undefined) !== (exact === undefined)) fail('decision');
  if (time === undefined || exact === undefined) return;
  if (found.first !== -exact.sign) fail('sign');
  let sum = 0;
  let slope = 0;
  for (let i = c.length - 1; i >= 0; i--) sum = sum * exact.time + Math.abs(c[i]);
  for (let i = c.length - 1; i >= 1; i--) slope = slope * exact.time + i * c[i];
  const bound = (2 ** -50 * sum) / Math.abs(slope) + 2 ** -51 * exact.time;
  if (!(Math.abs(time - exact.time) <= bound)) fail('time');
}

/** Coefficients of a product of (t − root) and quadratics without roots, rounded. */
function withRoots(roots: readonly number[], random: Random, degree: number): Float64Array {
  let c = [random.between(-2, 2)];
  const times = (factor: readonly number[]) => {
    const product = new Array(c.length + factor.length - 1).fill(0);
    for (let i = 0; i < c.length; i++)
      for (let j = 0; j < factor.length; j++) product[i + j] += c[i] * factor[j];
    c = product;
  };
  for (const root of roots) times([-root, 1]);
  while (c.length + 1 < degree + 1) {
    const middle = random.between(-1, 2);
    times([middle * middle + random.between(0.001, 1), -2 * middle, 1]);
  }
  return Float64Array.from(c);
}

describe('crossingsOf', () => {
  for (const degree of [1, 2, 3, 4]) {
    it(`decides as Sturm does, degree ${degree}`, () => {
      const random = createRandom(41 + degree);
      for (let i = 0; i < rounds; i++) {
        const c = new Float64Array(degree + 1);
        for (let k = 0; k <= degree; k++) c[k] = random.between(-1, 1);
        check(c, random.between(0.1, 4), `random ${degree}/${i}`);
      }
    });

    it(`decides roots in (0, 1) as Sturm does, degree ${degree}`, () => {
      const random = createRandom(141 + degree);
      for (let i = 0; i < rounds; i++) {
        const roots = Array.from({ length: 1 + random.integer(degree) }, () => random.next());
        check(withRoots(roots, random, degree), 1, `roots ${degree}/${i}`);
      }
    });
  }

  for (const degree of [2, 3, 4]) {
    it(`decides clustered and double roots, degree ${degree}`, () => {
      const random = createRandom(241 + degree);
      for (let i = 0; i < rounds; i++) {
        const root = random.next();
        const near = [root, root + random.between(-1, 1) * 10 ** -random.between(4, 16)];
        if (degree > 2 && random.next() < 0.5)
          near.push(root + random.between(-1, 1) * 10 ** -random.between(3, 9));
        check(withRoots(near, random, degree), 1, `clustered ${degree}/${i}`);
      }
    });
  }

  it('recognises exact double and triple roots', () => {
    const ask = (c: number[], end: number) => {
      crossingsOf(Float64Array.from(c), c.length - 1, end, Infinity, found);
      return Array.from(found.times.subarray(0, found.count));
    };
    // (t − ½)², (t − ½)³, (t − ½)⁴, (t − ½)²(t − ¾), (t − ½)²(t² + 1), (t − ½)²(t − ¼)(t − ¾)
    expect(ask([0.25, -1, 1], 1)).toEqual([]);
    expect(ask([-0.125, 0.75, -1.5, 1], 1)).toEqual([0.5]);
    expect(ask([0.0625, -0.5, 1.5, -2, 1], 1)).toEqual([]);
    expect(ask([-0.1875, 1, -1.75, 1], 1)).toEqual([0.75]);
    expect(ask([0.25, -1, 1.25, -1, 1], 1)).toEqual([]);
    expect(ask([0.046875, -0.4375, 1.4375, -2, 1], 1)).toEqual([0.25, 0.75]);
    // A root at the start or at the end is not a crossing.
    expect(ask([0, 1, -1], 1)).toEqual([]);
    expect(found.first).toBe(1);
    expect(ask([0, 1, -1], 2)).toEqual([1]);
    expect(ask([0, 0, 0, -1, 1], 2)).toEqual([1]);
    expect(found.first).toBe(-1);
    expect(ask([0, 0, 0, 0, 0], 1)).toEqual([]);
    expect(found.first).toBe(0);
  });

  it('handles coefficients of any size', () => {
    const random = createRandom(7);
    for (let i = 0; i < rounds / 5; i++) {
      const degree = 1 + random.integer(4);
      const c = withRoots([random.next()], random, degree).map(x => x * 10 ** (i % 2 === 0 ? 100 : -100));
      check(c, 1, `sizes ${i}`);
    }
    for (let i = 0; i < rounds / 5; i++) {
      const c = Float64Array.from({ length: 5 }, () => random.between(-1, 1) * 10 ** random.between(-20, 20));
      check(c, 10 ** random.between(-6, 6), `mixed sizes ${i}`);
    }
  });

  it('finds the same for any value of `enough`', () => {
    const random = createRandom(9);
    const all = new Crossings();
    for (let i = 0; i < rounds; i++) {
      const c = withRoots([random.next(), random.next(), random.next(), random.next()], random, 4);
      crossingsOf(c, 4, 1, Infinity, all);
      const enough = random.next();
      crossingsOf(c, 4, 1, enough, found);
      const seen = found.times.subarray(0, found.count);
      expect(all.times.subarray(0, found.count), `seed 9/${i}`).toEqual(seen);
      const before = all.times.subarray(0, all.count).filter(time => time <= enough).length;
      expect(found.count, `seed 9/${i}`).toBeGreaterThanOrEqual(before);
    }
  });
});
