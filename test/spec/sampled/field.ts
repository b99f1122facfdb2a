// Intersection volumes and distance fields through the public API: analytic shapes, and what must not change an answer.
// Every backend runs it.

import { mesh, type Nearfield, NearfieldError, type Scene, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translation } from '../scenes.ts';

export function fieldSpec(open: () => Promise<Nearfield>): void {
  let nearfield: Nearfield;
  let scene: Scene;
  beforeAll(async () => {
    nearfield = await open();
    scene = nearfield.scene();
  });
  afterAll(() => nearfield.close());

  const sphere = shapes.icosphere({ frequency: 8 });
  const cube = shapes.box({ size: [2, 2, 2] });

  describe('intersectionVolume', () => {
    it('samples a lens: volume, bounds, one region, depths on both sides', async () => {
      const a = scene.add(sphere);
      const b = scene.add(sphere, { pose: translation(1, 0, 0) });
      const answer = await scene.intersectionVolume([a, b], { tolerance: 0.06, depths: true });
      expect(answer.backend).toBe(nearfield.backend);
      expect(answer.method).toBe('field');
      expect(answer.mayMissBelow).toBeCloseTo(0.06, 12);
      expect(Math.abs(answer.volume - (5 * Math.PI) / 12)).toBeLessThan(0.1);
      expect(answer.regions.length).toBe(1);
      expect(answer.bounds[0]).toBeGreaterThan(0);
      expect(answer.bounds[3]).toBeLessThan(1);
      const { depth, direction, body } = answer.depths!;
      expect(depth.length).toBe(answer.count);
      for (let i = 0; i < answer.count; i++) {
        const [x, y, z] = answer.points.subarray(3 * i, 3 * i + 3);
        const depths = [1 - Math.hypot(x, y, z), 1 - Math.hypot(x - 1, y, z)];
        expect(Math.abs(depth[i] - Math.min(...depths)), `point ${i}`).toBeLessThan(0.02);
        if (Math.abs(depths[0] - depths[1]) < 0.05) continue;
        expect(body[i], `point ${i}`).toBe(depths[0] < depths[1] ? 0 : 1);
        const outward = body[i] === 0 ? [x, y, z] : [x - 1, y, z];
        const along = outward.reduce((sum, value, axis) => sum + value * direction[3 * i + axis], 0);
        expect(along / Math.hypot(...outward), `point ${i}`).toBeGreaterThan(0.98);
      }
      const other = await scene.intersectionVolume([b, a], { tolerance: 0.06, depths: true });
      expect(other.points).toEqual(answer.points);
      expect(other.depths!.depth).toEqual(depth);
    });

    it('answers for the bodies at the time of the question', async () => {
      const a = scene.add(cube);
      const b = scene.add(cube, { pose: translation(1, 0, 0) });
      const waiting = scene.intersectionVolume([a, b], { resolution: 8 });
      b.pose = translation(10, 0, 0);
      expect((await waiting).volume).toBeCloseTo(4, 12);
      expect((await scene.intersectionVolume([a, b], { resolution: 8 })).count).toBe(0);
    });

    it('follows a body that deforms', async () => {
      const a = scene.add(cube);
      const b = scene.add(cube);
      b.deform(Float64Array.from(cube.positions, x => x / 2));
      expect((await scene.intersectionVolume([a, b], { resolution: 8 })).volume).toBeCloseTo(1, 12);
      b.deform(Float64Array.from(cube.positions, x => x / 4));
      expect((await scene.intersectionVolume([a, b], { resolution: 8 })).volume).toBeCloseTo(1 / 8, 12);
    });

    it('has the same points at any localisation', async () => {
      const ring = scene.add(shapes.torus({ majorSegments: 20, minorSegments: 10 }));
      const bar = scene.add(shapes.box({ size: [4, 0.3, 0.3] }), { pose: translation(0.1, 0.05, 0.02) });
      const answers = await Promise.all(
        [0, 1, 4].map(localisation =>
          scene.intersectionVolume([ring, bar], { resolution: 30, localisation, depths: true }),
        ),
      );
      expect(answers[0].regions.length).toBe(2);
      for (const answer of answers) {
        expect(answer.points).toEqual(answers[0].points);
        for (let i = 0; i < answer.count; i++) {
          expect(answer.depths!.depth[i]).toBeCloseTo(answers[0].depths!.depth[i], 6);
        }
      }
    });

    it('respects the tolerance: samples are common points, and every point deeper than it has one nearby', async () => {
      const [a, b] = [scene.add(cube), scene.add(sphere, { pose: translation(0.7, 0.2, 0.1) })];
      const random = shapes.createRandom(31);
      const points = Float64Array.from({ length: 3 * 200 }, () => random.between(-1, 1));
      const inBoth = await Promise.all([a, b].map(body => scene.inside(body, points)));
      const far = await Promise.all([a, b].map(body => scene.closest(body, points)));
      let compared = 0;
      for (const tolerance of [0.3, 0.15, 0.08]) {
        const found = await scene.intersectionVolume([a, b], { tolerance });
        expect(found.tolerance).toBeLessThanOrEqual(tolerance * (1 + 1e-12));
        for (const body of [a, b]) {
          const inside = await scene.inside(body, found.points);
          expect(
            inside.every(where => where > 0),
            `tolerance ${tolerance}`,
          ).toBe(true);
        }
        for (let i = 0; i < 200; i++) {
          const [p, q] = [0, 1].map(k => (inBoth[k][i] === 1 ? Math.abs(far[k].distances[i]) : 0));
          if (!(Math.min(p, q) > tolerance)) continue;
          compared++;
          let nearest = Infinity;
          for (let at = 0; at < found.points.length; at += 3) {
            const [x, y, z] = [0, 1, 2].map(k => found.points[at + k] - points[3 * i + k]);
            nearest = Math.min(nearest, Math.hypot(x, y, z));
          }
          expect(nearest, `tolerance ${tolerance}, point ${i}`).toBeLessThanOrEqual(tolerance * (1 + 1e-9));
        }
      }
      expect(compared).toBeGreaterThan(50);
      scene.remove(a);
      scene.remove(b);
    });

    it('has depths as published, within the stated error, and says so', async () => {
      const [a, b] = [scene.add(cube), scene.add(sphere, { pose: translation(0.7, 0.2, 0.1) })];
      const request = { resolution: 9, form: 'slabs', depths: 'distance-meshes' } as const;
      const published = await scene.intersectionVolume([a, b], request);
      const exact = await scene.intersectionVolume([a, b], { resolution: 9, depths: true });
      expect(published.points).toEqual(exact.points);
      expect(published.backend).toBe(exact.backend);
      const { depth, body, meshes } = published.depths!;
      expect(exact.depths!.meshes).toBeUndefined();
      expect(meshes!.error).toBeLessThanOrEqual(published.tolerance * (1 + 2 ** -8));
      const far = await Promise.all([a, b].map(one => scene.closest(one, exact.points)));
      for (let i = 0; i < exact.count; i++) {
        const away = far.map(({ distances }) => Math.abs(distances[i]));
        expect(Math.abs(depth[i] - Math.min(...away)), `point ${i}`).toBeLessThanOrEqual(meshes!.error);
        expect(away[body[i]] - Math.min(...away), `point ${i}`).toBeLessThanOrEqual(2 * meshes!.error);
      }
      const apart = scene.add(sphere, { pose: translation(50, 0, 0) });
      const none = await scene.intersectionVolume([a, apart], request);
      expect([none.count, none.depths!.depth.length]).toEqual([0, 0]);
      for (const one of [a, b, apart]) scene.remove(one);
    });

    it('is the same in worlds of any size', async () => {
      for (const power of [-900, -300, -60, 40, 300, 800]) {
        const scale = 2 ** power;
        const scaled = (x: number) => [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x * scale, 0, 0, 1];
        const a = scene.add(cube, { pose: scaled(0) });
        const b = scene.add(sphere, { pose: scaled(0.7) });
        const answer = await scene.intersectionVolume([a, b], { resolution: 10, depths: true });
        const [c, d] = [scene.add(cube), scene.add(sphere, { pose: translation(0.7, 0, 0) })];
        const usual = await scene.intersectionVolume([c, d], { resolution: 10, depths: true });
        expect(answer.count, `2^${power}`).toBe(usual.count);
        for (const body of [a, b, c, d]) scene.remove(body);
      }
    });

    it('names bodies without an inside, and wrong arguments', async () => {
      const open = scene.add(mesh(new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0])), { name: 'a sheet' });
      const a = scene.add(cube);
      await expect(scene.intersectionVolume([a, open])).rejects.toThrow('a sheet is open');
      await expect(scene.intersectionVolume([a, a])).rejects.toThrow('different bodies');
      await expect(scene.intersectionVolume([])).rejects.toThrow('at least one body');
      const aborted = AbortSignal.abort();
      const far = scene.add(cube, { pose: translation(0.5, 0, 0) });
      await expect(scene.intersectionVolume([a, far], { signal: aborted })).rejects.toBe(aborted.reason);
    });
  });

  describe('field', () => {
    it('is the distance to a box, negative inside', async () => {
      const body = scene.add(cube, { pose: translation(5, 0, 0) });
      const field = await scene.field(body, { box: [3, -2, -2, 7, 2, 2], resolution: 12 });
      expect(field.backend).toBe(nearfield.backend);
      for (let sample = 0; sample < field.distance.length; sample++) {
        const [x, y, z] = field.position(sample);
        const q = [Math.abs(x - 5) - 1, Math.abs(y) - 1, Math.abs(z) - 1];
        const outside = Math.hypot(...q.map(value => Math.max(value, 0)));
        const expected = outside > 0 ? outside : Math.max(...q);
        expect(Math.abs(field.distance[sample] - expected), `sample ${sample}`).toBeLessThan(2e-6);
      }
      const gradient = field.gradient('direct');
      for (let sample = 0; sample < field.distance.length; sample++) {
        const g = gradient.subarray(3 * sample, 3 * sample + 3);
        expect(Math.hypot(...g), `sample ${sample}`).toBeCloseTo(1, 5);
      }
    });

    it('is within the stated error if drawn as distance meshes', async () => {
      const ring = shapes.torus({ majorSegments: 14, minorSegments: 7 });
      const body = scene.add(ring, { pose: translation(0.3, 0.1, -0.2) });
      const field = await scene.field(body, { resolution: 12, form: 'distance-meshes' });
      expect(field.backend).toBe(nearfield.backend);
      const { error, sites, meshes, pieces } = field.meshes!;
      // 196 faces, and as Euler's formula has it for a torus, 294 edges and 98 corners; flat edges are left out.
      expect(sites).toBeLessThanOrEqual(196 + 294 + 98);
      expect(sites).toBeGreaterThan(196 + 98);
      // Only pieces that reach samples are drawn: of some meshes none does.
      expect(meshes).toBeGreaterThan(sites);
      expect(pieces).toBeGreaterThan(sites);
      expect(error).toBeLessThanOrEqual(field.tolerance * (1 + 2 ** -10));
      const points = Float64Array.from(Array.from(field.distance, (_, i) => field.position(i)).flat());
      const exact = await scene.closest(body, points, { signed: true });
      let certain = 0;
      for (let i = 0; i < field.distance.length; i++) {
        expect(Math.abs(field.distance[i] - exact.distances[i]), `sample ${i}`).toBeLessThanOrEqual(error);
        if (field.owner[i] === exact.triangles[i]) certain++;
      }
      expect(certain).toBeGreaterThan(0.4 * field.distance.length);
      await expect(scene.field(body, { meshTolerance: 0.1 })).rejects.toThrow('distance-meshes');
      scene.remove(body);
    });

    it.each([undefined, 'distance-meshes'] as const)(
      'is right at every scale, or refused: form %s',
      async form => {
        const ring = shapes.torus({ majorSegments: 8, minorSegments: 5 });
        const sizeAt = async (exponent: number) => {
          const size = 2 ** exponent;
          const own = nearfield.scene();
          const [a, b] = [0, 0.5].map(x =>
            own.add(
              mesh(
                Float64Array.from(ring.positions, (value, i) => size * (i % 3 === 0 ? value + x : value)),
                ring.indices,
              ),
            ),
          );
          const depths = form ?? true;
          const answers = await Promise.all([
            own.field(a, { resolution: 6, ...(form ? { form } : {}) }),
            own.intersectionVolume([a, b], { resolution: 6, depths }),
          ]).finally(() => own.close());
          const [{ distance }, { points, depths: found }] = answers;
          const { depth } = found!;
          const lengths = [distance, points, depth].map(list => Array.from(list, value => value / size));
          return { lengths, count: points.length, error: (answers[0].meshes?.error ?? 0) / size };
        };
        const usual = await sizeAt(0);
        const answered: number[] = [];
        for (const exponent of [
          ...[-1060, -500, -300, -150, -128, -100, -90, 30],
          ...[110, 120, 126, 128, 130, 300, 900],
        ]) {
          const what = `2^${exponent}`;
          try {
            const scaled = await sizeAt(exponent);
            answered.push(exponent);
            expect(scaled.count, what).toBe(usual.count);
            const off = scaled.lengths.map((list, i) =>
              Math.max(...list.map((length, k) => Math.abs(length - usual.lengths[i][k]))),
            );
            // A GPU has other roundings at other scales.
            const most = nearfield.backend === 'cpu' ? 0 : 2 ** -14 + 2 * usual.error;
            for (const apart of off) expect(apart, what).toBeLessThanOrEqual(most);
          } catch (error) {
            if (!(error instanceof NearfieldError)) throw error;
            expect(error, what).toMatchObject({
              code: 'unsupported',
              message: expect.stringMatching(/single precision/),
            });
          }
        }
        expect(answered.slice(0, 5)).toEqual([-100, -90, 30, 110, 120]);
        expect(Math.max(...answered)).toBeLessThan(130);
      },
    );

    it('is the same in slabs', async () => {
      const body = scene.add(sphere);
      const whole = await scene.field(body, { resolution: 10, upTo: 0.5 });
      const slabs = await scene.fieldSlabs(body, { resolution: 10, upTo: 0.5 });
      expect(slabs.grid).toEqual(whole.grid);
      body.pose = translation(1, 0, 0);
      let at = 0;
      for await (const slab of slabs) {
        for (const value of slab.distance)
          expect(Object.is(value, whole.distance[at++]), `sample ${at - 1}`).toBe(true);
      }
      expect(at).toBe(whole.distance.length);
    });

    it('uses the winding number for an open mesh', async () => {
      const open = mesh(sphere.positions, sphere.indices.slice(0, -9));
      const field = await scene.field(scene.add(open), { resolution: 10 });
      let wrong = 0;
      const unsure = new Set(field.unsure);
      field.distance.forEach((distance, sample) => {
        const inside = Math.hypot(...field.position(sample)) < 0.9;
        if (inside && !(distance < 0) && !unsure.has(sample)) wrong++;
      });
      expect(wrong).toBe(0);
    });

    it('gives textures only on a GPU', async () => {
      const body = scene.add(sphere);
      if (nearfield.backend === 'cpu') {
        await expect(scene.fieldTexture(body)).rejects.toThrow('gpu backend');
        return;
      }
      const { distance, owner, grid } = await scene.fieldTexture(body, { resolution: 8 });
      expect([distance.width, distance.height, distance.depthOrArrayLayers]).toEqual([...grid.dimensions]);
      expect(distance.format).toBe('r32float');
      expect(owner.format).toBe('r32uint');
      distance.destroy();
      owner.destroy();
    });
  });
}
