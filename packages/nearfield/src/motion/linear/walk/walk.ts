// Pairs of triangles that may meet while they move: a kernel walks through both trees (walk.as.ts), and its finds are taken in lists.

import type { CpuEngine } from '../../../cpu/engine.ts';
import { done } from '../../../cpu/kernels.ts';
import type { MovingBody } from '../moving-bodies.ts';
import * as layout from './kernels.layout.ts';
import { type WalkKernels, walkKernels } from './kernels.ts';

/** Pairs per list, and node pairs per call: a few milliseconds. */
const capacity = 4096;
const budget = 65536;

/** Walks of one question. Bodies are copied to the kernel's memory once; `close` gives it back. */
export class Walks {
  readonly #kernels: WalkKernels;
  readonly #blocks: number[] = [];
  /** Addresses of trees. */
  readonly #trees = new Map<MovingBody, number>();
  /** The state of a walk, its stack, and the list of what it finds. */
  #room: { readonly walk: number; readonly stack: number; readonly out: number } | undefined;

  constructor(engine: CpuEngine) {
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
   * Calls back with every pair of triangles that no direction is known to separate at all times. One body with itself: i < j, without
   * a common position. Yields after every list, with the fraction done, roughly. One walk at a time.
   */
  *mayMeet(a: MovingBody, b: MovingBody, onPair: (i: number, j: number) => void): Generator<number, void> {
    if (a.tree.order.length === 0 || b.tree.order.length === 0) return;
    const { call, memory } = this.#kernels;
    const { walk, out } = this.#begin(a, b);
    let progress = 0;
    for (let state = -1; state !== done; ) {
      memory.u32[(walk + layout.Walk.found) / 4] = 0;
      state = call.walkPairs(walk, budget);
      const found = memory.u32[(walk + layout.Walk.found) / 4];
      for (let n = 0; n < found; n++) {
        // Read anew: what is called back may enlarge the memory.
        const list = memory.u32;
        const i = a.tree.order[list[out / 4 + 2 * n]];
        const j = b.tree.order[list[out / 4 + 2 * n + 1]];
        if (n === 0) progress = Math.max(progress, list[out / 4] / a.tree.order.length);
        if (a === b && j < i) onPair(j, i);
        else onPair(i, j);
      }
      yield progress;
    }
  }

  /** Writes the state of a walk that begins at the roots. */
  #begin(a: MovingBody, b: MovingBody): { readonly walk: number; readonly out: number } {
    const [first, second] = [this.#treeOf(a), this.#treeOf(b)];
    const { memory } = this.#kernels;
    if (a === b) this.#loadVertices(a, first);
    const room = (this.#room ??= {
      walk: this.#allocate(layout.Walk.bytes),
      stack: this.#allocate(layout.stackBytes),
      out: this.#allocate(8 * capacity),
    });
    const { Walk } = layout;
    const fields = [
      [Walk.a, first],
      [Walk.b, second],
      [Walk.stack, room.stack],
      [Walk.top, 1],
      [Walk.out, room.out],
      [Walk.capacity, capacity],
    ];
    for (const [field, value] of fields) memory.u32[(room.walk + field) / 4] = value;
    memory.u32.set([a.tree.levels.length - 2, 0, b.tree.levels.length - 2, 0], room.stack / 4);
    return room;
  }

  #allocate(bytes: number): number {
    const at = this.#kernels.memory.allocate(bytes, 'moving triangles');
    this.#blocks.push(at);
    return at;
  }

  /** The address of a body's tree, with its corners in the tree's order. */
  #treeOf(body: MovingBody): number {
    const known = this.#trees.get(body);
    if (known !== undefined) return known;
    const { tree, start, end, then } = body;
    const { order, boxes, nodes, levels } = tree;
    const { indices } = then.mesh;
    const places = {
      boxes: this.#allocate(8 * boxes.length),
      nodes: this.#allocate(8 * nodes.length),
      corners: this.#allocate(8 * 18 * order.length),
      levels: this.#allocate(4 * levels.length),
      vertices: 0,
    };
    const at = this.#allocate(layout.SweptTree.bytes);
    const { u32, f64 } = this.#kernels.memory;
    f64.set(boxes, places.boxes / 8);
    f64.set(nodes, places.nodes / 8);
    u32.set(levels, places.levels / 4);
    for (let i = 0, to = places.corners / 8; i < order.length; i++) {
      const triangle = 3 * order[i];
      for (let corner = triangle; corner < triangle + 3; corner++) {
        const from = 3 * indices[corner];
        for (let k = 0; k < 3; k++) {
          f64[to++] = start[from + k];
          f64[to++] = end[from + k];
        }
      }
    }
    u32[(at + layout.SweptTree.count) / 4] = order.length;
    u32[(at + layout.SweptTree.levelCount) / 4] = levels.length - 1;
    for (const [name, place] of Object.entries(places)) {
      u32[(at + layout.SweptTree[name as keyof typeof places]) / 4] = place;
    }
    this.#trees.set(body, at);
    return at;
  }

  /** Writes which corners share a position at time 0. */
  #loadVertices({ tree, then }: MovingBody, at: number): void {
    const { order } = tree;
    const { indices, welds } = then.mesh;
    const vertices = this.#allocate(12 * order.length);
    const { u32 } = this.#kernels.memory;
    for (let i = 0, to = vertices / 4; i < order.length; i++) {
      for (let k = 0; k < 3; k++) u32[to++] = welds.vertexOf[indices[3 * order[i] + k]];
    }
    u32[(at + layout.SweptTree.vertices) / 4] = vertices;
  }
}
