// Stepped motion with the GPU backend: the same impacts as on the CPU, and places that follow the same steps.

import { expect, it } from 'vitest';
import { readWords, testDevice } from '../packages/nearfield/src/gpu/test-device.ts';
import { createRandom } from '../packages/nearfield/src/mesh/shapes/random.ts';
import {
  collidersOf,
  expectSameWindows,
  rain,
  systemOf,
  unevenTimes,
} from '../packages/nearfield/src/particles/gpu/testing/systems.ts';

const count = process.env['NEARFIELD_SLOW'] === undefined ? 120 : 5000;

it.each(['vanish', 'bounce'] as const)('steps as the CPU does: %s', async kind => {
  const seed = 61;
  const random = createRandom(seed);
  const dimensions = [3, 2, 4] as const;
  const velocity = Float32Array.from({ length: 72 }, () => random.between(-1, 1));
  const wind = { grid: { origin: [-2, -2, 0], cell: 1, dimensions }, velocity } as never;
  const colliders = await collidersOf('planes', seed);
  const options = rain(count, seed, colliders, {
    motion: { step: 0.02, drag: 0.8, wind },
    response: kind === 'vanish' ? { kind } : { kind, restitution: 0.5, restSpeed: 0.2 },
  });
  const system = await systemOf(options);
  const { gpu, cpu, engine } = system;
  expect(await expectSameWindows(system, unevenTimes(random, 10, 0.5), `seed ${seed}`)).toBeGreaterThan(0);
  const { device } = await testDevice();
  for (const time of [1.234, 1.9]) {
    gpu.seek(0);
    await gpu.advance(time);
    gpu.draw(time);
    const places = new Float32Array((await readWords(device, engine.positions, 4 * count)).buffer);
    const state = cpu.stateSync(time);
    for (let i = 0; i < count; i++) {
      expect(places[4 * i + 3] >= 0, `seed ${seed}, particle ${i}`).toBe(state.alive[i] !== 0);
      if (places[4 * i + 3] < 0) continue;
      for (let axis = 0; axis < 3; axis++) {
        const off = Math.abs(places[4 * i + axis] + gpu.origin[axis] - state.position[3 * i + axis]);
        expect(off, `seed ${seed}, particle ${i}`).toBeLessThan(2e-4);
      }
    }
  }
  gpu.close();
});
