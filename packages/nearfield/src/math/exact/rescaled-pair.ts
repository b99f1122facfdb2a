// Two triangles brought near the size of 1. Whether they meet does not change when an axis is multiplied by a power of two, and
// near the ends of the range of doubles no filter decides anything: products underflow or overflow.

import { scaleToOne } from './orient.ts';

// Products of three differences of such numbers are between 2^-560 and 2^560: far from both ends of the range.
const smallest = 2 ** -180;
const largest = 2 ** 180;

const rescaled = new Float64Array(18);

/**
 * The 18 coordinates of two triangles, or the same with each axis multiplied by a power of two where some are far from 1. What is
 * returned is overwritten by the next call.
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

/** An axis whose numbers are of such different sizes that some would lose digits stays as it is. */
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
