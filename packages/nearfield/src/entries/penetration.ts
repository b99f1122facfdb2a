// `nearfield/penetration`: how deep two solids overlap, as bounds of the least translation that separates them.

export type { Limits } from '../core/limits.ts';
export {
  type Penetration,
  type PenetrationOptions,
  penetration,
  penetrationSync,
} from '../penetration/penetration.ts';
export type { PenetratingPoints, PenetratingVertices } from '../penetration/points.ts';
