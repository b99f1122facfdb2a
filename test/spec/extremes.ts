// Slivers and extreme scales through every question about two bodies, or a body and points. Oracles are exact: pairs of triangles,
// distances, points of tetrahedra. Elsewhere answers must be finite, and must not change with the order of the bodies, by a power
// of two, or by exchanging the axes, all of which are exact.

import {
  type Body,
  type ContactPatch,
  mesh,
  type Nearfield,
  type Penetration,
  type Relation,
  type Scene,
} from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convexDepthSquared, isExactlyConvex } from '../oracle/depth/convex-depth.ts';
import { type ExtremeLimits, extremePair, extremePoints, extremeSolid } from '../oracle/extremes.ts';
import { cornerAt, cross, dot, signOf, subtract, toIntegers } from '../oracle/integers.ts';
import { exactSurfaceDistance } from '../oracle/surface-distance.ts';
import { worldCorners } from '../oracle/triangles/brute-distance.ts';
import { neighbourOf, randomFrom } from '../oracle/triangles/generators.ts';
import { compareFractions, fractionOf } from '../oracle/triangles/least-difference.ts';
import { expectedPairs } from './interference.ts';
import { exactNearest, isRightTo, whatIsWrong } from './proximity/closest-slivers.ts';
import type { Part } from './scenes.ts';
import { selfPairs } from './self-intersection.ts';

export interface ExtremesSize {
  readonly pairs: number;
  readonly points: number;
  readonly seed?: number;
}

/** Penetration needs solids whose volumes fit in doubles. */
const withVolume: ExtremeLimits = { exponent: 140 };

const mirrored: Record<Relation, Relation> = {
  separate: 'separate',
  touching: 'touching',
  crossing: 'crossing',
  coincident: 'coincident',
  inside: 'contains',
  contains: 'inside',
};

/** All coordinates times a power of two, or the axes permuted cyclically: exactly the same shapes. */
const scaled = (part: Part, power: number): Part => changed(part, at => part.mesh.positions[at] * 2 ** power);
const turned = (part: Part): Part => changed(part, at => part.mesh.positions[at % 3 === 2 ? at - 2 : at + 1]);

function changed({ mesh: own, pose }: Part, value: (at: number) => number): Part {
  const positions = Float64Array.from(own.positions, (_, at) => value(at));
  return { mesh: mesh(positions, own.indices), pose };
}

/** The largest difference of coordinates. */
const extentOf = (corners: Float64Array): number =>
  Math.max(
    ...[0, 1, 2].map(axis => {
      const along = corners.filter((_, i) => i % 3 === axis);
      return Math.max(...along) - Math.min(...along);
    }),
  );

/** A pair with few triangles each, for oracles that test all pairs. */
function smallPair(seed: number, limits: ExtremeLimits) {
  const random = randomFrom(seed);
  for (;;) {
    const pair = extremePair(random, limits);
    const [a, b] = pair.parts;
    if (a.mesh.triangleCount * b.mesh.triangleCount <= 200) return { ...pair, random };
  }
}

/** 0 outside a tetrahedron, 1 inside, 2 on its surface, exactly. Its four triangles as in extremes.ts. */
function inTetrahedron(corners: Float64Array, point: ArrayLike<number>): number {
  const c = toIntegers([...corners, ...Array.from({ length: 3 }, (_, k) => point[k])]);
  const p = cornerAt(c, corners.length);
  const sides = [0, 9, 18, 27].map(at => {
    const [a, b, d] = [cornerAt(c, at), cornerAt(c, at + 3), cornerAt(c, at + 6)];
    return signOf(dot(cross(subtract(b, a), subtract(d, a)), subtract(p, a)));
  });
  if (sides.some(side => side > 0)) return 0;
  return sides.some(side => side === 0) ? 2 : 1;
}

/**
 * The bracket contains the exact depth of two convex solids. Rounding bends the faces of some: their hulls are
 * slightly deeper. The upper bound exceeds the depth by more than a few per cent only if the depth is some units in
 * the last place.
 */
