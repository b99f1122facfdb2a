// `nearfield/distance`: how far apart bodies are, which are nearer than a clearance, and the nearest points to many points.

export type { PairFilter } from '../candidates/filter.ts';
export type { Limits } from '../core/limits.ts';
export {
  type ClosestOptions,
  type ClosestPoints,
  closest,
  closestSync,
  feature,
} from '../distance/closest-points.ts';
export {
  type Distance,
  type DistanceOptions,
  distance,
  distanceSync,
  type Proximities,
  type Proximity,
  type Separation,
  type WithinOptions,
  within,
  withinSync,
} from '../distance/distance.ts';
