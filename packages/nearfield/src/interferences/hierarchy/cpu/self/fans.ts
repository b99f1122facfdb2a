// Prepares a tree for self-intersections: its leaves store which corners share a position and, from the second question
// on, which fans of triangles are flat (fans.as.ts).

import type { Shape } from '../../../../bodies/snapshot/snapshot.ts';
import { type Tree, treesOf } from '../../../../bvh/cpu/build/trees.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import type { Mesh } from '../../../../mesh/mesh.ts';
import { selfKernels } from './kernels.ts';

export function prepareSelf(engine: CpuEngine, shape: Shape): void {
  const trees = treesOf(engine);
  const tree = trees.of(shape);
  if (tree.triangleCount === 0) return;
  const askedBefore = tree.weldAt !== 0;
  trees.weld(tree, shape);
  if (askedBefore) markFlatFans(engine, tree, shape);
}

/** Marks flat fans. Computes the mesh's edges the first time. */
function markFlatFans(engine: CpuEngine, tree: Tree, shape: Shape): void {
  if (tree.fansStamp === tree.stamp) return;
  // If the leaves have no marks, a self-intersection in progress may be reading them as they are. If they have marks of
  // an earlier stamp, none can be in progress: it would have renewed the marks.
  if (tree.fansStamp === 0 && tree.users > 0) return;
  const { call, memory } = engine.kernels(selfKernels);
  tree.unbalanced ??= findUnbalanced(shape.mesh);
  const vertexCount = shape.positions.length / 3;
  const words = memory.allocate(vertexCount * 4 + 64, 'the fans of a tree');
  const { u32 } = memory;
  u32.fill(0, words / 4, words / 4 + vertexCount);
  for (const vertex of tree.unbalanced) u32[words / 4 + vertex] = 63;
  call.markFans(tree.at, words, words + Math.ceil(vertexCount / 4) * 16);
  memory.free(words);
  tree.fansStamp = tree.stamp;
}

/** Positions with an edge that has more sides one way than the other. */
function findUnbalanced({ edges }: Mesh): Uint32Array {
  const { count, vertices, forward, backward } = edges;
  const unbalanced = new Set<number>();
  for (let e = 0; e < count; e++) {
    if (forward[e] !== backward[e]) unbalanced.add(vertices[2 * e]).add(vertices[2 * e + 1]);
  }
  return Uint32Array.from(unbalanced);
}
