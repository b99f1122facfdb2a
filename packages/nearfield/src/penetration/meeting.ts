// Boxes, in A's frame, around the places where two surfaces meet. A shallow overlap is a small part of two large
// solids, and lies where their triangles cross. Places far from each other get boxes of their own.

import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { placeTriangle } from '../math/pose.ts';
import type { PlacedSolid } from './placement.ts';

const mostBoxes = 6;
/** A gap wider than this share of a box divides it. */
const wideGap = 0.25;

/** `triangles` are pairs (of A, of B) that meet. `toA` maps world points, minus A's centre, to A's frame. */
export function meetingBoxes(
  a: SnapshotBody,
  b: SnapshotBody,
  triangles: Uint32Array,
  { centre }: PlacedSolid,
  toA: Float64Array,
): Float64Array[] {
  const boxes: Float64Array[] = [];
  for (let i = 0; i < triangles.length; i += 2) {
    const [p, q] = [boxInFrame(a, triangles[i], centre, toA), boxInFrame(b, triangles[i + 1], centre, toA)];
    for (let axis = 0; axis < 3; axis++) {
      // They have a point in common, but rounding may have separated their boxes.
      const [low, high] = [Math.max(p[axis], q[axis]), Math.min(p[axis + 3], q[axis + 3])];
      p[axis] = Math.min(low, high);
      p[axis + 3] = Math.max(low, high);
    }
    boxes.push(p);
  }
  return boxes.length === 0 ? [] : divide(boxes, mostBoxes).map(enlarged);
}

const corners = new Float64Array(9);

function boxInFrame(
  { pose, positions, mesh }: SnapshotBody,
  t: number,
  centre: Float64Array,
  m: Float64Array,
): Float64Array {
  placeTriangle(pose, positions, mesh.indices, t, corners, 0);
  const box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (let k = 0; k < 9; k += 3) {
    const [x, y, z] = [corners[k] - centre[0], corners[k + 1] - centre[1], corners[k + 2] - centre[2]];
    for (let axis = 0; axis < 3; axis++) {
      const value = m[3 * axis] * x + m[3 * axis + 1] * y + m[3 * axis + 2] * z;
      box[axis] = Math.min(box[axis], value);
      box[axis + 3] = Math.max(box[axis + 3], value);
    }
  }
  return box;
}

/** Splits a list of boxes at its widest gap, and each half likewise. */
function divide(boxes: readonly Float64Array[], most: number): Float64Array[] {
  const whole = union(boxes);
  let best = { gap: 0, axis: 0, at: 0 };
  for (let axis = 0; axis < 3 && most > 1; axis++) {
    const sorted = [...boxes].sort((p, q) => p[axis] - q[axis]);
    let reach = sorted[0][axis + 3];
    for (const box of sorted) {
      const gap = (box[axis] - reach) / (whole[axis + 3] - whole[axis]);
      if (gap > best.gap) best = { gap, axis, at: box[axis] };
      reach = Math.max(reach, box[axis + 3]);
    }
  }
  if (!(best.gap > wideGap)) return [whole];
  const [low, high] = [boxes.filter(p => p[best.axis] < best.at), boxes.filter(p => p[best.axis] >= best.at)];
  const first = divide(low, most - 1);
  return [...first, ...divide(high, most - first.length)];
}

function union(boxes: readonly Float64Array[]): Float64Array {
  const whole = boxes[0].slice();
  for (const box of boxes) {
    for (let axis = 0; axis < 3; axis++) {
      whole[axis] = Math.min(whole[axis], box[axis]);
      whole[axis + 3] = Math.max(whole[axis + 3], box[axis + 3]);
    }
  }
  return whole;
}

/**
 * Enlarges a box: the part enclosed by the curve in which two surfaces meet may bulge a little out of the curve's box.
 */
function enlarged(box: Float64Array): Float64Array {
  const most = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  return box.map((x, i) => (i < 3 ? x - 0.2 * most : x + 0.2 * most));
}
