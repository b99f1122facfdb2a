// The exact distance of two triangles against the hull of their corners' differences.

import { shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import {
  compareWithDistance,
  distanceOf,
  nearestPoints,
  pointToDoubles,
} from '../../../packages/nearfield/src/distance/exact/triangle-distance.ts';
import { compareFractions, fractionOf, squaredDistance } from './least-difference.ts';

const scale = process.env.NEARFIELD_SLOW ? 250 : 1;

/** Corners from this generator; about one triangle in six repeats a corner or has collinear corners. */
function triangles(random: shapes.Random, coordinate: () => number): Float64Array {
  const p = Float64Array.from({ length: 18 }, coordinate);
  for (const at of [0, 9]) {
    const kind = random.integer(12);
    if (kind === 0) p.copyWithin(at + 3, at, at + 3);
    if (kind === 1) for (let k = 0; k < 3; k++) p[at + 6 + k] = 2 * p[at + 3 + k] - p[at + k];
  }
  return p;
}

function check(p: Float64Array, message: string): void {
  const expected = squaredDistance(p);
  const found = nearestPoints(p);
  const squared = { numerator: found.numerator, denominator: found.denominator * found.unit ** 2n };
  expect(compareFractions(squared, expected), message).toBe(0);
  // The points are at that distance, exactly.
  const { pointA, pointB } = found;
  const [x, y, z] = (['x', 'y', 'z'] as const).map(k => pointB[k] * pointA.w - pointA[k] * pointB.w);
  const between = {
    numerator: x * x + y * y + z * z,
    denominator: (pointA.w * pointB.w * found.unit) ** 2n,
  };
  expect(compareFractions(between, expected), message).toBe(0);
  // And in the triangles: nothing is nearer to either than 0.
  for (const [point, at] of [
    [pointA, 0],
    [pointB, 9],
  ] as const) {
    const rounded = pointToDoubles(point, found.unit);
    const alone = new Float64Array(18);
    for (let corner = 0; corner < 9; corner += 3) alone.set(rounded, corner);
    alone.set(p.subarray(at, at + 9), 9);
    const size = p.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(distanceOf(nearestPoints(alone)), message).toBeLessThanOrEqual(size * 2 ** -51);
  }
  // Correctly rounded: the exact root lies within half an ulp of it.
  const distance = distanceOf(found);
  if (distance === 0) {
    expect(expected.numerator, message).toBe(0n);
    return;
  }
  const ulp = 2 ** (Math.floor(Math.log2(distance)) - 52);
  const below = fractionOf(distance - ulp);
  const above = fractionOf(distance + ulp);
  const square = ({ numerator, denominator }: typeof below) => ({
    numerator: numerator ** 2n,
    denominator: denominator ** 2n,
  });
  expect(compareFractions(square(below), expected), message).toBeLessThan(0);
  expect(compareFractions(square(above), expected), message).toBeGreaterThan(0);
  expect(compareWithDistance(found, distance + ulp), message).toBe(-1);
  expect(compareWithDistance(found, distance - ulp), message).toBe(1);
}

describe('the distance of two triangles', { timeout: 600_000 }, () => {
  const kinds: [string, (random: shapes.Random) => () => number][] = [
    ['a grid of five, full of ties and touches', random => () => random.integer(5)],
    ['a wide grid', random => () => random.integer(1000) - 500],
    ['general position', random => () => random.between(-1, 1)],
    ['far from the origin', random => () => 1e6 + random.between(-1, 1)],
    ['very different sizes', random => () => random.between(-1, 1) * 2 ** -random.integer(40)],
    ['huge', random => () => random.between(-1, 1) * 1e300],
    ['tiny', random => () => random.between(-1, 1) * 1e-300],
  ];
  for (const [name, draw] of kinds) {
    it(name, () => {
      const random = shapes.createRandom(7);
      for (let i = 0; i < 50 * scale; i++) check(triangles(random, draw(random)), `${name}, number ${i}`);
    });
  }

  it('does not depend on the order of the triangles', () => {
    const random = shapes.createRandom(8);
    for (let i = 0; i < 120 * scale; i++) {
      const p = triangles(random, () => random.integer(6));
      const q = new Float64Array(18);
      q.set(p.subarray(9));
      q.set(p.subarray(0, 9), 9);
      expect(distanceOf(nearestPoints(q)), `number ${i}`).toBe(distanceOf(nearestPoints(p)));
    }
  });

  it('rounds known distances correctly', () => {
    const at = (d: number) => Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, d, 1, 0, d, 0, 1, d]);
    for (const d of [1, 3, 0.1, 1e-200, 1e200, 5e-324, Math.PI]) {
      expect(distanceOf(nearestPoints(at(d)))).toBe(d);
      expect(compareWithDistance(nearestPoints(at(d)), d)).toBe(0);
    }
  });
});
