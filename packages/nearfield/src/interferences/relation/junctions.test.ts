// Open surfaces with T-junctions: rows of rectangles, shifted against each other, with hanging vertices, folded along
// lines, sheared and at extreme scales. The relation is compared with a slow way, which examines every point at which
// anything may change and a point between every two, one by one.

import { afterAll, expect, test, vi } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../bodies/snapshot/world.ts';
import {
  compareAlong,
  cross,
  dot,
  fromTo,
  type Homogeneous,
  isZero,
  linePlane,
  mix,
  planeThrough,
  pointAt,
  samePoint,
} from '../../math/exact/rational.ts';
import { contactOf, Hull, onSegment, outside } from '../../math/triangles/triangle-contact.ts';
import { meetingTriangles, placedSoup, randomIntegers } from '../testing/brute-engine.ts';
import { framed } from './coordinates/rescaled.ts';
import { type Around, crossesAt } from './link.ts';
import { relationOfSurfaces } from './surfaces.ts';

/** Called once per triangle that is tested for containing a point. */
const placeOf = vi.spyOn(Hull.prototype, 'placeOf');
afterAll(() => placeOf.mockRestore());

if (process.env['NEARFIELD_SLOW']) vi.setConfig({ testTimeout: 1_000_000 });

type Integers = (n: number) => number;
type Height = (x: number, y: number) => number;

const heights: readonly Height[] = [
  () => 0,
  x => Math.abs(x - 2),
  (_, y) => Math.floor(y) % 2,
  (x, y) => x + 2 * y,
];

