// Checks and copies a motion: the pose or positions that each body has at time 1, or the joints that carry it.

import { Body } from '../bodies/body.ts';
import {
  aFiniteNumber,
  anything,
  arrayOf,
  aVector,
  bad,
  checkOptions,
  inWords,
  isObject,
  oneOf,
  type Rules,
  wrong,
} from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { emptyBox } from '../math/box.ts';
import { identity, type Pose, toPose } from '../math/pose.ts';
import type { Positions } from '../mesh/mesh.ts';
import { boundIfFinite } from '../mesh/vertices.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { MovingBody } from './linear/moving-bodies.ts';
import type { Joint } from './rigid/paths/joints.ts';
import type { BodyMotion, DeformingMotion, JointMotion, JointStep, Motion, PoseMotion } from './types.ts';

/** A copy of what was given for a body: a pose or positions at time 1, or the joints that carry it. */
export type End =
  | { readonly pose: Pose; readonly path: 'turn' | 'screw' }
  | { readonly positions: Positions }
  | { readonly joints: readonly Joint[]; readonly local: Pose };
export type Ends = ReadonlyMap<Body, End>;

/** Checks a motion and copies its numbers, so that the caller may change them. */
export function checkMotion(name: string, core: SceneCore, motion: Motion): Ends {
  checkOptions(motion, { bodies: anything }, name, 'motion');
  const rule = 'a list of { body, to }, { body, positions } and { body, joints }';
  if (!Array.isArray(motion.bodies)) throw wrong(`${name}: motion.bodies`, rule, motion.bodies);
  const ends = new Map<Body, End>();
  const joints = new Map<JointStep, Joint>();
  (motion.bodies as readonly BodyMotion[]).forEach((entry, i) => {
    const what = `${name}: motion.bodies[${i}]`;
    if (!isObject(entry)) throw wrong(what, '{ body, to }, { body, positions } or { body, joints }', entry);
    const { body } = entry;
    if (!(body instanceof Body)) throw wrong(`${what}.body`, 'a body', body);
    core.checkBody(body);
    if (ends.has(body)) throw bad(`${what}: ${body.name} is named twice`);
    ends.set(body, endOf(what, entry, joints));
  });
  return ends;
}

function endOf(what: string, entry: BodyMotion, known: Map<JointStep, Joint>): End {
  const { body } = entry;
  const { to, path } = entry as PoseMotion;
  const { positions } = entry as DeformingMotion;
  const { joints, local } = entry as JointMotion;
  if ([to, positions, joints].filter(end => end !== undefined).length !== 1) {
    throw bad(`${what}: ${body.name} needs either a pose, \`to\`, or positions at time 1, or joints`);
  }
  if (joints !== undefined) {
    if (!Array.isArray(joints)) throw wrong(`${what}.joints`, 'a list', joints);
    return {
      joints: joints.map((step, i) => jointOf(step, known, `${what}.joints[${i}]`)),
      local: local === undefined ? identity() : toPose(local, `${what}.local`),
    };
  }
  if (to !== undefined) {
    if (path !== undefined) oneOf('turn', 'screw')(path, `${what}.path`);
    return { pose: toPose(to, `${what}.to`), path: path ?? 'turn' };
  }
  const given = arrayOf(positions, `${what}.positions`, Float32Array, Float64Array);
  const { length } = body.mesh.positions;
  if (given.length !== length) {
    const message = `${what}: ${body.name} takes positions, three numbers per vertex: ${length}, not ${given.length}`;
    throw new NearfieldError('bad-array', message);
  }
  if (!boundIfFinite(given, emptyBox())) {
    const i = given.findIndex((x: number) => !Number.isFinite(x));
    const place = `${'xyz'[i % 3]} of vertex ${Math.floor(i / 3)}`;
    throw new NearfieldError('not-finite', `${what}: ${place} at time 1 is ${inWords(given[i])}`);
  }
  return { positions: given.slice() };
}

const stepRules: Rules<JointStep> = {
  origin: anything,
  kind: oneOf('turn', 'slide'),
  axis: aVector,
  from: aFiniteNumber,
  to: aFiniteNumber,
};

function jointOf(step: JointStep, known: Map<JointStep, Joint>, what: string): Joint {
  const before = known.get(step);
  if (before) return before;
  checkOptions(step, stepRules, what, 'joint');
  for (const key of ['kind', 'axis', 'from', 'to'] as const)
    if (step[key] === undefined) throw bad(`${what} has no ${key}`);
  const { origin, axis, kind, from, to } = step;
  const length = Math.hypot(axis[0], axis[1], axis[2]);
  if (!(length > 0 && Number.isFinite(length))) throw wrong(`${what}.axis`, 'a direction', axis);
  const joint: Joint = {
    step,
    ...{ kind, from, to, origin: toPose(origin, `${what}.origin`) },
    axis: [axis[0] / length, axis[1] / length, axis[2] / length],
    direction: [axis[0], axis[1], axis[2]],
  };
  known.set(step, joint);
  return joint;
}

/** Whether a body turns, or is carried by joints: then its vertices do not move linearly. */
export const isTurning = (end: End | undefined, pose: Pose): boolean =>
  end !== undefined && ('joints' in end || ('pose' in end && !isTranslated(pose, end.pose)));

/** The bodies of a question that rest or move linearly, by rows. Bodies that turn are undefined: rigid/ follows them. */
export function movingBodies(question: Question, ends: Ends): (MovingBody | undefined)[] {
  return question.bodies.map((body, i) => {
    const then = question.readableAt(i);
    const end = ends.get(body);
    if (end === undefined) return new MovingBody(then, body.name, undefined);
    if (isTurning(end, then.pose) || 'joints' in end) return undefined;
    if ('positions' in end) {
      return new MovingBody(then, body.name, { pose: then.pose, positions: end.positions }, true);
    }
    const rests =
      end.pose[12] === then.pose[12] && end.pose[13] === then.pose[13] && end.pose[14] === then.pose[14];
    return new MovingBody(then, body.name, rests ? undefined : { pose: end.pose, positions: then.positions });
  });
}

/** Whether two poses differ by their translation alone. */
function isTranslated(from: Pose, to: Pose): boolean {
  for (let i = 0; i < 12; i++) if (from[i] !== to[i]) return false;
  return true;
}
