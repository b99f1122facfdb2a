// Bodies whose size is far from 1 are rescaled, others are not. The test decides by every vertex; the code mostly
// decides without them.

import { expect, it } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { applyPose } from '../../../math/pose.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { box, createRandom, torus } from '../../../shapes/index.ts';
import { rescaled } from './rescaled.ts';

const seed = 40;

it('decides by the largest coordinate along each axis', () => {
  const random = createRandom(seed);
  const meshes = [box(), torus({ majorSegments: 9, minorSegments: 5 })];
  const place = (scales: readonly number[], shifts: readonly number[]): Placed => {
    const pose = new Float64Array(16);
    pose[15] = 1;
    for (let k = 0; k < 3; k++) {
      // A pose without rotation, a little sheared.
      pose[5 * k] = scales[k];
      pose[12 + k] = shifts[k];
    }
    pose[4] = scales[0] * random.between(-0.5, 0.5);
    const { positions, indices } = meshes[random.integer(2)];
    const own = mesh(positions.slice(), indices);
    return { shape: { mesh: own, positions: own.positions, revision: 0 }, pose, poseRevision: 0 };
  };
  const largest = (body: Placed, axis: number): number => {
    const { positions, mesh } = body.shape;
    const at = new Float64Array(3);
    let most = 0;
    for (let v = 0; v < mesh.vertexCount; v++) {
      applyPose(body.pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], at, 0);
      most = Math.max(most, Math.abs(at[axis]));
    }
    return most;
  };
  const counts = [0, 0];
  for (let round = 0; round < 2000; round++) {
    // About half of them near the limits of 2^40 and 2^-40.
    const exponents = [39, 40, 41, -39, -40, -41];
    const exponent = () => (random.integer(3) > 0 ? 0 : exponents[random.integer(exponents.length)]);
    const scales = () => Array.from({ length: 3 }, () => random.between(0.7, 1.4) * 2 ** exponent());
    const shifts = () =>
      Array.from({ length: 3 }, () => (random.integer(3) > 0 ? 0 : random.between(-1, 1) * 2 ** exponent()));
    const [a, b] = [place(scales(), shifts()), place(scales(), shifts())];
    const isNear = [0, 1, 2].every(axis => {
      const size = Math.max(largest(a, axis), largest(b, axis));
      return size >= 2 ** -40 && size <= 2 ** 40;
    });
    const [first, second] = rescaled(a, b);
    expect(first === a && second === b, `seed ${seed}, round ${round}`).toBe(isNear);
    counts[Number(isNear)]++;
  }
  expect(Math.min(...counts)).toBeGreaterThan(300);
});
