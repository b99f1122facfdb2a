// Exports for kernels.ts: the kernels of the breadth-first traversal, and what TypeScript knows of their memory.

export {
  enterFront,
  enterLevel,
  entriesAt,
  Levels,
  levelsBytes,
  nodePairBytes,
  shortenFront,
  startLevels,
  traverseLevels,
} from './levels.as';
export { BinaryTree, binaryTreeBytes, boxSlabs, buildBinaryTree, dopSlabs } from './volumes.as';
