// The order of a shape's triangles along a Hilbert curve, as a GPU computes it for a tree that it builds alone
// (gpu/build/spatial-keys.wgsl, gpu/build/small). Keys are whole numbers, so the order is the GPU's own, if its frame is
// the one that the bounds give: for shapes whose bounds are not known, a GPU takes a frame from a sample.

import type { Shape } from '../bodies/snapshot/snapshot.ts';
import { boundsOf } from '../mesh/facts.ts';
import { localFrame } from './gpu/build/local.ts';

/** Up to this many triangles, and beyond: bits of a cell per axis (gpu/build/batches/batches.ts). */
const [mostFew, fewBits, manyBits] = [2 ** 12, 6, 10];

export function hilbertOrder({ mesh, positions }: Shape): Uint32Array {
  const { indices, triangleCount } = mesh;
  const { origin, exponent } = localFrame(boundsOf(positions, indices));
  // Stored vertices are rounded to whole numbers of 30 bits, halves away from 0 (gpu/modules/stored-vertex.wgsl).
  const stored = new Int32Array(positions.length);
  for (let at = 0; at < stored.length; at++) {
    const value = (positions[at] - origin[at % 3]) * 2 ** (29 - exponent);
    stored[at] = Math.sign(value) * Math.floor(Math.abs(value) + 0.5);
  }
  const bits = triangleCount <= mostFew ? fewBits : manyBits;
  const keys = new Uint32Array(triangleCount);
  const cell = [0, 0, 0];
  for (let t = 0; t < triangleCount; t++) {
    const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    for (let axis = 0; axis < 3; axis++) {
      const centre = Math.trunc((stored[a + axis] + stored[b + axis] + stored[c + axis]) / 3);
      cell[axis] = Math.min(Math.max(centre + 2 ** 29, 0), 2 ** 30 - 1) >>> (30 - bits);
    }
    keys[t] = hilbertKey(cell, bits);
  }
  return Uint32Array.from(keys.keys()).sort((p, q) => keys[p] - keys[q] || p - q);
}

/** The same as in gpu/build/hilbert.wgsl. */
function hilbertKey(cell: readonly number[], bits: number): number {
  const x = [cell[0], cell[1], cell[2]];
  for (let q = 1 << (bits - 1); q > 1; q >>= 1) {
    for (let axis = 0; axis < 3; axis++) {
      if ((x[axis] & q) !== 0) x[0] ^= q - 1;
      else {
        const swapped = (x[0] ^ x[axis]) & (q - 1);
        x[0] ^= swapped;
        x[axis] ^= swapped;
      }
    }
  }
  x[1] ^= x[0];
  x[2] ^= x[1];
  let flip = 0;
  for (let q = 1 << (bits - 1); q > 1; q >>= 1) if ((x[2] & q) !== 0) flip ^= q - 1;
  let key = 0;
  for (let bit = bits - 1; bit >= 0; bit--) {
    for (let axis = 0; axis < 3; axis++) key = 2 * key + (((x[axis] ^ flip) >> bit) & 1);
  }
  return key;
}
