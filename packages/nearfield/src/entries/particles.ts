// `nearfield/particles`: particles whose lives are formulas, and every impact on what stands in their way.

export { particles, particlesSync } from '../particles/make.ts';
export type * from '../particles/types.ts';
