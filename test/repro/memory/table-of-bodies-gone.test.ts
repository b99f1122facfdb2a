// The table of a scene whose bodies leave: a closed scene takes no memory, and no body comes back after memory ran
// out.

import { shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import type { PoseMemory } from '../../../packages/nearfield/src/bodies/engine.ts';
import { NearfieldError } from '../../../packages/nearfield/src/core/errors.ts';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { Scene } from '../../../packages/nearfield/src/scene.ts';

const engine = await createCpuEngine();
afterAll(() => engine.close());

const at = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
const box = shapes.box();

// Reading the bodies of a closed scene allocated memory for their poses, which was never freed.
test('reading a closed scene while a question waits takes no memory', async () => {
  const used: number[] = [];
  for (let round = 0; round < 12; round++) {
    const scene = new Scene(engine, engine);
    for (let i = 0; i < 100; i++) scene.add(box, { pose: at(i) });
    const waiting = scene.interferences({ detail: 'any' });
    scene.close();
    expect(scene.bodies).toEqual([]);
    expect((await waiting).length).toBe(99);
    used.push(engine.usedBytes);
  }
  // Some is kept for the questions of a few scenes.
  expect(used[11]).toBe(used[7]);
});

// Rows of removed bodies counted as compacted before there was memory to do it.
test('removed bodies are gone, even after memory ran out', async () => {
  let isFull = false;
  const own = engine.poseMemory as PoseMemory;
  const poseMemory: PoseMemory = {
    ...own,
    allocate(rows) {
      if (isFull) throw new NearfieldError('out-of-memory', 'none is left');
      return own.allocate(rows);
    },
  };
  const asked = Object.create(engine, { poseMemory: { value: poseMemory } });
  for (const name of ['part', 'kernels', 'compile'] as const) {
    Object.defineProperty(asked, name, { value: engine[name].bind(engine) });
  }
  Object.defineProperty(asked, 'forget', { value: engine.forget.bind(engine) });
  const scene = new Scene(asked, engine);
  for (let i = 0; i < 10; i++) scene.add(box, { pose: at(i) });
  const waiting = scene.interferences({ detail: 'any' });
  scene.remove(scene.bodies[4]);
  isFull = true;
  expect(() => scene.bodies).toThrow('none is left');
  isFull = false;
  expect(scene.bodies.map(body => body.index)).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
  expect((await waiting).length).toBe(9);
  expect((await scene.interferences({ detail: 'any' })).length).toBe(7);
  scene.close();
});
