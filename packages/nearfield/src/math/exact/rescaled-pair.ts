// Two triangles rescaled to coordinates near 1. Near the ends of the range of doubles no filter decides anything, since
// products underflow or overflow. Multiplying an axis by a power of two does not change whether the triangles meet.

import { scaleToOne } from './orient.ts';

// Products of three differences of such numbers are between 2^-560 and 2^560: far from both ends of the range.
const smallest = 2 ** -180;
const largest = 2 ** 180;

const rescaled = new Float64Array(18);

/**
 * The 18 coordinates of two triangles. If some are far from 1, a copy with each axis multiplied by a power of two; the
 * next call overwrites that copy.
 */
export function rescaledPair(p: Float64Array): Float64Array {
  if (p === rescaled) return p;
  let isNear = true;
  for (let i = 0; i < 18; i++) {
    const size = Math.abs(p[i]);
    if (size !== 0 && (size < smallest || size > largest)) isNear = false;
  }
  if (isNear) return p;
  for (let axis = 0; axis < 3; axis++) rescaleAxis(p, axis);
  return rescaled;
}

/** Leaves an axis unchanged if its numbers have such different sizes that some would lose digits. */
function rescaleAxis(p: Float64Array, axis: number): void {
  let size = 0;
  for (let i = axis; i < 18; i += 3) size = Math.max(size, Math.abs(p[i]));
  const [first, second] = size === 0 ? [1, 1] : scaleToOne(size);
  let isExact = true;
  for (let i = axis; i < 18; i += 3) {
    rescaled[i] = p[i] * first * second;
    if (p[i] !== 0 && Math.abs(rescaled[i]) < 2 ** -1022) isExact = false;
  }
  if (isExact) return;
  for (let i = axis; i < 18; i += 3) rescaled[i] = p[i];
}
