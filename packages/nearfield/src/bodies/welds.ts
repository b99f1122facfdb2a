// Do a mesh's facts still hold for new vertex positions? Facts identify vertices with equal positions ("welds"), so
// they hold as long as welded vertices stay together.

import type { Mesh, Positions } from '../mesh/mesh.ts';

/** Whether vertices with equal positions in the mesh have equal positions in `positions` too. */
export function keepsWelds(mesh: Mesh, positions: Positions): boolean {
  if (!hasWelds(mesh)) return true;
  const { vertexOf } = mesh.welds;
  for (let v = 0; v < vertexOf.length; v++) {
    const [at, other] = [3 * v, 3 * vertexOf[v]];
    if (positions[at] !== positions[other]) return false;
    if (positions[at + 1] !== positions[other + 1]) return false;
    if (positions[at + 2] !== positions[other + 2]) return false;
  }
  return true;
}

/** Whether any two vertices of the mesh have the same position. */
export const hasWelds = ({ welds }: Mesh): boolean => welds.positionCount < welds.vertexOf.length;
