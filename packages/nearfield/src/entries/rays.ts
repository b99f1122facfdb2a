// `nearfield/rays`: what rays hit.

export type { Limits } from '../core/limits.ts';
export type { RayHits } from '../rays/hits.ts';
export { type RayOptions, rays, raysSync } from '../rays/rays.ts';
