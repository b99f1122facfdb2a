// `nearfield/overlap`: what two solids have in common, as volume, area and a point.

export type { Limits } from '../core/limits.ts';
export { type Overlap, overlap, overlapSync } from '../overlap/overlap.ts';
