export { type BreakingOptions, createBreaking } from './breaking/breaking.ts';
export { createCylinders } from './cylinders.ts';
export { gearboxMistakes, gearboxParts } from './gearbox/gearbox.ts';
export { createHeart } from './heart.ts';
export { createRings, type RingsOptions } from './rings.ts';
export type { Found, Moving, Part, Sample, Step } from './sample.ts';
export type { DeformingOptions } from './soft/deforming.ts';
export { createTori } from './tori.ts';
