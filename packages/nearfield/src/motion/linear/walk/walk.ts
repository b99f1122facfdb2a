// Pairs of triangles that may meet while they move: a kernel walks through both trees (walk.as.ts), and its finds are taken in lists.

import type { CpuEngine } from '../../../cpu/engine.ts';
import { done } from '../../../cpu/kernels.ts';
import type { KernelMemory } from '../../../cpu/memory.ts';
import type { MovingBody } from '../moving-bodies.ts';
import * as layout from './kernels.layout.ts';
import { walkKernels } from './kernels.ts';

/** Pairs per list, and node pairs per call: a few milliseconds. */
const capacity = 4096;
const budget = 65536;

/**
 * Calls back with every pair of triangles that no direction is known to separate at all times. One body with itself: i < j, without a
 * common position. Yields after every list.
 */
export function* mayMeet(
  engine: CpuEngine,
  a: MovingBody,
  b: MovingBody,
  onPair: (i: number, j: number) => void,
): Generator<number, void> {
  if (a.tree.order.length === 0 || b.tree.order.length === 0) return;
  const { call, memory } = engine.kernels(walkKernels);
  const blocks: number[] = [];
  const allocate = (bytes: number): number => {
    const at = memory.allocate(bytes, 'moving triangles');
    blocks.push(at);
    return at;
  };
  try {
    const first = load(memory, allocate, a, a === b);
    const second = a === b ? first : load(memory, allocate, b, false);
    const walk = allocate(layout.Walk.bytes);
    const stack = allocate(layout.stackBytes);
    const out = allocate(8 * capacity);
    const word = (at: number, value: number): void => {
      memory.u32[at / 4] = value;
    };
    word(walk + layout.Walk.a, first);
    word(walk + layout.Walk.b, second);
    word(walk + layout.Walk.stack, stack);
    word(walk + layout.Walk.top, 1);
    word(walk + layout.Walk.out, out);
    word(walk + layout.Walk.capacity, capacity);
    // The roots.
    [a.tree.levels.length - 2, 0, b.tree.levels.length - 2, 0].forEach((value, i) => {
      word(stack + 4 * i, value);
    });
    let progress = 0;
    for (let state = -1; state !== done; ) {
      word(walk + layout.Walk.found, 0);
      state = call.walkPairs(walk, budget);
      const found = memory.u32[(walk + layout.Walk.found) / 4];
      for (let n = 0; n < found; n++) {
        // Read anew: what is called back may enlarge the memory.
        const list = memory.u32;
        const i = a.tree.order[list[out / 4 + 2 * n]];
        const j = b.tree.order[list[out / 4 + 2 * n + 1]];
        if (a === b && j < i) onPair(j, i);
        else onPair(i, j);
        if (n === 0) progress = Math.max(progress, list[out / 4] / a.tree.order.length);
      }
      yield progress;
    }
  } finally {
    // Latest first, so that the memory is as it was.
    for (const block of blocks.reverse()) memory.free(block);
  }
}

/** Copies a body's tree and its corners in the tree's order. Returns the address of the tree. */
function load(
  memory: KernelMemory,
  allocate: (bytes: number) => number,
  { tree, start, end, then }: MovingBody,
  isSelf: boolean,
): number {
  const { order, boxes, nodes, levels } = tree;
  const { indices, welds } = then.mesh;
  const count = order.length;
  const at = allocate(layout.SweptTree.bytes);
  const places = {
    boxes: allocate(8 * boxes.length),
    nodes: allocate(8 * nodes.length),
    corners: allocate(8 * 18 * count),
    levels: allocate(4 * levels.length),
    vertices: isSelf ? allocate(12 * count) : 0,
  };
  const { u32, f64 } = memory;
  f64.set(boxes, places.boxes / 8);
  f64.set(nodes, places.nodes / 8);
  u32.set(levels, places.levels / 4);
  for (let i = 0, to = places.corners / 8; i < count; i++) {
    const triangle = 3 * order[i];
    for (let corner = triangle; corner < triangle + 3; corner++) {
      const from = 3 * indices[corner];
      for (let k = 0; k < 3; k++) {
        f64[to++] = start[from + k];
        f64[to++] = end[from + k];
      }
    }
  }
  if (isSelf) {
    const { vertexOf } = welds;
    for (let i = 0, to = places.vertices / 4; i < count; i++) {
      for (let k = 0; k < 3; k++) u32[to++] = vertexOf[indices[3 * order[i] + k]];
    }
  }
  u32[(at + layout.SweptTree.count) / 4] = count;
  u32[(at + layout.SweptTree.levelCount) / 4] = levels.length - 1;
  for (const [name, place] of Object.entries(places)) {
    u32[(at + layout.SweptTree[name as keyof typeof places]) / 4] = place;
  }
  return at;
}
