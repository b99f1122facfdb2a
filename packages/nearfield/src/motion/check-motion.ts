// What a motion says of each body: where every vertex is at time 1, if it moves linearly. Throws if it is no motion.

import { Body } from '../bodies/body.ts';
import { anything, arrayOf, bad, checkOptions, inWords, isObject, oneOf, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { type Pose, toPose } from '../math/pose.ts';
import type { Positions } from '../mesh/mesh.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { MovingBody } from './linear/moving-bodies.ts';
import type { BodyMotion, DeformingMotion, Motion, PoseMotion } from './types.ts';

/** Copies of what was given per body: a pose or positions at time 1. */
export type Ends = ReadonlyMap<Body, { readonly pose: Pose } | { readonly positions: Positions }>;

/** Checks a motion and copies its numbers, so that the caller may change them. */
export function checkMotion(name: string, core: SceneCore, motion: Motion): Ends {
  checkOptions(motion, { bodies: anything }, name, 'motion');
  const rule = 'a list of { body, to } and { body, positions }';
  if (!Array.isArray(motion.bodies)) throw wrong(`${name}: motion.bodies`, rule, motion.bodies);
  const ends = new Map<Body, { readonly pose: Pose } | { readonly positions: Positions }>();
  (motion.bodies as readonly BodyMotion[]).forEach((entry, i) => {
    const what = `${name}: motion.bodies[${i}]`;
    if (!isObject(entry)) throw wrong(what, '{ body, to } or { body, positions }', entry);
    const { body } = entry;
    if (!(body instanceof Body)) throw wrong(`${what}.body`, 'a body', body);
    core.checkBody(body);
    if (ends.has(body)) throw bad(`${what}: ${body.name} is named twice`);
    ends.set(body, endOf(what, entry));
  });
  return ends;
}

function endOf(what: string, entry: BodyMotion): { readonly pose: Pose } | { readonly positions: Positions } {
  const { body } = entry;
  const { to, path } = entry as PoseMotion;
  const { positions } = entry as DeformingMotion;
  if ((to === undefined) === (positions === undefined)) {
    throw bad(`${what}: ${body.name} needs either a pose, \`to\`, or positions at time 1`);
  }
  if (to !== undefined) {
    if (path !== undefined) oneOf('turn', 'screw')(path, `${what}.path`);
    return { pose: toPose(to, `${what}.to`) };
  }
  const given = arrayOf(positions, `${what}.positions`, Float32Array, Float64Array);
  const { length } = body.mesh.positions;
  if (given.length !== length) {
    const message = `${what}: ${body.name} takes positions, three numbers per vertex: ${length}, not ${given.length}`;
    throw new NearfieldError('bad-array', message);
  }
  const i = given.findIndex((x: number) => !Number.isFinite(x));
  if (i >= 0) {
    const place = `${'xyz'[i % 3]} of vertex ${Math.floor(i / 3)}`;
    throw new NearfieldError('not-finite', `${what}: ${place} at time 1 is ${inWords(given[i])}`);
  }
  return { positions: given.slice() };
}

/** The bodies of a question as they move. Throws 'unsupported' if one of them turns. */
export function movingBodies(question: Question, ends: Ends): MovingBody[] {
  return question.bodies.map((body, i) => {
    const then = question.readableAt(i);
    const end = ends.get(body);
    if (end === undefined) return new MovingBody(then, body.name, undefined);
    if ('positions' in end) {
      return new MovingBody(then, body.name, { pose: then.pose, positions: end.positions }, true);
    }
    if (!isTranslated(then.pose, end.pose)) {
      const message = `${body.name} turns: first contacts are found for bodies that translate or deform`;
      throw new NearfieldError('unsupported', message);
    }
    return new MovingBody(then, body.name, { pose: end.pose, positions: then.positions });
  });
}

/** Whether two poses differ by their translation alone. */
function isTranslated(from: Pose, to: Pose): boolean {
  for (let i = 0; i < 12; i++) if (from[i] !== to[i]) return false;
  return true;
}
