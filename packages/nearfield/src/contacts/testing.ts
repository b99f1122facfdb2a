// Contacts of two bodies for tests. Every answer is also requested with the bodies exchanged, and must be the same,
// mirrored.

import { expect } from 'vitest';
import { identity, type Pose } from '../math/pose.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { CpuNearfield } from '../nearfield.ts';
import type { ContactPatch } from './contacts.ts';

export const at = (x: number, y: number, z: number): Pose => {
  const pose = identity();
  pose.set([x, y, z], 12);
  return pose;
};

/** A rotation by an angle about a unit axis. */
export function turned(angle: number, [x, y, z]: readonly [number, number, number]): Pose {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const pose = identity();
  pose.set([c + x * x * (1 - c), y * x * (1 - c) + z * s, z * x * (1 - c) - y * s], 0);
  pose.set([x * y * (1 - c) - z * s, c + y * y * (1 - c), z * y * (1 - c) + x * s], 4);
  pose.set([x * z * (1 - c) + y * s, y * z * (1 - c) - x * s, c + z * z * (1 - c)], 8);
  return pose;
}

/** The patches of two bodies alone in a scene. */
export function patchesIn(
  nf: CpuNearfield,
  a: Mesh,
  poseA: Pose,
  b: Mesh,
  poseB: Pose,
): readonly ContactPatch[] {
  const scene = nf.scene();
  const [bodyA, bodyB] = [scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB })];
  const { patches } = scene.contactsSync(bodyA, bodyB);
  // With the bodies exchanged everything is the same to the last bit, mirrored.
  const mirrored = scene.contactsSync(bodyB, bodyA).patches;
  expect(mirrored.length).toBe(patches.length);
  patches.forEach((patch, i) => {
    const other = mirrored[i];
    expect(other.point).toEqual(patch.point);
    expect(other.normal).toEqual(patch.normal.map(x => 0 - x));
    expect([other.depth, other.area]).toEqual([patch.depth, patch.area]);
    expect([other.trianglesA, other.trianglesB]).toEqual([patch.trianglesB, patch.trianglesA]);
    expect(other.points.map(point => point.position)).toEqual(patch.points.map(point => point.position));
  });
  scene.close();
  return patches;
}

export function expectNear(actual: ArrayLike<number>, expected: readonly number[], within = 1e-12): void {
  for (let i = 0; i < expected.length; i++) {
    expect(Math.abs(actual[i] - expected[i]), `${Array.from(actual)} for ${expected}`).toBeLessThanOrEqual(
      within,
    );
  }
}
