import { open, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { fieldSpec } from '../spec/sampled/field.ts';

fieldSpec(() => open({ backend: 'cpu' }));

describe('without waiting', () => {
  it('gives the same answers', async () => {
    const nearfield = await open({ backend: 'cpu' });
    const scene = nearfield.scene();
    const a = scene.add(shapes.icosphere());
    const b = scene.add(shapes.torus());
    const options = { resolution: 16, depths: true };
    const waited = await scene.intersectionVolume([a, b], options);
    const answer = scene.intersectionVolumeSync([a, b], options);
    expect(answer.points).toEqual(waited.points);
    expect(answer.depths).toEqual(waited.depths);
    expect(scene.fieldSync(a, { resolution: 9 }).distance).toEqual(
      (await scene.field(a, { resolution: 9 })).distance,
    );
    nearfield.close();
  });
});

it('measures depths by distance meshes in a box deep inside the bodies', async () => {
  const nearfield = await open({ backend: 'cpu' });
  const scene = nearfield.scene();
  const cube = shapes.box({ size: [10, 10, 10] });
  const pair = [
    scene.add(cube),
    scene.add(cube, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 2, 2, 1] }),
  ] as const;
  // The common part is from -3 to 5 along each axis, so every surface is about 4 away.
  const options = { box: [0.75, 0.75, 0.75, 1.25, 1.25, 1.25], resolution: 4 } as const;
  const exact = await scene.intersectionVolume(pair, { ...options, depths: true });
  const drawn = await scene.intersectionVolume(pair, { ...options, depths: 'distance-meshes' });
  expect(drawn.points).toEqual(exact.points);
  expect(drawn.points).toHaveLength(3 * 4 ** 3);
  const { error } = drawn.depths!.meshes!;
  for (const [i, depth] of drawn.depths!.depth.entries()) {
    expect(Math.abs(depth - exact.depths!.depth[i]), `point ${i}`).toBeLessThanOrEqual(error);
    expect(depth).toBeGreaterThan(3.5);
  }
  nearfield.close();
});
