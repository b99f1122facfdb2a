// Where does a body stand in the world, by the order of operations that the library promises?

import { applyPose, identity } from 'nearfield';
import type { ReadBody } from '../read-result.ts';

/** The positions of a body after its pose. */
export function worldOf({ mesh, pose = identity() }: ReadBody): Float64Array {
  const { positions } = mesh;
  const world = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3)
    applyPose(pose, positions[i], positions[i + 1], positions[i + 2], world, i);
  return world;
}

/** The box of a body in the world: the least x, y, z and the largest. */
export function boxOf(body: ReadBody): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  worldOf(body).forEach((x, i) => {
    box[i % 3] = Math.min(box[i % 3], x);
    box[3 + (i % 3)] = Math.max(box[3 + (i % 3)], x);
  });
  return box;
}
