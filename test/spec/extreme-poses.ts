// Poses that stretch, shear, or flatten a body until it is nearly a plane or a line. Every question is about the
// world positions, rounded to doubles. So it has the same answer for a body with such a pose and for an unmoved mesh
// of those positions.

import { type Body, mesh, type Nearfield, type Scene, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosen, upTo } from '../oracle/extreme-places.ts';
import { worldCorners } from '../oracle/triangles/brute-distance.ts';
import { type Random, randomFrom, whole } from '../oracle/triangles/generators.ts';
import { whatIsWrong } from './proximity/closest-slivers.ts';
import type { Part } from './scenes.ts';

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

interface ExtremePose {
  readonly kind: string;
  readonly pose: number[];
}

/** Whole numbers plus a small number on the diagonal: the smaller it is, the nearer the pose is to a singular one. */
function extremePose(random: Random): ExtremePose {
  const little = 1 / upTo(random, 1e18);
  const factor = upTo(random, 1e12);
  const bits = whole(random, -60, 60);
  const [x, y, z] = [0, 1, 2].map(() => whole(random, -2, 2));
  const columns = (m: readonly number[]) => [
    ...m.slice(0, 3),
    0,
    ...m.slice(3, 6),
    0,
    ...m.slice(6),
    0,
    x,
    y,
    z,
    1,
  ];
  const ones = [1, 1, 1, 1, 1 + little, 1, 1, 1, 1 + 2 * little];
  const flat = Array.from({ length: 9 }, () => whole(random, -3, 3));
  // The third column is the sum of the others, plus a little.
  for (let k = 0; k < 3; k++) flat[6 + k] = flat[k] + flat[3 + k] + (k === 0 ? little : 0);
  return chosen(random, [
    { kind: `nearly a line, ${little.toExponential(1)}`, pose: columns(ones) },
    { kind: `nearly a plane, ${little.toExponential(1)}`, pose: columns(flat) },
    { kind: `sheared by ${factor.toExponential(1)}`, pose: columns([1, 0, 0, factor, 1, 0, 0, -factor, 1]) },
    { kind: `stretched by 2^${bits}`, pose: columns([1, 0, 0, 0, 2 ** bits, 0, 0, 0, 1]) },
    { kind: 'onto a plane', pose: columns([1, 0, 0, 0, 1, 0, 1, 1, 0]) },
    { kind: 'onto a point', pose: columns([0, 0, 0, 0, 0, 0, 0, 0, 0]) },
  ]);
}

export interface ExtremePoseSize {
  readonly bodies: number;
  readonly points: number;
  readonly seed?: number;
}

