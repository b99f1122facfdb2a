// The searches behind a mesh's facts, in steps: a caller that runs out of time continues later. Running a search at
// once is the same search with a single step. Vertices are identified by equal positions, edges by their two positions,
// and parts by the positions they share.

import type { Edges, Welds } from './facts.ts';
import type { Indices, Positions } from './mesh.ts';

export const noEdge = 0xffffffff;

/** A power of two with at least twice `count` places, so an open-addressed table stays at most half full. */
const tableSize = (count: number): number => 2 ** Math.max(4, Math.ceil(Math.log2(2 * count + 1)));

/** A computation in steps. */
interface Search<T> {
  /** Undefined until the last step is done. */
  readonly found: T | undefined;
  /** Processes `count` more vertices, sides or triangles. */
  step(count: number): void;
}

/** Vertices, sides or triangles per step. A step then takes one or two milliseconds. */
const stepCount = 32_768;
/** A single step for everything. Small enough for V8's small integers. */
const manyCount = 2 ** 29;

/** The result of a search. The search begins at the first use and is dropped when it is over. */
export class Fact<T> {
  readonly #begin: () => Search<T>;
  #search: Search<T> | undefined;
  #value: T | undefined;

  constructor(begin: () => Search<T>) {
    this.#begin = begin;
  }

  get value(): T {
    while (this.#value === undefined) this.#step(manyCount);
    return this.#value;
  }

  /**
   * Computes the value, if it is not known yet. Yields before each step; a caller that stops continues from there the
   * next time.
   */
  *inSteps(): Generator<undefined, void> {
    while (this.#value === undefined) {
      yield;
      this.#step(stepCount);
    }
  }

  #step(count: number): void {
    this.#search ??= this.#begin();
    this.#search.step(count);
    this.#value = this.#search.found;
    if (this.#value !== undefined) this.#search = undefined;
  }
}

/** Finds vertices with equal positions, by a hash table. */
export class WeldSearch implements Search<Welds> {
  found: Welds | undefined;
  readonly #positions: Positions;
  readonly #vertexOf: Uint32Array;
  readonly #table: Uint32Array;
  #positionCount = 0;
  #next = 0;

  constructor(positions: Positions) {
    this.#positions = positions;
    this.#vertexOf = new Uint32Array(positions.length / 3);
    this.#table = new Uint32Array(tableSize(positions.length / 3)).fill(noEdge);
  }

  step(count: number): void {
    const positions = this.#positions;
    const vertexOf = this.#vertexOf;
    const table = this.#table;
    const mask = table.length - 1;
    const key = new Float64Array(3);
    const bits = new Uint32Array(key.buffer);
    const end = Math.min(vertexOf.length, this.#next + count);
    let positionCount = this.#positionCount;
    for (let v = this.#next; v < end; v++) {
      for (let axis = 0; axis < 3; axis++) key[axis] = positions[3 * v + axis] + 0; // −0 + 0 = 0
      let hash = 0;
      for (let word = 0; word < 6; word++) hash = Math.imul(hash ^ bits[word], 0x9e3779b1) ^ (hash >>> 15);
      let slot = (hash ^ (hash >>> 13)) & mask;
      while (true) {
        const other = table[slot];
        if (other === noEdge) {
          table[slot] = v;
          vertexOf[v] = v;
          positionCount++;
          break;
        }
        const at = 3 * other;
        if (positions[at] === key[0] && positions[at + 1] === key[1] && positions[at + 2] === key[2]) {
          vertexOf[v] = other;
          break;
        }
        slot = (slot + 1) & mask;
      }
    }
    this.#positionCount = positionCount;
    this.#next = end;
    if (end === vertexOf.length) this.found = { vertexOf, positionCount };
  }
}

export interface EdgesFound {
  readonly edges: Edges;
  /** Per triangle side (corner i to corner i + 1), its edge, or `noEdge` for a side of length 0. */
  readonly edgeOf: Uint32Array;
}

/** Finds the edges: first the edge of every side, then the triangles of every edge. */
export class EdgeSearch implements Search<EdgesFound> {
  found: EdgesFound | undefined;
  readonly #vertexOf: Uint32Array;
  readonly #indices: Indices;
  readonly #edgeOf: Uint32Array;
  readonly #vertices: Uint32Array;
  readonly #forward: Uint32Array;
  readonly #backward: Uint32Array;
  readonly #table: Uint32Array;
  #count = 0;
  #nextSide = 0;
  #edges: Edges | undefined;
  /** Per edge, where its next triangle goes; and the next side to be placed. */
  #places = new Uint32Array();
  #nextPlaced = 0;

  constructor(vertexOf: Uint32Array, indices: Indices) {
    const sides = indices.length;
    this.#vertexOf = vertexOf;
    this.#indices = indices;
    this.#edgeOf = new Uint32Array(sides).fill(noEdge);
    this.#vertices = new Uint32Array(2 * sides);
    this.#forward = new Uint32Array(sides);
    this.#backward = new Uint32Array(sides);
    this.#table = new Uint32Array(tableSize(sides)).fill(noEdge);
  }

