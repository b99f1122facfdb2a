// The specs of the CPU backend, on the GPU. One device serves all of them.

import {
  broad,
  type Candidates,
  CpuNearfield,
  CpuParticles,
  CpuScene,
  narrowSync,
  open,
  shapes,
} from 'nearfield';
import { expect, it } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { interferenceSpec } from '../spec/interference.ts';
import { lifecycleSpec } from '../spec/lifecycle.ts';
import { selfIntersectionSpec } from '../spec/self-intersection.ts';

const size = process.env.NEARFIELD_SLOW ? { scenes: 40, triangles: 40 } : { scenes: 2, triangles: 20 };
const gpu = async () => open({ device: (await testDevice()).device });

lifecycleSpec(gpu);
interferenceSpec(gpu, size);
selfIntersectionSpec(gpu, size);

it('has no synchronous forms', async () => {
  const nf = await gpu();
  const scene = nf.scene();
  const particles = await nf.particles({
    count: 1,
    start: { from: { point: [0, 0, 1] }, velocity: { point: [0, 0, -1] }, life: 1 },
    colliders: [{ plane: { point: [0, 0, 0], normal: [0, 0, 1] } }],
  });
  for (const [made, cpu] of [
    [nf, CpuNearfield],
    [scene, CpuScene],
    [particles, CpuParticles],
  ] as const) {
    expect(made).not.toBeInstanceOf(cpu);
    const names = Object.getOwnPropertyNames(cpu.prototype).filter(name => name.endsWith('Sync'));
    expect(names.filter(name => name in made)).toEqual([]);
  }
  // Candidates are of one class on either backend: the compiler refuses these, and so does the function.
  for (let i = 0; i < 2; i++) scene.add(shapes.box());
  const refused = { code: 'unsupported', message: expect.stringMatching(/cpu backend/) };
  expect(() => narrowSync(broad(scene) as Candidates<'cpu'>)).toThrow(expect.objectContaining(refused));
  nf.close();
});
