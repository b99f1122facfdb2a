// The region in which a candidate may interfere, and how to view it. The view fits the common part of two bodies' boxes
// as tightly as it can (Knott, section 4.5.3). It is parallel to a world axis and only exchanges coordinates, so
// nothing is rounded.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { type Box, emptyBox, placeBox } from '../../math/box.ts';
import { boundsOf } from '../../mesh/facts.ts';

/** World boxes of bodies, six numbers per body. */
export function boxesOf(bodies: readonly Placed[]): Float64Array {
  const boxes = new Float64Array(6 * bodies.length);
  const box = new Float64Array(6);
  for (let i = 0; i < bodies.length; i++) {
    const { shape, pose } = bodies[i];
    placeBox(pose, boundsOf(shape.positions, shape.mesh.indices), box);
    boxes.set(box, 6 * i);
  }
  return boxes;
}

/** The intersection of the two bodies' boxes, six numbers per candidate. Levels of detail give narrower ones (coarse.ts). */
export function windowsOf(boxes: Float64Array, candidates: Uint32Array): Float64Array {
  const windows = new Float64Array(3 * candidates.length);
  for (let c = 0, at = 0; c < candidates.length; c += 2, at += 6) {
    const a = 6 * candidates[c];
    const b = 6 * candidates[c + 1];
    for (let axis = 0; axis < 3; axis++) {
      windows[at + axis] = Math.max(boxes[a + axis], boxes[b + axis]);
      windows[at + axis + 3] = Math.min(boxes[a + axis + 3], boxes[b + axis + 3]);
    }
  }
  return windows;
}

/** The box around many boxes. */
export function boxAround(boxes: Float64Array): Box {
  const all = emptyBox();
  for (let at = 0; at < boxes.length; at += 6) {
    for (let axis = 0; axis < 3; axis++) {
      if (boxes[at + axis] < all[axis]) all[axis] = boxes[at + axis];
      if (boxes[at + axis + 3] > all[axis + 3]) all[axis + 3] = boxes[at + axis + 3];
    }
  }
  return all;
}

/** The axes to view a box along, the thinnest extent first, which leaves the most to be seen. */
export function directionsOf(boxes: Float64Array, at: number, views: number): number[] {
  const x = boxes[at + 3] - boxes[at];
  const y = boxes[at + 4] - boxes[at + 1];
  const z = boxes[at + 5] - boxes[at + 2];
  if (views === 1) return z <= x && z <= y ? alongZ : y <= x ? alongY : alongX;
  const extents = [x, y, z];
  return [2, 1, 0].sort((a, b) => extents[a] - extents[b]).slice(0, views);
}

const [alongX, alongY, alongZ] = [[0], [1], [2]];

export const axisVector = (axis: number): [number, number, number] => [
  axis === 0 ? 1 : 0,
  axis === 1 ? 1 : 0,
  axis === 2 ? 1 : 0,
];
