import { describe, expect, test, vi } from 'vitest';
import { bruteRelation, placedSoup, randomIntegers } from '../testing/brute-engine.ts';
import { boxSheets, type GridSheets, randomSheets, relationByNeighbours } from '../testing/grid-sheets.ts';

if (process.env['NEARFIELD_SLOW']) vi.setConfig({ testTimeout: 1_000_000 });

/** Poses that are exact on small integers: identity, rotation, shear, mirror. */
const poses = [
  [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  [0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0.5, 0, 0, 1],
  [3, 1, -2, 0, 1, 2, 1, 0, -1, 1, 4, 0, 7, -3, 1, 1],
  [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
];

describe('relation of open surfaces on the grid, against a flood fill of the cells', () => {
  const rounds = process.env['NEARFIELD_SLOW'] ? 5_000 : 20;
  const kinds: Record<string, (random: (n: number) => number) => GridSheets> = {
    'one or two rectangles': random => randomSheets(random, 2, 3),
    'some rectangles': random => randomSheets(random, 5, 3),
    'many rectangles': random => randomSheets(random, 9, 2),
    'a box': random => boxSheets(random, 3),
  };
  const names = Object.keys(kinds);
  const seen = new Map<string, number>();
  for (const first of names) {
    for (const second of names.slice(0, 3)) {
      test(`${first} and ${second}`, () => {
        for (let round = 0; round < rounds; round++) {
          const seed = 64 * round + 8 * names.indexOf(first) + names.indexOf(second) + 1;
          const random = randomIntegers(seed);
          const [sheetsA, sheetsB] = [kinds[first](random), kinds[second](random)];
          const pose = () => Float64Array.from(poses[seed % poses.length]);
          const [a, b] = [placedSoup(sheetsA.triangles, pose()), placedSoup(sheetsB.triangles, pose())];
          if (a.shape.mesh.solid && b.shape.mesh.solid) continue;
          const expected = relationByNeighbours(sheetsA, sheetsB);
          expect(bruteRelation(a, b), `seed ${seed}`).toBe(expected);
          if (round % 4 === 0) expect(bruteRelation(b, a), `seed ${seed}, exchanged`).toBe(expected);
          seen.set(expected, (seen.get(expected) ?? 0) + 1);
        }
      });
    }
  }
  test('every relation has occurred', () => expect(seen.size).toBe(3));
});
