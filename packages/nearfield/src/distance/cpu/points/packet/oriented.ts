// Makes what many points are searched with (oriented.as.ts), for a tree that is asked about often enough.

import type { Tree } from '../../../../bvh/cpu/build/trees.ts';
import * as layout from '../../kernels.layout.ts';
import type { DistanceKernels } from '../../kernels.ts';

/** It pays from about one point per this many triangles on. */
const trianglesPerPoint = 32;
/** How many leaves to look at between two looks at the clock: about a millisecond. */
const leavesAtOnce = 4096;

/**
 * Counts the points of a question about a tree, and makes its oriented boxes if it pays. Returns their address, or 0 if points should be
 * searched one by one. The tree is held. Yields now and then.
 */
export function* orientedBoxes(
  { call, memory }: DistanceKernels,
  tree: Tree,
  pointCount: number,
): Generator<number, number> {
  const { oriented, triangleCount, stamp } = tree;
  if (oriented.askedStamp !== stamp) oriented.asked = 0;
  oriented.askedStamp = stamp;
  oriented.asked += pointCount;
  if (oriented.stamp === stamp) return oriented.at;
  if (triangleCount === 0 || oriented.asked * trianglesPerPoint < triangleCount) return 0;
  // If two questions fill it at once, both write the same.
  if (oriented.at === 0)
    oriented.at = memory.allocate(call.orientedSize(tree.at), `searching ${triangleCount} triangles`);
  const levelCount = memory.u32[(tree.at + layout.Tree.levelCount) >>> 2];
  for (let level = levelCount - 1, leaves = 4; level >= 0; level--, leaves *= 4) {
    const nodeCount = Math.ceil(triangleCount / 4 / leaves);
    const step = Math.max(1, Math.floor(leavesAtOnce / leaves));
    for (let first = 0; first < nodeCount; first += step) {
      call.orientNodes(tree.at, oriented.at, level, first, Math.min(nodeCount, first + step));
      yield 0;
    }
  }
  oriented.stamp = stamp;
  return oriented.at;
}
