// `nearfield/penetration`: how deep two solids overlap, as bounds of the least translation that separates them; and how deep single points
// lie.

export type { Limits } from '../core/limits.ts';
export {
  type DepthOptions,
  type Penetration,
  type PenetrationOptions,
  penetration,
  penetrationSync,
} from '../penetration/penetration.ts';
export type { PenetratingPoints, PenetratingVertices } from '../penetration/points.ts';
export { penetrationWithPoints, penetrationWithPointsSync } from '../penetration/with-points.ts';
export type { IntersectionVolume } from '../sampled/field/volume.ts';
