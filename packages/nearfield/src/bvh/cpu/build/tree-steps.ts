// Builds a tree in steps, for questions that check the clock in between. What a step does depends only on the counts.

import type { BvhKernels } from '../kernels.ts';

/**
 * Triangles per step. A step then takes one or two milliseconds. The first splits take longer, since they cover all
 * triangles.
 */
export const stepTriangles = 32_768;

/**
 * Builds the tree over the triangles whose vertex indices are at `indices`, three words each, in mesh order. `indices` and
 * `scratch` must not change until the last step.
 */
export function* buildInSteps(
  { call }: BvhKernels,
  tree: number,
  triangleCount: number,
  indices: number,
  scratch: number,
): Generator<undefined, void> {
  call.frameVertices(tree, scratch);
  yield;
  for (const [first, end] of ranges(triangleCount, stepTriangles)) {
    call.placeCentres(tree, indices, scratch, first, end);
    yield;
  }
  // From the root down, until a node has few enough triangles to be split down to the leaves in one step.
  let capacity = 4;
  while (capacity < triangleCount) capacity *= 4;
  for (let deep = false; !deep; capacity /= 4) {
    deep = capacity <= stepTriangles;
    for (const [first, end] of ranges(triangleCount, capacity)) {
      call.splitCentres(tree, scratch, first, end - first, capacity / 4, deep);
      yield;
    }
  }
  for (const [first, end] of ranges(triangleCount, stepTriangles)) {
    call.takeOrder(tree, indices, scratch, first, end);
    yield;
  }
  let areas = 0;
  for (const [first, end] of ranges(Math.ceil(triangleCount / 4), stepTriangles / 4)) {
    areas = call.fitLeaves(tree, scratch, first, end, areas);
    yield;
  }
  call.fitLevels(tree, areas);
}

/** [0, count) in ranges of `size`; the last one may be shorter. */
function* ranges(count: number, size: number): Generator<[number, number]> {
  for (let first = 0; first < count; first += size) yield [first, Math.min(count, first + size)];
}
