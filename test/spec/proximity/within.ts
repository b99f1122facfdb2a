// Which bodies are closer to each other than a clearance, against the distances of every two.

import { open, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { affine, rigid, translation } from '../scenes.ts';
import { type Asked, box, boxesAt } from './asked.ts';

export function withinSpec(asked: Asked): void {
  const { scenes, bodyCount } = asked;

  describe('within a clearance', () => {
    it('every pair of a scene, against the distances one by one', { timeout: 600_000 }, async () => {
      const cpu = await open({ backend: 'cpu' });
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(500 + seed);
        const parts = Array.from({ length: bodyCount }, () => ({
          mesh: random.integer(2) === 0 ? box([1, 1, 1]) : box([0.5, 2, 1]),
          pose: random.integer(2) === 0 ? rigid(random, 4) : affine(random, 4),
        }));
        const { scene } = asked.sceneOf(parts);
        const clearance = 0.75;
        const found = await scene.within(clearance);
        const expected: string[] = [];
        // One by one on the CPU, which brute force and known shapes verify: a software GPU takes long for each.
        const exact = cpu.scene();
        const bodies = parts.map(({ mesh, pose }) => exact.add(mesh, { pose }));
        for (let i = 0; i < bodies.length; i++) {
          for (let j = i + 1; j < bodies.length; j++) {
            const { distance, triangleA, triangleB } = exact.distanceSync(bodies[i], bodies[j]);
            if (distance < clearance) expected.push(`${i} ${j} ${distance} ${triangleA} ${triangleB}`);
          }
        }
        const lines = [...found].map(
          ({ a, b, distance, triangleA, triangleB }) =>
            `${a.index} ${b.index} ${distance} ${triangleA} ${triangleB}`,
        );
        expect(lines, `seed ${seed}`).toEqual(expected);
        expect(expected.length).toBeGreaterThan(0);
        scene.close();
        exact.close();
      }
      cpu.close();
    });

    it('means strictly closer', async () => {
      const { scene } = asked.sceneOf(boxesAt(3));
      expect((await scene.within(2)).length).toBe(0);
      expect((await scene.within(2 + 2 ** -51)).length).toBe(1);
      expect((await scene.within(0)).length).toBe(0);
      expect((await scene.within(Infinity)).length).toBe(1);
      scene.close();
      // 3² + 4² = 5²: no single coordinate equals the gap.
      const corners = asked.sceneOf([
        { mesh: box([1, 1, 1]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(4, 5, 0) },
      ]).scene;
      expect((await corners.within(5)).length).toBe(0);
      expect((await corners.within(5.000000000000001)).length).toBe(1);
      corners.close();
    });

    it('takes filters, and finds bodies within another', async () => {
      const { scene, bodies } = asked.sceneOf([
        { mesh: box([4, 4, 4]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(0, 0, 0) },
        { mesh: box([1, 1, 1]), pose: translation(3, 0, 0) },
      ]);
      const names = async (options = {}) =>
        [...(await scene.within(0.75, options))].map(
          ({ a, b, distance }) => `${a.index} ${b.index} ${distance}`,
        );
      expect(await names()).toEqual(['0 1 0', '0 2 0.5']);
      expect(await names({ surface: true })).toEqual(['0 2 0.5']);
      expect(await names({ allowed: [[bodies[0], bodies[1]]] })).toEqual(['0 2 0.5']);
      scene.close();
    });

    it('stays about the bodies at the time of the question', async () => {
      const { scene, bodies } = asked.sceneOf(boxesAt(3));
      const found = await scene.within(3);
      bodies[1].pose = translation(2, 0, 0);
      expect([...found][0].distance).toBe(2);
      const later = scene.distance(bodies[0], bodies[1]);
      bodies[1].pose = translation(9, 0, 0);
      expect((await later).distance).toBe(1);
      scene.close();
    });
  });
}
