// Builds a large tree in steps, for questions that look at the clock in between: the same tree as `buildTree` makes at
// once, since what a step does depends on the counts alone.

import type { BvhKernels } from '../kernels.ts';

/** Triangles of a step, which then takes a millisecond or two. The first of the splits take more: they are of all triangles. */
export const stepTriangles = 32_768;

/** `indices` and `scratch` are as `buildTree` takes them, and stay as they are until the last step. */
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
  // From the root down, until what a node holds is little enough to be split down to the leaves.
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

/** [0, count) in parts of `size`, the last one what is left. */
function* ranges(count: number, size: number): Generator<[number, number]> {
  for (let first = 0; first < count; first += size) yield [first, Math.min(count, first + size)];
}
