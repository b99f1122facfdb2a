// The candidates are exactly the pairs of bodies whose boxes meet: also if they only touch, if cells are far larger
// or smaller than bodies, and if bodies are as large as the scene. The bodies are cubes on a lattice; the expected
// pairs come from comparing integers.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GpuEngine } from '../../../gpu/engine.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { interfere } from '../../../interferences/driver.ts';
import { place, poseOf } from '../../../interferences/hierarchy/gpu/test-answers.ts';
import { createGpuEngine } from '../../../open-gpu.ts';
import { box, createRandom } from '../../../shapes/index.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const cube = box();
const size = cube.bounds[3] - cube.bounds[0];

test.each([
  ['touch and overlap', 1, 12, 1],
  ['are finer than cells', 2 ** -12, 4096, 1],
  ['are larger than the scene is wide', 40, 8, 3],
  ['lie far from the origin', 2 ** 20, 10, 2],
])('candidates among bodies that %s', { timeout: 120_000 }, async (name, unit, spread, large) => {
  const seed = 17;
  const random = createRandom(seed);
  // Positions are in halves of a cube, so that some cubes touch, some overlap and some are apart.
  const bodies = Array.from({ length: 300 }, (_, i) => ({
    at: [0, 1, 2].map(() => random.integer(2 * spread) + (name.includes('far') ? 2 ** 12 : 0)),
    width: i % 50 === 7 ? 2 * large * spread : 2,
  }));
  // If the lattice is large, half of the cubes are clustered: otherwise nothing would meet.
  if (spread > 100) {
    for (const { at } of bodies.slice(0, 150))
      for (let axis = 0; axis < 3; axis++) at[axis] = 64 + (at[axis] % 12);
  }
  const placed = bodies.map(({ at, width }) => {
    const scale = (0.5 * width * unit) / size;
    const [x, y, z] = at.map(value => 0.5 * unit * (value + 0.5 * width));
    const linear = [0, 1, 2].map(row => [0, 1, 2].map(column => (row === column ? scale : 0)));
    return place(cube, poseOf(linear, x, y, z));
  });
  const { candidates } = await interfere(engine, placed, { detail: 'any' });
  const found = new Set<string>();
  for (let i = 0; i < candidates.length; i += 2) found.add(`${candidates[i]} ${candidates[i + 1]}`);
  expect(found.size, `seed ${seed}`).toBe(candidates.length / 2);
  const wrong: string[] = [];
  let meeting = 0;
  for (let a = 0; a < bodies.length; a++) {
    for (let b = a + 1; b < bodies.length; b++) {
      const gaps = [0, 1, 2].map(axis =>
        Math.max(
          bodies[a].at[axis] - bodies[b].at[axis] - bodies[b].width,
          bodies[b].at[axis] - bodies[a].at[axis] - bodies[a].width,
        ),
      );
      const meets = gaps.every(gap => gap <= 0);
      if (meets) meeting++;
      if (found.has(`${a} ${b}`) !== meets) wrong.push(`${a} and ${b}, gaps ${gaps}`);
    }
  }
  expect(wrong, `seed ${seed}`).toEqual([]);
  expect(meeting, `seed ${seed}`).toBeGreaterThan(300);
});
