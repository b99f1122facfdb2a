// Seeded smooth noise in space: gradient noise after Perlin ("Improving Noise", SIGGRAPH 2002), with gradients
// hashed from the lattice point and the seed instead of a permutation table, and octaves summed by halves.

import { aFiniteNumber, aVector, wholeNumber } from '../core/arguments.ts';
import { mix } from './random.ts';

export const octavesRule = wholeNumber(1, 64);

/**
 * A function of space with values in [−1, 1]. It is twice continuously differentiable and statistically the same
 * everywhere.
 */
export type Noise = (x: number, y: number, z: number) => number;

/**
 * The same seed gives the same function. Each further octave has twice the frequency and half the height. Throws
 * 'bad-option' for a seed that is not finite, or octaves that are not 1 to 64.
 */
export function createNoise(seed: number, octaves = 1): Noise {
  aFiniteNumber(seed, 'seed');
  octavesRule(octaves, 'octaves');
  const total = 2 - 2 ** (1 - octaves);
  const seeds = Array.from({ length: octaves }, (_, octave) => mix(seed + octave));
  return (x, y, z) => {
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) aVector([x, y, z], 'x, y, z');
    let sum = 0;
    for (let octave = 0; octave < octaves; octave++) {
      const scale = 2 ** octave;
      sum += gradientNoise(seeds[octave], x * scale, y * scale, z * scale) / scale;
    }
    return Math.max(-1, Math.min(1, sum / total));
  };
}

/**
 * Weights the gradients of the eight surrounding lattice points. The low and the high point of an axis share the hash
 * of the other axes.
 */
function gradientNoise(seed: number, x: number, y: number, z: number): number {
  const i = Math.floor(x);
  const j = Math.floor(y);
  const k = Math.floor(z);
  const u = x - i;
  const v = y - j;
  const w = z - k;
  const fu = fade(u);
  const fv = fade(v);
  const fw = fade(w);
  const low = mix(seed ^ i);
  const high = mix(seed ^ (i + 1));
  const lowLow = mix(low ^ j);
  const highLow = mix(high ^ j);
  const lowHigh = mix(low ^ (j + 1));
  const highHigh = mix(high ^ (j + 1));
  let sum = (1 - fu) * (1 - fv) * (1 - fw) * slope(mix(lowLow ^ k), u, v, w);
  sum += fu * (1 - fv) * (1 - fw) * slope(mix(highLow ^ k), u - 1, v, w);
  sum += (1 - fu) * fv * (1 - fw) * slope(mix(lowHigh ^ k), u, v - 1, w);
  sum += fu * fv * (1 - fw) * slope(mix(highHigh ^ k), u - 1, v - 1, w);
  sum += (1 - fu) * (1 - fv) * fw * slope(mix(lowLow ^ (k + 1)), u, v, w - 1);
  sum += fu * (1 - fv) * fw * slope(mix(highLow ^ (k + 1)), u - 1, v, w - 1);
  sum += (1 - fu) * fv * fw * slope(mix(lowHigh ^ (k + 1)), u, v - 1, w - 1);
  sum += fu * fv * fw * slope(mix(highHigh ^ (k + 1)), u - 1, v - 1, w - 1);
  return sum;
}

/** The dot product with one of the twelve directions to the middles of a cube's edges. */
function slope(hash: number, x: number, y: number, z: number): number {
  const kind = (hash >>> 2) % 3;
  const first = kind === 0 ? x : kind === 1 ? y : z;
  const second = kind === 0 ? y : kind === 1 ? z : x;
  return (hash & 1 ? first : -first) + (hash & 2 ? second : -second);
}

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);
