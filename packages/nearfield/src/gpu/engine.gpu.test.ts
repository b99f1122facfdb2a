import { expect, test } from 'vitest';
import { icosphere } from '../mesh/shapes/index.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from '../methods/hierarchy/gpu/test-answers.ts';
import { wrapDevice } from './device.ts';
import { createGpuEngine, GpuEngine } from './engine.ts';
import { openSession } from './session.ts';
import { deviceToLose, testDevice } from './test-device.ts';

const bodies = () => [
  place(icosphere({ frequency: 2 })),
  place(icosphere({ frequency: 2 }), poseOf(rotation(1, [1, 2, 3]), 1, 0.2, 0)),
];

// One that is the application's own is an error: test/repro/held-by-what-is-no-buffer.gpu.test.ts.
test('a lost device is opened again and the question repeated', async () => {
  const lost = await deviceToLose();
  // As of one that the library has opened.
  const { owned } = await testDevice();
  const engine = new GpuEngine(await openSession({ ...wrapDevice(lost), owned }, {}), {});
  const scene = bodies();
  const exact = exactPairs(scene);
  expectSound(await engine.interfere(scene, { detail: 'list' }), exact, 'before');
  // In the midst of a question: with NEARFIELD_SLOW=1 test/faults.gpu.test.ts loses devices at every other call.
  const { submit } = lost.queue;
  lost.queue.submit = commands => {
    lost.destroy();
    return submit.call(lost.queue, commands);
  };
  expectSound(await engine.interfere(scene, { detail: 'list' }), exact, 'after');
  expect(engine.device).not.toBe(lost);
  engine.close();
});

test('an engine that is closed says so, and leaves a shared device alone', async () => {
  const { device } = await testDevice();
  const engine = await createGpuEngine({ device });
  engine.close();
  await expect(engine.interfere(bodies(), { detail: 'list' })).rejects.toMatchObject({ code: 'closed' });
  const again = await createGpuEngine({ device });
  expect((await again.interfere(bodies(), { detail: 'list' })).stats.dispatches).toBeGreaterThan(0);
  again.close();
});

test('software adapters are refused where hardware is asked for, and named', async () => {
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
  await engine.interfere(bodies(), { detail: 'list' });
  if (device.features.has('timestamp-query')) expect(engine.gpuMilliseconds).toBeGreaterThan(0);
  engine.close();
});

test('trees that cannot be built leave no error scope of the device open', async () => {
  const { device } = await testDevice();
  const engine = await createGpuEngine({ device });
  const [body] = bodies();
  const broken = new Proxy(body.shape, {
    get(shape, name) {
      if (name === 'positions') throw new Error('no positions');
      return Reflect.get(shape, name);
    },
  });
  await expect(engine.build([{ ...body, shape: broken }])).rejects.toThrow(/no positions/);
  await expect(device.popErrorScope()).rejects.toThrow();
  engine.close();
});
