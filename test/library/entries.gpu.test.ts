// Single questions on the GPU backend, without the complete library: the answers are identical, and each question's
// code is loaded when it is first asked.

import { openCpu } from 'nearfield/cpu';
import { distance, within } from 'nearfield/distance';
import { openGpu } from 'nearfield/gpu';
import { interferences, interferencesSync } from 'nearfield/interferences';
import { particles } from 'nearfield/particles';
import * as shapes from 'nearfield/shapes';
import { afterAll, expect, it } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';

const { device } = await testDevice();
const gpu = await openGpu({ device });
const cpu = await openCpu();
afterAll(() => {
  gpu.close();
  cpu.close();
});
const meshes = [shapes.icosphere({ frequency: 4 }), shapes.torus({ majorSegments: 12, minorSegments: 8 })];
const scenes = [gpu, cpu].map(host => {
  const scene = host.scene();
  const [a, b] = meshes.map(mesh => scene.add(mesh));
  return { scene, a, b };
});

it('gives the pairs that the CPU gives, and names its backend', async () => {
  const [found, expected] = await Promise.all(scenes.map(({ scene }) => interferences(scene)));
  expect(found.backend).toBe('gpu');
  expect(found.stats.dispatches).toBeGreaterThan(0);
  expect(found.length).toBe(1);
  const told = [found, expected].map(pairs =>
    Array.from(pairs, ({ relation, triangles }) => [relation, [...triangles]]),
  );
  expect(told[0]).toEqual(told[1]);
});

it('gives distances and particles', async () => {
  const [{ distance: onGpu }, { distance: onCpu }] = await Promise.all(
    scenes.map(({ scene, a, b }) => distance(scene, a, b, { surface: true })),
  );
  expect(onGpu).toBe(onCpu);
  expect((await within(scenes[0].scene, 1)).length).toBe(1);
  const start = {
    position: new Float64Array(3),
    velocity: new Float64Array(3),
    life: Float64Array.of(1),
  };
  const system = await particles(gpu, { count: 1, start, colliders: [] });
  expect([...(await system.impacts(0, 1))]).toEqual([]);
  expect('impactsSync' in system).toBe(false);
});

it('refuses synchronous forms, for callers without a compiler', () => {
  expect(() => interferencesSync(scenes[0].scene as never)).toThrow(
    expect.objectContaining({ code: 'unsupported' }),
  );
});
