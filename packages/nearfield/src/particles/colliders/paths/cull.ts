// Which colliders, or triangles of a mesh, may a path meet? Their boxes are in a balanced tree, which is walked with
// chords of the path. A path is cut into pieces; p(σ) is never farther from the chord of its piece, at the same share
// of the time, than the sagitta |a|·Δ²/8. So if the path meets a box, the chord meets the box enlarged by that along
// each axis, and not later.

import { type Box, emptyBox } from '../../../math/box.ts';
import type { BoxTree } from '../../compiled.ts';
import { placeOn } from '../../motion/segment.ts';
import type { OwnCurve } from './moving.ts';

const noItem = 0xffffffff;
/** Added to boxes, as a share of the coordinates' magnitude: far above what rounding adds. */
const slack = 2 ** -40;
const mostPieces = 16;
const mostCurvePieces = 1024;

/** A tree over finite boxes, six numbers per box: halves of equal count along the longest side of their centres. */
export function buildTree(boxes: Float64Array): BoxTree {
  const count = boxes.length / 6;
  let leafCount = 1;
  while (leafCount < count) leafCount *= 2;
  const items = new Uint32Array(leafCount).fill(noItem);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const nodes = new Float64Array(12 * leafCount);
  for (let node = 1; node < 2 * leafCount; node++) nodes.set(emptyBox(), 6 * node);
  const centre = (item: number, axis: number) => boxes[6 * item + axis] + boxes[6 * item + axis + 3];
  const split = (node: number, from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      for (let side = 0; side < 6; side++) {
        const value = boxes[6 * order[i] + side];
        const at = 6 * node + side;
        if (side < 3 ? value < nodes[at] : value > nodes[at]) nodes[at] = value;
      }
    }
    if (node >= leafCount) {
      if (from < to) items[node - leafCount] = order[from];
      return;
    }
    const middle = (from + to + 1) >> 1;
    let axis = 0;
    let longest = -1;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let i = from; i < to; i++) {
        const at = centre(order[i], k);
        if (at < low) low = at;
        if (at > high) high = at;
      }
      if (high - low > longest) {
        longest = high - low;
        axis = k;
      }
    }
    select(order, from, to, middle, item => centre(item, axis));
    split(2 * node, from, middle);
    split(2 * node + 1, middle, to);
  };
  split(1, 0, count);
  return { leafCount, nodes, items };
}

/**
 * Puts the least of order[from … to) before `middle` (Hoare's selection; ties by item, so that the order is always the
 * same).
 */
