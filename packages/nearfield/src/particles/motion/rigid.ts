// A collider's rigid motion in closed form. Its own coordinates q are those of the time `at`; in the world it is at p =
// pivot + c(t) + R(t)·(q − pivot), c(t) = (velocity + ½ acceleration·d)·d, d = t − at, R the turn by turnsPerSecond·d
// about the axis.
//
// Times are given as a birth (exact) and seconds since. The angle at a birth is reduced to a share of a turn in twice
// the precision, so that it is as precise late in a run as early.

import { checkOptions, type Rules } from '../../core/arguments.ts';
import { tail, twoProduct, twoSum } from '../../math/exact/double-double.ts';
import { finiteNumber, finiteVector, unitVector } from '../check.ts';
import type { RigidMotion } from '../colliders/shapes.ts';
import type { CompiledMotion } from '../compiled.ts';
import { turnBy, turned } from './sine.ts';

const motionRules: Rules<RigidMotion> = {
  velocity: finiteVector,
  acceleration: finiteVector,
  pivot: finiteVector,
  turn: finiteVector,
  at: finiteNumber,
};

export function compileMotion(given: RigidMotion | undefined, what: string): CompiledMotion | undefined {
  if (given === undefined) return undefined;
  checkOptions(given, motionRules, `${what}: motion`, 'motion');
  const velocity = finiteVector(given.velocity ?? [0, 0, 0], `${what}: motion's velocity`);
  const acceleration = finiteVector(given.acceleration ?? [0, 0, 0], `${what}: motion's acceleration`);
  const pivot = finiteVector(given.pivot ?? [0, 0, 0], `${what}: motion's pivot`);
  const turn = finiteVector(given.turn ?? [0, 0, 0], `${what}: motion's turn`);
  const at = finiteNumber(given.at ?? 0, `${what}: motion's at`);
  const rate = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  const turns = rate > 0;
  const translates = [...velocity, ...acceleration].some(value => value !== 0);
  if (!turns && !translates) return undefined;
  return {
    velocity,
    acceleration,
    pivot,
    axis: turns ? unitVector(turn, `${what}: motion's turn`) : [0, 0, 1],
    turnsPerSecond: rate / (2 * Math.PI),
    at,
    turns,
    translates,
  };
}

/**
 * Adds −c, −ċ and −c̈ to a path that begins `since` seconds after a birth: the path relative to a collider that does
 * not turn.
 */
export function relativeTo(
  motion: CompiledMotion,
  birth: number,
  since: number,
  path: Float64Array,
  out: Float64Array,
): void {
  const d = birth - motion.at + since;
  for (let axis = 0; axis < 3; axis++) {
    const v = motion.velocity[axis];
    const a = motion.acceleration[axis];
    out[axis] = path[axis] - (v + 0.5 * a * d) * d;
    out[3 + axis] = path[3 + axis] - (v + a * d);
    out[6 + axis] = path[6 + axis] - a;
  }
}

/** The fraction of a turn reached at a birth, in [0, 1]. */
export function turnsAtBirth({ turnsPerSecond, at }: CompiledMotion, birth: number): number {
  const elapsed = twoSum(birth, -at);
  const elapsedTail = tail;
  const turns = twoProduct(turnsPerSecond, elapsed);
  const low = tail + turnsPerSecond * elapsedTail;
  return turns - Math.floor(turns) + low;
}

/** A turn about an axis as a matrix, row by row: R, which maps own directions to the world's. */
export function rotation(motion: CompiledMotion, turns: number, out: Float64Array): void {
  turnBy(turns);
  const s = turned[0];
  const c = turned[1];
  const [x, y, z] = motion.axis;
  const rest = 1 - c;
  out[0] = c + x * x * rest;
  out[1] = x * y * rest - z * s;
  out[2] = x * z * rest + y * s;
  out[3] = x * y * rest + z * s;
  out[4] = c + y * y * rest;
  out[5] = y * z * rest - x * s;
  out[6] = x * z * rest - y * s;
  out[7] = y * z * rest + x * s;
  out[8] = c + z * z * rest;
}

const matrix = new Float64Array(9);