/** Rows of rectangles, every other row shifted, some with a vertex in the middle of a side. */
function bricks(random: Integers, size: number, height: Height): number[][] {
  const shift = random(4) / 4;
  const triangles: number[][] = [];
  for (let y = 0; y < size; y++) {
    for (let column = 0; column < size; column++) {
      const x = column + (y % 2) * shift;
      const at = (u: number, v: number): number[] => [u, v, height(u, v)];
      const [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
      const middle = at(x + 0.5, y);
      if (random(3) === 0)
        triangles.push([...a, ...middle, ...d], [...middle, ...c, ...d], [...middle, ...b, ...c]);
      else if (random(2)) triangles.push([...a, ...b, ...c], [...a, ...c, ...d]);
      else triangles.push([...a, ...b, ...d], [...b, ...c, ...d]);
    }
  }
  return triangles;
}

/** Columns of a pose: as it is, sheared along one axis or two, turned after that, or stretched. */
function poseOf(random: Integers): Float64Array {
  const kind = random(5);
  const shear = (): number => (kind === 0 ? 0 : random(2) * 10 ** random(22));
  const columns = [
    [1, 0, 0],
    [shear(), 1, 0],
    [shear(), shear(), 1],
  ];
  const place = ([x, y, z]: readonly number[]): number[] => {
    if (kind === 3) return [0.36 * x - 0.8 * y + 0.48 * z, 0.48 * x + 0.6 * y + 0.64 * z, -0.8 * x + 0.6 * z];
    return kind === 4 ? [x * 2 ** 500, y, z * 2 ** -300] : [x, y, z];
  };
  return Float64Array.of(...columns.flatMap(column => [...place(column), 0]), 0, 0, 0, 1);
}

/** Two surfaces: the same in other triangulations, the same moved, one folded differently, or one turned by a quarter. */
function twoSurfaces(random: Integers, size: number): [Placed, Placed] {
  const height = heights[random(heights.length)];
  const a = bricks(random, size, height);
  const kind = random(4);
  const b = bricks(random, size, kind === 1 ? (x, y) => Math.max(0, height(x, y) - 1) : height).map(
    triangle =>
      triangle.map((value, i) => {
        if (kind === 2) return value + [0.25, 0.5, 0][i % 3];
        return kind === 3 && i % 3 < 2 ? triangle[i % 3 === 0 ? i + 1 : i - 1] : value;
      }),
  );
  const pose = poseOf(random);
  return [placedSoup(a, pose), placedSoup(b, pose)];
}

/** The relation of two surfaces that meet, without any shortcut. */
function slowRelation(a: Placed, b: Placed, pairs: Uint32Array): string {
  const hullsOf = (body: Placed): Hull[] =>
    Array.from({ length: body.shape.mesh.triangleCount }, (_, t) => {
      const p = new Float64Array(9);
      placeCorners(body, t, p, 0);
      return new Hull([pointAt(p, 0), pointAt(p, 3), pointAt(p, 6)]);
    });
  const hulls = [hullsOf(a), hullsOf(b)];
  const cornersAt = (side: number, t: number): readonly [Homogeneous, Homogeneous, Homogeneous] => {
    const { corners } = hulls[side][t];
    return [corners[0], corners[1] ?? corners[0], corners[2] ?? corners[0]];
  };
  const contacts: { t: number; u: number; sides: [Homogeneous, Homogeneous][] }[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const points = contactOf(cornersAt(0, pairs[i]), cornersAt(1, pairs[i + 1]));
    const sides = points.map((point, k): [Homogeneous, Homogeneous] => [
      point,
      points[(k + 1) % points.length],
    ]);
    contacts.push({ t: pairs[i], u: pairs[i + 1], sides });
  }
  const around = (side: number, point: Homogeneous): Around[] =>
    hulls[side].map(hull => ({ hull, place: hull.placeOf(point) })).filter(({ place }) => place !== outside);
  const crossAt = (point: Homogeneous): boolean => crossesAt(around(0, point), around(1, point));
  for (const { t, u, sides } of contacts) {
    const near = contacts.filter(other => other.t === t || other.u === u).flatMap(other => other.sides);
    for (const [p, q] of sides) {
      const stops = stopsOn(p, q, near);
      if (stops.some(crossAt)) return 'crossing';
      if (stops.some((stop, i) => i > 0 && crossAt(mix([stops[i - 1], stop])))) return 'crossing';
    }
  }
  return 'touching';
}

/** The ends of a segment and where others meet it, in order. */
function stopsOn(
  p: Homogeneous,
  q: Homogeneous,
  others: readonly [Homogeneous, Homogeneous][],
): Homogeneous[] {
  const along = fromTo(p, q);
  const stops = [p, q];
  if (isZero(along)) return [p];
  for (const [r, s] of others) {
    for (const end of [r, s]) if (onSegment(p, q, end)) stops.push(end);
    const normal = cross(along, fromTo(r, s));
    if (isZero(normal) || dot(normal, fromTo(p, r)) !== 0n) continue;
    const point = linePlane(p, q, planeThrough(r, s, normal));
    if (onSegment(p, q, point) && onSegment(r, s, point)) stops.push(point);
  }
  stops.sort((x, y) => compareAlong(along, x, y));
  return stops.filter((stop, i) => i === 0 || !samePoint(stop, stops[i - 1]));
}

test('surfaces with T-junctions have the relation found point by point', () => {
  const rounds = process.env['NEARFIELD_SLOW'] ? 1500 : 30;
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomIntegers(seed);
    const [a, b] = framed(...twoSurfaces(random, 1 + random(3)));
    const pairs = meetingTriangles(a, b);
    if (pairs.length === 0) continue;
    const expected = slowRelation(a, b, pairs);
    expect(relationOfSurfaces(a, b, pairs), `seed ${seed}`).toBe(expected);
    seen.set(expected, (seen.get(expected) ?? 0) + 1);
  }
  expect(Math.min(seen.get('crossing') ?? 0, seen.get('touching') ?? 0)).toBeGreaterThan(rounds / 10);
});

test('a point is examined once, with the triangles near it only', () => {
  for (let seed = 1; seed <= 5; seed++) {
    const random = randomIntegers(seed);
    const folds = heights[2];
    const pose = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 1e5, 1e13, 1, 0, 0, 0, 0, 1);
    const [a, b] = [bricks(random, 6, folds), bricks(random, 6, folds)].map(soup => placedSoup(soup, pose));
    const pairs = meetingTriangles(a, b);
    placeOf.mockClear();
    expect(relationOfSurfaces(a, b, pairs), `seed ${seed}`).toBe('touching');
    expect(pairs.length / 2, `seed ${seed}`).toBeGreaterThan(300);
    expect(placeOf.mock.calls.length, `seed ${seed}`).toBeGreaterThan(0);
    expect(placeOf.mock.calls.length, `seed ${seed}`).toBeLessThan(4 * (pairs.length / 2));
  }
});
