// A body whose triangles have given boxes, so that a tree says which of many boxes lie on a ray or in a box.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { type Box, isEmptyBox } from '../../../math/box.ts';
import { identity } from '../../../math/pose.ts';
import { mesh } from '../../../mesh/mesh.ts';

/** One triangle per box that is not empty; `rows` says which box each has. Forget the shape when it is no longer needed. */
export function bodyOfBoxes(boxes: readonly Box[]): {
  readonly placed: Placed;
  readonly rows: readonly number[];
} {
  const rows = boxes.flatMap((box, i) => (isEmptyBox(box) ? [] : [i]));
  // A triangle with two corners at the ends of a box has that box.
  const positions = new Float64Array(6 * rows.length);
  rows.forEach((row, i) => {
    positions.set(boxes[row], 6 * i);
  });
  const indices = Uint32Array.from({ length: 3 * rows.length }, (_, i) => 2 * Math.floor(i / 3) + (i % 2));
  const shape = { mesh: mesh(positions, indices), positions, revision: 0 };
  return { placed: { shape, pose: identity(), poseRevision: 0 }, rows };
}
