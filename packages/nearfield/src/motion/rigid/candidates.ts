// Which pairs of bodies may come near each other during a motion, and from when on? The time is cut into slices. In each, a body stays
// in its box in the middle of the slice, enlarged by how far it can move in half of it. The boxes of a slice are swept along x.

import { isEmptyBox, placeBox } from '../../math/box.ts';
import { identity } from '../../math/pose.ts';
import { boundsOf } from '../../mesh/facts.ts';
import type { Question } from '../../questions/question.ts';
import { type BodyPath, up } from './paths/path.ts';

/** Two rows, a < b, that are farther apart than the clearance before the time `from`. */
export interface MovingPair {
  readonly a: number;
  readonly b: number;
  readonly from: number;
}

const slices = 16;

/** Pairs of which at least one moves and which may be nearer than the clearance up to a time, by rows. */
export function movingPairs(
  question: Question,
  paths: readonly BodyPath[],
  end: number,
  clearance: number,
  keep: (a: number, b: number) => boolean,
): MovingPair[] {
  const count = paths.length;
  const boxes = new Float64Array(6 * count);
  const pose = identity();
  const found = new Map<number, MovingPair>();
  for (let slice = 0; slice < slices; slice++) {
    const [from, to] = [(slice / slices) * end, ((slice + 1) / slices) * end];
    const order: number[] = [];
    for (let row = 0; row < count; row++) {
      const { positions, mesh } = question.readableAt(row);
      const path = paths[row];
      const local = path.deforming?.boundsAt(0.5 * (from + to)) ?? boundsOf(positions, mesh.indices);
      if (isEmptyBox(local)) continue;
      path.poseAt(0.5 * (from + to), pose);
      const box = placeBox(pose, local, boxes.subarray(6 * row, 6 * row + 6));
      // The speed bounds the whole slice, so it holds from the middle back to `from` as well as on to `to`.
      const more = (path.speed(from, to - from) * 0.5 * (to - from) + path.slack + 0.5 * clearance) * up;
      for (let axis = 0; axis < 3; axis++) {
        const slack = 2 ** -50 * (Math.abs(box[axis]) + Math.abs(box[axis + 3]));
        box[axis] -= more + slack;
        box[axis + 3] += more + slack;
      }
      order.push(row);
    }
    order.sort((a, b) => boxes[6 * a] - boxes[6 * b]);
    for (let i = 0; i < order.length; i++) {
      const first = 6 * order[i];
      for (let k = i + 1; k < order.length; k++) {
        const second = 6 * order[k];
        if (boxes[second] > boxes[first + 3]) break;
        if (boxes[first + 1] > boxes[second + 4] || boxes[second + 1] > boxes[first + 4]) continue;
        if (boxes[first + 2] > boxes[second + 5] || boxes[second + 2] > boxes[first + 5]) continue;
        const [a, b] = order[i] < order[k] ? [order[i], order[k]] : [order[k], order[i]];
        if (paths[a].rests && paths[b].rests) continue;
        const key = a * count + b;
        if (found.has(key) || !keep(a, b)) continue;
        found.set(key, { a, b, from });
      }
    }
  }
  return [...found.values()].sort((one, other) => one.a - other.a || one.b - other.b);
}
