// Triangles that a GPU could not tell apart and that do not meet: the CPU looks for the nearest anew, and may have settled it
// by itself (bodies/settle.as.ts), listing nothing. Held to integers (exact/triangle-distance.ts).

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

it('triangles that may meet and do not have the distance they have', () => {
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
