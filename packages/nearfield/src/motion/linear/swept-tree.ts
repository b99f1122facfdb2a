// A tree over moving triangles, and the pairs of triangles that may meet. A node has two boxes: one for time 0, one for time 1. If they
// are apart from those of another node along an axis, in the same order at both times, then so are all linear paths between:
// things that move together are told apart however far they go. Triangles are sorted along a Morton curve; the tree is
// implicit: leaves of four triangles, two children per node.

import { emptyBox } from '../../math/box.ts';
import type { Indices } from '../../mesh/mesh.ts';

/** Triangles per leaf. */
const leafSize = 4;

/** Finds pairs of triangles: receives a triangle of the first tree and one of the second. */
export type OnPair = (first: number, second: number) => void;

export class SweptTree {
  /** The triangles in the order of the tree. */
  readonly order: Uint32Array;
  /** Twelve numbers per triangle in that order: x, y, z least and greatest at time 0, then at time 1. */
  readonly boxes: Float64Array;
  /** The boxes of nodes, level by level from the leaves up, and where each level begins. */
  readonly #nodes: Float64Array;
  readonly #levels: number[] = [];

  /** `start` and `end` have the world positions of all vertices at time 0 and 1. */
  constructor(indices: Indices, start: Float64Array, end: Float64Array) {
    const count = indices.length / 3;
    const boxes = new Float64Array(12 * count);
    const whole = emptyBox();
    boxAtOnce(indices, start, boxes, 0, whole);
    boxAtOnce(indices, end, boxes, 6, whole);
    this.order = mortonOrder(boxes, whole);
    this.boxes = new Float64Array(12 * count);
    for (let i = 0; i < count; i++) {
      const from = 12 * this.order[i];
      for (let k = 0; k < 12; k++) this.boxes[12 * i + k] = boxes[from + k];
    }
    this.#nodes = this.#reduce(count);
  }

  #reduce(count: number): Float64Array {
    let size = Math.ceil(count / leafSize);
    let total = 0;
    for (let n = size; n > 0; n = n === 1 ? 0 : Math.ceil(n / 2)) {
      this.#levels.push(total);
      total += n;
    }
    const nodes = new Float64Array(12 * total);
    unite(this.boxes, 0, count, nodes, 0, leafSize);
    for (let level = 1; level < this.#levels.length; level++) {
      const [below, here] = [this.#levels[level - 1], this.#levels[level]];
      unite(nodes, below, size, nodes, here, 2);
      size = Math.ceil(size / 2);
    }
    return nodes;
  }

  get isEmpty(): boolean {
    return this.order.length === 0;
  }

  /** Every pair of triangles, one of each tree, that no axis separates at all times. Yields now and then, with the fraction done. */
  *pairsWith(other: SweptTree, onPair: OnPair): Generator<number, void> {
    if (this.isEmpty || other.isEmpty) return;
    // Four numbers per entry: level and index in this tree, level and index in the other. An entry is replaced by three at most,
    // each a level lower on one side, and a tree has fewer than 32 levels.
    const stack = new Int32Array(4 * 3 * 64);
    stack[0] = this.#levels.length - 1;
    stack[2] = other.#levels.length - 1;
    let top = 4;
    const isSelf = this === other;
    let steps = 0;
    let done = 0;
    while (top > 0) {
      top -= 4;
      const levelA = stack[top];
      const i = stack[top + 1];
      const levelB = stack[top + 2];
      const j = stack[top + 3];
      if (++steps % 2048 === 0) yield done / this.order.length;
      if (levelA === 0 && levelB === 0) {
        this.#leaves(other, i, j, onPair);
        if (!isSelf || i === j) done = Math.max(done, leafSize * i);
        continue;
      }
      // Open the larger one. Within one tree, a node with itself opens into three.
      if (isSelf && levelA === levelB && i === j) {
        top = this.#push(other, stack, top, levelA - 1, 2 * i + 1, levelA - 1, 2 * i + 1);
        top = this.#push(other, stack, top, levelA - 1, 2 * i, levelA - 1, 2 * i + 1);
        top = this.#push(other, stack, top, levelA - 1, 2 * i, levelA - 1, 2 * i);
      } else if (levelA >= levelB) {
        top = this.#push(other, stack, top, levelA - 1, 2 * i + 1, levelB, j);
        top = this.#push(other, stack, top, levelA - 1, 2 * i, levelB, j);
      } else {
        top = this.#push(other, stack, top, levelA, i, levelB - 1, 2 * j + 1);
        top = this.#push(other, stack, top, levelA, i, levelB - 1, 2 * j);
      }
    }
  }

