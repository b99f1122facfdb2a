import { describe, expect, test } from 'vitest';
import { relationOf } from './relation.ts';
import {
  BruteEngine,
  bruteRelation,
  meetingTriangles,
  placedSoup,
  randomIntegers,
} from './testing/brute-engine.ts';
import { countedRelation, type GridSolid, randomBoxes, randomCubes } from './testing/grid-solids.ts';

const size = 4;
const mirror: Record<string, string> = { inside: 'contains', contains: 'inside' };

const generators: Record<string, (random: (n: number) => number) => GridSolid> = {
  'few boxes': random => randomBoxes(random, 2, size),
  'many boxes': random => randomBoxes(random, 6, size),
  'small cube sets': random => randomCubes(random, 2),
  'cube sets': random => randomCubes(random, 3),
};

/** Poses that are exact on small integers: the grid itself, turned, sheared, mirrored, far away. */
const poses = [
  [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0.5, 0, 0, 1],
  [3, 1, -2, 0, 1, 2, 1, 0, -1, 1, 4, 0, 7, -3, 1, 1],
  [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  [2, -1, 1, 0, 1, 3, 0, 0, 2, 1, -5, 0, 2 ** 20, -(2 ** 20), 2 ** 20, 1],
];

describe('relation of solids on the grid against counting cubes', () => {
  const names = Object.keys(generators);
  const rounds = process.env['NEARFIELD_SLOW'] ? 4000 : 60;
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
  test('every relation has occurred', () => expect(seen.size).toBe(6));
});
