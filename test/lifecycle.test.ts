import { open, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { lifecycleSpec } from './spec/lifecycle.ts';

lifecycleSpec(() => open({ backend: 'cpu' }));

describe('the synchronous form', () => {
  it('gives the answers of the asynchronous one', async () => {
    const nf = await open({ backend: 'cpu' });
    const scene = nf.scene();
    const sphere = shapes.icosphere({ radius: 1, frequency: 4 });
    const a = scene.add(sphere);
    const b = scene.add(sphere, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.75, 0.5, 0.25, 1] });
    const list = (answer: Iterable<{ triangles: Uint32Array }>) => [...answer].map(p => [...p.triangles]);
    expect(list(scene.interferencesSync())).toEqual(list(await scene.interferences()));
    expect(scene.curvesSync(a, b)).toEqual(await scene.curves(a, b));
    expect(scene.selfIntersectionsSync(a).triangles.length).toBe(0);
    expect([...scene.insideSync(a, new Float64Array(3))]).toEqual([1]);
    nf.close();
  });
});
