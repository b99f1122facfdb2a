// Bodies whose distances cannot be measured well in the tree's local frame. There are two kinds: poses that stretch, so
// that local distances say little about world distances, and coordinates whose squares do not fit in doubles. Such a
// body is baked: its world positions become a shape of their own. Very large or very small coordinates are also
// multiplied by a power of two. That is exact, so distances compare as before.

import { applyPose, identity, type Pose } from '../../math/pose.ts';
import type { Placed, Shape } from './snapshot.ts';

/** A pose needs baking if it lengthens one direction by more than this factor relative to another. */
const stretch = 1.05;
/** Meshes with no more triangles than this are never baked: searching them badly costs less. */
const fewTriangles = 64;
const baked = new WeakMap<Shape, Baked[]>();
const mostBaked = 8;

interface Baked {
  readonly pose: Pose;
  readonly revision: number;
  readonly scale: number;
  readonly placed: Placed;
}

/**
 * Whether the 16 numbers at pose[at] stretch so much that distances in the tree's frame say little about world
 * distances.
 */
export function needsBaking(pose: ArrayLike<number>, at: number, triangleCount: number): boolean {
  if (triangleCount <= fewTriangles) return false;
  const dot = (i: number, j: number): number => {
    const [p, q] = [at + 4 * i, at + 4 * j];
    return pose[p] * pose[q] + pose[p + 1] * pose[q + 1] + pose[p + 2] * pose[q + 2];
  };
  const squares = [dot(0, 0), dot(1, 1), dot(2, 2)];
  const skew = Math.abs(dot(0, 1)) + Math.abs(dot(1, 2)) + Math.abs(dot(2, 0));
  // Written as a negation, so that it also holds when squares overflow or vanish (NaN).
  return !(Math.max(...squares) + skew < stretch * stretch * (Math.min(...squares) - skew));
}

/**
 * If products of four coordinates of size up to `reach` would not fit in doubles, with room for a second double below:
 * a power of two that brings `reach` near 1. Else 1.
 */
export function comfortableScale(reach: number): number {
  if (reach === 0 || (reach > 1e-60 && reach < 1e60)) return 1;
  // Its inverse is finite too.
  return 2 ** Math.max(-1023, Math.min(1000, -Math.round(Math.log2(reach))));
}

/** Whether multiplying these numbers by `scale`, a power of two, may have lost digits to underflow. */
export function mayBeRounded(scale: number, before: ArrayLike<number>): boolean {
  if (scale >= 1) return false;
  const least = 2 ** -1022 / scale;
  for (let i = 0; i < before.length; i++) {
    const size = Math.abs(before[i]);
    // The lowest of a double's 53 bits may lie 52 places below the highest.
    if (size !== 0 && size < least * 2 ** 52) return true;
  }
  return false;
}

/**
 * The same body at the identity pose: its world positions times `scale` become its local positions. Cached per shape.
 */
export function bake(body: Placed, scale: number): Placed {
  const { shape, pose } = body;
  let known = baked.get(shape);
  if (known === undefined) baked.set(shape, (known = []));
  const same = known.find(
    entry =>
      entry.revision === shape.revision &&
      entry.scale === scale &&
      entry.pose.every((value, i) => value === pose[i]),
  );
  if (same) return same.placed;
  const { positions } = shape;
  const world = new Float64Array(positions.length);
  for (let at = 0; at < positions.length; at += 3) {
    applyPose(pose, positions[at], positions[at + 1], positions[at + 2], world, at);
  }
  if (scale !== 1) for (let i = 0; i < world.length; i++) world[i] *= scale;
  const placed: Placed = {
    shape: { mesh: shape.mesh, positions: world, revision: 0 },
    pose: identity(),
    poseRevision: 0,
  };
  if (known.length === mostBaked) known.shift();
  known.push({ pose: pose.slice(), revision: shape.revision, scale, placed });
  return placed;
}