/** The own coordinates of a world place, `since` seconds after a birth. */
export function toOwn(
  motion: CompiledMotion,
  birth: number,
  since: number,
  place: ArrayLike<number>,
  out: Float64Array,
): void {
  const d = birth - motion.at + since;
  const { velocity, acceleration, pivot } = motion;
  const x = place[0] - (velocity[0] + 0.5 * acceleration[0] * d) * d;
  const y = place[1] - (velocity[1] + 0.5 * acceleration[1] * d) * d;
  const z = place[2] - (velocity[2] + 0.5 * acceleration[2] * d) * d;
  if (!motion.turns) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
    return;
  }
  rotation(motion, turnsAtBirth(motion, birth) + motion.turnsPerSecond * since, matrix);
  turnBack(matrix, x - pivot[0], y - pivot[1], z - pivot[2], out);
  for (let axis = 0; axis < 3; axis++) out[axis] += pivot[axis];
}

/** The world place of own coordinates. */
export function toWorld(
  motion: CompiledMotion,
  birth: number,
  since: number,
  own: ArrayLike<number>,
  out: Float64Array,
): void {
  const d = birth - motion.at + since;
  const { velocity, acceleration, pivot } = motion;
  let x = own[0];
  let y = own[1];
  let z = own[2];
  if (motion.turns) {
    rotation(motion, turnsAtBirth(motion, birth) + motion.turnsPerSecond * since, matrix);
    turnOut(matrix, x - pivot[0], y - pivot[1], z - pivot[2], out);
    x = out[0] + pivot[0];
    y = out[1] + pivot[1];
    z = out[2] + pivot[2];
  }
  out[0] = x + (velocity[0] + 0.5 * acceleration[0] * d) * d;
  out[1] = y + (velocity[1] + 0.5 * acceleration[1] * d) * d;
  out[2] = z + (velocity[2] + 0.5 * acceleration[2] * d) * d;
}

/** Rᵀ·(x, y, z). */
export function turnBack(m: Float64Array, x: number, y: number, z: number, out: Float64Array, at = 0): void {
  out[at] = m[0] * x + m[3] * y + m[6] * z;
  out[at + 1] = m[1] * x + m[4] * y + m[7] * z;
  out[at + 2] = m[2] * x + m[5] * y + m[8] * z;
}

/** R·(x, y, z). */
export function turnOut(m: Float64Array, x: number, y: number, z: number, out: Float64Array, at = 0): void {
  out[at] = m[0] * x + m[1] * y + m[2] * z;
  out[at + 1] = m[3] * x + m[4] * y + m[5] * z;
  out[at + 2] = m[6] * x + m[7] * y + m[8] * z;
}

/** The world direction of an own one. */
export function directionToWorld(
  motion: CompiledMotion,
  birth: number,
  since: number,
  own: Float64Array,
): void {
  if (!motion.turns) return;
  rotation(motion, turnsAtBirth(motion, birth) + motion.turnsPerSecond * since, matrix);
  turnOut(matrix, own[0], own[1], own[2], own);
}

/** The velocity of the collider's point at a world place. */
export function velocityAt(
  motion: CompiledMotion,
  birth: number,
  since: number,
  place: ArrayLike<number>,
  out: Float64Array,
): void {
  const d = birth - motion.at + since;
  const { velocity, acceleration, pivot, axis, turnsPerSecond } = motion;
  for (let i = 0; i < 3; i++) out[i] = velocity[i] + acceleration[i] * d;
  if (!motion.turns) return;
  const x = place[0] - pivot[0] - (velocity[0] + 0.5 * acceleration[0] * d) * d;
  const y = place[1] - pivot[1] - (velocity[1] + 0.5 * acceleration[1] * d) * d;
  const z = place[2] - pivot[2] - (velocity[2] + 0.5 * acceleration[2] * d) * d;
  const omega = turnsPerSecond * (2 * Math.PI);
  out[0] += omega * (axis[1] * z - axis[2] * y);
  out[1] += omega * (axis[2] * x - axis[0] * z);
  out[2] += omega * (axis[0] * y - axis[1] * x);
}
