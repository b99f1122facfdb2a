// A shape's local frame: the origin and power of two that turn its positions into 30-bit integers. The GPU converts the
// positions (store-vertices.wgsl). The frame is chosen here beforehand, without reading every position: from a sample,
// or from the box of the last revision. Afterwards the root box shows whether the frame holds.

import { type Box, isEmptyBox } from '../../../math/box.ts';
import type { Positions } from '../../../mesh/mesh.ts';
import { boundsOfVertices } from '../../../mesh/vertices.ts';

type Three = readonly [number, number, number];

export interface LocalFrame {
  /** c: the mesh's own origin if it is near the mesh, else the middle of its box. */
  readonly origin: Three;
  /** k: |x − c| ≤ 2^k. */
  readonly exponent: number;
  /** 2·|c|·2^−k along each axis, rounded up, in single precision. */
  readonly originReach: Three;
  /** At least (|x| + |c|)·2^−k along each axis, for every x that fits, in single precision. */
  readonly reach: Three;
}

/** With `room`, positions may grow to that many times their size before the frame is too small. */
export function localFrame(box: Box, room = 1): LocalFrame {
  if (isEmptyBox(box)) return localFrame(pointBox, room);
  let farthest = 0;
  let half = 0;
  for (let axis = 0; axis < 3; axis++) {
    farthest = Math.max(farthest, Math.abs(box[axis]), Math.abs(box[axis + 3]));
    half = Math.max(half, box[axis + 3] / 2 - box[axis] / 2);
  }
  // Keeping the mesh's own origin costs at most a bit or two of the 30 and makes the centre of a placed body
  // the translation of its pose, with no rounding at all.
  const own = farthest <= 4 * half;
  const x = own ? 0 : box[0] / 2 + box[3] / 2;
  const y = own ? 0 : box[1] / 2 + box[4] / 2;
  const z = own ? 0 : box[2] / 2 + box[5] / 2;
  // A margin of 2^−20 covers the rounding of the middle and of x − c. If a mesh is far smaller than its distance from
  // its origin, the frame is at least 2^−60 of that distance, below what doubles resolve there.
  const size = (own ? farthest : half) * (1 + 2 ** -20) * room;
  const exponent = Math.max(exponentAbove(size), exponentAbove(farthest) - 60, leastExponent);
  const originReach: Three = own
    ? zeros
    : [originReachOf(x, exponent), originReachOf(y, exponent), originReachOf(z, exponent)];
  const reach: Three = own
    ? ones
    : [reachOf(originReach[0]), reachOf(originReach[1]), reachOf(originReach[2])];
  return { origin: own ? zeros : [x, y, z], exponent, originReach, reach };
}

const pointBox = new Float64Array(6);

// |x| + |c| ≤ |x − c| + 2·|c|.
const originReachOf = (c: number, exponent: number): number =>
  Math.fround(2 * scaled(Math.abs(c), -exponent) * (1 + 2 ** -20));
const reachOf = (originReach: number): number => Math.fround((1 + originReach) * (1 + 2 ** -20));

const zeros: Three = [0, 0, 0];
const ones: Three = [reachOf(0), reachOf(0), reachOf(0)];

const leastExponent = -960;

/** How well a frame suits positions with this root box, in q. */
export type Fit = 'holds' | 'too-small' | 'too-large';

/**
 * Leaf boxes are 2^−22 larger than their contents, so |Q| ≤ 2^29·(1 + 2^−20) if the frame holds: filter.md allows for
 * it. A frame eight times too large wastes three bits of 30 and is not worth keeping.
 */
export function fitOf(root: Float32Array): Fit {
  let most = 0;
  for (const at of [0, 1, 2, 4, 5, 6]) most = Math.max(most, Math.abs(root[at]));
  if (most > 1 + 2 ** -21) return 'too-small';
  return most < 1 / 8 ? 'too-large' : 'holds';
}

/** The root box (low, then high, four words each) in the mesh's units. */
export function boxOfRoot({ origin, exponent }: LocalFrame, root: Float32Array): Box {
  const box = new Float64Array(6);
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = origin[axis] + scaled(root[axis], exponent);
    box[axis + 3] = origin[axis] + scaled(root[4 + axis], exponent);
  }
  return box;
}

/** Whether a box fills enough of a frame, and at most `largest` of it. If so, no new frame is needed. */
export function frameHolds({ origin, exponent }: LocalFrame, box: Box, largest = 1): boolean {
  if (isEmptyBox(box)) return true;
  let most = 0;
  for (let axis = 0; axis < 3; axis++) {
    most = Math.max(most, box[axis + 3] - origin[axis], origin[axis] - box[axis]);
  }
  const share = scaled(most * (1 + 2 ** -20), -exponent);
  return share <= largest && (share >= 1 / 8 || exponent === leastExponent);
}

/** The box of a sample of the vertices, whether a triangle uses them or not. */
export function sampleBounds(positions: Positions, samples: number): Box {
  return boundsOfVertices(positions, Math.max(1, Math.floor(positions.length / 3 / samples)));
}

const double = new Float64Array(1);
/** Low word, then high word. */
const bits = new Int32Array(double.buffer);

/** The smallest e ≥ −1022 with value ≤ 2^e, from the value's own exponent. */
function exponentAbove(value: number): number {
  double[0] = value;
  const power = bits[1] >>> 20;
  if (power === 0) return -1022;
  const whole = (bits[1] & 0xfffff) === 0 && bits[0] === 0;
  return whole ? power - 1023 : power - 1022;
}

/** value·2^power, in two steps if one would leave the range of doubles. */
function scaled(value: number, power: number): number {
  const half = Math.trunc(power / 2);
  return value * powerOfTwo(half) * powerOfTwo(power - half);
}

/** 2^e as its bits, for −1022 ≤ e ≤ 1023. */
function powerOfTwo(e: number): number {
  bits[0] = 0;
  bits[1] = (e + 1023) << 20;
  return double[0];
}
