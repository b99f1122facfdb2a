// Where the surfaces of two bodies do not meet, each connected part of one lies wholly inside or wholly outside
// the other's solid: one vertex a part decides.

import { boxHolds, emptyBox, placeBox } from '../../math/box.ts';
import { applyPose } from '../../math/pose.ts';
import { boundsOf } from '../../mesh/facts.ts';
import type { Placed } from '../engine.ts';
import type { Standing } from '../moment.ts';
import { windingNumber } from '../winding.ts';
import { type TriangleFinder, worldBox } from './world.ts';

const [box, point] = [emptyBox(), new Float64Array(3)];

/** Whether boxes leave it open that the solid of `body` holds a part of `other`: a few operations, no memory. */
export function mayHoldPartOf(body: Standing, other: Standing): boolean {
  const { mesh } = body;
  const { positions, pose } = other;
  if (!mesh.solid || !other.mesh.solid) return false;
  const bounds = body.positions === mesh.positions ? mesh.bounds : boundsOf(body.positions, mesh.indices);
  placeBox(body.pose, bounds, box);
  const vertices = other.mesh.adjacency.componentVertices;
  for (let i = 0; i < vertices.length; i++) {
    const v = 3 * vertices[i];
    applyPose(pose, positions[v], positions[v + 1], positions[v + 2], point, 0);
    if (boxHolds(box, point)) return true;
  }
  return false;
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
