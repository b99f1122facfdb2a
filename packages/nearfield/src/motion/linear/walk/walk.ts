// Pairs of triangles that may meet while they move: a kernel walks through both trees (walk.as.ts), and its finds are taken in lists.

import { atSnapshot, type SnapshotBody } from '../../../bodies/snapshot/snapshot-body.ts';
import { treesOf } from '../../../bvh/cpu/build/trees.ts';
import { Tree as treeLayout } from '../../../bvh/cpu/kernels.layout.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { done } from '../../../cpu/kernels.ts';
import { emptyBox, growBox } from '../../../math/box.ts';
import type { Positions } from '../../../mesh/mesh.ts';
import type { ListedPairs } from '../driver.ts';
import type { MovingBody } from '../moving-bodies.ts';
import * as layout from './kernels.layout.ts';
import { type WalkKernels, walkKernels } from './kernels.ts';

/** Pairs per list, and node pairs per call: a few milliseconds. */
const capacity = 4096;
const budget = 65536;

/** A tree in the kernels' memory. */
interface SweptTree {
  readonly at: number;
  /** The triangles in its order. */
  readonly order: Uint32Array;
  /** Where each level begins, as a number of nodes, and where the last one ends. */
  readonly levels: readonly number[];
}

/** The order that a body's tree at time 0 has: other questions need that tree too, and it is kept while the body deforms. */
function orderOf(engine: CpuEngine, then: SnapshotBody): Uint32Array {
  return atSnapshot(engine, then, then, ({ shape }) => {
    const { at, triangleCount } = treesOf(engine).of(shape);
    const { u32 } = engine.memory;
    const order = u32[(at + treeLayout.order) / 4] / 4;
    return u32.slice(order, order + triangleCount);
  });
}

/** Leaves of so many triangles, as in walk.as.ts, then two children per node. */
const leafSize = 4;

function levelsOf(count: number): number[] {
  const levels = [0];
  for (let n = Math.ceil(count / leafSize); n > 0; n = n === 1 ? 0 : Math.ceil(n / 2))
    levels.push(levels[levels.length - 1] + n);
  return levels;
}

/** A point in the middle of others, and a power of two that makes them about as large as 1. */
function frameOf(positions: Positions): { origin: [number, number, number]; unit: number } {
  const box = emptyBox();
  for (let i = 0; i < positions.length; i += 3)
    growBox(box, positions[i], positions[i + 1], positions[i + 2]);
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const exponent = size > 0 && size < Infinity ? Math.round(Math.log2(size)) : 0;
  const middle = (k: number): number => 0.5 * box[k] + 0.5 * box[k + 3];
  return {
    origin: [middle(0), middle(1), middle(2)],
    unit: 2 ** Math.max(-1000, Math.min(1000, -exponent)),
  };
}

/** Takes a pair of triangles, and whether they are known to meet at time 0. */
export type OnPair = (i: number, j: number, meetsAtStart: boolean) => void;

/** Calls back with pairs that were listed before (`GpuMotionDriver.mayMeet`). */
function* replay(listed: Uint32Array, onPair: OnPair): Generator<number, void> {
  for (let n = 0; n < listed.length; n += 2) {
    if (n % 512 === 0) yield n / listed.length;
    onPair(listed[n] & 0x7fffffff, listed[n + 1], listed[n] >>> 31 === 1);
  }
}

/** Walks of one question. Bodies are copied to the kernel's memory once; `close` gives it back. */
export class MotionWalks {
  readonly #kernels: WalkKernels;
  readonly #blocks: number[] = [];
  readonly #engine: CpuEngine;
  readonly #listed: ListedPairs | undefined;
  readonly #trees = new Map<MovingBody, SweptTree>();
  /** The origin and unit of all boxes: those of the first body. Any would do, but digits are lost far from it. */
  #frame: { readonly origin: [number, number, number]; readonly unit: number } | undefined;
  /** The state of a walk, its stack, and the list of what it finds. */
  #room: { readonly walk: number; readonly stack: number; readonly out: number } | undefined;

  /** `listed` has the pairs that a GPU has listed. */
  constructor(engine: CpuEngine, listed?: ListedPairs) {
    this.#engine = engine;
    this.#listed = listed;
    this.#kernels = engine.kernels(walkKernels);
  }

