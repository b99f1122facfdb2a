import { type Mesh, mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import type { SnapshotBody } from '../../../packages/nearfield/src/bodies/snapshot/snapshot-body.ts';
import { createCpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { firstMeeting } from '../../../packages/nearfield/src/distance/separation.ts';
import { trianglesMeet } from '../../../packages/nearfield/src/math/triangles/triangle-triangle.ts';
import { worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { randomFrom, whole } from '../../oracle/triangles/generators.ts';
import { translation } from '../../spec/scenes.ts';

const count = 20_000;
/** One triangle, this many times. */
const stacked = (): Mesh =>
  mesh(
    Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    Uint32Array.from({ length: 3 * count }, (_, i) => i % 3),
  );

// All 400 million pairs that meet were listed to find the first, which ran out of memory after a minute.
test('the distance between 20,000 triangles and 20,000 coincident ones is 0', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const [a, b] = [scene.add(stacked()), scene.add(stacked())];
  const first = { distance: 0, triangleA: 0, triangleB: 0 };
  expect(await scene.distance(a, b)).toMatchObject(first);
  expect(scene.distanceSync(b, a, { surface: true })).toMatchObject(first);
  const [near] = await scene.within(0.5);
  expect({ distance: near.distance, triangleA: near.triangleA, triangleB: near.triangleB }).toEqual(first);
  nf.close();
});

test('the first pair that meets is the same however many are listed', async () => {
  const engine = await createCpuEngine();
  const random = randomFrom(16);
  const soup = (): Mesh =>
    mesh(
      Float64Array.from({ length: 9 * 60 }, () => whole(random, 0, 24) / 4),
      Uint32Array.from({ length: 3 * 60 }, (_, i) => i),
    );
  let found = 0;
  for (let round = 0; round < 30; round++) {
    const [a, b] = [soup(), soup()].map((mesh, i): SnapshotBody => {
      const pose = Float64Array.from(translation(i === 0 ? 0 : whole(random, 0, 24) / 4, 0, 0));
      const { positions } = mesh;
      const shape = { mesh, positions, revision: 0 };
      return { shape, mesh, positions, revision: 0, onGpu: undefined, pose, poseRevision: 0 };
    });
    const right = firstOf(a, b);
    for (const most of [0, 5, Infinity]) {
      expect([...firstMeeting(engine, a, b, most)], `round ${round}, ${most} listed`).toEqual(right);
    }
    found += right.length / 2;
  }
  expect(found).toBeGreaterThan(20);
  engine.close();
});

/** The first pair that meets, by trying all. */
function firstOf(a: SnapshotBody, b: SnapshotBody): number[] {
  const [ofA, ofB] = [a, b].map(({ mesh, pose }) => worldCorners({ mesh, pose: [...pose] }));
  const corners = new Float64Array(18);
  for (let t = 0; t < ofA.length / 9; t++) {
    corners.set(ofA.subarray(9 * t, 9 * t + 9));
    for (let u = 0; u < ofB.length / 9; u++) {
      corners.set(ofB.subarray(9 * u, 9 * u + 9), 9);
      if (trianglesMeet(corners)) return [t, u];
    }
  }
  return [];
}
