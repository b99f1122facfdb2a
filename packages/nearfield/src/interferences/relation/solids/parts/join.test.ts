// Solids that share an edge stay separate parts: each is convex and a part of its own, however they overlap around the
// edge and however often one of them is repeated.

import { expect, test } from 'vitest';
import { placedSoup, randomIntegers } from '../../../testing/brute-engine.ts';
import { Parts } from './parts.ts';

test('tetrahedra around one edge, some of them repeated, are convex parts', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = randomIntegers(seed);
    const point = (low: number): number[] => [0, 1, 2].map(() => low + random(50));
    const [from, to] = [point(0), point(50)];
    const tetrahedra: number[][][] = [];
    while (tetrahedra.length < 12) {
      const [c, d] = [point(random(50)), point(random(50))];
      const volume = determinant(minus(to, from), minus(c, from), minus(d, from));
      if (volume !== 0)
        tetrahedra.push(volume > 0 ? trianglesOf(from, to, c, d) : trianglesOf(to, from, c, d));
    }
    const laid = random(2) ? [...tetrahedra, ...tetrahedra.slice(0, 4)] : tetrahedra;
    const parts = new Parts(placedSoup(laid.flat()));
    expect(new Set(parts.partOf).size, `seed ${seed}`).toBeGreaterThanOrEqual(tetrahedra.length);
    expect(parts.bodyDirection, `seed ${seed}`).toBe(1);
  }
});

const trianglesOf = (a: number[], b: number[], c: number[], d: number[]): number[][] =>
  [
    [a, c, b],
    [a, b, d],
    [b, c, d],
    [a, d, c],
  ].map(corners => corners.flat());

const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, axis) => x - b[axis]);

const determinant = ([a, b, c]: number[], [d, e, f]: number[], [g, h, i]: number[]): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
