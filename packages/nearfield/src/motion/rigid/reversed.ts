// A path run backwards: where a contact ends is where it begins in reversed time.
//
// Time s of the reversed path is 1 − s of the path. In doubles that is off by at most 2^-54. No point moves farther in
// that time than 2^-54 times its speed, which is added to the slack.

import { PairMotion } from './pair.ts';
import { reversedFrames } from './paths/frames.ts';
import { isJointPath, type JointPath } from './paths/joints.ts';
import type { BodyPath } from './paths/path.ts';

/** The same two bodies in reversed time, in the units of the pair. */
export const reversedPair = ({ engine, a, b, pathA, pathB }: PairMotion): PairMotion =>
  new PairMotion(engine, a, b, reversed(pathA), reversed(pathB));

/** The time on the path that a time of the reversed path stands for, rounded down and up. */
export const timesOf = (s: number): readonly [low: number, high: number] => [
  Math.max(0, 1 - s - 2 ** -53),
  Math.min(1, 1 - s + 2 ** -53),
];

function reversed(path: BodyPath): BodyPath | JointPath {
  const startOf = (s: number, h: number): number => Math.max(0, 1 - s - h);
  const back: BodyPath = {
    poseAt: (s, out) => path.poseAt(1 - s, out),
    slack: path.slack + 2 ** -53 * path.speed(0, 1),
    speed: (s, h) => path.speed(startOf(s, h), h + 2 ** -52),
    derivativeAt(s, out) {
      path.derivativeAt(1 - s, out);
      for (let i = 0; i < 16; i++) out[i] = -out[i];
    },
    velocitySlack: path.velocitySlack + 2 ** -53 * path.acceleration,
    acceleration: path.acceleration,
    rests: path.rests,
    size: path.size,
    reach: path.reach,
    deforming: path.deforming && {
      ...path.deforming,
      bodyAt: s => path.deforming!.bodyAt(1 - s),
      boundsAt: s => path.deforming!.boundsAt(1 - s),
    },
    frames(unit) {
      const frames = path.frames(unit);
      return frames && reversedFrames(frames);
    },
  };
  if (!isJointPath(path)) return back;
  return {
    ...back,
    steps: path.steps,
    speedFrom: (common, s, h) => path.speedFrom(common, startOf(s, h), h + 2 ** -52),
  };
}
