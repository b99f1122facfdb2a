// The CPU engine's kernels, one module: what TypeScript calls (kernels.ts) and the offsets it reads.

export {
  buildScratchBytes,
  buildTree,
  placeCentres,
  splitCentres,
  takeOrder,
} from '../bvh/cpu/build.as';
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
} from '../bvh/cpu/layout.as';
export {
  bodyBytes,
  boundBodies,
  placeBody,
  placePairs,
  poseBytes,
  worldBoxBytes,
} from '../bvh/cpu/place.as';
export { firstUncommonPose } from '../bvh/cpu/poses.as';
export {
  fitLeaves,
  fitLevels,
  fitScratchBytes,
  frameVertices,
  refitTree,
  weldLeaves,
} from '../bvh/cpu/refit.as';
export { counterBytes, sortPairs } from '../bvh/cpu/sort.as';
export { groupRecords, recordScratchBytes, sortRecords } from '../bvh/cpu/sort-records.as';
export { walkBoxQuery, walkBytes, walkRayQuery } from '../bvh/cpu/walk.as';
export {
  broadScratchBytes,
  fewBodies,
  keepMeeting,
  runBroad,
  startBroad,
} from '../candidates/cpu/broad.as';
export {
  broadBodyCount,
  broadBoxes,
  broadBytes,
  broadOpened,
  broadOrderCount,
  broadPairCapacity,
  broadPairCount,
  broadPairs,
  broadUsedCount,
} from '../candidates/cpu/layout.as';
export { runDistance } from '../distance/cpu/bodies/distance.as';
export {
  distanceA,
  distanceB,
  distanceBest,
  distanceBoxTests,
  distanceBytes,
  distanceEntries,
  distanceEntryBytes,
  distanceList,
  distanceListCapacity,
  distanceListCount,
  distanceMeets,
  distanceRecordBytes,
  distanceSettled,
  distanceStack,
  distanceStarted,
  distanceStopAtMeeting,
  distanceTriangleTests,
  recordSlots,
  settledDistance,
  settledPointA,
  settledPointB,
  settledTriangleA,
  settledTriangleB,
} from '../distance/cpu/bodies/distance-job.as';
export {
  closestBytes,
  closestFeature,
  closestHigh,
  closestLow,
  closestOnTree,
  closestSlot,
} from '../distance/cpu/points/closest.as';
export {
  closestPoints,
  noTriangle,
  pointAnswerBytes,
  pointsAnswers,
  pointsAt,
  pointsBody,
  pointsBounds,
  pointsBytes,
  pointsCandidateCapacity,
  pointsCandidateCount,
  pointsCandidates,
  pointsCount,
  pointsGiven,
  pointsNext,
  pointsRounded,
  pointsSingle,
  pointsSlots,
  pointsUnsure,
  pointsUnsureCapacity,
  pointsUnsureCount,
  pointsUpTo,
  unsureTriangle,
} from '../distance/cpu/points/closest-points.as';
export {
  jobApart,
  jobBoxTests,
  jobBytes,
  jobCandidate,
  jobCandidateCount,
  jobCandidates,
  jobCertain,
  jobCertainCapacity,
  jobCertainCount,
  jobCounts,
  jobLeafScratch,
  jobLevel,
  jobLevelCapacity,
  jobLevelCount,
  jobMode,
  jobNextCount,
  jobNextLevel,
  jobSerial,
  jobStack,
  jobStackCount,
  jobTable,
  jobTraversal,
  jobTriangleTests,
  jobUnsure,
  jobUnsureCapacity,
  jobUnsureCount,
  stackEntries,
  stackEntryBytes,
  stepRecords,
} from '../interferences/hierarchy/cpu/job.as';
export { renewSerial } from '../interferences/hierarchy/cpu/leaves.as';
export { openedPairs, traverseLevels } from '../interferences/hierarchy/cpu/levels.as';
export { traversePairs } from '../interferences/hierarchy/cpu/pairs.as';
export { markFans } from '../interferences/hierarchy/cpu/self/fans.as';
export { startSelf, traverseSelf } from '../interferences/hierarchy/cpu/self/self.as';
export {
  invertCandidates,
  runTasks,
  taskBytes,
  taskCandidate,
  taskEntries,
  taskEntryCount,
  taskNext,
  taskSelf,
  taskStop,
  widenStack,
} from '../interferences/hierarchy/cpu/tasks.as';
export { trianglesMeet, vertexNeighboursMeet } from '../interferences/hierarchy/cpu/triangles.as';
export { carve, carvePlanes } from '../penetration/kernels/carve.as';
export { deepest, growBall, sampleInside } from '../penetration/kernels/deepest.as';
export { deepestSum, depthOf } from '../penetration/kernels/depths.as';
export {
  modelBytes,
  modelInverse,
  modelR,
  modelStretch,
  modelT,
  modelTreeA,
  modelTreeB,
  modelWork,
} from '../penetration/kernels/model.as';
export { convexExcess, support } from '../penetration/kernels/support.as';
export { sweep } from '../penetration/kernels/sweep.as';
export { sweepFound, sweepNormal, sweepTime } from '../penetration/kernels/sweep-triangles.as';