function expectDepth(parts: readonly Part[], { depth }: Penetration, note: string): void {
  const [a, b] = parts.map(({ mesh: own }) => ({ positions: own.positions, indices: own.indices }));
  const squared = convexDepthSquared(a, b);
  const compared = (length: number): number => {
    const { numerator, denominator } = fractionOf(length);
    return compareFractions({ numerator: numerator ** 2n, denominator: denominator ** 2n }, squared);
  };
  expect(compared(depth.lower), `${note}: lower ${depth.lower}`).toBeLessThanOrEqual(0);
  if (!isExactlyConvex(a) || !isExactlyConvex(b)) return;
  expect(compared(depth.upper), `${note}: upper ${depth.upper}`).toBeGreaterThanOrEqual(0);
  expect(depth.lower > 0, `${note}: lower ${depth.lower}`).toBe(squared.numerator > 0n);
  const far = Math.max(...[...a.positions, ...b.positions].map(Math.abs));
  expect(depth.upper, note).toBeLessThanOrEqual(1.06 * depth.lower + 2 ** -48 * far);
}

export function extremesSpec(open: () => Promise<Nearfield>, size: ExtremesSize): void {
  describe('slivers and extreme scales', { timeout: 1_000_000 }, () => {
    let nearfield: Nearfield;
    beforeAll(async () => {
      nearfield = await open();
    });
    afterAll(() => nearfield.close());

    const first = size.seed ?? 0;
    const seeds = (from: number, share = 1) =>
      Array.from({ length: Math.max(1, Math.round(size.pairs * share)) }, (_, i) => from + first + i);

    async function withScene<T>(
      parts: readonly Part[],
      ask: (scene: Scene, bodies: Body[]) => Promise<T>,
    ): Promise<T> {
      const scene = nearfield.scene();
      try {
        return await ask(
          scene,
          parts.map(({ mesh: own, pose }) => scene.add(own, { pose })),
        );
      } finally {
        scene.close();
      }
    }

    const interferencesOf = (parts: readonly Part[]) =>
      withScene(parts, async scene => {
        const answer = await scene.interferences();
        const found: string[] = [];
        for (const { triangles } of answer)
          for (let i = 0; i < triangles.length; i += 2) found.push(`0 1 ${triangles[i]} ${triangles[i + 1]}`);
        const [pair] = answer.pairs;
        return { found, relation: pair?.relation ?? 'separate' };
      });

    it('interferences: the pairs of exact brute force, and relations that stay the same when scaled, rotated and exchanged', async () => {
      for (const seed of seeds(1)) {
        const { kind, parts } = smallPair(seed, {});
        const note = `seed ${seed}: ${kind}`;
        const { found, relation } = await interferencesOf(parts);
        const expected = expectedPairs(parts);
        expect(found, note).toEqual(expected);
        if (expected.length > 0) expect(relation, note).not.toBe('separate');
        else expect(['separate', 'inside', 'contains'], note).toContain(relation);
        expect((await interferencesOf([parts[1], parts[0]])).relation, note).toBe(mirrored[relation]);
        expect((await interferencesOf(parts.map(turned))).relation, note).toBe(relation);
        // If nothing is lost to underflow.
        if (!kind.includes('times 2^-9'))
          expect((await interferencesOf(parts.map(part => scaled(part, -20)))).relation, note).toBe(relation);
      }
    });

    it('distance of surfaces: exact, correctly rounded, with the lowest triangles', async () => {
      for (const seed of seeds(10_000)) {
        const { kind, parts } = smallPair(seed, {});
        const note = `seed ${seed}: ${kind}`;
        const exact = exactSurfaceDistance(worldCorners(parts[0]), worldCorners(parts[1]));
        const ask = (given: readonly Part[]) =>
          withScene(given, (scene, [a, b]) => scene.distance(a, b, { surface: true }));
        const found = await ask(parts);
        expect(isRightTo(found.distance, exact.squared, 52), `${note}: ${found.distance}`).toBe(true);
        if (exact.squared.numerator !== 0n) {
          expect([found.triangleA, found.triangleB], note).toEqual([exact.triangleA, exact.triangleB]);
        } else expect(found.distance, note).toBe(0);
        expect((await ask([parts[1], parts[0]])).distance, note).toBe(found.distance);
        expect((await ask(parts.map(turned))).distance, note).toBe(found.distance);
      }
    });

    it('within: strictly less, at the distance itself and beside it', async () => {
      for (const seed of seeds(20_000, 0.5)) {
        const { kind, parts } = smallPair(seed, {});
        const note = `seed ${seed}: ${kind}`;
        const { squared } = exactSurfaceDistance(worldCorners(parts[0]), worldCorners(parts[1]));
        await withScene(parts, async (scene, [a, b]) => {
          const { distance } = await scene.distance(a, b);
          if (distance === 0) return;
          for (const steps of [-1, 0, 1]) {
            const clearance = neighbourOf(distance, steps);
            if (!(clearance > 0 && clearance < Infinity)) continue;
            const { numerator, denominator } = fractionOf(clearance);
            const nearer = compareFractions(squared, {
              numerator: numerator ** 2n,
              denominator: denominator ** 2n,
            });
            const found = await scene.within(clearance);
            expect(found.pairs.length, `${note}, clearance ${clearance}`).toBe(nearer < 0 ? 1 : 0);
          }
        });
      }
    });

    it('closest and inside: exact distances, and exact containment of points in tetrahedra', async () => {
      for (const seed of seeds(30_000)) {
        const random = randomFrom(seed);
        const { kind, mesh: solid } = extremeSolid(random);
        const note = `seed ${seed}: ${kind}`;
        const part = { mesh: solid, pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };
        const corners = worldCorners(part);
        const points = extremePoints(random, corners, size.points);
        await withScene([part], async (scene, [body]) => {
          const found = await scene.closest(body, points, { signed: true });
          const places = await scene.inside(body, points);
          for (let i = 0; i < size.points; i++) {
            const point = points.subarray(3 * i, 3 * i + 3);
            const wrong = whatIsWrong(corners, point, {
              distance: found.distances[i],
              nearest: found.points.subarray(3 * i, 3 * i + 3),
              triangle: found.triangles[i],
            });
            const where = `${note}, point ${[...point]}`;
            expect(wrong, where).toBe('');
            expect(places[i] === 2, where).toBe(found.distances[i] === 0);
            expect(places[i] === 1, where).toBe(found.distances[i] < 0);
            if (corners.length === 36) expect(places[i], where).toBe(inTetrahedron(corners, point));
          }
        });
      }
    });

    it('self-intersections: the pairs of exact brute force', async () => {
      for (const seed of seeds(40_000, 0.5)) {
        const random = randomFrom(seed);
        const { kind, mesh: solid } = extremeSolid(random);
        if (solid.triangleCount > 20) continue;
        const part = { mesh: solid, pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] };
        const { triangles } = await withScene([part], (scene, [body]) => scene.selfIntersections(body));
        const found = Array.from(
          { length: triangles.length / 2 },
          (_, i) => `${triangles[2 * i]} ${triangles[2 * i + 1]}`,
        );
        expect(found, `seed ${seed}: ${kind}`).toEqual(selfPairs(part));
      }
    });

    it('contacts: numbers in the range of doubles, points in both bodies, the same when bodies are exchanged', async () => {
      // The first once gave NaN; the others cross themselves in ways that no mesh of doubles shows.
      const found = [
        [50_202, withVolume],
        [61_572, {}],
        [65_992, {}],
        [72_792, {}],
      ] as const;
      for (const [seed, limits] of [...found, ...seeds(60_000, 0.5).map(at => [at, {}] as const)]) {
        const { kind, parts } = smallPair(seed, limits);
        const note = `seed ${seed}: ${kind}`;
        const corners = parts.map(worldCorners);
        const size = Math.max(...corners.map(extentOf));
        await withScene(parts, async (scene, bodies) => {
          const { patches } = await scene.contacts(bodies[0], bodies[1]);
          for (const { point, normal, depth, area, points } of patches) {
            const sizes = [depth, area, ...points.flatMap(part => [part.depth, part.area])];
            const said = `${note}: ${point}, ${normal}, ${sizes}`;
            expect([...point, ...normal, depth].every(Number.isFinite), said).toBe(true);
            expect(Math.hypot(...normal), said).toBeCloseTo(1, 12);
            // Squares of lengths may be beyond the range of doubles.
            expect(Math.min(...sizes), said).toBeGreaterThanOrEqual(0);
            if (size < 2 ** 500) expect(sizes.every(Number.isFinite), said).toBe(true);
            for (const position of [point, ...points.map(part => part.position)]) {
              for (const body of bodies) {
                if ((await scene.inside(body, position))[0] > 0) continue;
                const away = (await scene.closest(body, position)).distances[0];
                const bound = 2 ** -42 * size + 2 ** -49 * Math.max(...position.map(Math.abs));
                expect(away, `${said}: ${position}`).toBeLessThanOrEqual(bound);
              }
            }
          }
          const measuresOf = (found: readonly ContactPatch[]) =>
            found.map(({ normal, depth, area }) => [depth, area, ...normal.map(Math.abs)]);
          const { patches: exchanged } = await scene.contacts(bodies[1], bodies[0]);
          expect(measuresOf(exchanged), note).toEqual(measuresOf(patches));
          // At another size they are the same, if nothing is lost to underflow.
          const power = size > 1 ? -100 : 100;
          if (corners.some(list => list.some(x => x !== 0 && Math.abs(x) < 2 ** -900))) return;
          const { patches: again } = await withScene(
            parts.map(part => scaled(part, power)),
            (other, [a, b]) => other.contacts(a, b),
          );
          expect(again.length, note).toBe(patches.length);
          again.forEach(({ depth }, i) => {
            expect(Math.abs(depth / 2 ** power - patches[i].depth), note).toBeLessThanOrEqual(
              2 ** -41 * size,
            );
          });
        });
      }
    });

    it('curves and penetration: all numbers are finite, brackets contain the exact depth, and points have exact depths', async () => {
      for (const seed of seeds(50_000, 0.5)) {
        const { kind, parts } = smallPair(seed, withVolume);
        const note = `seed ${seed}: ${kind}`;
        await withScene(parts, async (scene, [a, b]) => {
          for (const { points } of await scene.curves(a, b))
            expect(points.every(Number.isFinite), `${note}: curves`).toBe(true);
          const one = await scene.penetration(a, b, { points: true });
          const other = await scene.penetration(b, a);
          for (const { depth, direction, translation } of [one, other]) {
            expect(depth.lower, note).toBeGreaterThanOrEqual(0);
            expect(depth.upper, note).toBeGreaterThanOrEqual(depth.lower);
            expect([depth.upper, ...direction, ...translation].every(Number.isFinite), note).toBe(true);
          }
          expect(other.depth, note).toEqual(one.depth);
          expectDepth(parts, one, note);
          for (const [found, corners] of [
            [one.points?.a, worldCorners(parts[1])],
            [one.points?.b, worldCorners(parts[0])],
          ] as const) {
            found?.vertices.forEach((vertex, i) => {
              const exact = exactNearest(corners, found.points.subarray(3 * i, 3 * i + 3));
              const where = `${note}: vertex ${vertex}, depth ${found.depths[i]}`;
              expect(isRightTo(found.depths[i], exact.squared, 52), where).toBe(true);
              expect(found.triangles[i], where).toBe(exact.triangle);
              expect(Math.hypot(...found.directions.subarray(3 * i, 3 * i + 3)), where).toBeCloseTo(1, 8);
            });
          }
        });
      }
    });
  });
}
