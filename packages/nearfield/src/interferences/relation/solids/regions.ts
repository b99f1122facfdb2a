// Groups of a body's triangles that are connected.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { DisjointSets } from '../../../mesh/facts.ts';

/** The given triangles in groups that are connected through common positions, and the group of each position. */
export function connectedRegions(
  { shape }: Placed,
  triangles: Uint32Array,
): { regions: number[][]; regionOf: Int32Array } {
  const { indices, welds } = shape.mesh;
  const { vertexOf } = welds;
  const sets = new DisjointSets(vertexOf.length);
  for (const t of triangles) {
    const first = vertexOf[indices[3 * t]];
    sets.join(first, vertexOf[indices[3 * t + 1]]);
    sets.join(first, vertexOf[indices[3 * t + 2]]);
  }
  const regions: number[][] = [];
  const regionOf = new Int32Array(vertexOf.length).fill(-1);
  for (const t of triangles) {
    const root = sets.find(vertexOf[indices[3 * t]]);
    let region = regionOf[root];
    if (region < 0) region = regionOf[root] = regions.push([]) - 1;
    regions[region].push(t);
    for (let k = 0; k < 3; k++) regionOf[vertexOf[indices[3 * t + k]]] = region;
  }
  return { regions, regionOf };
}

/** The numbers of the first ascending list that are not in the second. */
export function without(numbers: Uint32Array, others: Uint32Array): Uint32Array {
  let at = 0;
  return numbers.filter(n => {
    while (at < others.length && others[at] < n) at++;
    return others[at] !== n;
  });
}
