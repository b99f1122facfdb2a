// The paths of all bodies of a scene during a motion, from what the caller gave.

import type { Body } from '../../bodies/body.ts';
import {
  aFiniteNumber,
  bad,
  checkOptions,
  isObject,
  oneOf,
  type Rules,
  wrong,
} from '../../core/arguments.ts';
import { identity, toPose } from '../../math/pose.ts';
import { checkAmong, checkIsBody } from '../../questions/checks.ts';
import type { Question } from '../../questions/question.ts';
import type { BodyMotion, JointStep, Motion } from '../types.ts';
import { type Joint, jointPath } from './joints.ts';
import { type BodyPath, restingPath, turningPath } from './path.ts';
import { lengthOf } from './turn.ts';

/** One path per row of the question. Bodies that are not named rest. Throws 'bad-option' and 'bad-pose'. */
export function pathsOf(question: Question, motion: Motion, name: string): BodyPath[] {
  const { bodies } = question;
  const moves = movesByBody(bodies, motion, name);
  const joints = new Map<JointStep, Joint>();
  return bodies.map((body, row) => {
    const then = question.readableAt(row);
    const move = moves.get(body);
    if (move === undefined) return restingPath(then);
    const who = `${name}: ${body.name}`;
    if ('to' in move) return turningPath(then, toPose(move.to, who), move.path ?? 'turn', who);
    if (!('joints' in move)) throw bad(`${who} deforms: ${name} needs bodies that keep their shape`);
    const chain = move.joints.map((step, i) => jointOf(step, joints, `${who}: joint ${i}`));
    return jointPath(then, chain, move.local === undefined ? identity() : toPose(move.local, who), who);
  });
}

const moveRules: Rules<{ path: unknown }> = { path: oneOf('turn', 'screw') };

function movesByBody(bodies: readonly Body[], motion: Motion, name: string): Map<Body, BodyMotion> {
  if (!isObject(motion) || !Array.isArray(motion.bodies))
    throw wrong(`${name}: motion`, 'an object with a list `bodies`', motion);
  const moves = new Map<Body, BodyMotion>();
  for (const move of motion.bodies as readonly BodyMotion[]) {
    if (!isObject(move)) throw wrong(`${name}: a motion of a body`, 'an object', move);
    checkIsBody(move.body);
    checkAmong(bodies, move.body, name);
    if (moves.has(move.body)) throw bad(`${name}: ${move.body.name} is moved twice`);
    const kinds = ['to', 'joints', 'positions'].filter(kind => kind in move);
    if (kinds.length !== 1)
      throw bad(`${name}: ${move.body.name} needs one of \`to\`, \`joints\` and \`positions\``);
    checkOptions(move as { path?: unknown }, moveRules, `${name}: ${move.body.name}`, 'motion');
    if ('joints' in move && !Array.isArray(move.joints))
      throw wrong(`${name}: ${move.body.name}: joints`, 'a list', move.joints);
    moves.set(move.body, move);
  }
  return moves;
}

const stepRules: Rules<JointStep> = {
  origin: () => {},
  kind: oneOf('turn', 'slide'),
  axis: () => {},
  from: aFiniteNumber,
  to: aFiniteNumber,
};

function jointOf(step: JointStep, known: Map<JointStep, Joint>, who: string): Joint {
  const before = known.get(step);
  if (before) return before;
  if (!isObject(step)) throw wrong(who, 'an object', step);
  checkOptions(step, stepRules, who, 'joint');
  for (const key of ['kind', 'from', 'to'] as const)
    if (step[key] === undefined) throw bad(`${who} has no ${key}`);
  const length = isObject(step.axis) ? lengthOf(step.axis) : Number.NaN;
  if (!(length > 0 && Number.isFinite(length)))
    throw wrong(`${who}: axis`, 'three numbers that are not all 0', step.axis);
  const joint: Joint = {
    step,
    origin: toPose(step.origin, who),
    axis: [step.axis[0] / length, step.axis[1] / length, step.axis[2] / length],
  };
  known.set(step, joint);
  return joint;
}
