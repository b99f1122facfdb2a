// The nearest points of a body to given points, against brute force; signs against solid angles.

import { mesh, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { nearestOnTriangle, worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { affine, cubes, type Part, rigid, soup, translation } from '../scenes.ts';
import { type Asked, box, boxesAt } from './asked.ts';

/** The solid angles of triangles seen from a point, over 4π (Van Oosterom and Strackee, 1983). */
export function solidAngles(world: Float64Array, [x, y, z]: Float64Array): number {
  let sum = 0;
  for (let t = 0; t < world.length; t += 9) {
    const [a, b, c] = [0, 3, 6].map(k => [world[t + k] - x, world[t + k + 1] - y, world[t + k + 2] - z]);
    const dot = (p: number[], q: number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    const cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
    const [la, lb, lc] = [a, b, c].map(p => Math.hypot(...p));
    sum += Math.atan2(dot(a, cross), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (2 * Math.PI);
}

export function closestPointsSpec(asked: Asked): void {
  const { scenes, triangles } = asked;

  describe('closest points', () => {
    it('against brute force', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(600 + seed);
        const part: Part = {
          mesh: seed % 2 ? soup(random, triangles, () => random.between(-1, 1)) : cubes(random, 3, 3),
          pose: seed % 4 < 2 ? rigid(random, 1) : affine(random, 1),
        };
        const { scene, bodies } = asked.sceneOf([part]);
        const points = Float64Array.from({ length: 300 }, () => random.between(-4, 4));
        // Some far away.
        for (let i = 0; i < 30; i++) points[i] *= 10 ** random.integer(8);
        const found = await scene.closest(bodies[0], points);
        const world = worldCorners(part);
        const near = [0, 0, 0];
        for (let i = 0; i < points.length / 3; i++) {
          const [x, y, z] = points.subarray(3 * i, 3 * i + 3);
          let least = Infinity;
          for (let t = 0; t < world.length / 9; t++) {
            nearestOnTriangle(world.subarray(9 * t, 9 * t + 9), x, y, z, near);
            least = Math.min(least, Math.hypot(near[0] - x, near[1] - y, near[2] - z));
          }
          const size = Math.hypot(x, y, z) + 8;
          expect(Math.abs(found.distances[i] - least), `seed ${seed}, point ${i}`).toBeLessThan(1e-14 * size);
          const t = found.triangles[i];
          nearestOnTriangle(world.subarray(9 * t, 9 * t + 9), x, y, z, near);
          for (let k = 0; k < 3; k++) {
            expect(Math.abs(found.points[3 * i + k] - near[k]), `seed ${seed}, point ${i}`).toBeLessThan(
              1e-7 * size,
            );
          }
        }
        scene.close();
      }
    });

    it('the same for many points as for few', async () => {
      // Many points are processed in another order than given.
      const random = shapes.createRandom(700);
      const part = { mesh: cubes(random, 3, 3), pose: rigid(random, 1) };
      const { scene, bodies } = asked.sceneOf([part]);
      const points = Float64Array.from({ length: 3 * 600 }, () => random.between(-4, 4));
      // On a grid of the mesh's own, some are equally near to several triangles: decided exactly.
      for (let i = 0; i < 900; i++) points[i] = Math.round(points[i]);
      const all = await scene.closest(bodies[0], points);
      for (let from = 0; from < 600; from += 50) {
        const few = await scene.closest(bodies[0], points.subarray(3 * from, 3 * from + 150));
        expect(all.distances.subarray(from, from + 50)).toEqual(few.distances);
        expect(all.points.subarray(3 * from, 3 * from + 150)).toEqual(few.points);
        expect(all.triangles.subarray(from, from + 50)).toEqual(few.triangles);
        expect(all.features.subarray(from, from + 50)).toEqual(few.features);
      }
      scene.close();
    });

    it('keeps questions apart that are asked at the same time, or after one another', async () => {
      const random = shapes.createRandom(900);
      const { scene, bodies } = asked.sceneOf([{ mesh: cubes(random, 2, 3), pose: rigid(random, 1) }]);
      const clouds = [300, 100, 200, 300].map(count =>
        Float64Array.from({ length: 3 * count }, () => random.between(-3, 3)),
      );
      const together = await Promise.all(clouds.map(points => scene.closest(bodies[0], points)));
      for (const [i, points] of clouds.entries()) {
        const before = points.slice();
        const alone = scene.closest(bodies[0], points);
        // The question has a copy.
        points.fill(7);
        expect(await alone).toEqual(together[i]);
        expect(await scene.closest(bodies[0], before)).toEqual(together[i]);
      }
      scene.close();
    });

    it('finds the triangles alone', async () => {
      const random = shapes.createRandom(800);
      for (const upTo of [Infinity, 0.7]) {
        const { scene, bodies } = asked.sceneOf([{ mesh: cubes(random, 3, 3), pose: rigid(random, 1) }]);
        const points = Float64Array.from({ length: 3 * 200 }, () => random.between(-4, 4));
        // On a grid of the mesh's own, some are equally near to several triangles. The last are far away.
        for (let i = 0; i < 300; i++) points[i] = Math.round(points[i]);
        for (let i = 570; i < 600; i++) points[i] *= 1e5;
        const { triangles, backend } = await scene.closest(bodies[0], points);
        const alone = await scene.closest(bodies[0], points, { detail: 'triangles' });
        expect(alone).toEqual({ triangles, backend });
        expect(new Set(alone.triangles).size).toBeGreaterThan(10);
        const within = await scene.closest(bodies[0], points, { detail: 'triangles', upTo });
        expect(within.triangles).toEqual((await scene.closest(bodies[0], points, { upTo })).triangles);
        const options: object = { detail: 'triangles', signed: true };
        await expect(scene.closest(bodies[0], points, options)).rejects.toMatchObject({ code: 'bad-option' });
        scene.close();
      }
    });

    it('names the lowest triangle and the feature', async () => {
      const { scene, bodies } = asked.sceneOf([{ mesh: box([2, 2, 2]), pose: translation(0, 0, 0) }]);
      const points = new Float64Array([2, 2, 2, 0, 3, 3, 0.25, 0.5, 4, 1, 1, 1, 0, 0, 0]);
      const found = await scene.closest(bodies[0], points, { signed: true });
      const { positions, indices } = bodies[0].mesh;
      const holding = (test: (x: number, y: number, z: number) => boolean) => {
        for (let t = 0; t < indices.length / 3; t++) {
          const hits = [0, 1, 2].filter(k => {
            const v = 3 * indices[3 * t + k];
            return test(positions[v], positions[v + 1], positions[v + 2]);
          });
          if (hits.length > 0) return { t, count: hits.length };
        }
        return undefined;
      };
      expect([...found.features.subarray(0, 3)]).toEqual([2, 1, 0]);
      expect(found.distances[0]).toBe(Math.sqrt(3));
      expect(found.triangles[0]).toBe(holding((x, y, z) => x === 1 && y === 1 && z === 1)!.t);
      expect(found.distances[1]).toBe(Math.sqrt(8));
      expect([...found.points.subarray(3, 6)]).toEqual([0, 1, 1]);
      expect(found.distances[2]).toBe(3);
      expect([found.distances[3], found.features[3]]).toEqual([0, 2]);
      // The middle is equally far from all six faces: the lowest triangle, and inside.
      expect([found.distances[4], found.triangles[4]]).toEqual([-1, 0]);
      const near = await scene.closest(bodies[0], points, { upTo: 3 });
      expect([...near.triangles].map(t => t >= 0)).toEqual([true, true, false, true, true]);
      expect(near.distances[2]).toBe(Infinity);
      scene.close();
    });

    it('has a sign for open meshes too', async () => {
      const sphere = shapes.uvSphere({ radius: 1, segments: 32, rings: 16 });
      const open = mesh(sphere.positions, sphere.indices.slice(0, sphere.indices.length - 30));
      const { scene, bodies } = asked.sceneOf([{ mesh: open, pose: translation(0, 0, 0) }]);
      const { distances } = await scene.closest(bodies[0], new Float64Array([0, 0, 0, 0, 0.5, 0, 3, 0, 0]), {
        signed: true,
      });
      expect([...distances].map(Math.sign)).toEqual([-1, -1, 1]);
      scene.close();
    });

    it('has the sign of the solid angles of all triangles', { timeout: 600_000 }, async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(800 + seed);
        const whole = seed % 2 ? shapes.uvSphere({ radius: 1, segments: 12, rings: 6 }) : cubes(random, 3, 3);
        // A third of the triangles missing, here and there.
        const kept = [...whole.indices].filter((_, i) => ((7 * Math.floor(i / 3) + seed) % 11) % 3 !== 0);
        const part: Part = {
          mesh: mesh(whole.positions, new Uint32Array(kept)),
          pose: seed % 4 < 2 ? affine(random, 1) : translation(0, 0, 0),
        };
        const { scene, bodies } = asked.sceneOf([part]);
        const world = worldCorners(part);
        const points = Float64Array.from({ length: 600 }, () => random.between(-2, 3));
        // Below and above corners and edges as well.
        for (let i = 0; i < 300; i += 3) {
          points[i] = world[9 * random.integer(world.length / 9)];
          points[i + 1] = world[9 * random.integer(world.length / 9) + 1];
        }
        const { distances } = await scene.closest(bodies[0], points, { signed: true });
        for (let i = 0; i < distances.length; i++) {
          const winding = Math.abs(solidAngles(world, points.subarray(3 * i, 3 * i + 3)));
          if (Math.abs(winding - 0.5) < 1e-9 || distances[i] === 0) continue;
          expect(distances[i] < 0, `seed ${seed}, point ${i}, winding ${winding}`).toBe(winding > 0.5);
        }
        scene.close();
      }
    });

    it('refuses invalid points', async () => {
      const { scene, bodies } = asked.sceneOf(boxesAt(3));
      await expect(scene.closest(bodies[0], new Float64Array(4))).rejects.toMatchObject({
        code: 'bad-array',
      });
      const notNumbers = new Float64Array([0, Number.NaN, 0]);
      await expect(scene.closest(bodies[0], notNumbers)).rejects.toMatchObject({ code: 'not-finite' });
      expect((await scene.closest(bodies[0], new Float64Array(0))).distances.length).toBe(0);
      scene.close();
    });
  });
}
