// Exports for kernels.ts: the walk through two trees of moving triangles, and what TypeScript knows of its memory.

export { SweptTree, stackBytes, Walk, walkPairs } from './walk.as';