export function extremePosesSpec(open: () => Promise<Nearfield>, size: ExtremePoseSize): void {
  describe('poses that nearly flatten a body', { timeout: 1_000_000 }, () => {
    let nearfield: Nearfield;
    beforeAll(async () => {
      nearfield = await open();
    });
    afterAll(() => nearfield.close());

    const first = size.seed ?? 0;
    const seeds = (from: number) => Array.from({ length: size.bodies }, (_, i) => from + first + i);

    /** If the scene refuses a pose, it is not a case. */
    function caseOf(seed: number) {
      const random = randomFrom(seed);
      for (;;) {
        const own = chosen(random, [
          () => shapes.box(),
          () => shapes.icosphere({ frequency: 1 }),
          () => shapes.torus({ majorSegments: 5, minorSegments: 3 }),
        ])();
        const { kind, pose } = extremePose(random);
        const part: Part = { mesh: own, pose };
        const scene = nearfield.scene();
        try {
          scene.add(own, { pose });
          return { kind: `seed ${seed}: ${kind}`, part, random };
        } catch (error) {
          if ((error as { code?: string }).code !== 'bad-pose') throw error;
        } finally {
          scene.close();
        }
      }
    }

    async function ask<T>(
      parts: readonly Part[],
      question: (scene: Scene, bodies: Body[]) => Promise<T>,
    ): Promise<T> {
      const scene = nearfield.scene();
      try {
        return await question(
          scene,
          parts.map(({ mesh: own, pose }) => scene.add(own, { pose })),
        );
      } finally {
        scene.close();
      }
    }

    /** The same triangles where they are in the world, in the same order. */
    const unmoved = (part: Part): Part => ({ mesh: mesh(worldCorners(part)), pose: identity });

    it('closest: exact distances and lowest triangles', async () => {
      for (const seed of seeds(1)) {
        const { kind, part, random } = caseOf(seed);
        const corners = worldCorners(part);
        const points = Float64Array.from({ length: 3 * size.points }, () =>
          random() < 0.5 ? whole(random, -3, 3) : (2 * random() - 1) * upTo(random, 1e3),
        );
        const closest = await ask([part], (scene, [body]) => scene.closest(body, points));
        for (let i = 0; i < size.points; i++) {
          const point = points.subarray(3 * i, 3 * i + 3);
          const found = {
            distance: closest.distances[i],
            nearest: closest.points.subarray(3 * i, 3 * i + 3),
            triangle: closest.triangles[i],
          };
          expect(whatIsWrong(corners, point, found), `${kind}, point ${[...point]}`).toBe('');
        }
      }
    });

    it('interferences, distance and inside: as for its world positions', async () => {
      for (const seed of seeds(50_000)) {
        const { kind, part, random } = caseOf(seed);
        const [x, y, z] = [0, 1, 2].map(() => whole(random, -4, 4) / 2);
        const other: Part = { mesh: shapes.box(), pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1] };
        const points = Float64Array.from({ length: 3 * size.points }, () => whole(random, -6, 6) / 4);
        const about = (own: Part) =>
          ask([own, other], async (scene, [a, b]) => {
            const { distance, triangleA, triangleB } = await scene.distance(a, b, { surface: true });
            const [pair] = (await scene.interferences()).pairs;
            return {
              ...{ distance, triangleA, triangleB },
              relation: pair?.relation,
              triangles: pair && [...pair.triangles],
              inside: a.mesh.solid ? [...(await scene.inside(a, points))] : undefined,
            };
          });
        const [posed, flat] = [await about(part), await about(unmoved(part))];
        // Flattened corners may coincide: a mesh of the positions alone is then not closed by its edges, and has no
        // inside.
        if (flat.inside === undefined)
          expect({ ...posed, inside: undefined, relation: '' }, kind).toEqual({ ...flat, relation: '' });
        else expect(posed, kind).toEqual(flat);
      }
    });

    it('field: the distances that closest gives, and no sample without an owner', async () => {
      for (const seed of seeds(100_000)) {
        const { kind, part } = caseOf(seed);
        const box = [-2, -2, -2, 2, 2, 2];
        const { field, nearest } = await ask([part], async (scene, [body]) => {
          const field = await scene.field(body, { resolution: 4, box, signed: false });
          const [nx, ny, nz] = field.dimensions;
          const { origin, cell } = field.grid;
          const points = Float64Array.from({ length: 3 * nx * ny * nz }, (_, k) => {
            const sample = Math.floor(k / 3);
            const at = [sample % nx, Math.floor(sample / nx) % ny, Math.floor(sample / (nx * ny))][k % 3];
            return origin[k % 3] + (at + 0.5) * cell;
          });
          return { field, nearest: await scene.closest(body, points) };
        });
        field.distance.forEach((distance, i) => {
          const apart = Math.abs(distance - nearest.distances[i]);
          const reach = Math.max(...worldCorners(part).map(Math.abs)) + 4;
          expect(apart, `${kind}, sample ${i}: ${distance}, ${nearest.distances[i]}`).toBeLessThanOrEqual(
            2 ** -16 * reach,
          );
        });
      }
    });

    it('penetration, with points: a bracket, or an error that says why not', async () => {
      for (const seed of seeds(150_000)) {
        const { kind, part } = caseOf(seed);
        const other: Part = { mesh: shapes.box(), pose: identity };
        try {
          const { depth } = await ask([part, other], (scene, [a, b]) =>
            scene.penetration(a, b, { points: true, timeLimit: 100 }),
          );
          expect(depth.lower, kind).toBeGreaterThanOrEqual(0);
          expect(depth.upper, kind).toBeGreaterThanOrEqual(depth.lower);
          expect(depth.upper, kind).toBeLessThan(Infinity);
        } catch (error) {
          expect((error as { code?: string }).code, `${kind}: ${error}`).toBe('not-solid');
        }
      }
    });
  });
}
