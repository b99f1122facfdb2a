// `nearfield/distance`: how far apart bodies are, which are nearer than a clearance, and the nearest points to many points.

export type { PairFilter } from '../candidates/filter.ts';
export type { Limits } from '../core/limits.ts';
export {
  type ClosestOptions,
  type ClosestPoints,
  type ClosestTriangles,
  type ClosestTrianglesOptions,
  closest,
  closestSync,
  feature,
} from '../distance/closest-points.ts';
export { type Distance, type DistanceOptions, distance, distanceSync } from '../distance/distance.ts';
export type { Proximities, Proximity } from '../distance/proximities.ts';
export type { Separation } from '../distance/separation.ts';
export { type WithinOptions, within, withinSync } from '../distance/within.ts';
