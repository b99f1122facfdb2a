// trianglesMeet and properCrossing against two oracles, which are also checked against each other.

import { describe, expect, test } from 'vitest';
import {
  properCrossing,
  trianglesMeet,
} from '../../../packages/nearfield/src/math/triangles/triangle-triangle.ts';
import { type Integer, toIntegers } from '../integers.ts';
import { meetByDifferences } from './difference-hull.ts';
import { gridPair, nearlyTouchingPair, type Random, randomFrom, resize, wildPair } from './generators.ts';
import { meetByCorners, properCrossingByCorners } from './shared-corners.ts';

const slow = process.env['NEARFIELD_SLOW'] === '1';
const timeout = slow ? 900_000 : 60_000;
const oneBig = 1n as unknown as Integer;

/** Both orders of the triangles and all orders of their corners give one answer. */
function checkAllOrders(
  p: Float64Array,
  expected: boolean,
  ask: (p: Float64Array) => boolean,
  about: string,
): void {
  const q = new Float64Array(18);
  for (let order = 0; order < 12; order++) {
    const [first, second] = order < 6 ? [0, 9] : [9, 0];
    const rotation = order % 3;
    const flipped = order % 6 >= 3;
    for (let i = 0; i < 3; i++) {
      const corner = flipped ? (5 - i + rotation) % 3 : (i + rotation) % 3;
      for (let k = 0; k < 3; k++) {
        q[3 * i + k] = p[first + 3 * corner + k];
        q[9 + 3 * i + k] = p[second + 3 * ((corner + order) % 3) + k];
      }
    }
    if (ask(q) !== expected) expect.fail(`${ask.name} is not ${expected} for [${q.join(', ')}], ${about}`);
  }
}

describe('small grids', () => {
  const seed = 20_240_901;
  const count = slow ? 1_000_000 : 100_000;

  test(`${count} pairs meet as the hull of differences says (seed ${seed})`, { timeout }, () => {
    const random = randomFrom(seed);
    const p = new Float64Array(18);
    const c: Integer[] = [];
    let met = 0;
    for (let i = 0; i < count; i++) {
      gridPair(random, p, 0.1);
      for (let k = 0; k < 18; k++) c[k] = p[k];
      const expected = meetByDifferences(c);
      if (expected) met++;
      if (i % 20 === 0) checkAllOrders(p, expected, trianglesMeet, `pair ${i}, seed ${seed}`);
      else if (trianglesMeet(p) !== expected) {
        expect.fail(`trianglesMeet is not ${expected} for [${p.join(', ')}], pair ${i}, seed ${seed}`);
      }
    }
    // Neither answer is rare; otherwise this would test little.
    expect(met / count).toBeGreaterThan(0.2);
    expect(met / count).toBeLessThan(0.8);
  });

  test(`pairs cross as their shared corners say (seed ${seed + 1})`, { timeout }, () => {
    const random = randomFrom(seed + 1);
    const p = new Float64Array(18);
    const c: Integer[] = [];
    let crossed = 0;
    const pairs = slow ? count / 4 : count / 8;
    for (let i = 0; i < pairs; i++) {
      gridPair(random, p, 0.1);
      for (let k = 0; k < 18; k++) c[k] = p[k];
      const expected = properCrossingByCorners(c, 1);
      if (expected) crossed++;
      if (i % 20 === 0) checkAllOrders(p, expected, properCrossing, `pair ${i}, seed ${seed + 1}`);
      else if (properCrossing(p) !== expected) {
        expect.fail(`properCrossing is not ${expected} for [${p.join(', ')}], pair ${i}, seed ${seed + 1}`);
      }
      if (meetByCorners(c, 1) !== meetByDifferences(c))
        expect.fail(`the oracles differ on [${p.join(', ')}]`);
    }
    expect(crossed / pairs).toBeGreaterThan(0.02);
  });
});

describe('doubles', () => {
  const kinds: [string, number, (random: Random, p: Float64Array) => void][] = [
    ['within ulps of touching', 2000, (random, p) => nearlyTouchingPair(random, p, 0.15)],
    [
      'grids of all sizes',
      400,
      (random, p) => {
        gridPair(random, p, 0.1);
        resize(random, p);
      },
    ],
    [
      'within ulps of touching, of all sizes',
      200,
      (random, p) => {
        nearlyTouchingPair(random, p, 0.15);
        resize(random, p);
      },
    ],
    ['wild coordinates', 200, wildPair],
  ];

  test.each(kinds)('%s', { timeout }, (name, usual, generate) => {
    const seed = 77;
    const random = randomFrom(seed);
    const p = new Float64Array(18);
    const pairs = slow ? 40 * usual : usual;
    for (let i = 0; i < pairs; i++) {
      generate(random, p);
      const c = toIntegers(p);
      const about = `${name}, pair ${i}, seed ${seed}`;
      checkAllOrders(p, meetByCorners(c, oneBig), trianglesMeet, about);
      checkAllOrders(p, properCrossingByCorners(c, oneBig), properCrossing, about);
    }
  });
});
