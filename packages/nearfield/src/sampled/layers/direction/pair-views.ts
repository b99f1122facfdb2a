// The direction from which two bodies are viewed, and the frame (M4, M5): the world, or, if maps are kept, the frame of
// the body treated as A.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { identity, type Pose } from '../../../math/pose.ts';
import type { RawLines } from '../../raster/sampling.ts';
import { axesAlong, type Triple, View } from '../../raster/view.ts';
import { isRigid, type LayersKeep } from '../keep.ts';
import type { LayersRequest } from '../options.ts';
import { directionOfBoxes, directionOfNormals } from './direction.ts';
import { viewOfBody, viewOfCommon } from './views.ts';

/** Two bodies viewed along a direction. */
export interface PairView {
  readonly a: Placed;
  readonly b: Placed;
  readonly view: View;
  /** The same view in the world. */
  readonly worldView: View;
  readonly keep: LayersKeep | undefined;
  /** The error of lengths and places in the chosen frame, in world units. */
  readonly slack: number;
}

/** The resolution of the coarse view from which normals are taken. */
const coarse = 64;
/** If the mean of the normals is shorter than this, they differ too much for one direction. */
const leastAgreement = 0.7;

/** `lines` gives what a coarse view shows, if the engine can tell. */
export async function viewsOfPair(
  a: Placed,
  b: Placed,
  request: LayersRequest,
  lines: (a: Placed, b: Placed, view: View) => Promise<RawLines | undefined>,
): Promise<PairView[]> {
  const { keep, resolution, direction } = request;
  if (keep !== undefined && isRigid(a.pose)) return [await keptPairView(a, b, request, keep, lines)];
  const directions =
    typeof direction === 'string'
      ? await directionsOf(a, b, direction, view => lines(a, b, view))
      : [direction];
  return directions.map(along => {
    const view = viewOfCommon(a, b, along, resolution);
    return { a, b, view, worldView: view, keep: undefined, slack: 0 };
  });
}

async function directionsOf(
  a: Placed,
  b: Placed,
  way: 'boxes' | 'normals' | 'several',
  lines: (view: View) => Promise<RawLines | undefined>,
): Promise<Triple[]> {
  const first = directionOfBoxes(a, b);
  if (way === 'boxes') return [first];
  const view = viewOfCommon(a, b, first, coarse);
  const seen = await lines(view);
  const normals = seen && directionOfNormals(a, b, view, seen);
  const best = normals?.direction ?? first;
  if (way === 'normals' && !(normals && normals.agreement < leastAgreement)) return [best];
  const { right, up } = axesAlong(best);
  return [best, right, up];
}

/** All of A in its own frame, along the direction that was best when it was first viewed. */
async function keptPairView(
  a: Placed,
  b: Placed,
  { direction, resolution }: LayersRequest,
  keep: LayersKeep,
  lines: (a: Placed, b: Placed, view: View) => Promise<RawLines | undefined>,
): Promise<PairView> {
  const own: Placed = { shape: a.shape, pose: identity(), poseRevision: 0 };
  const other: Placed = { shape: b.shape, pose: seenFrom(a.pose, b.pose), poseRevision: 0 };
  const asked = `${String(direction)} ${resolution}`;
  const { shape } = a;
  const { revision } = shape;
  const known = keep.view;
  const holds = known?.shape === shape && known.revision === revision && known.asked === asked;
  let view = holds ? known.view : undefined;
  if (view === undefined) {
    const [along] =
      typeof direction === 'string'
        ? await directionsOf(own, other, direction, seen => lines(own, other, seen))
        : [turned(a.pose, direction, true)];
    view = viewOfBody(own, along, resolution);
    keep.view = { shape, revision, asked, view };
  }
  // The transpose is used as the inverse, which holds to 2^-44, and products are rounded.
  const size = (pose: Pose) => Math.max(Math.abs(pose[12]), Math.abs(pose[13]), Math.abs(pose[14]));
  const extent = Math.hypot(view.columns, view.rows) * view.pixel + view.far;
  const slack = 2 ** -42 * (size(a.pose) + size(b.pose) + extent + Math.hypot(...view.origin));
  return { a: own, b: other, view, worldView: placedView(a.pose, view), keep, slack };
}

/** The inverse of a rigid pose, times another. */
function seenFrom(pose: Pose, other: Pose): Pose {
  const out = identity();
  for (let column = 0; column < 4; column++) {
    const from: Triple =
      column < 3
        ? [other[4 * column], other[4 * column + 1], other[4 * column + 2]]
        : [other[12] - pose[12], other[13] - pose[13], other[14] - pose[14]];
    out.set(turned(pose, from, true), 4 * column);
  }
  return out;
}

/** A direction rotated by a rigid pose, or back. */
function turned(pose: Pose, [x, y, z]: Triple, back: boolean): [number, number, number] {
  const row = (k: number) =>
    back
      ? pose[4 * k] * x + pose[4 * k + 1] * y + pose[4 * k + 2] * z
      : pose[k] * x + pose[4 + k] * y + pose[8 + k] * z;
  return [row(0), row(1), row(2)];
}

function placedView(pose: Pose, view: View): View {
  const axis = (direction: Triple) => turned(pose, direction, false);
  const axes = { right: axis(view.right), up: axis(view.up), direction: axis(view.direction) };
  const [x, y, z] = axis(view.origin);
  const origin: Triple = [x + pose[12], y + pose[13], z + pose[14]];
  return new View(axes, origin, view.pixel, view.columns, view.rows, view.near, view.far);
}
