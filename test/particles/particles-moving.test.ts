// Colliders that move, accelerate and rotate, against brute force: the oracle maps each point back with sine and
// cosine.

import { type Collider, type CpuNearfield, open, type RigidMotion, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkPaths, slow } from '../spec/particle-paths.ts';

/** Paths per test; over all motions each kind gets at least 10,000. */
const count = slow ? 100_000 : 1500;
const finer = slow ? 8 : 1;

if (slow) vi.setConfig({ testTimeout: 600_000 });

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const pivot = [0.2, -0.1, 0.3] as const;
const motions: Record<string, RigidMotion> = {
  translating: { velocity: [0.4, -0.2, 0.3] },
  accelerating: { velocity: [-0.3, 0.1, 0], acceleration: [0.2, 0.1, -0.1], at: 2 },
  turning: { pivot, turn: [0.9, -0.5, 1.1] },
  'turning and accelerating': {
    ...{ pivot, turn: [-0.3, 1.3, 0.4], velocity: [0.2, 0, -0.3], acceleration: [0, 0.1, 0.1], at: 3 },
  },
};

const things: Record<string, () => Collider | Promise<Collider>> = {
  plane: () => ({
    plane: { point: [0.1, 0, 0.1], normal: [0.2, 0.4, 1], right: [1, 0, 0] },
    within: { rectangle: [1.2, 0.8] },
  }),
  sphere: () => ({ sphere: { centre: [0.3, 0.1, -0.2], radius: 0.8 } }),
  quadric: () => ({
    quadric: [1.2, 3, 6, 0.2, -0.1, 0.3, -0.1, 0.05, 0.1, -0.9],
    bounds: [{ normal: [0, 0, 1], offset: 0.3 }],
  }),
  mesh: () => ({ mesh: shapes.box({ size: [1.4, 1, 0.8], center: [0.1, 0.1, 0] }) }),
  field: async () => {
    const scene = nf.scene();
    const field = await scene.field(scene.add(shapes.box({ size: [1.4, 1, 0.8] })), { resolution: 12 });
    scene.close();
    return { field };
  },
  blobs: () => ({
    blobs: [
      { at: [-0.3, 0, 0], radius: 1 },
      { from: [0, 0, 0], to: [0.8, 0.4, 0.3], radius: 0.7 },
    ],
  }),
};

describe.each(Object.entries(things))('%s', (name, make) => {
  test.each(Object.entries(motions))('%s', async (how, motion) => {
    const collider = { ...(await make()), motion } as Collider;
    for (const order of [1, 2] as const) {
      const seed = 70_000 + 10 * how.length + order;
      const { hits, doubtful } = checkPaths(
        nf,
        [collider],
        { count: count / 2, seed, order, births: 4 },
        (name === 'mesh' ? 48 : 128) * finer,
      );
      expect(hits).toBeGreaterThan(0.03);
      expect(doubtful).toBeLessThan(0.002);
    }
  });

  test('a resting particle is hit', async () => {
    const motion = { velocity: [0.7, 0.3, -0.2], pivot, turn: [0.5, 0.8, -0.4] } as const;
    const collider = { ...(await make()), motion } as Collider;
    const { hits } = checkPaths(
      nf,
      [collider],
      { count: count / 5, seed: 80_000, order: 0, start: 1.5 },
      (name === 'mesh' ? 48 : 128) * finer,
    );
    expect(hits).toBeGreaterThan(0.1);
  });
});
