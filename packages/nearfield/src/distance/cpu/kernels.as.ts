// The module of the distance kernels, for bodies and for points: the functions that TypeScript calls (kernels.ts), and
// what it knows of their memory.

export { Tree } from '../../bvh/cpu/build/layout.as';
export { bodyBytes } from '../../bvh/cpu/place/place.as';
export { runDistance } from './bodies/distance.as';
export { DistanceJob, distanceBytes, distanceEntries, PairRecord } from './bodies/distance-job.as';
export { QueueEntry } from './bodies/queue.as';
export { candidateBytes } from './points/closest.as';
export { closestPoints } from './points/closest-points.as';
export { largestOf } from './points/largest.as';
export { orientedSize, orientNodes } from './points/packet/oriented.as';
export { answerBytes, PointsJob, pointsBytes } from './points/points-job.as';
export {
  boxPhase,
  cellPhase,
  Ordering,
  orderBytes,
  orderingBytes,
  orderPoints,
  orderScratchBytes,
  placePhase,
  sortPhase,
  startOrdering,
  startPhase,
} from './points/spatial-order.as';
