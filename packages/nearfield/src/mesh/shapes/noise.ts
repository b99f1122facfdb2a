// Seeded smooth noise in space: gradient noise after Perlin ("Improving Noise", SIGGRAPH 2002), with gradients
// hashed from the lattice point and the seed instead of a permutation table, and octaves summed by halves.

import { mix } from './random.ts';

/** A function of space with values in [−1, 1], twice continuously differentiable, that looks alike everywhere. */
export type Noise = (x: number, y: number, z: number) => number;

/** The same seed gives the same function. Each further octave has twice the frequency and half the height. */
export function createNoise(seed: number, octaves = 1): Noise {
  const total = 2 - 2 ** (1 - octaves);
  return (x, y, z) => {
    let sum = 0;
    for (let octave = 0; octave < octaves; octave++) {
      const scale = 2 ** octave;
      sum += gradientNoise(mix(seed + octave), x * scale, y * scale, z * scale) / scale;
    }
    return Math.max(-1, Math.min(1, sum / total));
  };
}

function gradientNoise(seed: number, x: number, y: number, z: number): number {
  const [i, j, k] = [Math.floor(x), Math.floor(y), Math.floor(z)];
  const [u, v, w] = [x - i, y - j, z - k];
  const [fu, fv, fw] = [fade(u), fade(v), fade(w)];
  let sum = 0;
  for (let corner = 0; corner < 8; corner++) {
    const [dx, dy, dz] = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const weight = (dx ? fu : 1 - fu) * (dy ? fv : 1 - fv) * (dz ? fw : 1 - fw);
    const hash = mix(mix(mix(seed ^ (i + dx)) ^ (j + dy)) ^ (k + dz));
    sum += weight * slope(hash, u - dx, v - dy, w - dz);
  }
  return sum;
}

/** The dot product with one of the twelve directions to the middles of a cube's edges. */
function slope(hash: number, x: number, y: number, z: number): number {
  const kind = (hash >>> 2) % 3;
  const [first, second] = kind === 0 ? [x, y] : kind === 1 ? [y, z] : [z, x];
  return (hash & 1 ? first : -first) + (hash & 2 ? second : -second);
}

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);
