// Bodies that a tree in its own frame serves badly: poses that stretch, so that distances in the frame say little about
// distances in the world, and coordinates whose squares do not fit in doubles. Their world positions become a shape of its
// own, multiplied by a power of two where they are so large or so small: distances compare as before, since that is exact.

import { applyPose, identity, type Pose } from '../../math/pose.ts';
import type { Placed, Shape } from './snapshot.ts';

/** How much longer one direction may become than another. */
const stretch = 1.05;
/** Meshes of no more triangles than this are searched as they are. */
const fewTriangles = 64;
const baked = new WeakMap<Shape, Baked[]>();
const mostBaked = 8;

interface Baked {
  readonly pose: Pose;
  readonly revision: number;
  readonly scale: number;
  readonly placed: Placed;
}

/** Whether distances in the tree's frame tell little of those in the world. */
export function needsBaking(pose: ArrayLike<number>, at: number, triangleCount: number): boolean {
  if (triangleCount <= fewTriangles) return false;
  const dot = (i: number, j: number): number => {
    const [p, q] = [at + 4 * i, at + 4 * j];
    return pose[p] * pose[q] + pose[p + 1] * pose[q + 1] + pose[p + 2] * pose[q + 2];
  };
  const squares = [dot(0, 0), dot(1, 1), dot(2, 2)];
  const skew = Math.abs(dot(0, 1)) + Math.abs(dot(1, 2)) + Math.abs(dot(2, 0));
  // Also where squares overflow or vanish.
  return !(Math.max(...squares) + skew < stretch * stretch * (Math.min(...squares) - skew));
}

/**
 * A power of two that brings coordinates up to `reach` near 1 where products of four of them would not fit in doubles, with room for
 * a second double below; else 1.
 */
export function comfortableScale(reach: number): number {
  if (reach === 0 || (reach > 1e-60 && reach < 1e60)) return 1;
  return 2 ** Math.min(1000, -Math.round(Math.log2(reach)));
}

/** Whether numbers that were multiplied by a power of two may have lost digits to underflow, or vanished. */
export function mayBeRounded(scale: number, before: ArrayLike<number>): boolean {
  if (scale >= 1) return false;
  const least = 2 ** -1022 / scale;
  for (let i = 0; i < before.length; i++) {
    const size = Math.abs(before[i]);
    // Of 53 digits the last may lie 52 below the first.
    if (size !== 0 && size < least * 2 ** 52) return true;
  }
  return false;
}

/** The body with its world positions, times a power of two, as its mesh's positions. Kept with the shape. */
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
