// A cloud of points and the body they are near to, in whole numbers of a unit (bvh/gpu/units/unit-frame.ts): the frame
// has the world's axes and the body's local origin C, and the unit 2^(σ − 27).
//
// All vertices of a body lie within 3·2^g of C. σ is g, or up to 6 more if points lie farther than 2^(g + 3) from C: points
// farther away than 512 times 2^g are left to the CPU, for which triangles are hardly distinguishable then either. Points
// are below 2^30 units, so that differences of points and vertices are below 2^31.
//
// Errors. The difference of a point and C is computed from their bits to 2^-61 of itself and rounded to whole units
// (place-points.wgsl). C is the pose's image of the local origin, rounded by less than 2^-50 of the numbers it is made of,
// which the body's own error holds (`frameOf`).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { depthOf } from '../../../bvh/gpu/layouts.ts';
import type { Entry } from '../../../bvh/gpu/trees.ts';
import { holdsAsInverse, inverseOf, normOf } from '../../../bvh/gpu/units/tree-inverse.ts';
import { exponentAbove, frameOf, unitBits, writeFrame } from '../../../bvh/gpu/units/unit-frame.ts';
import { layout } from '../../../gpu/layout.ts';

export const CloudLayout = layout('Cloud', {
  /** As in the layers of the field method, whose modules the kernel shares (sampled/field/gpu/layouts.ts). */
  linear: ['vec4i', 3],
  inverse: ['vec4f', 3],
  offset: 'vec4i',
  rest: 'vec4f',
  /** The bits of C. */
  centreLow: 'vec4u',
  centreHigh: 'vec4u',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  mostShrink: 'f32',
  /** 27 − σ. */
  scale: 'i32',
  pointCount: 'u32',
  /** The number of the submission. */
  serial: 'u32',
  /** How far to search in units, rounded up, and rounded down. */
  reach: 'f32',
  certainReach: 'f32',
  /** 1 if answers are triangles alone. */
  plain: 'u32',
  /** 1 if leaves are in units. */
  isPlaced: 'u32',
});

/** σ exceeds g by at most this. */
const mostDoublings = 6;
/** Larger and smaller numbers could leave the range of doubles. */
const mostExponent = 600;

/**
 * The uniform of the kernels. If points proved to be too far away, `farPoints` are all of them, and σ is chosen by them.
 * Undefined if single precision is of no use: the pose squeezes, or numbers are too large or too small for it.
 */
export function cloudOf(
  body: Placed,
  entry: Entry,
  upTo: number,
  farPoints?: Float64Array,
): Uint32Array<ArrayBuffer> | undefined {
  const frame = frameOf(body.pose, entry.frame);
  const { linear, exponent, centre } = frame;
  const inverse = inverseOf(linear);
  const isUsable = Math.abs(exponent) <= mostExponent && holdsAsInverse(linear, inverse);
  if (!isUsable || entry.leafCount === 0) return undefined;
  const wanted = farPoints === undefined ? exponent : exponentAbove(awayFrom(centre, farPoints)) - 2;
  const shift = Math.max(0, Math.min(mostDoublings, wanted - exponent));
  const sigma = exponent + shift;
  const scale = 2 ** (unitBits - sigma);
  const words = new Uint32Array(CloudLayout.words);
  const floats = new Float32Array(words.buffer);
  const { at } = CloudLayout;
  const perUnit = 2 ** (shift - unitBits);
  for (let i = 0; i < 9; i++) floats[at.inverse + 4 * Math.floor(i / 3) + (i % 3)] = inverse[i] * perUnit;
  // A point is off by half a unit.
  writeFrame(words, 0, at, frame, centre, sigma, (1 / 2 + 2 ** -20) / scale);
  const bits = new Uint32Array(centre.buffer);
  for (let axis = 0; axis < 3; axis++) {
    words[at.centreLow + axis] = bits[2 * axis];
    words[at.centreHigh + axis] = bits[2 * axis + 1];
  }
  words[at.nodeOffset] = entry.nodeOffset;
  words[at.leafOffset] = entry.leafOffset;
  words[at.leafCount] = entry.leafCount;
  words[at.depth] = depthOf(entry.leafCount);
  floats[at.mostShrink] = normOf(inverse) * (1 + 2 ** -20) * perUnit;
  new Int32Array(words.buffer)[at.scale] = unitBits - sigma;
  floats[at.reach] = Math.min(2 ** 60, upTo * scale * (1 + 2 ** -20) + 1);
  floats[at.certainReach] = Math.min(2 ** 61, upTo * scale * (1 - 2 ** -20));
  return words;
}

/** The largest distance of points from a centre along an axis, without the points that no unit is large enough for. */
function awayFrom(centre: Float64Array, points: Float64Array): number {
  let most = 0;
  for (let i = 0; i < points.length; i++) most = Math.max(most, Math.abs(points[i] - centre[i % 3]));
  return most;
}
