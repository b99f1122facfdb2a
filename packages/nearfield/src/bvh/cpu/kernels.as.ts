// Exports for kernels.ts: the kernels for trees, placed bodies and walks through one tree, and what TypeScript knows of
// their memory.

export { poseBytes } from '../../cpu/poses.as';
export { buildScratchBytes, placeCentres, splitCentres, takeOrder } from './build/build.as';
export { boxAt, layTree, Tree, treeBytes, treeHeaderBytes, weldBytes } from './build/layout.as';
export {
  fitLeaves,
  fitLevels,
  fitScratchBytes,
  frameVertices,
  refitTree,
  weldLeaves,
} from './build/refit.as';
export { bodyBytes, boundBodies, placeBody, placePairs, worldBoxBytes } from './place/place.as';
export {
  countPhase,
  Grouping,
  groupLists,
  putPhase,
  RecordList,
  recordsPerChunk,
  sortPhase,
} from './sort/group-lists.as';
export { recordScratchBytes } from './sort/sort-keys.as';
export { groupRecords, sortRecords } from './sort/sort-records.as';
export { walkBoxQuery, walkBytes, walkRayQuery } from './walk/walk.as';
