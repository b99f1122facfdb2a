// Does a part of one body lie within another's solid, when their surfaces do not meet? Then each connected
// component lies wholly inside or wholly outside, and one of its vertices tells.

import { boxHolds, placeBox } from '../../math/box.ts';
import { applyPose } from '../../math/pose.ts';
import { boundsOf } from '../../mesh/facts.ts';
import type { Placed, SyncEngine } from '../engine.ts';
import { windingNumber } from '../winding.ts';

const vertex = new Float64Array(3);

export function holdsPartOf(engine: SyncEngine, outer: Placed, inner: Placed): boolean {
  const { mesh, positions } = inner.shape;
  const outerBox = placeBox(outer.pose, boundsOf(outer.shape.positions, outer.shape.mesh.indices));
  const { componentOf, componentCount } = mesh.adjacency;
  for (let t = 0, component = 0; component < componentCount; t++) {
    if (componentOf[t] !== component) continue; // components are numbered by their first triangle
    component++;
    const at = 3 * mesh.indices[3 * t];
    applyPose(inner.pose, positions[at], positions[at + 1], positions[at + 2], vertex, 0);
    if (boxHolds(outerBox, vertex) && windingNumber(engine, outer, vertex).winding !== 0) return true;
  }
  return false;
}
