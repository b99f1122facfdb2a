// Which triangles share an edge or a corner of a mesh. Found once per mesh, so that the sites of a body that moves or
// deforms cost arithmetic alone.

import type { Mesh } from '../../../mesh/mesh.ts';

export interface SiteTopology {
  /** The sides of edge e are sides[starts[e]] … sides[starts[e + 1] − 1]: three times the triangle, plus the side. */
  readonly starts: Uint32Array;
  /** The lowest side of an edge comes first. */
  readonly sides: Uint32Array;
  /** Sides whose two corners have one position in the mesh, and so no edge. A deformation may give them length. */
  readonly collapsed: Uint32Array;
  /** Per corner of a triangle, the first corner of the mesh at the same position: three times the triangle, plus its number. */
  readonly firstCorners: Uint32Array;
  /** The same for equal indices. */
  readonly firstUses: Uint32Array;
  /** The corners at the position of corner i are around[aroundStarts[v]] … around[aroundStarts[v + 1] − 1], v = vertices[i]. */
  readonly vertices: Uint32Array;
  readonly aroundStarts: Uint32Array;
  readonly around: Uint32Array;
}

const known = new WeakMap<Mesh, SiteTopology>();

export function topologyOf(mesh: Mesh): SiteTopology {
  let topology = known.get(mesh);
  if (topology === undefined) known.set(mesh, (topology = findTopology(mesh)));
  return topology;
}

function findTopology(mesh: Mesh): SiteTopology {
  const { edges, indices } = mesh;
  const { vertexOf } = mesh.welds;
  const sides = new Uint32Array(edges.triangles.length);
  const vertexAt = (t: number, corner: number) => vertexOf[indices[3 * t + (corner % 3)]];
  for (let e = 0; e < edges.count; e++) {
    const [a, b] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    for (let at = edges.start[e]; at < edges.start[e + 1]; at++) {
      const t = edges.triangles[at];
      let side = 0;
      while (!joins(vertexAt(t, side), vertexAt(t, side + 1), a, b)) side++;
      sides[at] = 3 * t + side;
    }
    sides.subarray(edges.start[e], edges.start[e + 1]).sort();
  }
  const collapsed: number[] = [];
  for (let i = 0; i < indices.length; i++) {
    const next = i % 3 === 2 ? i - 2 : i + 1;
    if (vertexOf[indices[i]] === vertexOf[indices[next]]) collapsed.push(i);
  }
  return {
    ...{ starts: edges.start, sides, collapsed: Uint32Array.from(collapsed) },
    ...cornersAround(indices.length, mesh.vertexCount, i => vertexOf[indices[i]]),
    firstCorners: firstOf(indices.length, mesh.vertexCount, i => vertexOf[indices[i]]),
    firstUses: firstOf(indices.length, mesh.vertexCount, i => indices[i]),
  };
}

const joins = (from: number, to: number, a: number, b: number): boolean =>
  (from === a && to === b) || (from === b && to === a);

/** The corners of every vertex, in order. */
function cornersAround(count: number, vertexCount: number, vertexAt: (corner: number) => number) {
  const vertices = Uint32Array.from({ length: count }, (_, i) => vertexAt(i));
  const aroundStarts = new Uint32Array(vertexCount + 1);
  for (const vertex of vertices) aroundStarts[vertex + 1]++;
  for (let v = 0; v < vertexCount; v++) aroundStarts[v + 1] += aroundStarts[v];
  const next = aroundStarts.slice();
  const around = new Uint32Array(count);
  for (let i = 0; i < count; i++) around[next[vertices[i]]++] = i;
  return { vertices, aroundStarts, around };
}

/** Per corner, the first corner with the same vertex. */
function firstOf(count: number, vertexCount: number, vertexAt: (corner: number) => number): Uint32Array {
  const first = new Int32Array(vertexCount).fill(-1);
  return Uint32Array.from({ length: count }, (_, i) => {
    const vertex = vertexAt(i);
    if (first[vertex] < 0) first[vertex] = i;
    return first[vertex];
  });
}
