// Where is each body in each frame of a motion, and which have moved since the frame before?

import type { Pose } from 'nearfield';
import type { GivenBody, Motion } from './types.ts';

/** The poses that one frame names, by index of the body. */
export type Frame = Motion['frames'][number];

/** The frames of a motion. Without one there is a single frame that names no body. */
export const framesOf = (motion: Motion | undefined): readonly Frame[] => motion?.frames ?? [new Map()];

/** Without a pose a body stands where its mesh is. */
export const identityPose: Pose = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/**
 * Whether each body stands elsewhere than in the frame before. Undefined if every body is to be asked about: there is no
 * frame before, or all have moved.
 */
export function movedIn(
  frames: readonly Frame[],
  frame: number,
  bodies: readonly Pick<GivenBody, 'pose'>[],
): Uint8Array | undefined {
  if (frame === 0) return undefined;
  const moved = new Uint8Array(bodies.length);
  const [before, now] = [frames[frame - 1], frames[frame]];
  const ownOf = (index: number): Pose => bodies[index].pose ?? identityPose;
  for (const [index, pose] of now) if (!isSamePose(before.get(index) ?? ownOf(index), pose)) moved[index] = 1;
  for (const [index, pose] of before)
    if (!now.has(index) && !isSamePose(pose, ownOf(index))) moved[index] = 1;
  return moved.every(Boolean) ? undefined : moved;
}

/** Whether two poses have the same numbers. */
export function isSamePose(p: Pose, q: Pose): boolean {
  if (p === q) return true;
  for (let i = 0; i < 16; i++) if (p[i] !== q[i]) return false;
  return true;
}
