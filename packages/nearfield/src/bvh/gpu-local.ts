// A shape's local frame: the origin and power of two that turn its positions into 30-bit integers.

import type { Box } from '../math/box.ts';
import { isEmptyBox } from '../math/box.ts';
import type { Positions } from '../mesh/mesh.ts';

export interface LocalFrame {
  /** c: the mesh's own origin where that is near the mesh, else the middle of its box. */
  readonly origin: readonly [number, number, number];
  /** k: |x − c| ≤ 2^k. */
  readonly exponent: number;
  /** The box in q = (x − c)·2^−k, outward in single precision. */
  readonly low: Float32Array;
  readonly high: Float32Array;
  /** (largest |x| + |c|)·2^−k along each axis, rounded up. */
  readonly reach: Float32Array;
}

export function localFrame(bounds: Box): LocalFrame {
  const box = isEmptyBox(bounds) ? new Float64Array(6) : bounds;
  const middle = [0, 1, 2].map(axis => box[axis] / 2 + box[axis + 3] / 2);
  const farthest = Math.max(...Array.from(box, Math.abs));
  let half = 0;
  for (let axis = 0; axis < 3; axis++) half = Math.max(half, box[axis + 3] / 2 - box[axis] / 2);
  // Keeping the mesh's own origin costs at most a bit or two of the 30 and makes the centre of a placed body
  // the translation of its pose, with no rounding at all.
  const own = farthest <= 4 * half;
  const origin: [number, number, number] = own ? [0, 0, 0] : [middle[0], middle[1], middle[2]];
  // A margin of 2^−20 covers the rounding of the middle and of x − c. A mesh far smaller than its distance
  // from its origin is held to 2^−60 of that distance, below what doubles resolve there.
  const size = (own ? farthest : half) * (1 + 2 ** -20);
  const exponent = Math.max(exponentAbove(size), exponentAbove(farthest) - 60, -960);
  const low = new Float32Array(3);
  const high = new Float32Array(3);
  const reach = new Float32Array(3);
  for (let axis = 0; axis < 3; axis++) {
    // Half a unit of rounding and single precision's own: 2^−22 covers both.
    low[axis] = scaled(box[axis] - origin[axis], -exponent) - 2 ** -22;
    high[axis] = scaled(box[axis + 3] - origin[axis], -exponent) + 2 ** -22;
    const most = Math.max(Math.abs(box[axis]), Math.abs(box[axis + 3]));
    reach[axis] = (scaled(most, -exponent) + scaled(Math.abs(origin[axis]), -exponent)) * (1 + 2 ** -20);
  }
  return { origin, exponent, low, high, reach };
}

/**
 * Stored positions, four integers a vertex: Q and the number that tells vertices of different position apart
 * (the vertex itself, or the one it is welded to). |Q·2^(k − 29) − (x − c)| ≤ 2^(k − 30)·(1 + 2^−20): half a
 * unit, and the rounding of x − c, which is 2^−53 of at most 2^k. Returns the box of all Q, rounded or not.
 */
export function writeLocal(
  frame: LocalFrame,
  positions: Positions,
  welds: Uint32Array | undefined,
  out: Int32Array,
): Float64Array {
  const [x, y, z] = frame.origin;
  const scale = 2 ** (29 - frame.exponent);
  // Adding 1.5·2^52 to a number below 2^51 in size rounds it to an integer.
  const rounder = 6755399441055744;
  const count = positions.length / 3;
  let [lowX, lowY, lowZ] = [Infinity, Infinity, Infinity];
  let [highX, highY, highZ] = [-Infinity, -Infinity, -Infinity];
  for (let v = 0, i = 0, o = 0; v < count; v++, i += 3, o += 4) {
    const qx = (positions[i] - x) * scale + rounder - rounder;
    const qy = (positions[i + 1] - y) * scale + rounder - rounder;
    const qz = (positions[i + 2] - z) * scale + rounder - rounder;
    if (qx < lowX) lowX = qx;
    if (qx > highX) highX = qx;
    if (qy < lowY) lowY = qy;
    if (qy > highY) highY = qy;
    if (qz < lowZ) lowZ = qz;
    if (qz > highZ) highZ = qz;
    out[o] = qx;
    out[o + 1] = qy;
    out[o + 2] = qz;
    out[o + 3] = welds === undefined ? v : welds[v];
  }
  return new Float64Array([lowX, lowY, lowZ, highX, highY, highZ]);
}

/**
 * The same origin and exponent with the box of new positions, as `writeLocal` found it; undefined where they do
 * not fit, or are so much smaller by now that bits would be wasted. Saves finding the exact bounds first.
 */
export function keptFrame(frame: LocalFrame, stored: Float64Array): LocalFrame | undefined {
  let farthest = 0;
  for (const value of stored) farthest = Math.max(farthest, Math.abs(value));
  if (!(farthest <= 2 ** 29 && farthest >= 2 ** 26)) return undefined;
  const { origin, exponent } = frame;
  const low = new Float32Array(3);
  const high = new Float32Array(3);
  const reach = new Float32Array(3);
  for (let axis = 0; axis < 3; axis++) {
    low[axis] = stored[axis] * 2 ** -29 - 2 ** -22;
    high[axis] = stored[axis + 3] * 2 ** -29 + 2 ** -22;
    const most = Math.max(Math.abs(low[axis]), Math.abs(high[axis]));
    // |x| ≤ |x − c| + |c|.
    reach[axis] = (most + 2 * scaled(Math.abs(origin[axis]), -exponent)) * (1 + 2 ** -20);
  }
  return { origin, exponent, low, high, reach };
}

/** The least e with value ≤ 2^e; −1075 for zero. */
function exponentAbove(value: number): number {
  if (value === 0) return -1075;
  let e = Math.ceil(Math.log2(value));
  while (value > 2 ** e) e++;
  return e;
}

/** value·2^power, in two steps where one would leave the range of doubles. */
function scaled(value: number, power: number): number {
  const half = Math.trunc(power / 2);
  return value * 2 ** half * 2 ** (power - half);
}
