// A mesh: positions and triangles, validated once and never changed. Everything else known of it is a fact,
// computed on demand and kept (facts.ts).

import { arrayOf } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Box } from '../math/box.ts';
import { Adjacency, boundsOf, computeVolume, type Edges, factOfWelds, type Welds } from './facts.ts';
import type { Fact } from './searches.ts';
import { checkFinite } from './vertices.ts';

export type Positions = Float32Array | Float64Array;
export type Indices = Uint16Array | Uint32Array;

export class Mesh {
  #bounds: Box | undefined;
  readonly #welds: Fact<Welds>;
  #adjacency: Adjacency | undefined;
  #solid: boolean | undefined;
  #onePiece: boolean | undefined;
  #volume: number | undefined;

  /** Use `mesh(positions, indices)`, which validates. */
  constructor(
    /** x, y, z of every vertex, as given. */
    readonly positions: Positions,
    /** Three vertex indices a triangle, as given. */
    readonly indices: Indices,
  ) {
    this.#welds = factOfWelds(positions);
  }

  get vertexCount(): number {
    return this.positions.length / 3;
  }
  get triangleCount(): number {
    return this.indices.length / 3;
  }
  /** The box of all vertices that a triangle uses; empty (min > max) for a mesh without triangles. */
  get bounds(): Box {
    return (this.#bounds ??= boundsOf(this.positions, this.indices));
  }
  /** Vertices by equal position, whatever the indices say. */
  get welds(): Welds {
    return this.#welds.value;
  }
  /** The edges between those vertices, and what hangs together through them. */
  get adjacency(): Adjacency {
    return (this.#adjacency ??= new Adjacency(this.welds, this.indices));
  }
  get edges(): Edges {
    return this.adjacency.edges;
  }
  /** Has triangles, and every edge is used by an even number of them. */
  get closed(): boolean {
    return this.adjacency.closed;
  }
  /** No edge has more than two triangles and the triangles at every vertex form one fan. */
  get manifold(): boolean {
    return this.adjacency.manifold;
  }
  /** Triangles that share an edge run along it in opposite directions. */
  get oriented(): boolean {
    return this.adjacency.oriented;
  }
  /** Closed and oriented: the mesh bounds a solid, the points of nonzero winding number. */
  get solid(): boolean {
    return (this.#solid ??= this.closed && this.oriented);
  }
  /** Whether all triangles hang together. Asked of hundreds of bodies whenever one comes or goes. @internal */
  get onePiece(): boolean {
    return (this.#onePiece ??= this.adjacency.componentCount === 1);
  }
  /** Makes sure that `solid` is known, in steps: whoever stops in between goes on from there the next time. @internal */
  *solidInSteps(): Generator<undefined, void> {
    yield* this.#welds.inSteps();
    yield* this.adjacency.edgesInSteps();
  }
  /** The same of the connected parts. @internal */
  *partsInSteps(): Generator<undefined, void> {
    yield* this.#welds.inSteps();
    yield* this.adjacency.partsInSteps();
  }
  /** Signed volume in doubles, positive where triangles wind counter-clockwise seen from outside. */
  get volume(): number {
    if (!this.solid)
      throw new NearfieldError('not-solid', 'volume: the mesh is open or not consistently oriented');
    return (this.#volume ??= computeVolume(this.positions, this.indices, this.bounds));
  }
}

/**
 * A validated mesh. `positions` are x, y, z triples; `indices` three a triangle, or left out (or null) for a soup in
 * which every three vertices are a triangle. The arrays are kept, not copied: do not change them afterwards.
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
