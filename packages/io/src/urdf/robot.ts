// Which links and joints does a URDF describe, and where do its bodies stand for given joint values? The poses are the
// product, in doubles, of the transforms from the root link down: origin of the joint, then its motion.

import { identity, multiplyPoses, NearfieldError, type Pose } from 'nearfield';
import { inWords, quoted } from '../reading/file-error.ts';

/** A kind of joint in a URDF. Planar and floating joints stay at zero. */
export type JointType = 'fixed' | 'revolute' | 'continuous' | 'prismatic' | 'planar' | 'floating';

/** A joint between two links. Angles are in radians, lengths in metres. */
export interface RobotJoint {
  /** The name in the file. */
  readonly name: string;
  /** How the child moves. */
  readonly type: JointType;
  /** The name of the link that the joint hangs on. */
  readonly parent: string;
  /** The name of the link that it moves. */
  readonly child: string;
  /** The pose of the joint in its parent. */
  readonly origin: Pose;
  /** The direction, of unit length, that the child turns about or moves along. */
  readonly axis: readonly [number, number, number];
  /** The least value, if the file states one. */
  readonly lower?: number | undefined;
  /** The largest value, if the file states one. */
  readonly upper?: number | undefined;
  /** If the joint follows another: its value is multiplier · (value of `joint`) + offset. */
  readonly mimic?:
    | { readonly joint: string; readonly multiplier: number; readonly offset: number }
    | undefined;
}

/** A robot as read: plain data, without its meshes. */
export interface Robot {
  /** The name in the file. */
  readonly name: string;
  /** All joints, each after the one that moves its parent. */
  readonly joints: readonly RobotJoint[];
  /** Per body of the file: its link, and its pose in that link, if it has one. */
  readonly bodies: readonly { readonly link: string; readonly pose?: Pose | undefined }[];
}

/** Values of joints by name, in radians or metres. Joints that are not named stand at 0. */
export type JointValues = Readonly<Record<string, number>>;

const moving: readonly JointType[] = ['revolute', 'continuous', 'prismatic'];

/**
 * The pose of each body of a robot, in the order of the bodies that `readFile` gave, for these joint values. Throws
 * 'bad-option' for a joint that the robot does not have or that cannot be set (fixed, planar, floating, or following another),
 * and for a value that is not finite.
 */
export function posesOfJoints(robot: Robot, joints: JointValues): Pose[] {
  checkRobot(robot, 'posesOfJoints');
  return placeBodies(robot, joints, 'posesOfJoints');
}

/** The same for a robot that is known to be one. `place` begins the message of an error. */
export function placeBodies(robot: Robot, joints: JointValues, place: string): Pose[] {
  const values = valuesOf(robot, joints, place);
  const links = new Map<string, Pose>();
  for (const { name, type, parent, child, origin, axis } of robot.joints) {
    const above = links.get(parent);
    const place = above ? multiplyPoses(above, origin) : origin;
    const value = values.get(name) ?? 0;
    links.set(child, value === 0 ? place : multiplyPoses(place, motion(type, axis, value)));
  }
  return robot.bodies.map(({ link, pose }) => {
    const placed = links.get(link);
    return placed && pose ? multiplyPoses(placed, pose) : (placed ?? pose ?? identity()).slice();
  });
}

/**
 * One sentence per joint that stands outside of the limits in its file, following joints included. Throws like
 * `posesOfJoints`.
 */
export function jointWarnings(robot: Robot, joints: JointValues): string[] {
  checkRobot(robot, 'jointWarnings');
  const values = valuesOf(robot, joints, 'jointWarnings');
  const warnings: string[] = [];
  for (const { name, type, lower, upper } of robot.joints) {
    const value = values.get(name) ?? 0;
    if (type === 'continuous' || lower === undefined || upper === undefined) continue;
    if (value < lower || value > upper)
      warnings.push(
        `the joint ${quoted(name)} stands at ${value}, outside of its limits ${lower} to ${upper}`,
      );
  }
  return warnings;
}

/** The value of every moving joint, following ones included. `place` begins the message of an error. */
export function valuesOf(robot: Robot, joints: JointValues, place: string): Map<string, number> {
  const refuse = (what: string): never => {
    throw new NearfieldError('bad-option', `${place}: ${what}`);
  };
  if (typeof joints !== 'object' || joints === null || Array.isArray(joints) || ArrayBuffer.isView(joints)) {
    refuse(`joints must be an object from joint names to numbers, not ${inWords(joints)}`);
  }
  const byName = new Map(robot.joints.map(joint => [joint.name, joint]));
  const values = new Map<string, number>();
  for (const [name, value] of Object.entries(joints)) {
    const joint = byName.get(name) ?? refuse(unknownJoint(robot, name));
    if (joint.mimic) refuse(`the joint ${quoted(name)} follows ${quoted(joint.mimic.joint)}: set that one`);
    if (!moving.includes(joint.type)) refuse(`the joint ${quoted(name)} is ${joint.type}: it has no value`);
    if (typeof value !== 'number' || !Number.isFinite(value))
      refuse(`the value of the joint ${quoted(name)} must be a finite number, not ${inWords(value)}`);
    values.set(name, value);
  }
  for (const { name, mimic } of robot.joints) {
    if (mimic) values.set(name, followed(byName, values, name));
  }
  return values;
}

/** The value of a joint that may follow another, which may follow another. The reader refuses loops. */
function followed(
  byName: ReadonlyMap<string, RobotJoint>,
  values: ReadonlyMap<string, number>,
  name: string,
): number {
  const factors: { multiplier: number; offset: number }[] = [];
  let joint = byName.get(name);
  for (; joint?.mimic && factors.length <= byName.size; joint = byName.get(joint.mimic.joint))
    factors.push(joint.mimic);
  let value = values.get(joint?.name ?? '') ?? 0;
  for (const { multiplier, offset } of factors.reverse()) value = multiplier * value + offset;
  return value;
}

function unknownJoint({ name, joints }: Robot, given: string): string {
  const settable = joints.filter(({ type, mimic }) => moving.includes(type) && !mimic);
  const names = settable.slice(0, 8).map(joint => quoted(joint.name));
  const more = settable.length > 8 ? ` and ${settable.length - 8} more` : '';
  const known = names.length === 0 ? 'none of its joints moves' : `its joints are ${names.join(', ')}${more}`;
  return `${quoted(name)} has no joint ${quoted(given)}; ${known}`;
}

export function checkRobot(robot: unknown, caller: string): void {
  const { joints, bodies } = (typeof robot === 'object' && robot !== null ? robot : {}) as Partial<Robot>;
  if (!Array.isArray(joints) || !Array.isArray(bodies)) {
    throw new NearfieldError(
      'bad-option',
      `${caller}: robot must be the robot that readFile gives for a URDF, not ${inWords(robot)}`,
    );
  }
}

/** What a joint does to its child. */
function motion(type: JointType, [x, y, z]: readonly [number, number, number], value: number): Pose {
  const pose = identity();
  if (type === 'prismatic') {
    pose.set([x * value, y * value, z * value], 12);
    return pose;
  }
  // Rodrigues: cos·I + sin·[axis]× + (1 - cos)·axis·axisᵀ.
  const cos = Math.cos(value);
  const sin = Math.sin(value);
  const rest = 1 - cos;
  pose.set([cos + x * x * rest, y * x * rest + z * sin, z * x * rest - y * sin], 0);
  pose.set([x * y * rest - z * sin, cos + y * y * rest, z * y * rest + x * sin], 4);
  pose.set([x * z * rest + y * sin, y * z * rest - x * sin, cos + z * z * rest], 8);
  return pose;
}
