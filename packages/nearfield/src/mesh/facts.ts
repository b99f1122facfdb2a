// Facts about a mesh, computed once on demand. Vertices with equal positions (−0 = 0) count as one, whatever the
// indices say. So STL soups and meshes split along seams are as closed as they look.

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
  /** The number of edges. */
  readonly count: number;
  /** Two vertices per edge, the smaller first. A vertex stands for all with its position (`Adjacency.vertexOf`). */
  readonly vertices: Uint32Array;
  /** Per edge, how many triangle sides run from the smaller to the larger vertex. */
  readonly forward: Uint32Array;
  /** Per edge, how many triangle sides run from the larger to the smaller vertex. */
  readonly backward: Uint32Array;
  /** The triangles of edge e are triangles[start[e]] … triangles[start[e + 1] − 1], one entry per side. */
  readonly start: Uint32Array;
  /** The triangles of all edges, one edge after the other (`start`). */
  readonly triangles: Uint32Array;
  /** Whether every edge has an even number of sides. */
  readonly everyEven: boolean;
  /** Whether no edge has more than two sides. */
  readonly everyPaired: boolean;
  /** Whether every edge has as many forward as backward sides, or one more of either. */
  readonly everyBalanced: boolean;
}

/** Which vertices have the same position. */
export interface Welds {
  /** Per vertex, the smallest vertex with the same position: an index into the positions. */
  readonly vertexOf: Uint32Array;
  /** How many distinct positions there are. */
  readonly positionCount: number;
}

/** Edges and connected parts of a mesh, with vertices identified by position. Each is computed at its first use. */
export class Adjacency implements Welds {
  /** Per vertex, the smallest vertex with the same position: an index into the positions. */
  readonly vertexOf: Uint32Array;
  /** How many distinct positions there are. */
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

  /** Computes the edges in steps, if they are not known yet. @internal */
  edgesInSteps(): Generator<undefined, void> {
    return this.#edges.inSteps();
  }
  /** Computes the connected parts in steps, if they are not known yet. @internal */
  partsInSteps(): Generator<undefined, void> {
    return this.#parts.inSteps();
  }

  /** The edges, each with its triangles. */
  get edges(): Edges {
    return this.#edges.value.edges;
  }
  /** Per triangle side (corner i to corner i + 1), its edge; 2^32 − 1 for a side of length 0. */
  get edgeOf(): Uint32Array {
    return this.#edges.value.edgeOf;
  }
  /** Per triangle, its connected part. Triangles that share only a position are connected. */
  get componentOf(): Uint32Array {
    return this.#parts.value.componentOf;
  }
  /** The number of connected parts. */
  get componentCount(): number {
    return this.#parts.value.componentCount;
  }
  /** One vertex per connected part. */
  get componentVertices(): Uint32Array {
    if (this.#partVertices === undefined) {
      const { componentOf } = this;
      this.#partVertices = new Uint32Array(this.componentCount);
      for (let t = componentOf.length - 1; t >= 0; t--)
        this.#partVertices[componentOf[t]] = this.#indices[3 * t];
    }
    return this.#partVertices;
  }
  /** Whether there are triangles and every edge has an even number of sides. */
  get closed(): boolean {
    return this.#indices.length > 0 && this.edges.everyEven;
  }
  /** Whether each edge has as many forward as backward sides, or one more if their number is odd. */
  get oriented(): boolean {
    return this.edges.everyBalanced;
  }
  /** Whether no edge has more than two sides and the triangles at every position form one fan. */
  get manifold(): boolean {
    return (this.#manifold ??=
      this.edges.everyPaired && hasOneFanPerVertex(this.vertexOf, this.#indices, this.edges, this.edgeOf));
  }
}

const boundsByPositions = new WeakMap<Positions, { indices: Indices; box: Box }>();

/** The box of all vertices that a triangle uses. Cached for the lifetime of the positions array. */
export function boundsOf(positions: Positions, indices: Indices): Box {
  let known = boundsByPositions.get(positions);
  if (known?.indices !== indices) {
    const every = usesEveryVertex(indices, positions.length / 3);
    known = { indices, box: every ? boundsOfVertices(positions) : boundsOfUsed(positions, indices) };
    boundsByPositions.set(positions, known);
  }
  return known.box;
}

/** As `boundsOf` if it was computed before, else undefined. */
export function boundsKnown(positions: Positions, indices: Indices): Box | undefined {
  const known = boundsByPositions.get(positions);
  return known?.indices === indices ? known.box : undefined;
}

const usesByIndices = new WeakMap<Indices, { vertexCount: number; every: boolean }>();

/**
 * Whether every vertex belongs to a triangle, so that the box of the vertices is that of the triangles. Cached per
 * indices.
 */
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

/**
 * The sum of signed tetrahedra with the centre of the bounds as apex, which keeps the terms small far from the origin.
 */
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

/** Corners at one position are connected through the edges at it. A manifold has one such group per position. */
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
