import { shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { openTimed, type TimedGpu, withTimed } from './gpu-time.ts';

it('is above nothing, within the time by the clock, and grows with what the GPU has to do', async () => {
  const { device } = await testDevice();
  const { submit } = device.queue;
  const timed = await openTimed(device);
  expect(timed).toBeDefined();
  const { nf, empty, time, close } = timed!;
  expect(empty).toBeGreaterThanOrEqual(0);
  const scene = nf.scene();
  const ball = shapes.icosphere({ frequency: 8 });
  scene.add(ball);
  const second = scene.add(ball, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0, 0, 1] });
  let asked = 0;
  const ask = (resolution: number) => async () => {
    second.pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.01 * (asked++ % 8), 0, 1];
    const found = await scene.sampledInterferences({
      ...{ method: 'raycast', ask: 'both', counting: 'pixels', resolution },
    } as { method: 'raycast' });
    expect(found.stats.dispatches).toBeGreaterThan(0);
  };
  await ask(32)();
  // The least of several times, since the machine does other things too.
  const least = async (resolution: number): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const began = performance.now();
      const own = await time(ask(resolution));
      expect(own).toBeGreaterThan(0);
      expect(own).toBeLessThan(performance.now() - began);
      times.push(own);
    }
    return Math.min(...times);
  };
  expect(await least(512)).toBeGreaterThan(2 * (await least(32)));
  // Nothing is submitted, nothing is timed.
  expect(await time(async () => {})).toBe(0);
  // An empty submission takes less time than the fastest question.
  expect(empty).toBeLessThan(await least(32));
  scene.close();
  close();
  expect(device.queue.submit).toBe(submit);
});

it('closes its library if the work fails', async () => {
  let opened: TimedGpu | undefined;
  const failing = withTimed(async timed => {
    opened = timed;
    throw new Error('a row failed');
  });
  await expect(failing).rejects.toThrow('a row failed');
  expect(() => opened!.nf.scene()).toThrow('closed');
});
