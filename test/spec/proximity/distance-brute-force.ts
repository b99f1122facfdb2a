// Distances of random bodies against exact brute force.

import { shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { bruteDistance, worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { compareFractions, type Fraction, fractionOf } from '../../oracle/triangles/least-difference.ts';
import { affine, gridPose, type Part, rigid, soup, translation } from '../scenes.ts';
import type { Asked } from './asked.ts';

/** Whether a double is the square root of a fraction, rounded to nearest: the root lies within half an ulp. */
export function isRootOf(distance: number, squared: Fraction): boolean {
  if (distance === 0 || squared.numerator === 0n) return distance === 0 && squared.numerator === 0n;
  const ulp = 2 ** (Math.floor(Math.log2(distance)) - 52);
  const bound = (x: number) => {
    const { numerator, denominator } = fractionOf(x);
    return { numerator: numerator * numerator, denominator: denominator * denominator };
  };
  return (
    compareFractions(bound(distance - ulp), squared) < 0 &&
    compareFractions(bound(distance + ulp), squared) > 0
  );
}

interface Pairs {
  readonly name: string;
  parts(random: shapes.Random, triangles: number): Part[];
}

export const two = (part: () => Part): Part[] => [part(), part()];

export const kinds: readonly Pairs[] = [
  {
    name: 'soups in general position',
    parts: (random, size) => {
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1)),
        pose: rigid(random, 1),
      }));
      return [parts[0], { ...parts[1], pose: moved(parts[1].pose, random.between(0, 6)) }];
    },
  },
  {
    name: 'soups under shear, scale and mirrors',
    parts: (random, size) => {
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1)),
        pose: affine(random, 1),
      }));
      return [parts[0], { ...parts[1], pose: moved(parts[1].pose, random.between(1, 6)) }];
    },
  },
  {
    name: 'soups on a grid, full of ties',
    parts: (random, size) =>
      two(() => ({ mesh: soup(random, size, () => random.integer(4)), pose: gridPose(random, 9) })),
  },
  {
    name: 'the same far from the origin',
    parts: (random, size) =>
      two(() => {
        const pose = gridPose(random, 9);
        for (let axis = 0; axis < 3; axis++) pose[12 + axis] += 1e6;
        return { mesh: soup(random, size, () => random.integer(4)), pose };
      }),
  },
  {
    name: 'very far from each other',
    parts: (random, size) => {
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1)),
        pose: rigid(random, 1),
      }));
      return [parts[0], { ...parts[1], pose: moved(parts[1].pose, 10 ** random.integer(9)) }];
    },
  },
  {
    name: 'huge and tiny',
    parts: (random, size) => {
      const scale = random.integer(2) === 0 ? 1e290 : 1e-290;
      const parts = two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1) * scale),
        pose: translation(0, 0, 0),
      }));
      return [parts[0], { ...parts[1], pose: translation(3 * scale, 0, 0) }];
    },
  },
  {
    name: 'needles and specks',
    parts: (random, size) =>
      two(() => ({
        mesh: soup(random, size, () => random.between(-1, 1) * 2 ** -random.integer(30)),
        pose: translation(0, 0, random.integer(3)),
      })),
  },
];

export function moved(pose: readonly number[], x: number): number[] {
  const copy = [...pose];
  copy[12] += x;
  return copy;
}

export function bruteDistanceSpec(asked: Asked): void {
  const { scenes, triangles } = asked;

  describe('distance, against exact brute force', () => {
    for (const kind of kinds) {
      it(kind.name, { timeout: 600_000 }, async () => {
        for (let seed = 1; seed <= scenes; seed++) {
          const random = shapes.createRandom(100 + seed);
          const parts = kind.parts(random, triangles);
          const expected = bruteDistance(worldCorners(parts[0]), worldCorners(parts[1]))!;
          const found = await asked.ask(parts);
          const { triangleA, triangleB } = expected;
          expect([found.triangleA, found.triangleB], `seed ${seed}`).toEqual([triangleA, triangleB]);
          expect(isRootOf(found.distance, expected.squared), `seed ${seed}`).toBe(true);
          const apart = Math.hypot(...found.pointA.map((value, i) => value - found.pointB[i]));
          const size = Math.max(...[...found.pointA, ...found.pointB].map(Math.abs));
          expect(Math.abs(apart - found.distance), `seed ${seed}`).toBeLessThanOrEqual(
            2 ** -50 * size + 1e-307,
          );
          // The reverse question gives the same, exchanged.
          const back = await asked.ask([parts[1], parts[0]]);
          const exact = bruteDistance(worldCorners(parts[1]), worldCorners(parts[0]))!;
          expect(back.distance, `seed ${seed}`).toBe(found.distance);
          expect([back.triangleA, back.triangleB], `seed ${seed}`).toEqual([
            exact.triangleA,
            exact.triangleB,
          ]);
        }
      });
    }
  });
}
