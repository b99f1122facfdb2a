// `nearfield/motion`: when bodies that move first touch.

export type { Limits } from '../core/limits.ts';
export { firstContact, firstContactSync } from '../motion/first-contact.ts';
export type * from '../motion/types.ts';
