// `nearfield/motion`: when bodies that move touch, and how near they come.

export type { Limits } from '../core/limits.ts';
export type { MotionAnswer, MotionStats } from '../motion/answer.ts';
export { firstContact, firstContactSync } from '../motion/first-contact.ts';
export { nearestApproach } from '../motion/nearest-approach.ts';
export { sweep } from '../motion/sweep.ts';
export type * from '../motion/types.ts';
