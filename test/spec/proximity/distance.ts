// Distances of known bodies, and what must not change them.

import { mesh, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { bruteDistance, worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { affine, cubes, gridPose, rigid, subdivided, translation } from '../scenes.ts';
import { type Asked, box, boxesAt } from './asked.ts';
import { isRootOf, kinds, moved, two } from './distance-brute-force.ts';

export function distanceSpec(asked: Asked): void {
  const { scenes, triangles, bodyCount } = asked;

  describe('distance', () => {
    it('is the same for exchanged bodies', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(200 + seed);
        const { scene, bodies } = asked.sceneOf(kinds[seed % 3].parts(random, triangles));
        const there = await scene.distance(bodies[0], bodies[1]);
        const back = await scene.distance(bodies[1], bodies[0]);
        expect(back.distance, `seed ${seed}`).toBe(there.distance);
        expect([back.triangleB, back.triangleA], `seed ${seed}`).toEqual([there.triangleA, there.triangleB]);
        expect([...back.pointB, ...back.pointA], `seed ${seed}`).toEqual([...there.pointA, ...there.pointB]);
        scene.close();
      }
    });

    it('is not changed by an exact translation of both, nor by subdivision', async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(300 + seed);
        const parts = two(() => ({ mesh: cubes(random, 3, 3), pose: gridPose(random, 8) }));
        const found = await asked.ask(parts);
        const far = parts.map(({ mesh: m, pose }) => ({
          mesh: m,
          pose: pose.map((value, i) => (i >= 12 && i < 15 ? value + 1e6 : value)),
        }));
        const shifted = await asked.ask(far);
        expect(shifted.distance, `seed ${seed}`).toBe(found.distance);
        expect(shifted.triangleA, `seed ${seed}`).toBe(found.triangleA);
        const finer = parts.map(part => ({ ...part, mesh: subdivided(subdivided(part.mesh)) }));
        expect((await asked.ask(finer)).distance, `seed ${seed}`).toBe(found.distance);
      }
    });

    it('is 0 if and only if bodies meet', async () => {
      for (let seed = 1; seed <= 4 * scenes; seed++) {
        const random = shapes.createRandom(400 + seed);
        const { scene, bodies } = asked.sceneOf(
          two(() => ({ mesh: cubes(random, 2, 3), pose: gridPose(random, 2) })),
        );
        const [pair] = await scene.interferences();
        const found = await scene.distance(bodies[0], bodies[1]);
        expect(found.distance === 0, `seed ${seed}`).toBe(pair !== undefined);
        if (pair && pair.triangles.length > 0) {
          const first = [...pair.triangles.subarray(0, 2)];
          expect([found.triangleA, found.triangleB], `seed ${seed}`).toEqual(first);
          expect([...found.pointA]).toEqual([...found.pointB]);
        }
        scene.close();
      }
    });

    it('is 0 for nested solids, and the gap for their surfaces', async () => {
      const parts = [
        { mesh: box([4, 4, 4]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(0.25, 0, 0) },
      ];
      const solid = await asked.ask(parts);
      expect(solid).toMatchObject({ distance: 0, triangleA: -1, triangleB: -1 });
      expect([...solid.pointA]).toEqual([...solid.pointB]);
      for (const value of solid.pointA) expect(Math.abs(value)).toBeLessThanOrEqual(0.75);
      expect((await asked.ask(parts, { surface: true })).distance).toBe(1.25);
      const open = mesh(new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0]));
      expect((await asked.ask([parts[0], { mesh: open, pose: translation(0, 0, 0) }])).distance).toBe(1);
    });

    it('looks strictly no farther than upTo', async () => {
      expect((await asked.ask(boxesAt(3))).distance).toBe(2);
      const none = await asked.ask(boxesAt(3), { upTo: 2 });
      expect(none).toMatchObject({ distance: Infinity, triangleA: -1, triangleB: -1 });
      expect((await asked.ask(boxesAt(3), { upTo: 2 + 2 ** -51 })).distance).toBe(2);
      expect((await asked.ask(boxesAt(1), { upTo: 5e-324 })).distance).toBe(0);
    });

    it('is right for known shapes', async () => {
      const sphere = shapes.uvSphere({ radius: 1, segments: 96, rings: 48 });
      const found = await asked.ask([
        { mesh: sphere, pose: translation(0, 0, 0) },
        { mesh: sphere, pose: translation(3, 4, 0) },
      ]);
      expect(found.distance).toBeGreaterThanOrEqual(3);
      // Chords of the sphere lie less than 1 − cos(π/96) within it.
      expect(found.distance).toBeLessThan(3 + 4 * (1 - Math.cos(Math.PI / 48)));
      const slab = await asked.ask([
        { mesh: box([8, 8, 1]), pose: translation(0, 0, 0) },
        { mesh: sphere, pose: translation(0, 0, 2.5) },
      ]);
      expect(slab.distance).toBeCloseTo(1, 12);
    });

    it('is right for bodies very far apart compared with their size', async () => {
      // Single precision cannot distinguish their triangles from there: this once took minutes.
      const sphere = shapes.uvSphere({ radius: 1, segments: 96, rings: 48 });
      for (const far of [1e2, 1e4, 1e7]) {
        const found = await asked.ask([
          { mesh: sphere, pose: translation(0, 0, 0) },
          { mesh: sphere, pose: translation(3 * far, 4 * far, 0) },
        ]);
        expect(found.distance).toBeGreaterThanOrEqual(5 * far - 2);
        expect(found.distance).toBeLessThan(5 * far - 2 + 4 * (1 - Math.cos(Math.PI / 48)));
      }
    });

    it('names the lowest of the triangles that share the nearest corner or edge', {
      timeout: 600_000,
    }, async () => {
      // The search direction once turned in the middle of a leaf, and equally near triangles counted as farther.
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(500 + seed);
        const parts = Array.from({ length: bodyCount }, () => ({
          mesh: random.integer(2) === 0 ? box([1, 1, 1]) : box([0.5, 2, 1]),
          pose: random.integer(2) === 0 ? rigid(random, 4) : affine(random, 4),
        }));
        const { scene, bodies } = asked.sceneOf(parts);
        const corners = parts.map(worldCorners);
        for (const { a, b, distance, triangleA, triangleB } of await scene.within(0.75)) {
          if (distance === 0) continue;
          const expected = bruteDistance(corners[a.index], corners[b.index])!;
          const lowest = [expected.triangleA, expected.triangleB];
          expect([triangleA, triangleB], `seed ${seed}, ${a.index} and ${b.index}`).toEqual(lowest);
          // One by one, a GPU takes long.
          if (asked.backend === 'gpu') continue;
          const alone = await scene.distance(bodies[a.index], bodies[b.index]);
          expect([alone.triangleA, alone.triangleB], `seed ${seed}, ${a.index} and ${b.index}`).toEqual(
            lowest,
          );
        }
        scene.close();
      }
    });

    it('is right for parallel flat faces, where thousands of pairs are equally near', async () => {
      // A software GPU takes seconds for more.
      const count = asked.backend === 'gpu' && !process.env['NEARFIELD_SLOW'] ? 20 : 32;
      const positions: number[] = [];
      const indices: number[] = [];
      for (let y = 0; y <= count; y++) for (let x = 0; x <= count; x++) positions.push(x, y, 0.75 * x);
      for (let y = 0; y < count; y++) {
        for (let x = 0; x < count; x++) {
          const v = y * (count + 1) + x;
          indices.push(v, v + 1, v + count + 2, v, v + count + 2, v + count + 1);
        }
      }
      const sheet = mesh(new Float64Array(positions), new Uint32Array(indices));
      // The sheet has a slope of 3 to 4. A copy 2 above it is 1.6 away; moving the copy 0.25 sideways takes off 0.15.
      const slanted = await asked.ask([
        { mesh: sheet, pose: translation(0, 0, 0) },
        { mesh: sheet, pose: translation(0.25, 0.25, 2) },
      ]);
      expect(slanted.distance).toBe(1.45);
      // Rotated, every corner is rounded separately: one pair is nearest, or some are, by less than double precision
      // can tell.
      const turn = rigid(shapes.createRandom(9), 0);
      const apart = moved(turn, 0).map((value, i) => (i >= 12 && i < 15 ? value + 2 * turn[i - 4] : value));
      const parts = [
        { mesh: sheet, pose: turn },
        { mesh: sheet, pose: apart },
      ];
      const turned = await asked.ask(parts);
      const other = await asked.ask([...parts].reverse());
      expect(other.distance).toBe(turned.distance);
      const exact = bruteDistance(
        worldCorners(parts[0]).subarray(9 * turned.triangleA, 9 * turned.triangleA + 9),
        worldCorners(parts[1]).subarray(9 * turned.triangleB, 9 * turned.triangleB + 9),
      )!;
      expect(isRootOf(turned.distance, exact.squared)).toBe(true);
      expect(Math.abs(turned.distance - 1.6)).toBeLessThan(1e-13);
    });

    it('refuses meaningless arguments', async () => {
      const { scene, bodies } = asked.sceneOf(boxesAt(3));
      await expect(scene.distance(bodies[0], bodies[0])).rejects.toMatchObject({ code: 'bad-option' });
      for (const upTo of [0, -1, Number.NaN]) {
        await expect(scene.distance(bodies[0], bodies[1], { upTo })).rejects.toMatchObject({
          code: 'bad-option',
        });
      }
      await expect(scene.within(-1)).rejects.toMatchObject({ code: 'bad-option' });
      await expect(scene.within(Number.NaN)).rejects.toMatchObject({ code: 'bad-option' });
      const signal = AbortSignal.abort();
      await expect(scene.distance(bodies[0], bodies[1], { signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
      const empty = scene.add(mesh(new Float64Array(0)));
      expect((await scene.distance(bodies[0], empty)).distance).toBe(Infinity);
      scene.close();
    });
  });
}
