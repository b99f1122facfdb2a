// What another engine found of a body, in the kernels' memory: triangles become their places in the tree.

import type { KernelMemory } from '../../../cpu/memory.ts';
import type { GivenTriangles } from '../../given-triangles.ts';
import * as layout from '../kernels.layout.ts';
import type { Tree } from './trees.ts';

/** The slot of each triangle. */
export function slotsOfTriangles({ u32 }: KernelMemory, tree: Tree): Uint32Array {
  const order = u32[(tree.at + layout.Tree.order) >>> 2] >>> 2;
  const slots = new Uint32Array(tree.triangleCount);
  for (let slot = 0; slot < slots.length; slot++) slots[u32[order + slot]] = slot;
  return slots;
}

/** Writes ranges and words, with slots in place of triangles. Returns their two addresses, to be freed. */
export function writeGiven(
  memory: KernelMemory,
  tree: Tree,
  { ranges, words }: GivenTriangles,
): readonly [number, number] {
  const slots = slotsOfTriangles(memory, tree);
  const blocks = memory.orNothing(() =>
    [ranges, words].map(({ length }) => memory.allocate(Math.max(8, 4 * length), `${length} words`)),
  );
  const { u32 } = memory;
  u32.set(ranges, blocks[0] / 4);
  for (let i = 0, to = blocks[1] / 4; i < words.length; i++)
    u32[to++] = 2 * slots[words[i] >>> 1] + (words[i] & 1);
  return [blocks[0], blocks[1]];
}
