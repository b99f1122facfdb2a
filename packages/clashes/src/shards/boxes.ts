// Where may a body be? A box around its world positions, from the box of its mesh and its pose: cheap, and never too small.
//
// A world coordinate is w = ((m0·x + m4·y) + m8·z) + m12 in doubles. Let S be the sum of the greatest magnitudes of the four
// terms and u = 2^-53. Three products and three sums round by at most 4.001·u·S in all, and so does the same sum for the
// corner of the mesh's box that makes it least. Growing by the clearance and subtracting the margin round by at most
// 2.001·u·(S + growth) more. The margin is 2^-49·(S + growth) = 16·u·(S + growth), and 2^-1070 for products that underflow.
// So every world coordinate lies in the box, and boxes of bodies closer than twice the growth have a point in common.

import type { Mesh, Pose } from 'nearfield';

const margin = 2 ** -49;
const least = 2 ** -1070;

/** Numbers per box: the least x, y and z, then the greatest. */
export const boxSize = 6;

/** Writes the box of a body, grown on all sides, to boxes[at…]; an empty one if the mesh has no triangles. */
export function writeBox(
  { bounds }: Pick<Mesh, 'bounds'>,
  pose: Pose | undefined,
  growth: number,
  boxes: Float64Array,
  at: number,
): void {
  if (!(bounds[0] <= bounds[3])) {
    boxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + boxSize);
    return;
  }
  for (let row = 0; row < 3; row++) {
    let [low, high, size] = [bounds[row], bounds[row + 3], 0];
    if (pose === undefined) size = Math.max(Math.abs(low), Math.abs(high));
    else {
      low = 0;
      high = 0;
      for (let axis = 0; axis < 3; axis++) {
        const p = pose[4 * axis + row] * bounds[axis];
        const q = pose[4 * axis + row] * bounds[axis + 3];
        low += Math.min(p, q);
        high += Math.max(p, q);
        size += Math.max(Math.abs(p), Math.abs(q));
      }
      low += pose[12 + row];
      high += pose[12 + row];
      size += Math.abs(pose[12 + row]);
    }
    const room = margin * (size + growth) + least;
    const [from, to] = [low - growth - room, high + growth + room];
    // Sums of infinities are not numbers. The library refuses such a body; here it may be anywhere.
    boxes[at + row] = Number.isNaN(from) ? -Infinity : from;
    boxes[at + row + 3] = Number.isNaN(to) ? Infinity : to;
  }
}

/** Grows the box at `at` so that it holds another one. */
export function uniteBox(boxes: Float64Array, at: number, other: Float64Array, otherAt: number): void {
  for (let i = 0; i < 3; i++) {
    boxes[at + i] = Math.min(boxes[at + i], other[otherAt + i]);
    boxes[at + i + 3] = Math.max(boxes[at + i + 3], other[otherAt + i + 3]);
  }
}
