// While a GPU compiles its kernels, the CPU answers, and the GPU is asked the same question for the sake of its kernels.
// The memory of that question's points was used again for those of the next question before the GPU had read them.

import { shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { Costs } from '../../../packages/nearfield/src/core/costs.ts';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import type { GpuDistanceDriver } from '../../../packages/nearfield/src/distance/driver.ts';
import { fakeEngine } from '../../../packages/nearfield/src/gpu/testing/fake-engine.ts';
import { Scene } from '../../../packages/nearfield/src/scene.ts';

/** So many that a GPU is expected to answer sooner. */
const count = 20_000;

it('keeps the points of a question until the last engine has answered it', async () => {
  const cpu = await createCpuEngine({ threads: 1 });
  await cpu.compile();
  let compiled = () => {};
  const compiling = new Promise<void>(resolve => {
    compiled = resolve;
  });
  const read: number[] = [];
  const nearTriangles: GpuDistanceDriver['nearTriangles'] = async (_body, { copy: points }) => {
    await compiling;
    read.push(points[0], points[points.length - 1]);
    return undefined;
  };
  const asked = new Map<string, boolean>();
  const gpu = fakeEngine({ distance: { nearTriangles } }, { costs: new Costs(), asked });
  const scene = new Scene(gpu, cpu);
  const body = scene.add(shapes.box());
  for (const place of [2, 3, 4]) {
    const answer = await scene.closest(body, new Float64Array(3 * count).fill(place));
    expect(answer.backend).toBe('cpu');
  }
  expect([...asked]).toEqual([['closest', false]]);
  compiled();
  while (!asked.get('closest')) await new Promise(resolve => setTimeout(resolve));
  expect(read).toEqual([2, 2]);
  scene.close();
  cpu.close();
});
