// `nearfield/penetration`: how deep two bodies overlap, as bounds of the least translation that separates them, or whether deeper
// than a given depth; the depths of many pairs; and how deep single points lie.

export type { Limits } from '../core/limits.ts';
export {
  type DeeperThan,
  type DeeperThanOptions,
  deeperThan,
  deeperThanSync,
} from '../penetration/depths/deeper-than.ts';
export {
  type Depths,
  type DepthsOptions,
  depths,
  depthsSync,
  type PairDepth,
  type TwoBodies,
} from '../penetration/depths/depths.ts';
export {
  type DepthOptions,
  type Penetration,
  type PenetrationOptions,
  penetration,
  penetrationSync,
} from '../penetration/penetration.ts';
export type { PenetratingPoints, PenetratingVertices } from '../penetration/points/points.ts';
export { penetrationWithPoints, penetrationWithPointsSync } from '../penetration/points/with-points.ts';
export type { IntersectionVolume } from '../sampled/field/volume.ts';
