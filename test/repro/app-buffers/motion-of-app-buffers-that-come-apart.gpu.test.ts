// A body deformed by a GPUBuffer may come apart where vertices shared a position. The trees on the GPU still number
// its vertices as the mesh does, so the GPU left out triangles that shared a vertex once and meet now.

import { expect, test } from 'vitest';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { mesh } from '../../../packages/nearfield/src/mesh/mesh.ts';
import { createGpuEngine } from '../../../packages/nearfield/src/open-gpu.ts';
import { Scene } from '../../../packages/nearfield/src/scene.ts';
import { bufferOf } from './app-buffers.ts';

test('triangles that shared an edge and came apart meet later', async () => {
  const { device } = await testDevice();
  const [gpu, cpu] = [
    await createGpuEngine({ device, settings: { leastMoving: 0 } }),
    await createCpuEngine(),
  ];
  const flap = (z: number) => [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, z, 1, 0, z, 0.25, z === 0 ? -1 : 0.25, z];
  const own = mesh(Float32Array.from(flap(0)), Uint32Array.of(0, 1, 2, 3, 4, 5));
  const [above, below] = [1, -1].map(z => Float32Array.from(flap(z)));
  const buffer = bufferOf(device, above);
  const scene = new Scene(gpu, cpu);
  const body = scene.add(own);
  body.deform(buffer);
  const motion = { bodies: [{ body, positions: below }] };
  const found = await scene.firstContact(motion, { which: 'triangles', self: true });
  expect(
    found.map(({ state, time, triangleA, triangleB }) => ({ state, time, triangleA, triangleB })),
  ).toEqual([{ state: 'contact', time: { from: 0.5, to: 0.5 }, triangleA: 0, triangleB: 1 }]);
  scene.close();
  buffer.destroy();
  gpu.close();
  cpu.close();
});
