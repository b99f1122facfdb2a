// Trees, bodies placed with them, and walks through one tree: what TypeScript calls (kernels.ts) and the offsets it reads.

export { poseBytes } from '../../cpu/poses.as';
export { buildScratchBytes, buildTree, placeCentres, splitCentres, takeOrder } from './build/build.as';
export {
  boxAt,
  layTree,
  treeBytes,
  treeCentre,
  treeHalf,
  treeHeaderBytes,
  treeLeafCount,
  treeOrder,
  treePositions,
  treeReach,
  treeScale,
  treeSpread,
  treeTriangles,
  treeWeld,
  weldBytes,
} from './build/layout.as';
export {
  fitLeaves,
  fitLevels,
  fitScratchBytes,
  frameVertices,
  refitTree,
  weldLeaves,
} from './build/refit.as';
export { bodyBytes, boundBodies, placeBody, placePairs, worldBoxBytes } from './place/place.as';
export { groupRecords, recordScratchBytes, sortRecords } from './sort/sort-records.as';
export { walkBoxQuery, walkBytes, walkRayQuery } from './walk/walk.as';
