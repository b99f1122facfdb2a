import { expect, test } from 'vitest';
import { interfere } from '../interferences/driver.ts';
import {
  exactPairs,
  expectSound,
  place,
  poseOf,
  rotation,
} from '../interferences/hierarchy/gpu/test-answers.ts';
import { createGpuEngine, engineOn } from '../open-gpu.ts';
import { icosphere } from '../shapes/index.ts';
import { wrapDevice } from './device/device.ts';
import { deviceToLose, testDevice } from './testing/test-device.ts';

const bodies = () => [
  place(icosphere({ frequency: 2 })),
  place(icosphere({ frequency: 2 }), poseOf(rotation(1, [1, 2, 3]), 1, 0.2, 0)),
];

// If the application owns the device, that is an error: test/repro/app-buffers/app-buffer-that-is-none.gpu.test.ts.
test('a lost device is opened again and the question repeated', async () => {
  const lost = await deviceToLose();
  // As if the library had opened it.
  const { owned } = await testDevice();
  const engine = await engineOn({ ...wrapDevice(lost), owned });
  const scene = bodies();
  const exact = exactPairs(scene);
  expectSound(await interfere(engine, scene, { detail: 'list' }), exact, 'before');
  // The device is lost in the midst of a question. With NEARFIELD_SLOW=1 test/faults/faults.gpu.test.ts loses it at
  // every other call.
  const { submit } = lost.queue;
  lost.queue.submit = commands => {
    lost.destroy();
    return submit.call(lost.queue, commands);
  };
  expectSound(await interfere(engine, scene, { detail: 'list' }), exact, 'after');
  expect(engine.device).not.toBe(lost);
  engine.close();
});

test('an engine that is closed says so, and leaves a shared device alone', async () => {
  const { device } = await testDevice();
  const engine = await createGpuEngine({ device });
  engine.close();
  await expect(interfere(engine, bodies(), { detail: 'list' })).rejects.toMatchObject({ code: 'closed' });
  const again = await createGpuEngine({ device });
  expect((await interfere(again, bodies(), { detail: 'list' })).stats.dispatches).toBeGreaterThan(0);
  again.close();
});

test('a software adapter is refused if hardware is required, and is named', async () => {
  const { device, software } = await testDevice();
  if (software) {
    for (const given of [device, undefined]) {
      const refused = createGpuEngine({ device: given, hardwareOnly: true });
      await expect(refused).rejects.toMatchObject({ code: 'no-gpu' });
    }
  }
  const engine = await createGpuEngine({ device });
  expect(engine.name.length).toBeGreaterThan(0);
  expect(engine.software).toBe(software);
  engine.timing = true;
  await interfere(engine, bodies(), { detail: 'list' });
  if (device.features.has('timestamp-query')) expect(engine.gpuMilliseconds).toBeGreaterThan(0);
  engine.close();
});
