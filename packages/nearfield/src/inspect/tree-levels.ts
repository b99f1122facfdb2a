// The boxes of a CPU engine's tree (bvh/cpu/build/layout.as.ts), level by level, in the frame of the body and in
// double precision.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { treesOf } from '../bvh/cpu/build/trees.ts';
import * as layout from '../bvh/cpu/kernels.layout.ts';
import { bvhKernels } from '../bvh/cpu/kernels.ts';
import type { CpuEngine } from '../cpu/engine.ts';

/** The nodes of one depth of a tree; the last depth has the leaves. */
export interface TreeLevel {
  /** The number of nodes. */
  readonly count: number;
  /** Six numbers per node: x, y, z of the middle, then half the extents. In the frame of the body's mesh. */
  readonly boxes: Float64Array;
}

/** A tree: the children of node i of a level are 4i to 4i + 3 of the next, as far as these exist. */
export interface TreeBoxes {
  /** From the root to the leaves; empty for a mesh without triangles. */
  readonly levels: readonly TreeLevel[];
  /** Leaf i holds the triangles from 4i to 4i + 3, as far as these exist. */
  readonly triangles: Uint32Array;
}

/**
 * Rounding has two parts. The values that a tree stores lie within |u| ≤ 2 of its frame and are floats, off by at
 * most 2^-24. The middle computed here in double is off by less than 2^-51 of the frame's own middle plus half of the
 * smallest float.
 */
const storedError = 2 ** -23;
const doubleError = 2 ** -51;

export function treeLevels(engine: CpuEngine, { shape }: Placed): TreeBoxes {
  const { at, triangleCount } = treesOf(engine).of(shape);
  const { call, memory } = engine.kernels(bvhKernels);
  const { u32, f64 } = memory;
  const order = u32[(at + layout.Tree.order) / 4] / 4;
  const triangles = u32.slice(order, order + triangleCount);
  if (triangleCount === 0) return { levels: [], triangles };
  const scale = f64[(at + layout.Tree.scale) / 8];
  const centre = f64.slice((at + layout.Tree.centreX) / 8, (at + layout.Tree.centreX) / 8 + 3);
  const counts = [u32[(at + layout.Tree.leafCount) / 4]];
  // A tree has a node above its leaves even if there is only one leaf.
  do counts.unshift(Math.ceil(counts[0] / 4));
  while (counts[0] > 1);
  const levels = counts.map((count, level): TreeLevel => {
    const boxes = new Float64Array(6 * count);
    for (let node = 0; node < count; node++) {
      // Rows of four floats: three rows of middles, three of half extents.
      const from = call.boxAt(at, level, node) / 4;
      for (let axis = 0; axis < 3; axis++) {
        const middle = centre[axis] + memory.f32[from + 4 * axis] / scale;
        const error = doubleError * (Math.abs(centre[axis]) + 1 / scale);
        boxes[6 * node + axis] = middle;
        boxes[6 * node + 3 + axis] = (memory.f32[from + 12 + 4 * axis] + storedError) / scale + error;
      }
    }
    return { count, boxes };
  });
  return { levels, triangles };
}
