// Answers about points of which a GPU found the triangles are copied while threads measure others. If a thread was lost then, the
// calling thread began again, had fewer answers than were copied already, and `closest` rejected with a RangeError.

import { shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { allStarted } from '../../../packages/nearfield/src/cpu/threads/testing.ts';
import { PoolThread } from '../../../packages/nearfield/src/cpu/threads/threads.ts';
import type { GpuDistanceDriver } from '../../../packages/nearfield/src/distance/driver.ts';
import { nearWord } from '../../../packages/nearfield/src/distance/request.ts';
import { fakeEngine } from '../../../packages/nearfield/src/gpu/testing/fake-engine.ts';
import { Scene } from '../../../packages/nearfield/src/scene.ts';

const count = 40_000;
const model = shapes.torusKnot({ segments: 60, sides: 10 });
const random = shapes.createRandom(5);
const points = Float64Array.from({ length: 3 * count }, () => random.between(-2, 2));

it('answers about points if a thread is lost after some answers were copied', async () => {
  const cpu = await createCpuEngine({ threads: 2 });
  await cpu.compile();
  await allStarted(cpu);
  const alone = new Scene(cpu, cpu);
  const expected = await alone.closest(alone.add(model), points);
  const nearTriangles: GpuDistanceDriver['nearTriangles'] = async () => ({
    answers: new Uint32Array(count).fill(nearWord.open),
    triangles: new Uint32Array(0),
  });
  const scene = new Scene(fakeEngine({ distance: { nearTriangles } }), cpu);
  const body = scene.add(model);
  const take = cpu.threads.take.bind(cpu.threads);
  let looks = 0;
  cpu.threads.take = () => {
    const taken = take();
    for (const thread of taken) {
      const isWorking = () => Reflect.get(PoolThread.prototype, 'isWorking', thread) as boolean;
      Object.defineProperty(thread, 'isWorking', {
        get: () => {
          if (++looks === 20 && isWorking()) thread.end();
          return isWorking();
        },
      });
    }
    return taken;
  };
  const { backend, distances, triangles } = await scene.closest(body, points);
  expect(looks).toBeGreaterThan(20);
  expect(cpu.threads.ready).toBe(0);
  expect(backend).toBe('gpu');
  expect(distances).toEqual(expected.distances);
  expect(triangles).toEqual(expected.triangles);
  scene.close();
  alone.close();
  cpu.close();
});
