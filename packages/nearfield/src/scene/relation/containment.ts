// Where the surfaces of two bodies do not meet, each connected part of one lies wholly inside or wholly outside
// the other's solid: one vertex a part decides.

import type { Box } from '../../math/box.ts';
import { applyPose, type Pose } from '../../math/pose.ts';
import { boundsOf } from '../../mesh/facts.ts';
import type { Positions } from '../../mesh/mesh.ts';
import { type TriangleFinder, worldBox } from '../contact/world.ts';
import type { Placed } from '../engine.ts';
import type { Standing } from '../moment.ts';
import { windingNumber } from '../winding.ts';

const point = new Float64Array(3);

/** Whether boxes leave it open that the solid of `body` holds a part of `other`: a few operations, no memory. */
export function mayHoldPartOf(body: Standing, other: Standing): boolean {
  const { mesh } = body;
  if (!mesh.solid || !other.mesh.solid) return false;
  const bounds = body.positions === mesh.positions ? mesh.bounds : boundsOf(body.positions, mesh.indices);
  const vertices = other.mesh.adjacency.componentVertices;
  for (let i = 0; i < vertices.length; i++) {
    if (boxMayHold(body.pose, bounds, other.pose, other.positions, 3 * vertices[i])) return true;
  }
  return false;
}

/** Whether a vertex, placed, lies in a box, placed (`placeBox`); axis by axis, since the first decides mostly. */
function boxMayHold(boxPose: Pose, box: Box, pose: Pose, positions: Positions, at: number): boolean {
  for (let row = 0; row < 3; row++) {
    const value =
      pose[row] * positions[at] +
      pose[4 + row] * positions[at + 1] +
      pose[8 + row] * positions[at + 2] +
      pose[12 + row];
    const [x0, x1] = [boxPose[row] * box[0], boxPose[row] * box[3]];
    const [y0, y1] = [boxPose[4 + row] * box[1], boxPose[4 + row] * box[4]];
    const [z0, z1] = [boxPose[8 + row] * box[2], boxPose[8 + row] * box[5]];
    if (value < Math.min(x0, x1) + Math.min(y0, y1) + Math.min(z0, z1) + boxPose[12 + row]) return false;
    if (value > Math.max(x0, x1) + Math.max(y0, y1) + Math.max(z0, z1) + boxPose[12 + row]) return false;
  }
  return true;
}

/** Whether the solid of `body` holds a connected part of `other`, whose surface it does not meet. */
export function holdsPartOf(engine: TriangleFinder, body: Placed, other: Placed): boolean {
  const box = worldBox(body);
  const { shape, pose } = other;
  for (const v of shape.mesh.adjacency.componentVertices) {
    applyPose(pose, shape.positions[3 * v], shape.positions[3 * v + 1], shape.positions[3 * v + 2], point, 0);
    const strictlyInBox = [0, 1, 2].every(axis => point[axis] > box[axis] && point[axis] < box[axis + 3]);
    if (strictlyInBox && windingNumber(engine, body, point).winding !== 0) return true;
  }
  return false;
}
