// The view of the place where two bodies may meet, along a direction. It fits as tightly as it can around both boxes,
// their common part, and the common part of each body's own box with the other's (Myszkowski et al., section 7).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { type Box, emptyBox, growBox, placeBox } from '../../../math/box.ts';
import { applyPose, type Pose } from '../../../math/pose.ts';
import { cross, dot } from '../../../math/vector.ts';
import { boundsOf } from '../../../mesh/facts.ts';
import { axesAlong, boxAlong, type Triple, type View, viewOf } from '../../raster/view.ts';

/**
 * Corners and edges of built objects often lie at round coordinates, where pixels would have their middles, and there
 * single precision cannot decide. So middles are shifted by a fraction of a pixel that is unlikely to occur in a
 * design.
 */
const shift = [0.382, 0.236] as const;

/**
 * Boxes that share only a face, an edge or a corner have almost no common part. Pixels are no smaller than this share
 * of the larger body, which single precision can still place (sampled/raster/proof.md §1).
 */
const leastPixel = 2 ** -19;

/** Boxes are known up to rounding; this share of the largest coordinate is far more. */
const rounding = 2 ** -36;

/** The box of a body's own box as placed. It is asked for every frame, so it reads no vertices. */
const boxOf = ({ shape, pose }: Placed): Box => placeBox(pose, boundsOf(shape.positions, shape.mesh.indices));

/** A view of the place where two bodies may have points in common. */
export function viewOfCommon(a: Placed, b: Placed, direction: Triple, resolution: number): View {
  const axes = axesAlong(direction);
  const [boxA, boxB] = [boxOf(a), boxOf(b)];
  const seen = boxAlong(axes, boxA);
  narrow(seen, boxAlong(axes, boxB));
  const common = boxA.slice();
  narrow(common, boxB);
  // Boxes that meet on a GPU may be apart by a rounding.
  if (isProper(common)) narrow(seen, boxAlong(axes, common));
  const size = Math.max(...boxA.map(Math.abs), ...boxB.map(Math.abs));
  for (const [own, other] of [
    [a, b],
    [b, a],
  ]) {
    const corners = cornersOfCommon(own, other);
    if (corners === undefined) continue;
    const box = emptyBox();
    for (let at = 0; at < corners.length; at += 3) {
      const point = corners.subarray(at, at + 3);
      growBox(box, dot(axes.right, point), dot(axes.up, point), dot(axes.direction, point));
    }
    narrow(seen, box);
  }
  for (let axis = 0; axis < 3; axis++) {
    // If there is no common part, what remains is a line between the two.
    const middle = (seen[axis] + seen[axis + 3]) / 2;
    seen[axis] = Math.min(seen[axis], middle) - rounding * size;
    seen[axis + 3] = Math.max(seen[axis + 3], middle) + rounding * size;
  }
  const longest = Math.max(seen[3] - seen[0], seen[4] - seen[1]);
  const pixel = Math.max(
    longest / Math.max(1, resolution - 1),
    leastPixel * Math.max(sizeOf(boxA), sizeOf(boxB)),
  );
  return viewOf(axes, seen, { pixel: pixel || 1, shift });
}

/** A view of a whole body. */
export function viewOfBody(body: Placed, direction: Triple, resolution: number): View {
  const axes = axesAlong(direction);
  return viewOf(axes, boxAlong(axes, boxOf(body)), { resolution, shift });
}

function narrow(box: Box, other: Box): void {
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = Math.max(box[axis], other[axis]);
    box[axis + 3] = Math.min(box[axis + 3], other[axis + 3]);
  }
}

const sizeOf = (box: Box): number => Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);

const isProper = (box: Box): boolean => box[0] <= box[3] && box[1] <= box[4] && box[2] <= box[5];

/**
 * World corners of the common part of a body's own box and the other's, in the frame of the first; undefined if the
 * frame is too flat.
 */
function cornersOfCommon(own: Placed, other: Placed): Float64Array | undefined {
  const box = boundsOf(own.shape.positions, own.shape.mesh.indices).slice();
  const theirs = boxInFrame(own.pose, other);
  if (theirs === undefined) return undefined;
  narrow(box, theirs);
  if (!isProper(box)) return undefined;
  const corners = new Float64Array(24);
  for (let i = 0; i < 8; i++) {
    applyPose(own.pose, box[i & 1 ? 3 : 0], box[i & 2 ? 4 : 1], box[i & 4 ? 5 : 2], corners, 3 * i);
  }
  return corners;
}

/** The box of a body in the frame of a pose, by the rows of its inverse. */
function boxInFrame(pose: Pose, body: Placed): Box | undefined {
  const box = boundsOf(body.shape.positions, body.shape.mesh.indices);
  const column = (k: number): Triple => [pose[4 * k], pose[4 * k + 1], pose[4 * k + 2]];
  const out = emptyBox();
  const corner = new Float64Array(3);
  const normals = [0, 1, 2].map(k => cross(column((k + 1) % 3), column((k + 2) % 3)));
  const determinant = dot(normals[0], column(0));
  const size = Math.hypot(...column(0)) * Math.hypot(...column(1)) * Math.hypot(...column(2));
  // A box in so flat a frame says little about its body.
  if (!(Math.abs(determinant) > 1e-3 * size)) return undefined;
  for (let i = 0; i < 8; i++) {
    applyPose(body.pose, box[i & 1 ? 3 : 0], box[i & 2 ? 4 : 1], box[i & 4 ? 5 : 2], corner, 0);
    const from: Triple = [corner[0] - pose[12], corner[1] - pose[13], corner[2] - pose[14]];
    const [x, y, z] = normals.map(normal => dot(normal, from) / determinant);
    growBox(out, x, y, z);
  }
  return out;
}
