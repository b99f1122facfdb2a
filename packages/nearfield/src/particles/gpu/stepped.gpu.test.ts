// Stepped motion of second order on the GPU: the same integers, and the same impacts bit for bit, as the evaluator in
// double.

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../shapes/random.ts';
import type { Collider } from '../colliders/shapes.ts';
import type { SteppedMotion } from '../options.ts';
import { collidersOf, expectSameWindows, rain, systemOf, unevenTimes } from './testing/systems.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const count = slow ? 5000 : 48;
const grid = { origin: [-3, -3, -1], cell: 0.75, dimensions: [8, 8, 7] } as const;
const velocity = Float32Array.from({ length: 3 * 8 * 8 * 7 }, (_, i) => Math.sin(i));
const motions: Record<string, SteppedMotion> = {
  fall: { step: 0.03, order: 2 },
  drag: { step: 0.02, order: 2, drag: 0.5 },
  'wind and forces': {
    step: 0.02,
    order: 2,
    drag: 0.8,
    wind: { grid, velocity },
    force: {
      grid,
      acceleration: [
        { well: { centre: [0, 0, 1], strength: 2, radius: 0.7 } },
        { vortex: { centre: [0, 0, 0], axis: [0, 0, 1], strength: 1, radius: 0.5 } },
      ],
    },
  },
};

describe('stepped motion of second order on the GPU', () => {
  const cases = Object.keys(motions).flatMap(name =>
    (slow ? (['planes', 'quadrics', 'mesh', 'turning'] as const) : (['planes'] as const)).map(
      kind => [name, kind] as const,
    ),
  );
  it.each(cases)('gives the evaluator’s impacts: %s, %s', async (name, kind) => {
    const seed = 121;
    const colliders = await collidersOf(kind, seed);
    for (const response of [undefined, { kind: 'bounce', restitution: 0.6, friction: 0.1 } as const]) {
      const system = await systemOf(rain(count, seed, colliders, { motion: motions[name], response }));
      const times = unevenTimes(createRandom(seed), slow ? 100 : 8, slow ? 0.2 : 1);
      const what = `${name}, ${kind}, ${response?.kind ?? 'vanish'}, seed ${seed}`;
      expect(await expectSameWindows(system, times, what)).toBeGreaterThan(count / 10);
      const { stats } = system.gpu;
      // The wind has a random vector per cell: errors of starts by rule grow in it.
      const share = name === 'wind and forces' ? 0.04 : 0.01;
      expect(stats.unsureFirst, what).toBeLessThanOrEqual(Math.max(5, share * stats.first));
      system.gpu.close();
    }
  });

  it('gives exact starts the evaluator’s integers: arrays, of which nothing is unsure', async () => {
    const random = createRandom(122);
    const position = Float64Array.from({ length: 3 * count }, (_, i) =>
      i % 3 === 2 ? random.between(2.5, 3.5) : random.between(-2, 2),
    );
    const push = Float64Array.from({ length: 3 * count }, (_, i) =>
      i % 3 === 2 ? random.between(-3, -1) : random.between(-1, 1),
    );
    const colliders: Collider[] = [{ plane: { point: [0, 0, 0], normal: [0.1, 0.2, 1] } }];
    const system = await systemOf({
      count,
      start: { position, velocity: push, life: 2.5 },
      acceleration: [0, 0, -4],
      colliders,
      motion: motions['wind and forces'],
    });
    expect(await expectSameWindows(system, [0.3, 0.7, 1.2, 2.4], 'seed 122')).toBeGreaterThan(count / 2);
    expect(system.gpu.stats.unsure).toBeLessThanOrEqual(2);
    system.gpu.close();
  });
});
