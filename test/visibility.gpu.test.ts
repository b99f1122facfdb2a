// The specs of interference, asked by the visibility method; and what only scenes show of it.

import { type InterferenceOptions, type Nearfield, open, shapes } from 'nearfield';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDevice } from '../packages/nearfield/src/gpu/test-device.ts';
import { interferenceSpec } from './spec/interference.ts';
import { translation } from './spec/scenes.ts';

const size = process.env.NEARFIELD_SLOW ? { scenes: 40, triangles: 40 } : { scenes: 1, triangles: 16 };
const gpu = async () => open({ device: (await testDevice()).device });
const method = 'visibility';

interferenceSpec(gpu, { ...size, options: { method, resolution: 64 } });

let nf: Nearfield;
beforeAll(async () => {
  nf = await gpu();
});
afterAll(() => nf.close());

test('solids that hold others are found though no surfaces meet', async () => {
  const scene = nf.scene();
  const sphere = shapes.icosphere({ frequency: 3 });
  const shrunk = (by: number, x = 0) => [by, 0, 0, 0, 0, by, 0, 0, 0, 0, by, 0, x, 0, 0, 1];
  scene.add(sphere);
  scene.add(sphere, { pose: shrunk(0.5) });
  scene.add(sphere, { pose: shrunk(0.1, 0.2) });
  scene.add(sphere, { pose: translation(0, 3, 0) });
  const answer = await scene.interferences({ method });
  expect(answer.method).toBe('visibility');
  expect(answer.complete).toBe(true);
  expect([...answer].map(({ a, b, relation }) => `${a.index} ${relation} ${b.index}`)).toEqual([
    '0 contains 1',
    '0 contains 2',
    '1 contains 2',
  ]);
  expect(answer.stats.visibility?.bodies).toEqual({ boxesMeet: 3, kept: 3 });
});

test('bodies come, go, move and deform between questions', async () => {
  const scene = nf.scene();
  const sphere = shapes.icosphere({ frequency: 3 });
  const a = scene.add(sphere);
  const b = scene.add(sphere, { pose: translation(1.5, 0.1, 0) });
  const agree = async (note: string) => {
    const [seen, trees] = [await scene.interferences({ method }), await scene.interferences()];
    const list = (answer: typeof seen) => [...answer].map(p => [p.a.index, p.b.index, [...p.triangles]]);
    expect(list(seen), note).toEqual(list(trees));
    return seen.length;
  };
  expect(await agree('two')).toBe(1);
  a.deform(sphere.positions.map(x => 0.4 * x));
  expect(await agree('one smaller')).toBe(0);
  a.deform(sphere.positions.map((x, i) => (i % 3 === 0 ? 1.2 * x : x)));
  expect(await agree('one longer')).toBe(1);
  const c = scene.add(shapes.box({ size: [3, 0.2, 0.2] }));
  expect(await agree('one more')).toBe(3);
  b.pose = translation(0, 5, 0);
  expect(await agree('one moved away')).toBe(1);
  scene.remove(c);
  expect(await agree('one removed')).toBe(0);
});

test('asked in a way that may miss, the answer says so', async () => {
  const scene = nf.scene();
  scene.add(shapes.box());
  scene.add(shapes.box(), { pose: translation(0.5, 0.25, 0.125) });
  const answer = await scene.interferences({ method, culling: 'may-miss', resolution: 32 });
  expect(answer.complete).toBe(false);
});

test('options that cannot be, and a question without a GPU, are errors', async () => {
  const scene = nf.scene();
  for (const options of [{ resolution: 0 }, { resolution: 1.5 }, { views: 4 }, { culling: 'sometimes' }]) {
    const asked = { method, ...options } as InterferenceOptions;
    await expect(scene.interferences(asked)).rejects.toMatchObject({ code: 'bad-option' });
  }
  const cpu = await open({ backend: 'cpu' });
  const onCpu = cpu.scene();
  await expect(onCpu.interferences({ method })).rejects.toMatchObject({ code: 'no-gpu' });
  expect(() => onCpu.interferencesSync({ method })).toThrow(/GPU/);
  cpu.close();
});
