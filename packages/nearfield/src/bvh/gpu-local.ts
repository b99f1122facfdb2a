// A shape's local frame: the origin and power of two that turn its positions into 30-bit integers. The GPU does
// that (store-vertices.wgsl); here the frame is chosen, ahead of it and on what is known without looking at every
// position: a sample, or the box of the last revision. The root box then says whether the frame holds.

import { type Box, isEmptyBox } from '../math/box.ts';
import { boundsOfVertices } from '../mesh/facts.ts';
import type { Positions } from '../mesh/mesh.ts';

export interface LocalFrame {
  /** c: the mesh's own origin where that is near the mesh, else the middle of its box. */
  readonly origin: readonly [number, number, number];
  /** k: |x − c| ≤ 2^k. */
  readonly exponent: number;
  /** 2·|c|·2^−k along each axis, rounded up. */
  readonly originReach: Float32Array;
  /** At least (|x| + |c|)·2^−k along each axis, for every x that fits. */
  readonly reach: Float32Array;
}

/** With `room`, positions may grow to that many times their size before the frame is too small. */
export function localFrame(bounds: Box, room = 1): LocalFrame {
  const box = isEmptyBox(bounds) ? new Float64Array(6) : bounds;
  let farthest = 0;
  let half = 0;
  for (let axis = 0; axis < 3; axis++) {
    farthest = Math.max(farthest, Math.abs(box[axis]), Math.abs(box[axis + 3]));
    half = Math.max(half, box[axis + 3] / 2 - box[axis] / 2);
  }
  // Keeping the mesh's own origin costs at most a bit or two of the 30 and makes the centre of a placed body
  // the translation of its pose, with no rounding at all.
  const own = farthest <= 4 * half;
  const middleOf = (axis: number) => (own ? 0 : box[axis] / 2 + box[axis + 3] / 2);
  const origin: [number, number, number] = [middleOf(0), middleOf(1), middleOf(2)];
  // A margin of 2^−20 covers the rounding of the middle and of x − c. A mesh far smaller than its distance
  // from its origin is held to 2^−60 of that distance, below what doubles resolve there.
  const size = (own ? farthest : half) * (1 + 2 ** -20) * room;
  const exponent = Math.max(exponentAbove(size), exponentAbove(farthest) - 60, leastExponent);
  const originReach = new Float32Array(3);
  const reach = new Float32Array(3);
  for (let axis = 0; axis < 3; axis++) {
    // |x| + |c| ≤ |x − c| + 2·|c|.
    originReach[axis] = 2 * scaled(Math.abs(origin[axis]), -exponent) * (1 + 2 ** -20);
    reach[axis] = (1 + originReach[axis]) * (1 + 2 ** -20);
  }
  return { origin, exponent, originReach, reach };
}

const leastExponent = -960;

/** How a frame suits positions with this root box, in q. */
export type Fit = 'holds' | 'too-small' | 'too-large';

/**
 * Leaf boxes are 2^−22 larger than what they hold, so |Q| ≤ 2^29·(1 + 2^−20) where the frame holds: filter.md
 * allows for it. A frame eight times too large wastes three bits of 30 and is not worth keeping.
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

/** Whether a box fills a fair share of a frame, up to `largest` of it: then the frame need not be made anew. */
export function frameHolds({ origin, exponent }: LocalFrame, box: Box, largest = 1): boolean {
  if (isEmptyBox(box)) return true;
  let most = 0;
  for (let axis = 0; axis < 3; axis++) {
    most = Math.max(most, box[axis + 3] - origin[axis], origin[axis] - box[axis]);
  }
  const share = scaled(most * (1 + 2 ** -20), -exponent);
  return share <= largest && (share >= 1 / 8 || exponent === leastExponent);
}

/** The box of some of the vertices, whether a triangle uses them or not. */
export function sampleBounds(positions: Positions, samples: number): Box {
  return boundsOfVertices(positions, Math.max(1, Math.floor(positions.length / 3 / samples)));
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
