// Where candidates may interfere, and how it is looked at: the view fits what two bodies' boxes have in common as tightly
// as it can (Knott, section 4.5.3), parallel to an axis of the world, whose coordinates it only exchanges: nothing is rounded.

import { type Box, emptyBox, growBox, placeBox } from '../../math/box.ts';
import { boundsOf } from '../../mesh/facts.ts';
import type { Placed } from '../../scene/engine.ts';

/** The world box of a body as it is placed. */
export const boxOfBody = ({ shape, pose }: Placed): Box =>
  placeBox(pose, boundsOf(shape.positions, shape.mesh.indices));

/** What two boxes have in common; they meet. */
export function commonBox(a: Box, b: Box): Box {
  const out = new Float64Array(6);
  for (let axis = 0; axis < 3; axis++) {
    out[axis] = Math.max(a[axis], b[axis]);
    out[axis + 3] = Math.min(a[axis + 3], b[axis + 3]);
  }
  return out;
}

/** A box around both. */
export function joinBox(box: Box, other: Box): void {
  growBox(box, other[0], other[1], other[2]);
  growBox(box, other[3], other[4], other[5]);
}

/** By candidate, what the boxes of its two bodies have in common. */
export function windowsOf(bodies: readonly Placed[], candidates: Uint32Array): Box[] {
  const boxes: Box[] = [];
  const boxOf = (i: number) => (boxes[i] ??= boxOfBody(bodies[i]));
  return Array.from({ length: candidates.length / 2 }, (_, c) =>
    commonBox(boxOf(candidates[2 * c]), boxOf(candidates[2 * c + 1])),
  );
}

/** A box around all of them. */
export function boxAround(boxes: Iterable<Box>): Box {
  const all = emptyBox();
  for (const box of boxes) joinBox(all, box);
  return all;
}

/** The axes a box is looked at along: where it is thinnest first, which leaves the most to be seen. */
export function directionsOf(box: Box, views: number): number[] {
  const extent = (axis: number) => box[axis + 3] - box[axis];
  return [2, 1, 0].sort((a, b) => extent(a) - extent(b)).slice(0, views);
}

export const axisVector = (axis: number): [number, number, number] => [
  axis === 0 ? 1 : 0,
  axis === 1 ? 1 : 0,
  axis === 2 ? 1 : 0,
];
