// Exports for kernels.ts: the tree of moving triangles, the walk through two of them, and what TypeScript knows of their memory.

export { boxBytes, fillTree, SweptTree } from './swept-tree.as';
export { stackBytes, Walk, walkPairs } from './walk.as';
