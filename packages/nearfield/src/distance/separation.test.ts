// A GPU may not be able to tell whether two triangles meet. If they do not, the CPU searches for the nearest pair
// again, and may settle it alone (bodies/settle.as.ts) without listing pairs. The oracle is exact integers
// (exact/triangle-distance.ts).

import { afterAll, expect, it } from 'vitest';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { createCpuEngine } from '../cpu/engine.ts';
import { identity } from '../math/pose.ts';
import { mesh } from '../mesh/mesh.ts';
import { createRandom } from '../shapes/random.ts';
import { distanceOf, nearestPoints } from './exact/triangle-distance.ts';
import { separationOf } from './separation.ts';

const engine = await createCpuEngine();
afterAll(() => engine.close());

const mayMeet = 2;
const none = new Uint32Array();

function momentOf(corners: Float64Array): SnapshotBody {
  const triangle = mesh(corners);
  const form = { mesh: triangle, positions: triangle.positions, revision: 0 };
  return { ...form, shape: { ...form }, pose: identity(), poseRevision: 0 };
}

it('measures triangles that the GPU thought might meet but that do not', () => {
  const seed = 53;
  const random = createRandom(seed);
  let apart = 0;
  for (let i = 0; i < 200; i++) {
    const p = Float64Array.from({ length: 18 }, () => random.between(-1, 1));
    const distance = distanceOf(nearestPoints(p));
    if (distance === 0) continue;
    apart++;
    const [a, b] = [momentOf(p.slice(0, 9)), momentOf(p.slice(9))];
    const candidate = { triangles: none, state: mayMeet, meeting: none };
    const found = [Infinity, 1.001 * distance, 0.999 * distance].map(
      upTo => separationOf(engine, a, b, candidate, upTo, true).distance,
    );
    expect(found, `seed ${seed}, number ${i}`).toEqual([distance, distance, Infinity]);
    for (const { shape } of [a, b]) engine.forget(shape);
  }
  expect(apart).toBeGreaterThan(100);
});
