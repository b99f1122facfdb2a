import { open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { icosphere } from '../../../packages/nearfield/src/shapes/index.ts';
import { at, bufferOf } from './app-buffers.ts';

const { device } = await testDevice();
const nf = await open({ device });
afterAll(() => nf.close());

// The submission that uses matrices also checks them. Nothing separates bodies placed by zeros, so every triangle was
// tested against all others before the matrices were refused: that took minutes, or lost the device.
test('refuses an unwritten buffer before trees are traversed', async () => {
  const scene = nf.scene();
  const sphere = icosphere({ frequency: 24 });
  for (let i = 0; i < 3; i++) scene.add(sphere);
  for (const x of [1.9, 1.8]) {
    scene.setPoses(bufferOf(device, [...at(0), ...at(x), ...at(2 * x)]));
    expect((await scene.interferences({ detail: 'any' })).length).toBe(2);
  }
  for (const value of [0, Number.NaN]) {
    scene.setPoses(bufferOf(device, new Float32Array(48).fill(value)));
    await expect(scene.interferences()).rejects.toMatchObject({ code: 'bad-pose' });
  }
  scene.setPoses(bufferOf(device, [...at(0), ...at(1.7), ...at(9)]));
  expect((await scene.interferences({ detail: 'any' })).length).toBe(1);
  scene.close();
});
