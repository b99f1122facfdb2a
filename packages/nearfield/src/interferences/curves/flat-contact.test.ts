import { expect, test } from 'vitest';
import { Failures } from '../../../../../test/oracle/failures.ts';
import { projectionAxis } from '../../bodies/snapshot/world.ts';
import { orient3dAt } from '../../math/exact/orient.ts';
import { comparePoints, type Homogeneous, pointAt, toDoubles } from '../../math/exact/rational.ts';
import { contactOf } from '../../math/triangles/triangle-contact.ts';
import { randomIntegers } from '../testing/brute-engine.ts';
import { flatContact } from './flat-contact.ts';
import { PointNumbers } from './point-numbers.ts';

const written = (points: readonly Homogeneous[]): string =>
  [...points]
    .sort(comparePoints)
    .map(point => toDoubles(point).join())
    .join(' ');

test('clipping with signs of doubles gives the same result as clipping with exact planes', () => {
  const counts = [0, 0, 0, 0, 0, 0, 0];
  const random = randomIntegers(7);
  const p = new Float64Array(18);
  const failures = new Failures();
  for (let round = 0; round < (process.env.NEARFIELD_SLOW ? 600_000 : 12_000); round++) {
    // Small integers, transformed so that no plane is parallel to an axis.
    const flat = random(3) > 0;
    for (let i = 0; i < 18; i += 3) {
      const [x, y, z] = [random(5), random(5), flat || i < 9 ? 0 : random(3)];
      p[i] = 3 * x - y + 2 * z;
      p[i + 1] = x + 2 * y - z;
      p[i + 2] = -x + y + 5 * z;
    }
    const axis = projectionAxis(p, 0);
    if (axis < 0 || projectionAxis(p, 9) < 0) continue;
    const signs = [9, 12, 15].map(i => orient3dAt(p, 0, 3, 6, i));
    if (signs.includes(1) && signs.includes(-1)) continue;
    const inPlane = signs.reduce<number>((bits, sign, k) => bits | (sign === 0 ? 1 << k : 0), 0);
    const numbers = new PointNumbers();
    const contact = flatContact(p, 9, inPlane, 0, axis, numbers, (_side, _edge, find) =>
      numbers.ofExact(find()),
    );
    const points = contact.map(number => numbers.exact(number));
    const corners = (at: number) => [pointAt(p, at), pointAt(p, at + 3), pointAt(p, at + 6)] as const;
    const expected = written(contactOf(corners(0), corners(9)));
    failures.check(written(points) === expected, () => `round ${round}: ${p.join()}`);
    counts[points.length]++;
  }
  expect(failures.list).toEqual([]);
  // The cases are nothing, a point, a segment, and polygons with three to six corners.
  for (const count of counts) expect(count).toBeGreaterThan(20);
});

test('points are the same in doubles and in integers', () => {
  const numbers = new PointNumbers();
  const p = Float64Array.of(0.1, -0, 3, 0.1, 0, 3);
  const first = numbers.ofExact(pointAt(p, 0));
  expect(numbers.ofDoubles(p, 0)).toBe(first);
  expect(numbers.ofDoubles(p, 3)).toBe(first);
  const third = numbers.ofExact({ x: 1n, y: 0n, z: 9n, w: 3n });
  const near = numbers.ofDoubles(Float64Array.of(1 / 3, 0, 3), 0);
  expect(near).not.toBe(third);
  expect(numbers.compare(near, third)).toBe(-1);
  expect(numbers.compare(third, near)).toBe(1);
  expect(numbers.ofExact({ x: 2n, y: 0n, z: 18n, w: 6n })).toBe(third);
  for (let i = 0; i < 1000; i++) numbers.ofDoubles(Float64Array.of(i, 0, 3), 0);
  expect(numbers.ofExact({ x: 3n, y: 0n, z: 27n, w: 9n })).toBe(third);
  expect(numbers.isBetween(third, first, numbers.ofDoubles(Float64Array.of(2, 0, 3), 0))).toBe(true);
  expect(numbers.isBetween(first, third, numbers.ofDoubles(Float64Array.of(2, 0, 3), 0))).toBe(false);
});
