import { open, shapes } from 'nearfield';
import { expect, test, vi } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';

// Every session listened for the loss of its device. An application's device lives on after `close`, and its promise kept
// every session that was ever opened on it, with all kernels and lists.
test('opening on one device again and again adds no listeners to the device', async () => {
  const { device } = await testDevice();
  const listen = vi.spyOn(device.lost, 'then');
  const use = async () => {
    const nf = await open({ device });
    const scene = nf.scene();
    scene.add(shapes.box());
    scene.add(shapes.box());
    await scene.interferences();
    nf.close();
  };
  await use();
  const first = listen.mock.calls.length;
  await use();
  await use();
  expect(listen.mock.calls.length).toBe(first);
  listen.mockRestore();
});
