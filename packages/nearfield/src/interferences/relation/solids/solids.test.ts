import { describe, expect, test, vi } from 'vitest';
import {
  BruteEngine,
  bruteRelation,
  meetingTriangles,
  placedSoup,
  randomIntegers,
} from '../../testing/brute-engine.ts';
import {
  allCubes,
  countedRelation,
  type GridBox,
  type GridSolid,
  randomBox,
  randomBoxes,
  randomCubes,
  solidOfBoxes,
  solidOfCubes,
  subdivided,
} from '../../testing/grid-solids.ts';
import { relationOf } from '../relation.ts';

if (process.env['NEARFIELD_SLOW']) vi.setConfig({ testTimeout: 1_000_000 });

const size = 4;
const mirror: Record<string, string> = { inside: 'contains', contains: 'inside' };

const generators: Record<string, (random: (n: number) => number) => GridSolid> = {
  'few boxes': random => randomBoxes(random, 2, size),
  'many boxes': random => randomBoxes(random, 6, size),
  'small cube sets': random => randomCubes(random, 2),
  'cube sets': random => randomCubes(random, 3),
};

/** Poses that are exact on small integers: identity, rotation, shear, mirror, a distant translation. */
const poses = [
  [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0.5, 0, 0, 1],
  [3, 1, -2, 0, 1, 2, 1, 0, -1, 1, 4, 0, 7, -3, 1, 1],
  [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  [2, -1, 1, 0, 1, 3, 0, 0, 2, 1, -5, 0, 2 ** 20, -(2 ** 20), 2 ** 20, 1],
];

describe('relation of solids on the grid against counting cubes', () => {
  const names = Object.keys(generators);
  const rounds = process.env['NEARFIELD_SLOW'] ? 4000 : 12;
  const seen = new Set<string>();
  for (const first of names) {
    for (const second of names) {
      test(`${first} and ${second}`, () => {
        for (let round = 0; round < rounds; round++) {
          const seed = round * 64 + 8 * names.indexOf(first) + names.indexOf(second) + 1;
          const random = randomIntegers(seed);
          const [solidA, solidB] = [generators[first](random), generators[second](random)];
          const pose = () => Float64Array.from(poses[seed % poses.length]);
          const [a, b] = [placedSoup(solidA.triangles, pose()), placedSoup(solidB.triangles, pose())];
          const expected = countedRelation(solidA, solidB, size);
          const triangles = meetingTriangles(a, b);
          const engine = new BruteEngine(seed % 2 === 0);
          expect(relationOf(engine, a, b, triangles), `seed ${seed}`).toBe(expected);
          seen.add(expected);
          if (round % 4 === 0)
            expect(bruteRelation(b, a), `seed ${seed}, exchanged`).toBe(mirror[expected] ?? expected);
        }
      });
    }
  }
  test('most relations have occurred', () => expect(seen.size).toBeGreaterThan(4));
});

describe('the relation of solids does not change by', () => {
  test('subdivision on the dyadic grid, and a translation by a million', () => {
    for (let seed = 1; seed <= (process.env['NEARFIELD_SLOW'] ? 300 : 8); seed++) {
      const random = randomIntegers(seed);
      const [solidA, solidB] = [randomBoxes(random, 3, 3), randomCubes(random, 2)];
      const expected = countedRelation(solidA, solidB, 3);
      const [fineA, fineB] = [subdivided(solidA.triangles), subdivided(solidB.triangles)];
      const pose = () => Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1e6, -1e6, 1e6, 1]);
      expect(bruteRelation(placedSoup(fineA), placedSoup(solidB.triangles)), `seed ${seed}`).toBe(expected);
      expect(
        bruteRelation(placedSoup(solidA.triangles, pose()), placedSoup(fineB, pose())),
        `seed ${seed}`,
      ).toBe(expected);
    }
  });
});

describe('relation of nested solids whose surfaces do not meet', () => {
  const rounds = process.env['NEARFIELD_SLOW'] ? 5000 : 100;
  test('boxes in a box in a box', () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= rounds; seed++) {
      const random = randomIntegers(seed);
      const cube = (low: number, high: number): GridBox => ({
        low: [low, low, low],
        high: [high, high, high],
        sign: random(2) ? 1 : -1,
      });
      // There is a box around the middle one, or not. Inside are boxes that overlap or meet in corners and edges.
      const inner = Array.from({ length: 1 + random(4) }, () => randomBox(random, 2, 5));
      const outer = random(3) ? [cube(0, 7)] : [];
      const solidA = solidOfBoxes(random, [...inner, ...outer]);
      const solidB = solidOfBoxes(random, [cube(1, 6)]);
      const expected = countedRelation(solidA, solidB, 7);
      const [a, b] = [placedSoup(solidA.triangles), placedSoup(solidB.triangles)];
      expect(bruteRelation(a, b), `seed ${seed}`).toBe(expected);
      expect(bruteRelation(b, a), `seed ${seed}, exchanged`).toBe(mirror[expected] ?? expected);
      seen.set(expected, (seen.get(expected) ?? 0) + 1);
    }
    for (const word of ['inside', 'contains', 'crossing']) expect(seen.get(word), word).toBeGreaterThan(10);
  });
});

describe('relation of solids derived from each other', () => {
  // Which shares of the first solid, and of the space around it, the second has.
  const shares: Record<string, [number, number]> = {
    same: [1, 0],
    'a part': [0.5, 0],
    'all and some more': [1, 0.3],
    'the rest': [0, 1],
    'some of the rest': [0, 0.4],
    'a little of both': [0.2, 0.2],
    'all but little': [0.9, 0],
  };
  const rounds = process.env['NEARFIELD_SLOW'] ? 100 : 6;
  const seen = new Map<string, number>();
  for (const [name, [within, beyond]] of Object.entries(shares)) {
    test(name, () => {
      for (let round = 0; round < rounds; round++) {
        const seed = 16 * round + Object.keys(shares).indexOf(name);
        const random = randomIntegers(seed);
        const solidA = round % 2 ? randomBoxes(random, 5, 3) : randomCubes(random, 3);
        const chosen = allCubes(3).filter(([x, y, z]) => {
          const share = solidA.inside(x, y, z) ? within : beyond;
          return random(1000) < 1000 * share;
        });
        if (chosen.length === 0) continue;
        const solidB = solidOfCubes(random, chosen, random(2) === 0);
        const pose = () => Float64Array.from(poses[round % poses.length]);
        const [a, b] = [placedSoup(solidA.triangles, pose()), placedSoup(solidB.triangles, pose())];
        const expected = countedRelation(solidA, solidB, 3);
        expect(bruteRelation(a, b), `seed ${seed}`).toBe(expected);
        expect(bruteRelation(b, a), `seed ${seed}, exchanged`).toBe(mirror[expected] ?? expected);
        seen.set(expected, (seen.get(expected) ?? 0) + 1);
      }
    });
  }
  test('every relation has occurred, and often', () => {
    for (const word of ['touching', 'coincident', 'inside', 'contains', 'crossing']) {
      expect(seen.get(word) ?? 0, word).toBeGreaterThan(rounds / 3);
    }
  });
});
