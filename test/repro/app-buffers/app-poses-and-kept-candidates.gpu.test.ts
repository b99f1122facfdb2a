import { exact, narrow, open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { box } from '../../../packages/nearfield/src/shapes/index.ts';
import { at, bufferOf } from './app-buffers.ts';

const { device } = await testDevice();
const nf = await open({ device });
afterAll(() => nf.close());

// The check whether candidates are still about current bodies used a scene that did not know their current poses.
test('kept candidates can be asked about while other poses are unknown', async () => {
  const scene = nf.scene();
  for (const x of [0, 0.5, 3]) scene.add(box(), { pose: at(x) });
  const candidates = scene.candidates();
  scene.setPoses(bufferOf(device, [...at(0), ...at(9), ...at(18)]));
  scene.add(box());
  await expect(scene.interferences()).rejects.toMatchObject({ code: 'stale' });
  expect([...exact(await narrow(candidates)).indices]).toEqual([0, 1]);
  scene.remove(scene.bodies[0]);
  await expect(narrow(candidates)).rejects.toMatchObject({ code: 'stale' });
  scene.close();
});
