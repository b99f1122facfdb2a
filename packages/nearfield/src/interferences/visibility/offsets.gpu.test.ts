// The paper's offsets lose no pair, and the smaller offset keeps less: the exact offset keeps no more than the bounded
// one, and the triangle in the pixels it touches keeps least.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { mesh } from '../../mesh/mesh.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { box, createRandom, icosphere } from '../../shapes/index.ts';
import { interfere } from '../driver.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from '../hierarchy/gpu/test-answers.ts';
import type { Offset, VisibilityOptions } from './options.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const slow = process.env.NEARFIELD_SLOW !== undefined;
const unit = rotation(0, [0, 0, 1]);

/** Triangles of about one size, anywhere in a unit cube, among them slivers, points and edge-on ones. */
function soup(random: ReturnType<typeof createRandom>, count: number, size: number) {
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const centre = [0, 1, 2].map(() => random.between(-0.5, 0.5));
    const flat = random.integer(4);
    for (let k = 0; k < 9; k++) {
      const thin = flat === k % 3 ? 1e-7 : 1;
      positions[9 * i + k] = centre[k % 3] + thin * size * random.between(-0.5, 0.5);
    }
    if (random.integer(8) === 0) positions.copyWithin(9 * i, 9 * i + 3, 9 * i + 6);
  }
  return mesh(positions);
}

const scenes: Record<string, (random: ReturnType<typeof createRandom>) => Placed[]> = {
  'small triangles': random => [
    place(soup(random, 60, 0.1)),
    place(soup(random, 60, 0.1), poseOf(rotation(random.between(0, 6), [1, 2, 3]), 0.1)),
  ],
  'triangles larger than the image': random => [
    place(soup(random, 6, 40)),
    place(soup(random, 30, 0.05), poseOf(rotation(1, [3, 1, 2]))),
  ],
  'seen edge-on': random =>
    Array.from({ length: 5 }, () =>
      place(box(), poseOf(unit, random.integer(3), random.integer(3), random.integer(3))),
    ),
  'far from the origin': random => [
    place(soup(random, 30, 0.2), poseOf(unit, 1e6, 2e6, -3e6)),
    place(soup(random, 30, 0.2), poseOf(unit, 1e6, 2e6, -3e6)),
  ],
};

test.each(Object.keys(scenes))('no offset loses a pair: %s', { timeout: 300_000 }, async name => {
  for (let seed = 1; seed <= (slow ? 40 : 2); seed++) {
    const bodies = scenes[name](createRandom(131 * seed));
    const exact = exactPairs(bodies);
    for (const offset of ['bounded', 'exact', 'boxes'] satisfies Offset[]) {
      for (const resolution of [8, 64]) {
        const visibility = { offset, resolution };
        const answer = await interfere(engine, bodies, { detail: 'list', visibility });
        expectSound(answer, exact, `${name}, seed ${seed}, ${JSON.stringify(visibility)}`);
      }
    }
  }
});

test('boxes so large that they are divided lose no pair, and their list grows', async () => {
  const small = await createGpuEngine({
    device: (await testDevice()).device,
    settings: { visibilityRoom: { fragments: 1, longRows: 1 } },
  });
  const random = createRandom(7);
  const bodies = [place(soup(random, 16, 3)), place(soup(random, 16, 3))];
  for (const culling of [undefined, 'may-miss'] as const) {
    // An undivided box has at most 16 × 16 pixels.
    const visibility: VisibilityOptions = {
      resolution: 64,
      ...(culling ? { culling } : { offset: 'boxes' }),
    };
    const answer = await interfere(small, bodies, { detail: 'list', visibility });
    if (culling === undefined) {
      expectSound(answer, exactPairs(bodies), 'divided');
      expect(answer.stats.growths).toBeGreaterThan(0);
    }
    const large = await interfere(engine, bodies, { detail: 'list', visibility });
    expect(large.stats.visibility).toEqual(answer.stats.visibility);
  }
  small.close();
});

test('the wider the offset, the more is kept', { timeout: 300_000 }, async () => {
  const sphere = icosphere({ frequency: 8 });
  const bodies = [place(sphere), place(sphere, poseOf(unit, 1.2, 1.1, 0.9))];
  const exact = exactPairs(bodies);
  const kept: Record<string, number> = {};
  for (const offset of ['triangles', 'exact', 'bounded', 'boxes'] satisfies Offset[]) {
    const answer = await interfere(engine, bodies, {
      detail: 'list',
      visibility: { offset, resolution: 48 },
    });
    expectSound(answer, exact, offset);
    kept[offset] = answer.stats.visibility!.triangles.kept;
  }
  // About 50 of each sphere's 2,560 triangles meet the other sphere.
  expect(kept.triangles).toBeLessThan(kept.exact);
  expect(kept.exact).toBeLessThanOrEqual(kept.bounded);
  expect(kept.bounded).toBeLessThanOrEqual(kept.boxes);
  expect(kept.boxes).toBeLessThan(1200);
});
