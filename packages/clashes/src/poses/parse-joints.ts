// Where are the links of a robot? Parses a file of joint values: one frame is an object from the name of a joint to its
// value, in radians or metres; an array of frames is a motion.

import { findRepeatedKey, type JointValues, jointWarnings, posesOfJoints, type Robot } from '@nearfield/io';
import { NearfieldError, type Pose } from 'nearfield';
import type { Motion } from '../assembly/types.ts';
import { scaledPose } from '../assembly/units.ts';

/** A robot among the bodies of an assembly. */
export interface PlacedRobot {
  readonly robot: Robot;
  /** The index of its first body. */
  readonly first: number;
  /** How many of the assembly's units a metre is. */
  readonly scale: number;
}

/** Frames of joint values, per robot in the order of the robots. */
export interface JointFrames {
  readonly isMotion: boolean;
  readonly frames: readonly (readonly JointValues[])[];
}

/** `note` receives warnings: values outside the limits of their joints. */
export function parseJointFrames(
  file: string,
  text: string,
  robots: readonly PlacedRobot[],
  note: (message: string) => void,
): JointFrames {
  if (robots.length === 0)
    throw new NearfieldError('bad-option', `${file}: joint values need a robot, but there is no URDF`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new NearfieldError('bad-file', `${file}: the joint values are not valid JSON`, { cause: error });
  }
  const repeated = findRepeatedKey(text);
  if (repeated) throw new NearfieldError('bad-file', `${file}: "${repeated.key}" is given twice`);
  const isMotion = Array.isArray(value);
  const frames = (isMotion ? value : [value]) as unknown[];
  if (frames.length === 0) throw new NearfieldError('bad-file', `${file}: the motion has no frames`);
  return {
    isMotion,
    frames: frames.map((frame, i) => {
      const place = isMotion ? `${file}: frame ${i}` : file;
      return valuesByRobot(place, valuesOf(place, frame), robots, note);
    }),
  };
}

/** The poses of the robots' bodies in each frame. */
export function parseJoints(
  file: string,
  text: string,
  robots: readonly PlacedRobot[],
  note: (message: string) => void,
): Motion {
  const { isMotion, frames } = parseJointFrames(file, text, robots, note);
  return { isMotion, frames: frames.map(values => posesAt(values, robots)) };
}

/** The poses of the robots' bodies for one frame. */
export function posesAt(
  values: readonly JointValues[],
  robots: readonly PlacedRobot[],
): ReadonlyMap<number, Pose> {
  const poses = new Map<number, Pose>();
  robots.forEach(({ robot, first, scale }, i) => {
    for (const [k, pose] of posesOfJoints(robot, values[i]).entries())
      poses.set(first + k, scaledPose(pose, scale)!);
  });
  return poses;
}

function valuesOf(place: string, frame: unknown): JointValues {
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) {
    throw new NearfieldError('bad-file', `${place}: a frame must be an object from joint names to numbers`);
  }
  for (const [name, value] of Object.entries(frame)) {
    if (typeof value === 'number' && Number.isFinite(value)) continue;
    throw new NearfieldError(
      'bad-file',
      `${place}: "${name}" must be a number, not ${JSON.stringify(value)}`,
    );
  }
  return frame as JointValues;
}

/** Each robot takes the values of its own joints. A value for a joint that no robot has is an error. */
function valuesByRobot(
  place: string,
  values: JointValues,
  robots: readonly PlacedRobot[],
  note: (message: string) => void,
): JointValues[] {
  const left = new Set(Object.keys(values));
  const byRobot = robots.map(({ robot }) => {
    const own = Object.fromEntries(
      robot.joints.flatMap(({ name }) => (Object.hasOwn(values, name) ? [[name, values[name]]] : [])),
    );
    for (const name of Object.keys(own)) left.delete(name);
    for (const warning of jointWarnings(robot, own)) note(`${place}: ${warning}`);
    return own;
  });
  const [unknown] = left;
  if (unknown === undefined) return byRobot;
  const known = robots.flatMap(({ robot }) =>
    robot.joints.filter(({ type }) => type !== 'fixed').map(({ name }) => name),
  );
  throw new NearfieldError(
    'bad-file',
    `${place}: no joint is called "${unknown}"; the joints are ${known.slice(0, 12).join(', ')}${known.length > 12 ? ' and more' : ''}`,
  );
}
