// neighboursMeet against the corners of what two triangles share, listed exactly.

import { describe, expect, test } from 'vitest';
import { neighboursMeet } from '../../../packages/nearfield/src/math/triangles/triangle-neighbours.ts';
import { type Integer, toIntegers } from '../integers.ts';
import { gridPair, nearlyTouchingPair, type Random, randomFrom, resize, whole } from './generators.ts';
import { neighboursByCorners } from './shared-corners.ts';

const slow = process.env['NEARFIELD_SLOW'] === '1';
const timeout = slow ? 900_000 : 60_000;
const oneBig = 1n as unknown as Integer;

/** The same answer for A and B exchanged and their corners in another order. */
function check(p: Float64Array, expected: boolean, random: Random, about: string): void {
  const q = new Float64Array(18);
  for (const first of [0, 9]) {
    const [turnA, turnB, stepA, stepB] = [
      whole(random, 0, 2),
      whole(random, 0, 2),
      whole(random, 1, 2),
      whole(random, 1, 2),
    ];
    for (let i = 0; i < 3; i++) {
      for (let k = 0; k < 3; k++) {
        q[3 * i + k] = p[first + 3 * ((turnA + stepA * i) % 3) + k];
        q[9 + 3 * i + k] = p[9 - first + 3 * ((turnB + stepB * i) % 3) + k];
      }
    }
    if (neighboursMeet(q) !== expected) expect.fail(`not ${expected} for [${q.join(', ')}], ${about}`);
  }
}

describe('small grids', () => {
  const seed = 31_337;
  const count = slow ? 1_000_000 : 8_000;

  test.each([0.15, 0.4, 0.7])(
    `${count / 2} pairs, corners of B from A with chance %f (seed ${seed})`,
    shared => {
      const random = randomFrom(seed);
      const p = new Float64Array(18);
      const c: Integer[] = [];
      const pairs = count / 2;
      let met = 0;
      for (let i = 0; i < pairs; i++) {
        gridPair(random, p, shared);
        for (let k = 0; k < 18; k++) c[k] = p[k];
        const expected = neighboursByCorners(c, 1);
        if (expected) met++;
        check(p, expected, random, `pair ${i}, seed ${seed}`);
      }
      expect(met / pairs).toBeGreaterThan(0.05);
      expect(met / pairs).toBeLessThan(0.95);
    },
  );
});

describe('doubles', () => {
  const kinds: [string, number, (random: Random, p: Float64Array) => void][] = [
    ['within ulps of touching', 3000, (random, p) => nearlyTouchingPair(random, p, 0.5)],
    [
      'grids of all sizes',
      750,
      (random, p) => {
        gridPair(random, p, 0.4);
        resize(random, p);
      },
    ],
    [
      'within ulps of touching, of all sizes',
      400,
      (random, p) => {
        nearlyTouchingPair(random, p, 0.5);
        resize(random, p);
      },
    ],
  ];

  test.each(kinds)('%s', { timeout }, (name, usual, generate) => {
    const seed = 4242;
    const random = randomFrom(seed);
    const p = new Float64Array(18);
    const pairs = slow ? 40 * usual : usual;
    for (let i = 0; i < pairs; i++) {
      generate(random, p);
      check(p, neighboursByCorners(toIntegers(p), oneBig), random, `${name}, pair ${i}, seed ${seed}`);
    }
  });
});
