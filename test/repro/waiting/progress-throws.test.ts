import { expect, test } from 'vitest';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { Scene } from '../../../packages/nearfield/src/scene.ts';
import { icosphere } from '../../../packages/nearfield/src/shapes/index.ts';

// A progress callback that throws when the engine is done (nine tenths of a question) blocked the other thread for
// good.
test('the other thread is free again after a progress callback has thrown', async () => {
  const engine = createCpuEngine({ threads: 2 });
  const scene = new Scene(engine, engine);
  const sphere = icosphere({ frequency: 40 });
  scene.add(sphere);
  scene.add(sphere, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1e-3, 0, 0, 1] });
  await scene.interferences({ detail: 'count' });
  while (engine.threads.ready === 0) await new Promise(resolve => setTimeout(resolve, 5));
  const progress = (done: number) => {
    if (done >= 0.9) throw new Error('stop');
  };
  await expect(scene.interferences({ detail: 'count', progress })).rejects.toThrow('stop');
  expect(engine.threads.ready).toBe(1);
  engine.close();
});
