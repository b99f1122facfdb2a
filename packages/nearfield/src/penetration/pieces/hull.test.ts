import { expect, it } from 'vitest';
import { createRandom } from '../../shapes/index.ts';
import { nearestInHalfSpaces } from '../bounds/nearest-in-half-spaces.ts';
import { expand, Hull } from './hull.ts';
import { supportOf } from './piece.ts';

it('finds how deep the origin lies in a box, exactly', () => {
  const corners = new Float64Array(24);
  for (let i = 0; i < 8; i++) corners.set([i & 1 ? 3 : -1, i & 2 ? 2 : -4, i & 4 ? 5 : -1.5], 3 * i);
  const support = supportOf(corners);
  const depth = expand(Hull.of(support)!, support, 1, 100);
  expect([depth.lower, depth.upper, ...depth.direction]).toEqual([1, 1, -1, 0, 0]);
});

it('holds the depth in the hull of random points', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = createRandom(seed);
    const points = Float64Array.from({ length: 3 * (4 + random.integer(40)) }, () => random.between(-1, 1.5));
    const support = supportOf(points);
    const hull = Hull.of(support)!;
    const { lower, upper } = expand(hull, support, 1, 400);
    // Along every direction the hull reaches at least as far as the depth; along some no farther.
    let least = Infinity;
    const out = new Float64Array(3);
    for (let k = 0; k < 4000; k++) least = Math.min(least, support(...random.direction(), out));
    if (least < 0) {
      // Outside, the first plane that proves it ends the search.
      expect(Math.min(lower, upper), `seed ${seed}`).toBeLessThan(0);
    } else {
      expect(lower, `seed ${seed}`).toBeLessThanOrEqual(least + 1e-12);
      expect(upper - lower, `seed ${seed}`).toBeLessThan(1e-9);
    }
    // Every edge of the facets runs once each way.
    const sides = new Set(hull.facets.flatMap(({ a, b, c }) => [`${a},${b}`, `${b},${c}`, `${c},${a}`]));
    expect(sides.size, `seed ${seed}`).toBe(3 * hull.facets.length);
    for (const side of sides) expect(sides.has(side.split(',').reverse().join()), `seed ${seed}`).toBe(true);
  }
});

it('makes no hull of a flat set', () => {
  expect(Hull.of(supportOf(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0)))).toBeUndefined();
});

it('finds the nearest point in half-spaces', () => {
  expect(nearestInHalfSpaces([])).toEqual([0, 0, 0]);
  expect(nearestInHalfSpaces([{ x: 1, y: 0, z: 0, c: 2 }])).toEqual([2, 0, 0]);
  const none = [
    { x: 1, y: 0, z: 0, c: 1 },
    { x: -1, y: 0, z: 0, c: 1 },
  ];
  expect(nearestInHalfSpaces(none)).toBeUndefined();
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    // All half-spaces hold a common point, so there is an answer.
    const common = [random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)];
    const spaces = Array.from({ length: 1 + random.integer(8) }, () => {
      const [x, y, z] = random.direction();
      return { x, y, z, c: x * common[0] + y * common[1] + z * common[2] - random.next() };
    });
    const nearest = nearestInHalfSpaces(spaces)!;
    for (const { x, y, z, c } of spaces) {
      expect(x * nearest[0] + y * nearest[1] + z * nearest[2], `seed ${seed}`).toBeGreaterThan(c - 1e-7);
    }
    // No shorter point among many satisfies all of them.
    const length = Math.hypot(...nearest);
    let shorter = 0;
    for (let k = 0; k < 2000; k++) {
      const [x, y, z] = random.direction().map(v => v * length * random.next() * 0.999);
      if (spaces.every(s => s.x * x + s.y * y + s.z * z >= s.c + 1e-7)) shorter++;
    }
    if (length > 1e-6) expect(shorter, `seed ${seed}`).toBe(0);
  }
});
