// A tree over moving triangles, for the walk that finds those that may meet (walk.as.ts). A node has two boxes: one for time 0, one for time 1. If they
// are apart from those of another node along an axis, in the same order at both times, then so are all linear paths between:
// things that move together are told apart however far they go. Triangles are sorted along a Morton curve; the tree is
// implicit: leaves of four triangles, two children per node.

import { emptyBox } from '../../../math/box.ts';
import type { Indices } from '../../../mesh/mesh.ts';

/** Triangles per leaf. */
const leafSize = 4;

export class SweptTree {
  /** The triangles in the order of the tree. */
  readonly order: Uint32Array;
  /**
   * Twelve numbers per triangle in that order: x, y, z least, then greatest, each at time 0 and at time 1.
   */
  readonly boxes: Float64Array;
  /** The same per node, level by level from the leaves up. */
  readonly nodes: Float64Array;
  /** Where each level begins, as a number of nodes, and where the last one ends. */
  readonly levels: readonly number[];

  /** `start` and `end` have the world positions of all vertices at time 0 and 1. */
  constructor(indices: Indices, start: Float64Array, end: Float64Array) {
    const count = indices.length / 3;
    const boxes = new Float64Array(12 * count);
    const whole = emptyBox();
    boxAtOnce(indices, start, boxes, 0, whole);
    boxAtOnce(indices, end, boxes, 1, whole);
    this.order = mortonOrder(boxes, whole);
    this.boxes = new Float64Array(12 * count);
    for (let i = 0; i < count; i++) {
      const from = 12 * this.order[i];
      for (let k = 0; k < 12; k++) this.boxes[12 * i + k] = boxes[from + k];
    }
    const levels = [0];
    for (let n = Math.ceil(count / leafSize); n > 0; n = n === 1 ? 0 : Math.ceil(n / 2)) {
      levels.push(levels[levels.length - 1] + n);
    }
    this.levels = levels;
    this.nodes = new Float64Array(12 * levels[levels.length - 1]);
    unite(this.boxes, 0, count, this.nodes, 0, leafSize);
    for (let level = 1; level + 1 < levels.length; level++) {
      unite(this.nodes, levels[level - 1], levels[level] - levels[level - 1], this.nodes, levels[level], 2);
    }
  }
}

/** Writes the box of every triangle at a time to its numbers in `out`, and grows the box of all. */
function boxAtOnce(
  indices: Indices,
  positions: Float64Array,
  out: Float64Array,
  time: number,
  whole: Float64Array,
): void {
  for (let k = 0; k < 3; k++) {
    let [least, most] = [Infinity, -Infinity];
    for (let i = 0, to = 2 * k + time; i < indices.length; i += 3, to += 12) {
      const x = positions[3 * indices[i] + k];
      const y = positions[3 * indices[i + 1] + k];
      const z = positions[3 * indices[i + 2] + k];
      const low = Math.min(x, y, z);
      const high = Math.max(x, y, z);
      out[to] = low;
      out[to + 6] = high;
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
      const isLeast = k < 6;
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
  // A key is a double with the code in its upper bits and the index in its lower ones, so one sort orders both. A double holds
  // 53 bits: a code has 30 of them if there are fewer than 2^23 triangles, and fewer if there are more.
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
      const at = 12 * i + 2 * k;
      const centre = boxes[at] / 4 + boxes[at + 1] / 4 + boxes[at + 6] / 4 + boxes[at + 7] / 4 - whole[k];
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