function select(
  order: Uint32Array,
  from: number,
  to: number,
  middle: number,
  key: (item: number) => number,
): void {
  let [low, high] = [from, to - 1];
  while (low < high) {
    const pivot = order[(low + high) >> 1];
    const at = key(pivot);
    let [i, j] = [low, high];
    while (i <= j) {
      while (isLess(key(order[i]), order[i], at, pivot)) i++;
      while (isLess(at, pivot, key(order[j]), order[j])) j--;
      if (i <= j) [order[i++], order[j--]] = [order[j], order[i]];
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

const isLess = (a: number, itemA: number, b: number, itemB: number): boolean =>
  a < b || (a === b && itemA < itemB);

/** Walks a tree along a path. Call `begin`, then `next` for one item after the other. */
export class PathWalk {
  #tree!: BoxTree;
  #path!: Float64Array;
  #curve: OwnCurve | undefined;
  #end = 0;
  #pieces = 1;
  #piece = 0;
  readonly #stack = new Uint32Array(64);
  #depth = 0;
  /** The piece: where its chord begins, its vector, 1 over that, and how much boxes are enlarged; and its time. */
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);
  readonly #along = new Float64Array(3);
  readonly #over = new Float64Array(3);
  readonly #more = new Float64Array(3);
  #start = 0;
  #length = 0;
  /** How many boxes were tested so far. */
  tests = 0;

  /** From σ = 0 to `end`. */
  begin(tree: BoxTree, path: Float64Array, end: number): void {
    this.#path = path;
    this.#curve = undefined;
    const bend = Math.abs(path[6]) + Math.abs(path[7]) + Math.abs(path[8]);
    this.#begin(tree, bend, end, mostPieces);
  }

  /** The same along a curve in the tree's own coordinates. */
  beginCurve(tree: BoxTree, curve: OwnCurve, end: number): void {
    this.#curve = curve;
    curve.at(0.5 * end, 0.5 * end);
    this.#begin(tree, curve.bend, end, mostCurvePieces);
  }

  /** When the piece of the last item begins and how long it is. */
  get pieceStart(): number {
    return this.#start;
  }
  get pieceLength(): number {
    return this.#length;
  }

  /** Cuts the path into pieces whose sagitta is at most a 64th of the tree's extent, unless there are too many. */
  #begin(tree: BoxTree, bend: number, end: number, most: number): void {
    this.#tree = tree;
    this.#end = end;
    this.#piece = -1;
    this.#depth = 0;
    const { nodes } = tree;
    const size = nodes[9] - nodes[6] + (nodes[10] - nodes[7]) + (nodes[11] - nodes[8]);
    this.#pieces = Math.min(most, 1 + Math.floor(Math.sqrt((bend * end * end * 8) / size)) || 1);
  }

  /** An item whose box the path may meet no later than `best`, or −1. An item may come more than once. */
  next(best: number): number {
    const { nodes, items, leafCount } = this.#tree;
    for (;;) {
      while (this.#depth > 0) {
        const node = this.#stack[--this.#depth];
        if (!this.#meets(nodes, 6 * node, best)) continue;
        if (node >= leafCount) {
          const item = items[node - leafCount];
          if (item !== noItem) return item;
          continue;
        }
        this.#stack[this.#depth++] = 2 * node + 1;
        this.#stack[this.#depth++] = 2 * node;
      }
      if (++this.#piece >= this.#pieces) return -1;
      this.#start = (this.#end * this.#piece) / this.#pieces;
      if (this.#start > best) return -1;
      this.#beginPiece();
      this.#stack[this.#depth++] = 1;
    }
  }

  #beginPiece(): void {
    const path = this.#path;
    const curve = this.#curve;
    const length = (this.#end * (this.#piece + 1)) / this.#pieces - this.#start;
    this.#length = length;
    if (curve === undefined) {
      placeOn(path, this.#start, this.#from);
      placeOn(path, this.#start + length, this.#to);
    } else {
      curve.at(this.#start, 0);
      this.#from.set(curve.place);
      curve.at(this.#start + length, 0);
      this.#to.set(curve.place);
      curve.at(this.#start + 0.5 * length, 0.5 * length);
    }
    for (let axis = 0; axis < 3; axis++) {
      const from = this.#from[axis];
      const to = this.#to[axis];
      this.#along[axis] = to - from;
      this.#over[axis] = 1 / (to - from);
      const rounding = (curve?.scale ?? Math.abs(path[axis])) + Math.abs(from) + Math.abs(to);
      const bend = curve?.bend ?? Math.abs(path[6 + axis]);
      this.#more[axis] = bend * length * length * 0.125 * (1 + slack) + slack * rounding;
    }
  }

  #meets(nodes: Float64Array, at: number, best: number): boolean {
    this.tests++;
    let enter = 0;
    let leave = 1;
    for (let axis = 0; axis < 3; axis++) {
      const more = this.#more[axis];
      const low = nodes[at + axis] * (nodes[at + axis] > 0 ? 1 - slack : 1 + slack) - more;
      const high = nodes[at + axis + 3] * (nodes[at + axis + 3] > 0 ? 1 + slack : 1 - slack) + more;
      const from = this.#from[axis];
      if (this.#along[axis] === 0) {
        if (from < low || from > high) return false;
        continue;
      }
      const over = this.#over[axis];
      const first = ((over > 0 ? low : high) - from) * over;
      const last = ((over > 0 ? high : low) - from) * over;
      if (first > enter) enter = first;
      if (last < leave) leave = last;
    }
    // Shares of the time are off by a few units in the last place of 1.
    return enter <= leave + slack && this.#start + (enter - slack) * this.#length <= best;
  }
}

/** Tells whether a path may meet a box between σ = 0 and `end`. */
export class BoxCheck {
  readonly #walk = new PathWalk();
  readonly #tree = { leafCount: 1, nodes: new Float64Array(12), items: new Uint32Array(1) };

  meets(box: Box, path: Float64Array, end: number): boolean {
    this.#tree.nodes.set(box, 6);
    this.#walk.begin(this.#tree, path, end);
    return this.#walk.next(end) === 0;
  }
}
