// The nearest points of slivers, needles, caps and solids of them, of every size, against an oracle in fractions: the
// squared distance of a point and a triangle as that of the origin and the hull of their differences
// (least-difference.ts), the smallest over all triangles.

import { type Body, mesh, type Nearfield, type Scene } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extremePoints, extremeSolid, extremeTriangle } from '../../oracle/extremes.ts';
import { worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { type Random, randomFrom } from '../../oracle/triangles/generators.ts';
import {
  compareFractions,
  type Fraction,
  fractionOf,
  pointSquaredDistance,
} from '../../oracle/triangles/least-difference.ts';
import { translation } from '../scenes.ts';

export interface SliverSize {
  readonly triangles: number;
  readonly solids: number;
  /** Points beside each. */
  readonly points: number;
  readonly seed?: number;
}

const pose = translation(0, 0, 0);

/** Squared, exactly, with the lowest of the nearest triangles. */
export function exactNearest(
  corners: Float64Array,
  point: ArrayLike<number>,
): { squared: Fraction; triangle: number } {
  let best: { squared: Fraction; triangle: number } | undefined;
  for (let triangle = 0; 9 * triangle < corners.length; triangle++) {
    const squared = pointSquaredDistance(point, corners.subarray(9 * triangle, 9 * triangle + 9));
    if (best === undefined || compareFractions(squared, best.squared) < 0) best = { squared, triangle };
  }
  return best!;
}

const square = ({ numerator, denominator }: Fraction): Fraction => ({
  numerator: numerator ** 2n,
  denominator: denominator ** 2n,
});
const product = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});
const sum = (a: Fraction, b: Fraction): Fraction => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
});

/** Whether a distance equals the root of a square to 2^-bits of itself, and to the smallest double. */
export function isRightTo(distance: number, squared: Fraction, bits: number): boolean {
  if (distance === 0 && squared.numerator === 0n) return true;
  const own = fractionOf(distance);
  const share: Fraction = { numerator: 1n, denominator: 1n << BigInt(bits) };
  const least = fractionOf(5e-324);
  const off = sum(product(own, share), least);
  const low = sum(own, { numerator: -off.numerator, denominator: off.denominator });
  if (low.numerator > 0n && compareFractions(square(low), squared) > 0) return false;
  return compareFractions(square(sum(own, off)), squared) >= 0;
}

/** What is wrong with an answer, or ''. */
export function whatIsWrong(
  corners: Float64Array,
  point: ArrayLike<number>,
  found: { distance: number; nearest: ArrayLike<number>; triangle: number },
): string {
  const { squared, triangle } = exactNearest(corners, point);
  const { distance, nearest } = found;
  if (!isRightTo(Math.abs(distance), squared, 52)) {
    const root = Math.sqrt(Number(squared.numerator) / Number(squared.denominator));
    return `the distance is ${root}, not ${distance}`;
  }
  if ((distance === 0) !== (squared.numerator === 0n)) return `${distance} is 0 where it should not be`;
  if (found.triangle !== triangle) return `the lowest is triangle ${triangle}, not ${found.triangle}`;
  // The nearest point is in the triangle, up to rounding.
  const size = Math.max(Math.abs(distance), ...Array.from(nearest, Math.abs));
  const off = pointSquaredDistance(nearest, corners.subarray(9 * triangle, 9 * triangle + 9));
  if (compareFractions(off, square(fractionOf(size * 2 ** -51 + 5e-324))) > 0)
    return `the point ${[nearest[0], nearest[1], nearest[2]]} is not in triangle ${triangle}`;
  return '';
}

export function closestSliversSpec(open: () => Promise<Nearfield>, size: SliverSize): void {
  describe('closest points of slivers', { timeout: 1_000_000 }, () => {
    let nearfield: Nearfield;
    const asked = { cpu: 0, gpu: 0 };
    beforeAll(async () => {
      nearfield = await open();
    });
    afterAll(() => {
      nearfield.close();
      // The CPU takes what a GPU leaves, such as points beyond single precision, but not all of them.
      if (nearfield.backend === 'gpu') expect(asked.gpu).toBeGreaterThan(0);
    });

    const check = async (
      random: Random,
      corners: Float64Array,
      scene: Scene,
      body: Body,
      message: string,
    ) => {
      const points = extremePoints(random, corners, size.points);
      const { distances, points: nearest, triangles, backend } = await scene.closest(body, points);
      asked[backend]++;
      for (let i = 0; i < size.points; i++) {
        const point = points.subarray(3 * i, 3 * i + 3);
        const wrong = whatIsWrong(corners, point, {
          distance: distances[i],
          nearest: nearest.subarray(3 * i, 3 * i + 3),
          triangle: triangles[i],
        });
        expect(wrong, `${message}, corners ${[...corners]}, point ${[...point]}`).toBe('');
      }
    };

    it('for one triangle, or a few that share its edges', async () => {
      for (let i = 0; i < size.triangles; i++) {
        const seed = (size.seed ?? 0) + i;
        const random = randomFrom(seed);
        const { kind, corners } = extremeTriangle(random);
        // Its mirror image across an edge has the edge in common; twice the same is a tie everywhere.
        const [a, b, c] = [0, 3, 6].map(at => [...corners.subarray(at, at + 3)]);
        const mirrored = a.map((value, k) => value + (b[k] - c[k]));
        const more = i % 4 === 0 ? [...b, ...a, ...mirrored] : i % 4 === 1 ? [...corners] : [];
        const all = Float64Array.from([...more, ...corners]);
        if (!all.every(Number.isFinite)) continue;
        const scene = nearfield.scene();
        await check(random, all, scene, scene.add(mesh(all)), `seed ${seed}: ${kind}`);
        scene.close();
      }
    });

    it('of solids', async () => {
      for (let i = 0; i < size.solids; i++) {
        const seed = 100_000 + (size.seed ?? 0) + i;
        const random = randomFrom(seed);
        const { kind, mesh: solid } = extremeSolid(random);
        const scene = nearfield.scene();
        const corners = worldCorners({ mesh: solid, pose });
        await check(random, corners, scene, scene.add(solid), `seed ${seed}: ${kind}`);
        scene.close();
      }
    });
  });
}
