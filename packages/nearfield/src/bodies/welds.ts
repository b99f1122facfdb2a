// Whether a mesh's facts still hold of new positions for its vertices.

import type { Mesh, Positions } from '../mesh/mesh.ts';

/** Whether vertices of equal position in the mesh still are: then its facts hold of the new positions too. */
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

/** Whether some vertices of the mesh have the same position. */
export const hasWelds = ({ welds }: Mesh): boolean => welds.positionCount < welds.vertexOf.length;
