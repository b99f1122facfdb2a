// Bodies so near that single precision cannot decide whether they meet, and that do not: the CPU settled their
// distance, but the result was ignored, so they were not near each other at all.

import { mesh, open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';

const gpu = await open({ device: (await testDevice()).device });
const cpu = await open({ backend: 'cpu' });
afterAll(() => {
  gpu.close();
  cpu.close();
});

const a = mesh(
  new Float64Array([
    -0.5616554303094745, -0.32536403741687536, 0.5821154212579132, -0.5957371919415891, -0.009594849310815334,
    0.8935112891718745, -0.7239340146072208, 0.03377839922904968, 0.7976304337382316,
  ]),
);
const b = mesh(
  new Float64Array([
    -0.8071144314482808, 0.11074288729578258, 1.1422563675791024, -0.6184039112180472, -0.07180138099938632,
    0.8262765666469931, -0.5384227894246578, 0.040635149087756874, 0.9557756380178034,
  ]),
);

test('edges that miss each other by a 30,000th of their length', async () => {
  const [one, other] = [gpu.scene(), cpu.scene()];
  for (const scene of [one, other]) for (const shape of [a, b]) scene.add(shape);
  const [expected] = other.withinSync(0.3);
  expect(expected.distance).toBeCloseTo(3.4221e-5, 8);
  const [found] = await one.within(0.3);
  expect([found?.distance, found?.triangleA, found?.triangleB]).toEqual([expected.distance, 0, 0]);
  const [first, second] = one.bodies;
  expect((await one.distance(first, second)).distance).toBe(expected.distance);
  expect((await one.interferences({ detail: 'any' })).length).toBe(0);
});
