// The CPU engine's kernels, one module: what TypeScript calls (kernels.ts) and the offsets it reads.

export {
  buildScratchBytes,
  buildTree,
  placeCentres,
  splitCentres,
  takeOrder,
} from '../bvh/build.as';
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
} from '../bvh/layout.as';
export {
  fitLeaves,
  fitLevels,
  fitScratchBytes,
  frameVertices,
  refitTree,
  weldLeaves,
} from '../bvh/refit.as';
export { counterBytes, sortPairs } from '../bvh/sort.as';
export { groupRecords, recordScratchBytes, sortRecords } from '../bvh/sort-records.as';
export { walkBoxQuery, walkBytes, walkRayQuery } from '../bvh/walk.as';
export {
  broadScratchBytes,
  fewBodies,
  keepMeeting,
  runBroad,
  startBroad,
} from '../methods/hierarchy/broad/broad.as';
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
} from '../methods/hierarchy/broad/layout.as';
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
} from '../methods/hierarchy/job.as';
export { renewSerial } from '../methods/hierarchy/leaves.as';
export { openedPairs, traverseLevels } from '../methods/hierarchy/levels.as';
export { traversePairs } from '../methods/hierarchy/pairs.as';
export {
  bodyBytes,
  boundBodies,
  placeBody,
  placePairs,
  poseBytes,
  worldBoxBytes,
} from '../methods/hierarchy/place.as';
export { firstUncommonPose } from '../methods/hierarchy/poses.as';
export { markFans } from '../methods/hierarchy/self/fans.as';
export { startSelf, traverseSelf } from '../methods/hierarchy/self/self.as';
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
} from '../methods/hierarchy/tasks.as';
export { trianglesMeet, vertexNeighboursMeet } from '../methods/hierarchy/triangles.as';
export { runDistance } from '../proximity/distance/bodies/distance.as';
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
} from '../proximity/distance/bodies/distance-job.as';
export {
  candidateBytes,
  closestBytes,
  closestFeature,
  closestHigh,
  closestLow,
  closestOnTree,
  closestSlot,
} from '../proximity/distance/points/closest.as';
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
} from '../proximity/distance/points/closest-points.as';
export { carve, carvePlanes } from '../proximity/penetration/kernels/carve.as';
export { deepest, growBall, sampleInside } from '../proximity/penetration/kernels/deepest.as';
export { deepestSum, depthOf } from '../proximity/penetration/kernels/depths.as';
export {
  modelBytes,
  modelInverse,
  modelR,
  modelStretch,
  modelT,
  modelTreeA,
  modelTreeB,
  modelWork,
} from '../proximity/penetration/kernels/model.as';
export { convexExcess, support } from '../proximity/penetration/kernels/support.as';
export { sweep } from '../proximity/penetration/kernels/sweep.as';
export { sweepFound, sweepNormal, sweepTime } from '../proximity/penetration/kernels/sweep-triangles.as';
