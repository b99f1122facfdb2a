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
