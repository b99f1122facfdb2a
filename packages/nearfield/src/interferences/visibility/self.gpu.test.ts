// One mesh against itself by images gives the pairs of exact arithmetic, although only triangles that may meet another
// patch, and those within a patch, are traversed.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { mesh } from '../../mesh/mesh.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { box, createRandom, torusKnot } from '../../shapes/index.ts';
import { selfIntersect } from '../driver.ts';
import { exactSelfPairs, expectSound, place, poseOf, rotation } from '../hierarchy/gpu/test-answers.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const seed = 1;
const random = createRandom(seed);
const pose = poseOf(rotation(1, [1, 2, 3]), 1, 2, 3);

/** A square of cells, two triangles each, placed by a function of the two coordinates. */
function sheet(side: number, lay: (u: number, v: number) => [number, number, number]) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= side; i++) for (let j = 0; j <= side; j++) positions.push(...lay(i / side, j / side));
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const at = i * (side + 1) + j;
      indices.push(at, at + 1, at + side + 1, at + 1, at + side + 2, at + side + 1);
    }
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}

/** Folded over in the middle, with waves of the upper half dipping through the lower half. */
const folded = (side: number, depth: number) =>
  sheet(side, (u, v) => [
    u < 0.5 ? u : 1 - u,
    v,
    u < 0.5 ? 0 : 0.1 * Math.min(1, 8 * (u - 0.5)) + depth * Math.sin(9 * v),
  ]);

const bodies: Record<string, () => Placed> = {
  'fewer triangles than a patch': () => place(box(), pose),
  'corners at random, many shared': () =>
    place(
      mesh(
        Float64Array.from({ length: 300 }, () => random.next()),
        Uint32Array.from({ length: 750 }, () => random.integer(100)),
      ),
      pose,
    ),
  'corners on a grid, many shared, many repeated': () =>
    place(
      mesh(
        Float64Array.from({ length: 180 }, () => random.integer(5)),
        Uint32Array.from({ length: 480 }, () => random.integer(60)),
      ),
    ),
  'a knot that runs into itself': () => place(torusKnot({ tubeRadius: 0.5, segments: 40, sides: 8 }), pose),
  'a sheet folded through itself': () => place(folded(20, 0.15), pose),
};

test.each(Object.keys(bodies))(
  'finds the pairs of exact arithmetic: %s',
  { timeout: 300_000 },
  async name => {
    const body = bodies[name]();
    const exact = exactSelfPairs(body);
    for (const visibility of [{ resolution: 16, views: 2 }, { resolution: 100 }] as const) {
      const answer = await selfIntersect(engine, body, { visibility });
      expectSound(answer, exact, `${name}, seed ${seed}, ${JSON.stringify(visibility)}`);
      expect([...answer.candidates]).toEqual([0, 0]);
    }
    engine.forget(body.shape);
  },
);

test('finds the pairs of exact arithmetic in a mesh that deforms from frame to frame', {
  timeout: 300_000,
}, async () => {
  const body = place(folded(18, 0));
  for (const depth of [0, 0.12, 0.15]) {
    body.shape.positions = folded(18, depth).positions;
    body.shape.revision++;
    const answer = await selfIntersect(engine, body, { visibility: { resolution: 128 } });
    const exact = exactSelfPairs(body);
    expectSound(answer, exact, `depth ${depth}`);
    if (depth === 0) expect(exact.size).toBe(0);
    else expect(exact.size).toBeGreaterThan(10);
  }
});

test('keeps only the borders of patches of a sheet with nothing above it', async () => {
  const waves = place(sheet(32, (u, v) => [u, v, 0.05 * Math.sin(7 * u) * Math.cos(5 * v)]));
  const { stats, certain } = await selfIntersect(engine, waves, { visibility: { resolution: 128 } });
  expect(certain.length).toBe(0);
  const { triangles } = stats.visibility!;
  expect(triangles.all).toBe(2048);
  expect(triangles.kept).toBeLessThan(0.75 * triangles.all);
});
