// The paper's pipeline against Nearfield's exact depths of the same points.

import { open } from 'nearfield';
import { expect, it } from 'vitest';
import { cylinders, heart } from '../../scenes/papers/proximity.ts';
import { publishedForm } from './hoff.ts';

it('finds the depths, bodies and directions of the exact search, within its error', async () => {
  const nf = await open({ backend: 'cpu' });
  for (const { bodies: placements, frames, tolerance } of [cylinders(), heart()]) {
    const scene = nf.scene();
    const [a, b] = placements.map(({ mesh }) => scene.add(mesh));
    a.deform(frames[1].allPositions![0]);
    b.deform(frames[1].allPositions![1]);
    const published = await scene.intersectionVolume([a, b], {
      tolerance: 1.5 * tolerance,
      ...publishedForm,
    });
    const found = published.depths!;
    const { error } = found.meshes!;
    const volume = await scene.intersectionVolume([a, b], { tolerance: 1.5 * tolerance, depths: true });
    expect(published.points).toEqual(volume.points);
    expect(error).toBeLessThanOrEqual(1.5 * tolerance * (1 + 2 ** -10));
    const { depth, body, direction } = volume.depths!;
    const far = [a, b].map(one => scene.closestSync(one, volume.points).distances);
    let [alike, certain] = [0, 0];
    for (let i = 0; i < volume.count; i++) {
      expect(Math.abs(found.depth[i] - depth[i]), `point ${i}`).toBeLessThanOrEqual(error);
      if (Math.abs(far[0][i] - far[1][i]) <= 2 * error) continue;
      certain++;
      expect(found.body[i], `point ${i}`).toBe(body[i]);
      const along = [0, 1, 2].reduce((sum, k) => sum + direction[3 * i + k] * found.direction[3 * i + k], 0);
      if (along > 0.7) alike++;
    }
    // Differences of approximate distances are approximate directions.
    expect(alike).toBeGreaterThan(0.8 * certain);
  }
  nf.close();
});