  step(count: number): void {
    const sides = this.#indices.length;
    if (this.#nextSide < sides) this.#findEdges(Math.min(sides, this.#nextSide + count));
    else if (this.#edges === undefined) this.#edges = this.#countSides();
    else this.#placeTriangles(this.#edges, Math.min(sides, this.#nextPlaced + count));
  }

  #findEdges(end: number): void {
    const vertexOf = this.#vertexOf;
    const indices = this.#indices;
    const edgeOf = this.#edgeOf;
    const vertices = this.#vertices;
    const forward = this.#forward;
    const backward = this.#backward;
    const table = this.#table;
    const mask = table.length - 1;
    let count = this.#count;
    for (let side = this.#nextSide; side < end; side++) {
      const from = vertexOf[indices[side]];
      const to = vertexOf[indices[side % 3 === 2 ? side - 2 : side + 1]];
      if (from === to) continue;
      const low = Math.min(from, to);
      const high = Math.max(from, to);
      const hash = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (
        table[slot] !== noEdge &&
        (vertices[2 * table[slot]] !== low || vertices[2 * table[slot] + 1] !== high)
      ) {
        slot = (slot + 1) & mask;
      }
      if (table[slot] === noEdge) {
        table[slot] = count;
        vertices[2 * count] = low;
        vertices[2 * count + 1] = high;
        count++;
      }
      const edge = table[slot];
      edgeOf[side] = edge;
      if (from === low) forward[edge]++;
      else backward[edge]++;
    }
    this.#count = count;
    this.#nextSide = end;
  }

  #countSides(): Edges {
    const count = this.#count;
    const forward = this.#forward.slice(0, count);
    const backward = this.#backward.slice(0, count);
    const start = new Uint32Array(count + 1);
    let [everyEven, everyPaired, everyBalanced] = [true, true, true];
    for (let e = 0; e < count; e++) {
      const uses = forward[e] + backward[e];
      start[e + 1] = start[e] + uses;
      if (uses % 2 === 1) everyEven = false;
      if (uses > 2) everyPaired = false;
      if (Math.abs(forward[e] - backward[e]) > uses % 2) everyBalanced = false;
    }
    this.#places = start.slice(0, count);
    const vertices = this.#vertices.slice(0, 2 * count);
    const triangles = new Uint32Array(start[count]);
    const every = { everyEven, everyPaired, everyBalanced };
    return { count, vertices, forward, backward, start, triangles, ...every };
  }

  #placeTriangles(edges: Edges, end: number): void {
    const edgeOf = this.#edgeOf;
    const places = this.#places;
    const { triangles } = edges;
    for (let side = this.#nextPlaced; side < end; side++) {
      if (edgeOf[side] !== noEdge) triangles[places[edgeOf[side]]++] = Math.floor(side / 3);
    }
    this.#nextPlaced = end;
    if (end === edgeOf.length) this.found = { edges, edgeOf };
  }
}

export interface PartsFound {
  /** Per triangle, its connected part. Triangles that share only a position are connected. */
  readonly componentOf: Uint32Array;
  readonly componentCount: number;
}

/** Finds the connected parts: joins triangles that share a position, then numbers the parts in order. */
export class PartSearch implements Search<PartsFound> {
  found: PartsFound | undefined;
  readonly #vertexOf: Uint32Array;
  readonly #indices: Indices;
  readonly #sets: DisjointSets;
  readonly #numberOf = new Map<number, number>();
  readonly #componentOf: Uint32Array;
  #nextJoined = 0;
  #nextNumbered = 0;

  constructor(vertexOf: Uint32Array, indices: Indices) {
    this.#vertexOf = vertexOf;
    this.#indices = indices;
    this.#sets = new DisjointSets(vertexOf.length);
    this.#componentOf = new Uint32Array(indices.length / 3);
  }

  step(count: number): void {
    const vertexOf = this.#vertexOf;
    const indices = this.#indices;
    const sets = this.#sets;
    const componentOf = this.#componentOf;
    const all = componentOf.length;
    if (this.#nextJoined < all) {
      const end = Math.min(all, this.#nextJoined + count);
      for (let i = 3 * this.#nextJoined; i < 3 * end; i += 3) {
        sets.join(vertexOf[indices[i]], vertexOf[indices[i + 1]]);
        sets.join(vertexOf[indices[i]], vertexOf[indices[i + 2]]);
      }
      this.#nextJoined = end;
      return;
    }
    const numberOf = this.#numberOf;
    const end = Math.min(all, this.#nextNumbered + count);
    for (let t = this.#nextNumbered; t < end; t++) {
      const root = sets.find(vertexOf[indices[3 * t]]);
      let component = numberOf.get(root);
      if (component === undefined) numberOf.set(root, (component = numberOf.size));
      componentOf[t] = component;
    }
    this.#nextNumbered = end;
    if (end === all) this.found = { componentOf, componentCount: numberOf.size };
  }
}

/** Union-find with path halving. */
export class DisjointSets {
  readonly #parent: Uint32Array;
  constructor(count: number) {
    this.#parent = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.#parent[i] = i;
  }
  find(i: number): number {
    const parent = this.#parent;
    while (parent[i] !== i) i = parent[i] = parent[parent[i]];
    return i;
  }
  join(i: number, j: number): void {
    const parent = this.#parent;
    if (parent[i] !== parent[j]) parent[this.find(j)] = this.find(i);
  }
}
