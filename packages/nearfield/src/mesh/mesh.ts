// A mesh: positions and triangles, validated once and immutable. Everything else known about it is a fact that is
// computed on demand and kept (facts.ts).

import { arrayOf } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Box } from '../math/box.ts';
import { Adjacency, boundsOf, computeVolume, type Edges, factOfWelds, type Welds } from './facts.ts';
import type { Fact } from './searches.ts';
import { checkFinite } from './vertices.ts';

/** x, y and z per vertex, in the user's units. */
export type Positions = Float32Array | Float64Array;
/** Three vertices per triangle, counter-clockwise seen from outside. */
export type Indices = Uint16Array | Uint32Array;

/**
 * Positions and triangles, validated and immutable. `mesh(positions, indices)` makes one. Facts are computed when first
 * asked for.
 */
export class Mesh {
  #bounds: Box | undefined;
  readonly #welds: Fact<Welds>;
  #adjacency: Adjacency | undefined;
  #solid: boolean | undefined;
  #onePiece: boolean | undefined;
  #volume: number | undefined;

  /** Use `mesh(positions, indices)`, which validates. */
  constructor(
    /** x, y, z per vertex, as given. */
    readonly positions: Positions,
    /** Three vertex indices per triangle, as given. */
    readonly indices: Indices,
  ) {
    this.#welds = factOfWelds(positions);
  }

  /** The number of vertices, as given. */
  get vertexCount(): number {
    return this.positions.length / 3;
  }
  /** The number of triangles, as given. A triangle's index is its order in `indices`. */
  get triangleCount(): number {
    return this.indices.length / 3;
  }
  /** The box of all vertices that a triangle uses; empty (min > max) for a mesh without triangles. */
  get bounds(): Box {
    return (this.#bounds ??= boundsOf(this.positions, this.indices));
  }
  /** Which vertices have equal positions, whatever the indices say. */
  get welds(): Welds {
    return this.#welds.value;
  }
  /** Edges and connected parts, with vertices identified by position. */
  get adjacency(): Adjacency {
    return (this.#adjacency ??= new Adjacency(this.welds, this.indices));
  }
  /** The edges between distinct positions, each with its triangles. */
  get edges(): Edges {
    return this.adjacency.edges;
  }
  /** Whether there are triangles and every edge is used by an even number of them. */
  get closed(): boolean {
    return this.adjacency.closed;
  }
  /** Whether no edge has more than two triangles and the triangles at every vertex form one fan. */
  get manifold(): boolean {
    return this.adjacency.manifold;
  }
  /** Whether triangles that share an edge run along it in opposite directions. */
  get oriented(): boolean {
    return this.adjacency.oriented;
  }
  /** Whether the mesh is closed and oriented. It then bounds a solid: the points with nonzero winding number. */
  get solid(): boolean {
    return (this.#solid ??= this.closed && this.oriented);
  }
  /**
   * Whether all triangles are connected. Cached: it is needed for hundreds of bodies whenever one is added or removed.
   * @internal
   */
  get onePiece(): boolean {
    return (this.#onePiece ??= this.adjacency.componentCount === 1);
  }
  /** Computes `solid` in steps. A caller that stops in between continues from there the next time. @internal */
  *solidInSteps(): Generator<undefined, void> {
    yield* this.#welds.inSteps();
    yield* this.adjacency.edgesInSteps();
  }
  /** Computes the connected parts in steps, likewise. @internal */
  *partsInSteps(): Generator<undefined, void> {
    yield* this.#welds.inSteps();
    yield* this.adjacency.partsInSteps();
  }
  /**
   * Signed volume, computed in doubles; positive if triangles are counter-clockwise seen from outside. Throws
   * 'not-solid'.
   */
  get volume(): number {
    if (!this.solid)
      throw new NearfieldError('not-solid', 'volume: the mesh is open or not consistently oriented');
    return (this.#volume ??= computeVolume(this.positions, this.indices, this.bounds));
  }
}

/**
 * A validated mesh. `positions` has x, y, z per vertex; `indices` has three vertices per triangle. Without `indices`
 * (or with null), every three vertices are a triangle. The arrays are kept, not copied: do not change them afterwards.
 * Throws 'bad-array', 'not-finite' or 'index-out-of-range'.
 */
export function mesh(positions: Positions, indices?: Indices | null): Mesh {
  arrayOf(positions, 'positions', Float32Array, Float64Array);
  if (positions.length % 3 !== 0) {
    throw new NearfieldError(
      'bad-array',
      `positions have ${positions.length} numbers, which is not a multiple of 3`,
    );
  }
  checkFinite(positions, 'position');
  const vertexCount = positions.length / 3;
  if (indices === undefined || indices === null) {
    if (vertexCount % 3 !== 0) {
      throw new NearfieldError(
        'bad-array',
        `without indices every three vertices are a triangle; ${vertexCount} is not a multiple of 3`,
      );
    }
    return new Mesh(
      positions,
      Uint32Array.from({ length: vertexCount }, (_, i) => i),
    );
  }
  arrayOf(indices, 'indices', Uint16Array, Uint32Array);
  if (indices.length % 3 !== 0) {
    throw new NearfieldError(
      'bad-array',
      `there are ${indices.length} indices, which is not a multiple of 3`,
    );
  }
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] >= vertexCount) {
      const triangle = Math.floor(i / 3);
      const message = `triangle ${triangle} names vertex ${indices[i]}, but there are ${vertexCount} vertices`;
      throw new NearfieldError('index-out-of-range', message);
    }
  }
  return new Mesh(positions, indices);
}