  /** Gives all memory back, the latest block first. */
  close(): void {
    for (const block of this.#blocks.reverse()) this.#kernels.memory.free(block);
    this.#blocks.length = 0;
    this.#trees.clear();
    this.#room = undefined;
  }

  /**
   * Calls back with every pair of triangles that are not known to be apart at all times. One body with itself: i < j,
   * without a common position. Yields after every list, with the fraction done, roughly. One walk at a time.
   */
  *mayMeet(a: MovingBody, b: MovingBody, onPair: OnPair): Generator<number, void> {
    if (a.then.mesh.triangleCount === 0 || b.then.mesh.triangleCount === 0) return;
    const listed = this.#listed?.get(a)?.get(b);
    if (listed !== undefined) return yield* replay(listed, onPair);
    const { call, memory } = this.#kernels;
    const [first, second] = [this.#treeOf(a), this.#treeOf(b)];
    if (a === b) this.#loadVertices(a, first);
    const { walk, out } = this.#begin(first, second);
    let progress = 0;
    for (let state = -1; state !== done; ) {
      memory.u32[(walk + layout.Walk.found) / 4] = 0;
      state = call.walkPairs(walk, budget);
      const found = memory.u32[(walk + layout.Walk.found) / 4];
      for (let n = 0; n < found; n++) {
        // Read anew: what is called back may enlarge the memory.
        const list = memory.u32;
        const i = first.order[list[out / 4 + 2 * n]];
        const j = second.order[list[out / 4 + 2 * n + 1]];
        if (n === 0) progress = Math.max(progress, list[out / 4] / first.order.length);
        if (a === b && j < i) onPair(j, i, false);
        else onPair(i, j, false);
      }
      yield progress;
    }
  }

  /** Writes the state of a walk that begins at the roots. */
  #begin(a: SweptTree, b: SweptTree): { readonly walk: number; readonly out: number } {
    const { memory } = this.#kernels;
    const room = (this.#room ??= {
      walk: this.#allocate(layout.Walk.bytes),
      stack: this.#allocate(layout.stackBytes),
      out: this.#allocate(8 * capacity),
    });
    const fields = [
      [layout.Walk.a, a.at],
      [layout.Walk.b, b.at],
      [layout.Walk.stack, room.stack],
      [layout.Walk.top, 1],
      [layout.Walk.out, room.out],
      [layout.Walk.capacity, capacity],
    ];
    for (const [field, value] of fields) memory.u32[(room.walk + field) / 4] = value;
    memory.u32.set([a.levels.length - 2, 0, b.levels.length - 2, 0], room.stack / 4);
    return room;
  }

  #allocate(bytes: number): number {
    const at = this.#kernels.memory.allocate(bytes, 'moving triangles');
    this.#blocks.push(at);
    return at;
  }

  /** A body's tree. */
  #treeOf(body: MovingBody): SweptTree {
    const known = this.#trees.get(body);
    if (known !== undefined) return known;
    const { start, end, then } = body;
    const order = orderOf(this.#engine, then);
    const levels = levelsOf(order.length);
    const { indices } = then.mesh;
    const levelsAt = this.#allocate(4 * levels.length);
    const fields = [
      [layout.SweptTree.count, order.length],
      [layout.SweptTree.levelCount, levels.length - 1],
      [layout.SweptTree.boxes, this.#allocate(layout.boxBytes * order.length)],
      [layout.SweptTree.nodes, this.#allocate(layout.boxBytes * levels[levels.length - 1])],
      [layout.SweptTree.corners, this.#allocate(8 * 18 * order.length)],
      [layout.SweptTree.levels, levelsAt],
      [layout.SweptTree.vertices, 0],
    ];
    const at = this.#allocate(layout.SweptTree.bytes);
    const { memory, call } = this.#kernels;
    memory.u32.set(levels, levelsAt / 4);
    for (const [field, value] of fields) memory.u32[(at + field) / 4] = value;
    // What the tree is made from is not needed afterwards.
    const kept = this.#blocks.length;
    const [from, to] = [this.#allocate(8 * start.length), end === start ? 0 : this.#allocate(8 * end.length)];
    const [corners, triangles] = [this.#allocate(4 * indices.length), this.#allocate(4 * order.length)];
    memory.f64.set(start, from / 8);
    if (to !== 0) memory.f64.set(end, to / 8);
    memory.u32.set(indices, corners / 4);
    memory.u32.set(order, triangles / 4);
    const { origin, unit } = (this.#frame ??= frameOf(start));
    call.fillTree(at, from, to === 0 ? from : to, corners, triangles, ...origin, unit);
    for (const block of this.#blocks.splice(kept).reverse()) memory.free(block);
    const tree = { at, order, levels };
    this.#trees.set(body, tree);
    return tree;
  }

  /** Writes which corners share a position at time 0. */
  #loadVertices({ then }: MovingBody, { at, order }: SweptTree): void {
    const { indices, welds } = then.mesh;
    const vertices = this.#allocate(12 * order.length);
    const { u32 } = this.#kernels.memory;
    for (let i = 0, to = vertices / 4; i < order.length; i++) {
      for (let k = 0; k < 3; k++) u32[to++] = welds.vertexOf[indices[3 * order[i] + k]];
    }
    u32[(at + layout.SweptTree.vertices) / 4] = vertices;
  }
}
