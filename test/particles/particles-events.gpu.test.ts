// The whole list of impacts on the GPU equals that of the evaluator, to the last bit and in the same order, over many
// uneven steps forwards and backwards, with none lost and none repeated; and few first impacts are left to double
// precision.

import { describe, expect, it } from 'vitest';
import {
  collidersOf,
  expectSameWindows,
  rain,
  systemOf,
  unevenTimes,
} from '../../packages/nearfield/src/particles/gpu/testing/systems.ts';
import { createRandom } from '../../packages/nearfield/src/shapes/random.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const [count, steps] = slow ? [100_000, 1000] : [900, 30];

describe('events', () => {
  it.each([
    ['vanish', { kind: 'vanish' } as const],
    ['bounce', { kind: 'bounce', restitution: 0.5, friction: 0.2 } as const],
  ])(
    'equal those of the CPU: %s',
    async (name, response) => {
      const seed = 77;
      const kinds = ['planes', 'quadrics', 'mesh', 'moving', 'turning', 'field', 'blobs'] as const;
      const colliders = (await Promise.all(kinds.map((kind, i) => collidersOf(kind, seed + i)))).flat();
      expect(colliders.length).toBeGreaterThanOrEqual(20);
      const particles = name === 'vanish' ? count : Math.ceil(count / 3);
      const system = await systemOf(rain(particles, seed, colliders, { response }));
      const times = unevenTimes(createRandom(seed), steps, 6 / steps);
      const impacts = await expectSameWindows(system, times, `${name}, seed ${seed}`);
      const { stats } = system.gpu;
      expect(impacts).toBeGreaterThan(particles / 2);
      expect(stats.unsureFirst).toBeLessThanOrEqual(0.01 * stats.first);
      system.gpu.close();
    },
    slow ? 3_600_000 : 240_000,
  );
});
