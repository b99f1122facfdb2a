// A cloud of points and the body they are near to, in whole numbers of a unit (bvh/gpu/units/unit-frame.ts): the frame
// has the world's axes and the body's local origin C, and the unit 2^(σ − 27).
//
// All vertices of a body lie within 3·2^g of C. σ is g, or as much more as it takes to have the points within 2^(σ + 3) of
// C, up to g + 6: points farther away than 512 times the body's size are left to the CPU, for which triangles are hardly
// distinguishable then. Points are below 8.5·2^27 units, so that differences of points and vertices are below 2^31.
//
// Errors. The difference of a point and C is rounded to a double, by 2^-53 of itself, and then cut to whole units. C is
// the pose's image of the local origin, rounded by less than 2^-50 of the numbers it is made of, which the body's own
// error holds (`frameOf`).

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
  /** The least coordinates of the points, and the shift by which differences from them become numbers of cells. */
  low: 'vec4i',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  mostShrink: 'f32',
  pointCount: 'u32',
  /** The number of the submission. */
  serial: 'u32',
  /** How far to search in units, rounded up, and rounded down. */
  reach: 'f32',
  certainReach: 'f32',
});

export interface Cloud {
  readonly words: Uint32Array<ArrayBuffer>;
  /** C, and the number of units in the user's unit. */
  readonly centre: Float64Array;
  readonly scale: number;
}

/** How many times the unit may be doubled for points far away. */
const mostDoublings = 6;
/** Coordinates of points are below this, in units. */
const mostPlace = 8.5 * 2 ** unitBits;
/** Marks a point that is farther away, in place of its first coordinate. */
const tooFar = 0x7fffffff;
/** Bits of a cell number along one axis. */
const cellBits = 10;
/** Larger and smaller numbers could leave the range of doubles. */
const mostExponent = 600;

/** Undefined if single precision is of no use: the pose squeezes, or numbers are too large or too small for it. */
export function cloudOf(body: Placed, entry: Entry, points: Float64Array, upTo: number): Cloud | undefined {
  const frame = frameOf(body.pose, entry.frame);
  const { linear, exponent, centre } = frame;
  const inverse = inverseOf(linear);
  const isUsable = Math.abs(exponent) <= mostExponent && holdsAsInverse(linear, inverse);
  if (!isUsable || entry.leafCount === 0) return undefined;
  const box = boxOf(points);
  let far = 0;
  for (let k = 0; k < 3; k++) far = Math.max(far, centre[k] - box[k], box[k + 3] - centre[k]);
  const sigma = Math.max(exponent, Math.min(exponent + mostDoublings, exponentAbove(far) - 3));
  const shift = sigma - exponent;
  const scale = 2 ** (unitBits - sigma);
  const words = new Uint32Array(CloudLayout.words);
  const floats = new Float32Array(words.buffer);
  const whole = new Int32Array(words.buffer);
  const { at } = CloudLayout;
  const perUnit = 2 ** (shift - unitBits);
  for (let i = 0; i < 9; i++) floats[at.inverse + 4 * Math.floor(i / 3) + (i % 3)] = inverse[i] * perUnit;
  writeFrame(words, 0, at, frame, centre, sigma, (1 + 2 ** -20) / scale);
  words[at.nodeOffset] = entry.nodeOffset;
  words[at.leafOffset] = entry.leafOffset;
  words[at.leafCount] = entry.leafCount;
  words[at.depth] = depthOf(entry.leafCount);
  floats[at.mostShrink] = normOf(inverse) * (1 + 2 ** -20) * perUnit;
  words[at.pointCount] = points.length / 3;
  floats[at.reach] = Math.min(2 ** 60, upTo * scale * (1 + 2 ** -20) + 1);
  floats[at.certainReach] = Math.min(2 ** 61, upTo * scale * (1 - 2 ** -20));
  let extent = 1;
  for (let k = 0; k < 3; k++) {
    const [low, high] = [box[k], box[k + 3]].map(x => placeOf((x - centre[k]) * scale));
    whole[at.low + k] = low;
    extent = Math.max(extent, high - low);
  }
  whole[at.low + 3] = Math.max(0, Math.floor(Math.log2(extent)) + 1 - cellBits);
  return { words, centre, scale };
}

const placeOf = (units: number): number => Math.trunc(Math.max(-mostPlace, Math.min(mostPlace, units)));

function boxOf(points: Float64Array): readonly number[] {
  let [lowX, lowY, lowZ] = [Infinity, Infinity, Infinity];
  let [highX, highY, highZ] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i];
    const y = points[i + 1];
    const z = points[i + 2];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    if (z < lowZ) lowZ = z;
    if (z > highZ) highZ = z;
  }
  return [lowX, lowY, lowZ, highX, highY, highZ];
}

/** Writes points in units, relative to C. */
export function writePlaces({ centre, scale }: Cloud, points: Float64Array, out: Int32Array): void {
  const [x0, y0, z0] = centre;
  for (let i = 0; i < points.length; i += 3) {
    const x = (points[i] - x0) * scale;
    const y = (points[i + 1] - y0) * scale;
    const z = (points[i + 2] - z0) * scale;
    const isNear =
      x < mostPlace && x > -mostPlace && y < mostPlace && y > -mostPlace && z < mostPlace && z > -mostPlace;
    out[i] = isNear ? x : tooFar;
    out[i + 1] = isNear ? y : 0;
    out[i + 2] = isNear ? z : 0;
  }
}
