// Poses as the sampling kernels use them: stored vertices (bvh/gpu/layouts.ts) are mapped to integer multiples of a
// unit, 2^(σ − 27), from an origin. A stored vertex q is L·q·2^g from the place C of its local origin, up to the body's
// error of math/gpu/filter.md §2. L·Q is summed in integers, products of halves of 16 bits (in-units.wgsl), shifted by
// σ − g and rounded once. In units, a vertex is off by the sum of
//   1/2 for the rounding, and less than 1/8 for the single precision of the number that is rounded,
//   error·2^(27 + g − σ), and
//   the error of the difference of C and the origin, which the caller adds.

import { applyPose, type Pose } from '../../../math/pose.ts';
import type { LocalFrame } from '../build/local.ts';

export const unitBits = 27;

/** A pose split into the parts that the kernels use. */
export interface PoseFrame {
  /** Rows; the entries are divided by the power of two that makes the largest less than 1. */
  readonly linear: Float64Array;
  /** g: that power and the local frame's together. */
  readonly exponent: number;
  /** C. */
  readonly centre: Float64Array;
  /** The error of L·q + C, in 2^g. */
  readonly error: number;
  /** The largest coordinate that occurs while a vertex is placed, in 2^g. */
  readonly reach: number;
}

export function frameOf(
  pose: Pose,
  { origin, exponent: localExponent, reach: localReach }: LocalFrame,
): PoseFrame {
  let most = 0;
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) most = Math.max(most, Math.abs(pose[4 * column + row]));
  }
  const linearExponent = exponentOver(most);
  const linear = new Float64Array(9);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      linear[3 * row + column] = scaled(pose[4 * column + row], -linearExponent);
    }
  }
  const exponent = linearExponent + localExponent;
  const centre = new Float64Array(3);
  applyPose(pose, origin[0], origin[1], origin[2], centre, 0);
  let reach = 0;
  for (let row = 0; row < 3; row++) {
    let sum = Math.abs(scaled(centre[row], -exponent));
    for (let column = 0; column < 3; column++) sum += Math.abs(linear[3 * row + column]) * localReach[column];
    reach = Math.max(reach, sum);
  }
  const underflow = exponent < -940 ? 2 ** Math.min(1000, -1070 - exponent) : 0;
  const error = 2 ** -49 * reach + 6.01 * 2 ** -30 + underflow;
  return { linear, exponent, centre, error, reach };
}

/** The offsets of the parts of a record, in words. */
export interface FrameFields {
  readonly linear: number;
  readonly offset: number;
  readonly rest: number;
}

/**
 * Writes a frame's record: `linear`, `offset` and `rest` (sampled/raster/layouts.ts). `slack` is the error of its
 * centre and the origin together. Returns the largest error of a vertex in units: the value written, rounded up.
 */
export function writeFrame(
  words: Uint32Array<ArrayBuffer>,
  record: number,
  at: FrameFields,
  { linear, exponent, centre, error }: PoseFrame,
  origin: ArrayLike<number>,
  sigma: number,
  slack: number,
): number {
  const whole = new Int32Array(words.buffer);
  const floats = new Float32Array(words.buffer);
  const shift = sigma - exponent;
  const scale = 2 ** (unitBits - sigma);
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) {
      whole[record + at.linear + 4 * row + column] = Math.trunc(linear[3 * row + column] * 2 ** 30);
    }
    const offset = (centre[row] - origin[row]) * scale;
    whole[record + at.offset + row] = Math.round(offset);
    floats[record + at.rest + row] = offset - Math.round(offset);
  }
  whole[record + at.offset + 3] = Math.min(31, shift);
  const noise = 1.25 + (shift > 31 ? 4 : 0) + error * 2 ** (unitBits - shift) + slack * scale;
  floats[record + at.rest + 3] = noise * (1 + 2 ** -20);
  return noise;
}

/** The least e with value ≤ 2^e; for 0, a number far below all others. */
export function exponentAbove(value: number): number {
  if (value === 0) return -1000;
  let e = Math.ceil(Math.log2(value));
  while (value > 2 ** e) e++;
  return e;
}

/** The least e with value < 2^e. */
const exponentOver = (value: number): number => {
  const e = exponentAbove(value);
  return value < 2 ** e ? e : e + 1;
};

/** value·2^power, in two steps if one would leave the range of doubles. */
export function scaled(value: number, power: number): number {
  const half = Math.trunc(power / 2);
  return value * 2 ** half * 2 ** (power - half);
}
