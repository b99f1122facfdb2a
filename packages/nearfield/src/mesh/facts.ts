// Facts of a mesh, computed once on demand. Vertices are identified by equal position (−0 = 0), whatever the
// indices say: STL soups and meshes split along seams are as closed as they look.

import { type Box, emptyBox, growBox } from '../math/box.ts';
import type { Indices, Positions } from './mesh.ts';
import {
  DisjointSets,
  EdgeSearch,
  type EdgesFound,
  Fact,
  noEdge,
  PartSearch,
  type PartsFound,
  WeldSearch,
} from './searches.ts';
import { boundsOfVertices } from './vertices.ts';

export { DisjointSets, noEdge } from './searches.ts';

/** Undirected edges between distinct positions, in order of first use. */
export interface Edges {
  readonly count: number;
  /** Two vertices an edge: positions' representatives (`Adjacency.vertexOf`), the smaller first. */
  readonly vertices: Uint32Array;
  /** How many triangle sides run from the smaller to the larger vertex, and back. */
  readonly forward: Uint32Array;
  readonly backward: Uint32Array;
  /** Triangles of edge e: triangles[start[e]] … triangles[start[e + 1] − 1], one entry a side. */
  readonly start: Uint32Array;
  readonly triangles: Uint32Array;
  /** Whether every edge has an even number of sides; no more than two; as many forward as backward, or one over. */
  readonly everyEven: boolean;
  readonly everyPaired: boolean;
  readonly everyBalanced: boolean;
}

export interface Welds {
  /** For every vertex the smallest vertex with the same position: an index into the positions. */
  readonly vertexOf: Uint32Array;
  /** How many distinct positions there are. */
  readonly positionCount: number;
}

/** What hangs together through equal positions. Each part is worked out when it is first asked for. */
export class Adjacency implements Welds {
  readonly vertexOf: Uint32Array;
  readonly positionCount: number;
  readonly #indices: Indices;
  readonly #edges: Fact<EdgesFound>;
  readonly #parts: Fact<PartsFound>;
  #partVertices: Uint32Array | undefined;
  #manifold: boolean | undefined;

  constructor({ vertexOf, positionCount }: Welds, indices: Indices) {
    this.vertexOf = vertexOf;
    this.positionCount = positionCount;
    this.#indices = indices;
    this.#edges = new Fact(() => new EdgeSearch(vertexOf, indices));
    this.#parts = new Fact(() => new PartSearch(vertexOf, indices));
  }

  /** Makes sure that the edges are known, in steps, and that the connected parts are. */
  edgesInSteps(): Generator<undefined, void> {
    return this.#edges.inSteps();
  }
  partsInSteps(): Generator<undefined, void> {
    return this.#parts.inSteps();
  }

