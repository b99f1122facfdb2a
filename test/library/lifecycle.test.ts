import {
  CpuNearfield,
  CpuParticles,
  CpuScene,
  type Nearfield,
  open,
  type Particles,
  type Scene,
  shapes,
} from 'nearfield';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { lifecycleSpec } from '../spec/lifecycle.ts';

lifecycleSpec(() => open({ backend: 'cpu' }));

describe('the synchronous form', () => {
  it('gives the same answers as the asynchronous one', async () => {
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

  it('exists only on the classes of the CPU backend, in the types and at run time', async () => {
    type SyncOf<T> = Extract<keyof T, `${string}Sync`>;
    expectTypeOf<SyncOf<Nearfield>>().toEqualTypeOf<never>();
    expectTypeOf<SyncOf<Scene>>().toEqualTypeOf<never>();
    // A state is a formula of time, which every backend has at once.
    expectTypeOf<SyncOf<Particles>>().toEqualTypeOf<'stateSync'>();
    const openCpu = () => open({ backend: 'cpu' });
    const openGpu = () => open({ backend: 'gpu' });
    const openAny = () => open();
    expectTypeOf(openCpu).returns.resolves.toEqualTypeOf<CpuNearfield>();
    expectTypeOf(openGpu).returns.resolves.toEqualTypeOf<Nearfield>();
    expectTypeOf(openAny).returns.resolves.toEqualTypeOf<Nearfield>();
    const nf = await openCpu();
    expectTypeOf(nf.scene()).toEqualTypeOf<CpuScene>();
    expectTypeOf(nf.particles).returns.resolves.toEqualTypeOf<CpuParticles>();
    expect(nf).toBeInstanceOf(CpuNearfield);
    expect(nf.scene()).toBeInstanceOf(CpuScene);
    for (const { prototype } of [CpuNearfield, CpuScene, CpuParticles]) {
      const names = Object.getOwnPropertyNames(prototype).filter(name => name.endsWith('Sync'));
      expect(names.length).toBeGreaterThan(0);
      const base = Object.getPrototypeOf(prototype);
      expect(names.filter(name => name in base)).toEqual([]);
    }
    nf.close();
  });
});
