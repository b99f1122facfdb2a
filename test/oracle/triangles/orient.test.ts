// Orientation signs against Leibniz's formula in integers, and against each other under exchange of points.

import { describe, expect, test } from 'vitest';
import { orient2dSign, orient3dSign } from '../../../packages/nearfield/src/math/exact/orient.ts';
import { fromDoubles, orient3dRational } from '../../../packages/nearfield/src/math/exact/rational.ts';
import { type Integer, signOf, toIntegers } from '../integers.ts';
import {
  gridPair,
  nearlyTouchingPair,
  neighbourOf,
  type Random,
  randomFrom,
  resize,
  tinyDeterminant,
  whole,
  wildPair,
} from './generators.ts';

const slow = process.env['NEARFIELD_SLOW'] === '1';
const timeout = slow ? 900_000 : 60_000;

/** The determinant of the rows (point, 1) as a sum over the permutations of four. */
function leibniz3d(c: readonly Integer[]): number {
  let positive = c[0] - c[0];
  let negative = positive;
  for (let i = 0; i < 4; i++) {
    for (let j = 0; j < 4; j++) {
      for (let k = 0; k < 4; k++) {
        if (i === j || j === k || i === k) continue;
        // Rows i, j, k give x, y, z; the row that is left gives the 1.
        const order = [i, j, k, 6 - i - j - k];
        let inversions = 0;
        for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) if (order[a] > order[b]) inversions++;
        const term = c[3 * i] * c[3 * j + 1] * c[3 * k + 2];
        if (inversions % 2 === 0) positive += term;
        else negative += term;
      }
    }
  }
  return signOf(positive - negative);
}

const leibniz2d = (c: readonly Integer[]): number =>
  signOf(c[0] * c[3] + c[2] * c[5] + c[4] * c[1] - c[0] * c[5] - c[2] * c[1] - c[4] * c[3]);

const sign3d = (p: ArrayLike<number>, [a, b, c, d] = [0, 3, 6, 9]): number =>
  orient3dSign(
    p[a],
    p[a + 1],
    p[a + 2],
    p[b],
    p[b + 1],
    p[b + 2],
    p[c],
    p[c + 1],
    p[c + 2],
    p[d],
    p[d + 1],
    p[d + 2],
  );

const kinds: [string, number, (random: Random, p: Float64Array) => void][] = [
  ['grids', 1500, (random, p) => gridPair(random, p)],
  [
    'grids of all sizes, moved by ulps',
    1500,
    (random, p) => {
      gridPair(random, p);
      resize(random, p);
      const i = whole(random, 0, 11);
      p[i] = neighbourOf(p[i], whole(random, -2, 2));
    },
  ],
  ['within ulps of coplanar', 3000, (random, p) => nearlyTouchingPair(random, p)],
  [
    'within ulps of coplanar, of all sizes',
    1500,
    (random, p) => {
      nearlyTouchingPair(random, p);
      resize(random, p);
    },
  ],
  ['wild coordinates', 1500, wildPair],
];

describe.each(kinds)('%s', (name, usual, generate) => {
  const seed = 99;
  const count = slow ? 60 * usual : usual;

  test(`3D (seed ${seed})`, { timeout }, () => {
    const random = randomFrom(seed);
    const p = new Float64Array(18);
    const found = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      generate(random, p);
      const expected = leibniz3d(toIntegers(p.subarray(0, 12)));
      found[expected + 1]++;
      const about = `[${p.subarray(0, 12).join(', ')}], ${name}, ${i}, seed ${seed}`;
      if (sign3d(p) !== expected) expect.fail(`${sign3d(p)}, not ${expected}, for ${about}`);
      if (sign3d(p, [3, 0, 6, 9]) + expected !== 0) expect.fail(`a and b exchanged: ${about}`);
      if (sign3d(p, [9, 3, 6, 0]) + expected !== 0) expect.fail(`a and d exchanged: ${about}`);
      if (sign3d(p, [3, 6, 0, 9]) !== expected) expect.fail(`a, b, c rotated: ${about}`);
      const [a, b, c, d] = [0, 3, 6, 9].map(at => fromDoubles(p[at], p[at + 1], p[at + 2]));
      if (orient3dRational(a, b, c, d) !== expected) expect.fail(`orient3dRational: ${about}`);
    }
    for (const times of found) expect(times).toBeGreaterThan(count / 50);
  });

  test(`2D (seed ${seed})`, { timeout }, () => {
    const random = randomFrom(seed);
    const p = new Float64Array(18);
    for (let i = 0; i < count; i++) {
      generate(random, p);
      for (let at = 0; at < 12; at += 6) {
        const [ax, ay, bx, by, cx, cy] = p.subarray(at, at + 6);
        const expected = leibniz2d(toIntegers([ax, ay, bx, by, cx, cy]));
        const about = `[${[ax, ay, bx, by, cx, cy].join(', ')}], ${name}, ${i}, seed ${seed}`;
        const got = orient2dSign(ax, ay, bx, by, cx, cy);
        if (got !== expected) expect.fail(`${got}, not ${expected}, for ${about}`);
        if (orient2dSign(bx, by, cx, cy, ax, ay) !== expected) expect.fail(`rotated: ${about}`);
        if (orient2dSign(bx, by, ax, ay, cx, cy) + expected !== 0) expect.fail(`exchanged: ${about}`);
      }
    }
  });
});

test('determinants smaller than the square of the rounding error (seed 5150)', { timeout }, () => {
  const seed = 5150;
  const random = randomFrom(seed);
  const p = new Float64Array(18);
  const size = new Float64Array(18);
  for (let i = 0; i < (slow ? 2_000_000 : 15_000); i++) {
    const expected = tinyDeterminant(random, p);
    const scale = 2 ** whole(random, -400, 400);
    for (let k = 0; k < 12; k++) size[k] = p[k] * scale;
    const axes = [
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ][i % 3];
    for (let k = 0; k < 12; k++) p[k] = size[k - (k % 3) + axes[k % 3]];
    const about = `[${p.subarray(0, 12).join(', ')}], ${i}, seed ${seed}`;
    if (sign3d(p) !== expected) expect.fail(`${sign3d(p)}, not ${expected}, for ${about}`);
    if (sign3d(p, [6, 9, 0, 3]) !== expected) expect.fail(`two exchanges: ${about}`);
    if (sign3d(p, [0, 9, 6, 3]) + expected !== 0) expect.fail(`b and d exchanged: ${about}`);
    if (i % 50 === 0 && leibniz3d(toIntegers(p.subarray(0, 12))) !== expected)
      expect.fail(`the oracle: ${about}`);
  }
});

test('points nearly in line, in two dimensions', () => {
  // Points of the line from (12, 12) to (24, 24) seen from doubles around (0.5, 0.5): Kettner, Mehlhorn, Pion,
  // Schirra and Yap, Classroom Examples of Robustness Problems, 2008, figure 2.
  for (let i = 0; i < 64; i++) {
    for (let j = 0; j < 64; j++) {
      const x = 0.5 + i * 2 ** -53;
      const y = 0.5 + j * 2 ** -53;
      const expected = leibniz2d(toIntegers([x, y, 12, 12, 24, 24]));
      expect(orient2dSign(x, y, 12, 12, 24, 24)).toBe(expected);
    }
  }
});
