// Powers of two that bring bodies to a moderate size.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { worldBox } from '../bodies/snapshot/world.ts';
import { applyPose } from '../math/pose.ts';

/**
 * A power of two that brings the larger of some bodies to a size near 1. Multiplying by it is exact except for numbers
 * that become less than 2^-1022, far below every bound here. Sums of products of four lengths are then right for parts
 * down to 2^-200 of the bodies' size, and the same to the last bit for the same bodies at any scale.
 */
export function measuringScale(...bodies: readonly Placed[]): number {
  let size = 0;
  for (const body of bodies) {
    const box = worldBox(body);
    // Halved, because differences may be beyond the range of doubles.
    for (let axis = 0; axis < 3; axis++) size = Math.max(size, box[axis + 3] / 2 - box[axis] / 2);
  }
  return size > 0 ? 2 ** Math.min(1000, -Math.floor(Math.log2(size))) : 1;
}

/**
 * Tells whether bodies are so large or small that it pays to multiply them before everything else. `scale` brings them
 * to a size near 1.
 */
export const isFarFromOne = (scale: number): boolean => scale < 2 ** -40 || scale > 2 ** 40;

const given = new Float64Array(3);
const scaled = new Float64Array(3);

/**
 * A body with all its world positions times a power of two: the same shape with a multiplied pose. Products and sums
 * are then multiplied likewise, as long as nothing leaves the range of doubles. Undefined if a position does not come
 * out exactly.
 */
export function scaledBody(body: Placed, scale: number): Placed | undefined {
  const { positions } = body.shape;
  const pose = body.pose.slice();
  for (let column = 0; column < 16; column += 4)
    for (let row = 0; row < 3; row++) pose[column + row] *= scale;
  for (let v = 0; v < positions.length; v += 3) {
    applyPose(body.pose, positions[v], positions[v + 1], positions[v + 2], given, 0);
    applyPose(pose, positions[v], positions[v + 1], positions[v + 2], scaled, 0);
    for (let axis = 0; axis < 3; axis++) {
      if (scaled[axis] / scale !== given[axis] || given[axis] * scale !== scaled[axis]) return undefined;
    }
  }
  return { ...body, pose, poseRevision: 0 };
}
