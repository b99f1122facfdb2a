// The module of the distance kernels, for bodies and for points: the functions that TypeScript calls (kernels.ts) and
// the offsets it reads.

export { treeOrder } from '../../bvh/cpu/build/layout.as';
export { bodyBytes } from '../../bvh/cpu/place/place.as';
export { runDistance } from './bodies/distance.as';
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
} from './bodies/distance-job.as';
export {
  candidateBytes,
  closestBytes,
  closestFeature,
  closestHigh,
  closestLow,
  closestOnTree,
  closestSlot,
} from './points/closest.as';
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
} from './points/closest-points.as';
