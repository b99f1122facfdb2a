// How bodies get from one frame of a motion to the next.

import { jointMotions } from '@nearfield/io';
import type { Body, BodyMotion, Pose } from 'nearfield';
import type { GivenBody } from '../assembly/types.ts';
import { type JointFrames, type PlacedRobot, posesAt } from '../poses/parse-joints.ts';

/** Where bodies are in each frame, and how they get from one to the next. */
export interface FramePaths {
  readonly count: number;
  /** The poses of the bodies that a frame names, by index. */
  poses(frame: number): ReadonlyMap<number, Pose>;
  /** How the bodies move from a frame to the next. */
  moves(frame: number, bodies: readonly Body[]): BodyMotion[];
}

/** Frames of poses. Bodies that a frame does not name stand where their file has them. */
export function poseFrames(
  frames: readonly ReadonlyMap<number, Pose>[],
  bodies: readonly GivenBody[],
  path: 'turn' | 'screw',
): FramePaths {
  const identity = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  return {
    count: frames.length,
    poses: frame => frames[frame],
    moves: (frame, placed) => {
      const [now, next] = [frames[frame], frames[frame + 1]];
      const moved = new Set([...now.keys(), ...next.keys()]);
      return [...moved].map(i => ({ body: placed[i], to: next.get(i) ?? bodies[i].pose ?? identity, path }));
    },
  };
}

/**
 * Frames of joint values. A link's number is its robot's `first` plus its place in the robot. `placeOf` turns the number into
 * the index of the body, or undefined if the body was removed. If left out, the number is the index.
 */
export function jointFrames(
  { frames }: Pick<JointFrames, 'frames'>,
  robots: readonly PlacedRobot[],
  placeOf: (number: number) => number | undefined = number => number,
): FramePaths {
  return {
    count: frames.length,
    poses: frame => {
      const poses = new Map<number, Pose>();
      for (const [number, pose] of posesAt(frames[frame], robots)) {
        const place = placeOf(number);
        if (place !== undefined) poses.set(place, pose);
      }
      return poses;
    },
    moves: (frame, placed) =>
      robots.flatMap(({ robot, first, scale }, i) =>
        jointMotions(robot, frames[frame][i], frames[frame + 1][i], scale).flatMap((chain, k) => {
          const place = placeOf(first + k);
          return place === undefined ? [] : [{ body: placed[place], ...chain }];
        }),
      ),
  };
}

/**
 * Whether a body's pose or joint values change. A frame may name a body that rests, and joints do not move the base
 * of a robot.
 */
export function isMoved(motion: BodyMotion): boolean {
  if ('joints' in motion) return motion.joints.some(({ from, to }) => from !== to);
  if ('to' in motion) return Array.from(motion.to).some((value, i) => value !== motion.body.pose[i]);
  return true;
}
