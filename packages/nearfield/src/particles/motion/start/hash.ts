// Stateless random numbers: 32 bits for a seed, a particle, a generation and a channel, the same on every machine and
// in hash.wgsl. Three rounds of a mixing bijection; a golden-ratio step between inputs keeps neighbours apart.

import { mix } from '../../../shapes/random.ts';

const golden = 0x9e3779b9;

/** The seed's part, the same for all particles. */
export const hashSeed = (seed: number, channel: number): number =>
  mix((seed + Math.imul(channel + 1, golden)) | 0);

/** The particle's part. */
export const hashParticle = (seeded: number, particle: number): number =>
  mix((Math.imul(particle, golden) + seeded) | 0);

/** The generation's part, and the end: 32 bits, maybe as a negative number. */
export const hashGeneration = (ofParticle: number, generation: number): number =>
  mix((Math.imul(generation, golden) + ofParticle) | 0);

/** 32 bits, 0 to 2^32 − 1. */
export const hash = (seed: number, particle: number, generation: number, channel: number): number =>
  hashGeneration(hashParticle(hashSeed(seed, channel), particle), generation) >>> 0;
