// `nearfield/regions`: which triangles boxes and balls meet.

export type { Limits } from '../core/limits.ts';
export type { EngineStats } from '../core/stats.ts';
export type { Detail } from '../interferences/request.ts';
export { type RegionHit, RegionHits } from '../regions/answer.ts';
export { inBox, inBoxSync, inSphere, inSphereSync, type RegionOptions } from '../regions/regions.ts';