  get edges(): Edges {
    return this.#edges.value.edges;
  }
  /** Edge of each triangle side (corner i to corner i + 1), or `noEdge` for a side of no length. */
  get edgeOf(): Uint32Array {
    return this.#edges.value.edgeOf;
  }
  /** Connected part of each triangle; parts that share only a position are one. */
  get componentOf(): Uint32Array {
    return this.#parts.value.componentOf;
  }
  get componentCount(): number {
    return this.#parts.value.componentCount;
  }
  /** A vertex of each connected part. */
  get componentVertices(): Uint32Array {
    if (this.#partVertices === undefined) {
      const { componentOf } = this;
      this.#partVertices = new Uint32Array(this.componentCount);
      for (let t = componentOf.length - 1; t >= 0; t--)
        this.#partVertices[componentOf[t]] = this.#indices[3 * t];
    }
    return this.#partVertices;
  }
  /** There are triangles, and every edge is used by an even number of sides. */
  get closed(): boolean {
    return this.#indices.length > 0 && this.edges.everyEven;
  }
  /** Sides that share an edge run along it in opposite directions, one over at most where they are odd. */
  get oriented(): boolean {
    return this.edges.everyBalanced;
  }
  /** No edge has more than two sides, and the triangles at every position form one fan. */
  get manifold(): boolean {
    return (this.#manifold ??=
      this.edges.everyPaired && hasOneFanPerVertex(this.vertexOf, this.#indices, this.edges, this.edgeOf));
  }
}

const boundsByPositions = new WeakMap<Positions, { indices: Indices; box: Box }>();

/** The box of all vertices that a triangle uses, kept for as long as the positions are. */
export function boundsOf(positions: Positions, indices: Indices): Box {
  let known = boundsByPositions.get(positions);
  if (known?.indices !== indices) {
    const every = usesEveryVertex(indices, positions.length / 3);
    known = { indices, box: every ? boundsOfVertices(positions) : boundsOfUsed(positions, indices) };
    boundsByPositions.set(positions, known);
  }
  return known.box;
}

/** The same where somebody has asked for it before. */
export function boundsKnown(positions: Positions, indices: Indices): Box | undefined {
  const known = boundsByPositions.get(positions);
  return known?.indices === indices ? known.box : undefined;
}

const usesByIndices = new WeakMap<Indices, { vertexCount: number; every: boolean }>();

/** Whether every vertex belongs to a triangle: then their box is that of the triangles. Looked at once a mesh. */
export function usesEveryVertex(indices: Indices, vertexCount: number): boolean {
  let known = usesByIndices.get(indices);
  if (known?.vertexCount !== vertexCount) {
    known = { vertexCount, every: countUsed(indices, vertexCount) === vertexCount };
    usesByIndices.set(indices, known);
  }
  return known.every;
}

function countUsed(indices: Indices, vertexCount: number): number {
  if (indices.length < vertexCount) return 0;
  const isUsed = new Uint8Array(vertexCount);
  for (let i = 0; i < indices.length; i++) isUsed[indices[i]] = 1;
  let count = 0;
  for (let v = 0; v < vertexCount; v++) count += isUsed[v];
  return count;
}

function boundsOfUsed(positions: Positions, indices: Indices): Box {
  const box = emptyBox();
  for (let i = 0; i < indices.length; i++) {
    const at = 3 * indices[i];
    growBox(box, positions[at], positions[at + 1], positions[at + 2]);
  }
  return box;
}

/** Sum of signed tetrahedra from the centre of the bounds, which keeps the terms small far from the origin. */
export function computeVolume(positions: Positions, indices: Indices, bounds: Box): number {
  const centre = [0, 1, 2].map(axis => bounds[axis] + (bounds[axis + 3] - bounds[axis]) / 2);
  const p = new Float64Array(9);
  let sixfold = 0;
  for (let i = 0; i < indices.length; i += 3) {
    for (let k = 0; k < 9; k++)
      p[k] = positions[3 * indices[i + Math.floor(k / 3)] + (k % 3)] - centre[k % 3];
    sixfold +=
      p[0] * (p[4] * p[8] - p[5] * p[7]) +
      p[1] * (p[5] * p[6] - p[3] * p[8]) +
      p[2] * (p[3] * p[7] - p[4] * p[6]);
  }
  return sixfold / 6;
}

/** Identifies vertices by equal position. */
export const computeWelds = (positions: Positions): Welds => factOfWelds(positions).value;

export const factOfWelds = (positions: Positions): Fact<Welds> => new Fact(() => new WeldSearch(positions));

/** Corners at one position hang together through the edges at it; a manifold has one such group a position. */
function hasOneFanPerVertex(
  vertexOf: Uint32Array,
  indices: Indices,
  edges: Edges,
  edgeOf: Uint32Array,
): boolean {
  const corners = new DisjointSets(indices.length);
  const cornerAt = new Int32Array(2 * edges.count).fill(-1);
  const joinAt = (edge: number, corner: number): void => {
    const end = vertexOf[indices[corner]] === edges.vertices[2 * edge] ? 2 * edge : 2 * edge + 1;
    if (cornerAt[end] < 0) cornerAt[end] = corner;
    else corners.join(cornerAt[end], corner);
  };
  for (let side = 0; side < indices.length; side++) {
    if (edgeOf[side] === noEdge) return false;
    joinAt(edgeOf[side], side);
    joinAt(edgeOf[side], side % 3 === 2 ? side - 2 : side + 1);
  }
  const fanOf = new Int32Array(vertexOf.length).fill(-1);
  for (let corner = 0; corner < indices.length; corner++) {
    const vertex = vertexOf[indices[corner]];
    const root = corners.find(corner);
    if (fanOf[vertex] < 0) fanOf[vertex] = root;
    else if (fanOf[vertex] !== root) return false;
  }
  return true;
}
