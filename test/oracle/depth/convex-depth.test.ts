import { expect, it } from 'vitest';
import { compareFractions, fractionOf } from '../triangles/least-difference.ts';
import { convexDepthSquared, isExactlyConvex } from './convex-depth.ts';
import { forbiddenDepth } from './forbidden-translations.ts';
import { unionMesh, unionPair } from './tetrahedra-unions.ts';

it('agrees with the distance to the nearest free translation, found by another algorithm', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { a, b } = unionPair(seed);
    const { numerator, denominator } = convexDepthSquared(unionMesh([a[0]]), unionMesh([b[0]]));
    const { depth, translation } = forbiddenDepth([a[0]], [b[0]]);
    expect(Math.sqrt(Number(numerator) / Number(denominator)), `seed ${seed}`).toBeCloseTo(depth, 9);
    // Moved there and a little farther, they are apart.
    const farther = translation.map(x => x * (1 + 1e-9));
    if (depth > 0)
      expect(
        convexDepthSquared(unionMesh([a[0]]), unionMesh([b[0]]), farther).numerator,
        `seed ${seed}`,
      ).toBe(0n);
  }
});

it('distinguishes a bent solid from a convex one, and uses its hull', () => {
  const cube = (bent: number) => ({
    positions: Array.from(
      { length: 24 },
      (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1) - (i === 23 ? bent : 0),
    ),
    indices: [
      0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7,
      5,
    ],
  });
  expect(isExactlyConvex(cube(0))).toBe(true);
  expect(isExactlyConvex(cube(0.25))).toBe(false);
  for (const bent of [0, 0.25]) {
    const squared = convexDepthSquared(cube(bent), cube(0), [0, 0, 0.5]);
    expect(compareFractions(squared, fractionOf(0.25)), `bent by ${bent}`).toBe(0);
  }
});