  /** Adds a pair of nodes if both exist and no axis separates them. Returns the new top of the stack. */
  #push(
    other: SweptTree,
    stack: Int32Array,
    top: number,
    levelA: number,
    i: number,
    levelB: number,
    j: number,
  ): number {
    const a = this.#levels[levelA] + i;
    const b = other.#levels[levelB] + j;
    if (a >= this.#end(levelA) || b >= other.#end(levelB)) return top;
    if (areApart(this.#nodes, 12 * a, other.#nodes, 12 * b)) return top;
    stack[top] = levelA;
    stack[top + 1] = i;
    stack[top + 2] = levelB;
    stack[top + 3] = j;
    return top + 4;
  }

  /** Where the next level begins. */
  #end(level: number): number {
    return level + 1 < this.#levels.length ? this.#levels[level + 1] : this.#nodes.length / 12;
  }

  /** Compares the triangles of two leaves: first each with the other leaf, then those that are left with each other. */
  #leaves(other: SweptTree, i: number, j: number, onPair: OnPair): void {
    const isSame = this === other && i === j;
    const [p, q] = [this.boxes, other.boxes];
    const firstB = leafSize * j;
    const endA = Math.min(leafSize * i + leafSize, this.order.length);
    const endB = Math.min(firstB + leafSize, other.order.length);
    let left = 0;
    for (let b = firstB; b < endB; b++) {
      if (!areApart(this.#nodes, 12 * i, q, 12 * b)) left |= 1 << (b - firstB);
    }
    if (left === 0) return;
    for (let a = leafSize * i; a < endA; a++) {
      if (!isSame && areApart(p, 12 * a, other.#nodes, 12 * j)) continue;
      for (let b = isSame ? a + 1 : firstB; b < endB; b++) {
        if ((left & (1 << (b - firstB))) === 0 || areApart(p, 12 * a, q, 12 * b)) continue;
        onPair(this.order[a], other.order[b]);
      }
    }
  }
}

/** Whether one axis separates what is in two boxes at all times: they are apart along it, in the same order, at time 0 and at time 1. */
const areApart = (p: Float64Array, a: number, q: Float64Array, b: number): boolean =>
  (p[a] > q[b + 3] && p[a + 6] > q[b + 9]) ||
  (q[b] > p[a + 3] && q[b + 6] > p[a + 9]) ||
  (p[a + 1] > q[b + 4] && p[a + 7] > q[b + 10]) ||
  (q[b + 1] > p[a + 4] && q[b + 7] > p[a + 10]) ||
  (p[a + 2] > q[b + 5] && p[a + 8] > q[b + 11]) ||
  (q[b + 2] > p[a + 5] && q[b + 8] > p[a + 11]);

/** Writes the box of every triangle to out[12 t + at], and grows the box of all. */
function boxAtOnce(
  indices: Indices,
  positions: Float64Array,
  out: Float64Array,
  at: number,
  whole: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    let [least, most] = [Infinity, -Infinity];
    for (let i = 0, to = at + k; i < indices.length; i += 3, to += 12) {
      const x = positions[3 * indices[i] + k];
      const y = positions[3 * indices[i + 1] + k];
      const z = positions[3 * indices[i + 2] + k];
      const low = Math.min(x, y, z);
      const high = Math.max(x, y, z);
      out[to] = low;
      out[to + 3] = high;
      if (low < least) least = low;
      if (high > most) most = high;
    }
    whole[k] = Math.min(whole[k], least);
    whole[k + 3] = Math.max(whole[k + 3], most);
  }
}

/** Unites groups of boxes: `count` boxes from box `from` on become ceil(count / group) boxes from box `to` on. */
function unite(
  boxes: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
  to: number,
  group: number,
): void {
  for (let first = 0, at = 12 * to; first < count; first += group, at += 12) {
    const end = Math.min(first + group, count);
    for (let k = 0; k < 12; k++) {
      const isLeast = k % 6 < 3;
      let bound = boxes[12 * (from + first) + k];
      for (let i = first + 1; i < end; i++) {
        const value = boxes[12 * (from + i) + k];
        if (isLeast ? value < bound : value > bound) bound = value;
      }
      out[at + k] = bound;
    }
  }
}

/** The triangles along a Morton curve through the centres of their boxes, ten bits per axis. */
function mortonOrder(boxes: Float64Array, whole: ArrayLike<number>): Uint32Array {
  const count = boxes.length / 12;
  // Codes above, indices below: one sort of doubles that are whole numbers below 2^62 would round, so codes have 30 of 53 bits
  // if there are fewer than 2^23 triangles, and fewer bits if there are more.
  const indexBits = Math.max(1, Math.ceil(Math.log2(Math.max(2, count))));
  const bits = Math.min(10, Math.floor((53 - indexBits) / 3));
  const cells = 2 ** bits;
  const scale = [0, 1, 2].map(k => {
    const extent = whole[k + 3] - whole[k];
    return extent > 0 && Number.isFinite(extent) ? cells / extent : 0;
  });
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let code = 0;
    for (let k = 0; k < 3; k++) {
      const at = 12 * i + k;
      const centre = boxes[at] / 4 + boxes[at + 3] / 4 + boxes[at + 6] / 4 + boxes[at + 9] / 4 - whole[k];
      const cell = Math.min(cells - 1, Math.floor(centre * scale[k]));
      code |= spread(cell) << k;
    }
    keys[i] = code * 2 ** indexBits + i;
  }
  keys.sort();
  const order = new Uint32Array(count);
  const mask = 2 ** indexBits;
  for (let i = 0; i < count; i++) order[i] = keys[i] % mask;
  return order;
}

/** The ten lowest bits, two zeros between any two. */
function spread(n: number): number {
  n = (n | (n << 16)) & 0x30000ff;
  n = (n | (n << 8)) & 0x300f00f;
  n = (n | (n << 4)) & 0x30c30c3;
  return (n | (n << 2)) & 0x9249249;
}
