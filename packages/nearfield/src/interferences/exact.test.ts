import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../bodies/snapshot/world.ts';
import { KnownSigns } from '../math/exact/known-signs.ts';
import { neighboursMeet } from '../math/triangles/triangle-neighbours.ts';
import { type CpuNearfield, open } from '../nearfield.ts';
import { meetingTriangles, placedSoup, randomIntegers } from './testing/brute-engine.ts';

/** Called once per sign that needed Shewchuk's expansions. */
const expansions = vi.spyOn(KnownSigns.prototype, 'keep');
afterAll(() => expansions.mockRestore());

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

type Integers = (n: number) => number;
type Soup = readonly (readonly number[])[];

/** The surfaces of some tetrahedra with corners on a grid, nine numbers per triangle. */
function tetrahedra(random: Integers, count: number, size: number): Soup {
  const point = (): number[] => [0, 1, 2].map(() => random(2 * size + 1) - size);
  return Array.from({ length: count }, () => [point(), point(), point(), point()]).flatMap(([a, b, c, d]) =>
    [
      [a, c, b],
      [a, b, d],
      [b, c, d],
      [a, d, c],
    ].map(corners => corners.flat()),
  );
}

/** Coordinates without 0: all are about as large after a shear, so that it can be undone without rounding. */
const offOrigin = (soup: Soup): Soup => soup.map(triangle => triangle.map(x => 2 * x + 1));

/** Columns of a 3×3 matrix: a shear, then a turn, neither along the axes. */
function shearThenTurn(random: Integers, shear: number): number[] {
  const angle = random(1000) / 159;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const turn = (x: number, y: number, z: number): number[] => {
    const [u, v] = [c * x - s * y, s * x + c * y];
    return [u, 0.6 * v - 0.8 * z, 0.8 * v + 0.6 * z];
  };
  return [...turn(1, 0, 0), ...turn(shear, 1, 0), ...turn(random(2) * Math.sqrt(shear), 0, 1)];
}

const poseOf = (m: readonly number[]): Float64Array =>
  Float64Array.of(...m.slice(0, 3), 0, ...m.slice(3, 6), 0, ...m.slice(6), 0, 0, 0, 0, 1);

/** The pairs of two bodies by the question, and how many signs it took expansions to decide. */
function askedPairs([a, b]: readonly Placed[]): { triangles: Uint32Array; expansions: number } {
  const scene = nf.scene();
  scene.add(a.shape.mesh, { pose: a.pose });
  scene.add(b.shape.mesh, { pose: b.pose });
  expansions.mockClear();
  const [pair] = scene.interferencesSync();
  scene.close();
  return { triangles: pair?.triangles ?? new Uint32Array(), expansions: expansions.mock.calls.length };
}

/** The triangles (i, j), i < j, of a body that share more than their common corners, one by one. */
function selfPairs(body: Placed): Uint32Array {
  const [p, pairs] = [new Float64Array(18), [] as number[]];
  for (let i = 0; i < body.shape.mesh.triangleCount; i++) {
    for (let j = i + 1; j < body.shape.mesh.triangleCount; j++) {
      placeCorners(body, i, p, 0);
      placeCorners(body, j, p, 9);
      if (neighboursMeet(p)) pairs.push(i, j);
    }
  }
  return Uint32Array.from(pairs);
}

const rounds = process.env['NEARFIELD_SLOW'] ? 3000 : 40;

describe('unsure pairs of bodies that were sheared and turned', () => {
  test('are those found one by one in world coordinates', () => {
    for (let seed = 1; seed <= rounds; seed++) {
      const random = randomIntegers(seed);
      const pose = poseOf(shearThenTurn(random, 10 ** random(31)));
      const size = [2, 4, 100][random(3)];
      const [first, second] = [tetrahedra(random, 6, size), tetrahedra(random, 6, size)];
      const bodies = [first, random(2) ? second : [...first.slice(12), ...second]];
      const placed = bodies.map(soup => placedSoup(soup, pose));
      const expected = meetingTriangles(placed[0], placed[1]);
      expect(askedPairs(placed).triangles, `seed ${seed}`).toEqual(expected);
    }
  });

  test('also of a body with itself', () => {
    for (let seed = 1; seed <= rounds / 4; seed++) {
      const random = randomIntegers(seed);
      const body = placedSoup(
        tetrahedra(random, 8, 4),
        poseOf(shearThenTurn(random, 10 ** (10 + random(10)))),
      );
      const scene = nf.scene();
      const { triangles } = scene.selfIntersectionsSync(scene.add(body.shape.mesh, { pose: body.pose }));
      scene.close();
      expect(triangles, `seed ${seed}`).toEqual(selfPairs(body));
    }
  });

  test('are decided in a frame without the shear', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = randomIntegers(seed);
      const pose = poseOf(shearThenTurn(random, 1e15));
      const placed = [0, 1].map(() => placedSoup(offOrigin(tetrahedra(random, 24, 4)), pose));
      expansions.mockClear();
      const expected = meetingTriangles(placed[0], placed[1]);
      const oneByOne = expansions.mock.calls.length;
      const asked = askedPairs(placed);
      expect(asked.triangles, `seed ${seed}`).toEqual(expected);
      expect(oneByOne, `seed ${seed}`).toBeGreaterThan(3000);
      expect(asked.expansions, `seed ${seed}`).toBeLessThan(oneByOne / 10);
    }
  });

  test('whose shear cannot be undone in doubles take expansions for edges alone', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = randomIntegers(seed);
      const pose = poseOf(shearThenTurn(random, 1e16));
      // With coordinates 0, some corners are far smaller than others after the shear.
      const placed = [0, 1].map(() => placedSoup(tetrahedra(random, 24, 4), pose));
      expansions.mockClear();
      const expected = meetingTriangles(placed[0], placed[1]);
      const oneByOne = expansions.mock.calls.length;
      const asked = askedPairs(placed);
      expect(asked.triangles, `seed ${seed}`).toEqual(expected);
      expect(oneByOne, `seed ${seed}`).toBeGreaterThan(3000);
      expect(asked.expansions, `seed ${seed}`).toBeLessThan(oneByOne / 3);
    }
  });
});
