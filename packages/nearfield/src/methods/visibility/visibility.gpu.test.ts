import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGpuEngine, type GpuEngine } from '../../gpu/engine.ts';
import { testDevice } from '../../gpu/test-device.ts';
import { mesh } from '../../mesh/mesh.ts';
import { box, createRandom } from '../../mesh/shapes/index.ts';
import type { Placed } from '../../scene/engine.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from '../hierarchy/gpu/test-answers.ts';
import type { VisibilityOptions } from './options.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const slow = process.env.NEARFIELD_SLOW !== undefined;
let random = createRandom(1);
const between = (low: number, high: number) => random.between(low, high);
const whole = (count: number) => random.integer(count);
const someRotation = () => rotation(between(0, 6), [between(-1, 1), between(-1, 1), between(0.1, 1)]);
const unit = rotation(0, [0, 0, 1]);

/** Triangles of about a size, anywhere in a unit cube. */
function soup(count: number, size = 0.3) {
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const centre = [between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5)];
    for (let k = 0; k < 9; k++) positions[9 * i + k] = centre[k % 3] + size * between(-0.5, 0.5);
  }
  return mesh(positions);
}
/** Corners on a small integer grid: most pairs touch, are coplanar, seen edge-on or degenerate. */
const gridSoup = (count: number, side: number) =>
  mesh(Float64Array.from({ length: 9 * count }, () => whole(side)));

const scenes: Record<string, () => Placed[]> = {
  'small triangles': () => [place(soup(60, 0.1)), place(soup(60, 0.1), poseOf(someRotation(), 0.1))],
  'large and small': () => [place(soup(6, 2)), place(soup(40, 0.05), poseOf(someRotation()))],
  'a grid of 3': () => [place(gridSoup(20, 3)), place(gridSoup(20, 3), poseOf(unit, whole(3), whole(3), 0))],
  'a grid of 8': () => [place(gridSoup(20, 8)), place(gridSoup(20, 8), poseOf(unit, whole(2), whole(2), 0))],
  'boxes on one another': () =>
    Array.from({ length: 6 }, () => place(box(), poseOf(unit, whole(3), whole(3), whole(3)))),
  'turned boxes': () =>
    Array.from({ length: 6 }, () =>
      place(box(), poseOf(someRotation(), between(0, 2), between(0, 2), between(0, 2))),
    ),
  'far from the origin': () => [
    place(soup(40, 0.2), poseOf(someRotation(), 1e6, 2e6, -3e6)),
    place(soup(40, 0.2), poseOf(someRotation(), 1e6, 2e6, -3e6)),
  ],
  'far beyond single precision': () => [
    place(soup(20, 0.2), poseOf(someRotation(), 1e17, 2e17, -3e17)),
    place(soup(20, 0.2), poseOf(someRotation(), 1e17, 2e17, -3e17)),
  ],
  'of very different size': () => [
    place(soup(30, 0.2)),
    place(
      soup(30, 0.2),
      poseOf(
        unit.map(row => row.map(x => 1e-7 * x)),
        between(-0.3, 0.3),
        0,
        0,
      ),
    ),
  ],
  'more different than single precision tells': () => [
    place(soup(12, 0.2), poseOf(unit.map(row => row.map(x => 1e20 * x)))),
    place(soup(12, 0.2)),
    place(soup(12, 0.2), poseOf(someRotation(), 0.1)),
  ],
  flattened: () => [
    place(
      soup(30, 0.3),
      poseOf([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ]),
    ),
    place(
      soup(30, 0.3),
      poseOf([
        [1, 2, 0],
        [0, 1, 0],
        [0, 0, 0],
      ]),
    ),
  ],
};

for (const [name, parts] of Object.entries(scenes)) {
  test(`loses no pair: ${name}`, { timeout: 300_000 }, async () => {
    const seeds = slow ? 60 : 2;
    for (let seed = 1; seed <= seeds; seed++) {
      random = createRandom(1000 * seed);
      const bodies = parts();
      const exact = exactPairs(bodies);
      for (const visibility of [
        { resolution: 64 },
        { resolution: 7, views: 1 },
        { resolution: 100, views: 2 },
      ] satisfies VisibilityOptions[]) {
        const answer = await engine.interfere(bodies, { detail: 'list', visibility });
        expectSound(answer, exact, `${name}, seed ${seed}, ${JSON.stringify(visibility)}`);
        expect(answer.stats.visibility!.resolution).toBe(visibility.resolution);
      }
    }
  });
}
