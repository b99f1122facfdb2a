// Poses: affine 4×4 matrices, column-major, in doubles. The order of operations in `applyPose` is a contract: every
// answer is about the doubles it gives.

import { NearfieldError } from '../errors.ts';
import { orient3dAt } from './orient.ts';

/** 16 numbers, column-major; the last row is 0 0 0 1. */
export type Pose = Float64Array;

export function identity(): Pose {
  const pose = new Float64Array(16);
  pose[0] = pose[5] = pose[10] = pose[15] = 1;
  return pose;
}

/** Checks a pose and copies it to `out`, which is left as it was if there is an error. `who` names the body. */
export function readPose(values: ArrayLike<number>, who: string, out: Pose): void {
  if (values.length !== 16) {
    const message = `${who}: a pose has 16 numbers, column-major; this one has ${values.length}`;
    throw new NearfieldError('bad-pose', message);
  }
  const m = checked;
  let nothing = 0;
  for (let i = 0; i < 16; i++) {
    m[i] = values[i];
    nothing += m[i] - m[i]; // 0, or not a number where m[i] is infinite or not a number
  }
  if (nothing !== 0) {
    const i = m.findIndex(value => !Number.isFinite(value));
    throw new NearfieldError('bad-pose', `${who}: pose[${i}] is ${values[i]}`);
  }
  if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) {
    const row = `${m[3]} ${m[7]} ${m[11]} ${m[15]}`;
    throw new NearfieldError('bad-pose', `${who}: the last row of a pose is 0 0 0 1; this one has ${row}`);
  }
  // The determinant of the linear part, its sign decided exactly: columns 0, 1, 2 as points, seen from the origin.
  if (orient3dAt(m, 0, 4, 8, origin) === 0) {
    throw new NearfieldError('bad-pose', `${who}: the pose is singular: it flattens the body`);
  }
  for (let i = 0; i < 16; i++) out[i] = m[i];
}

/** A checked copy. */
export function toPose(values: ArrayLike<number>, who: string): Pose {
  const pose = new Float64Array(16);
  readPose(values, who, pose);
  return pose;
}

/** A pose being checked, and behind it the origin. */
const checked = new Float64Array(19);
const origin = 16;

/**
 * World position of the point (x, y, z), written to `out` at `at`. The order of operations is the contract:
 * ((m0·x + m4·y) + m8·z) + m12, each rounded to double. Every answer is about these doubles.
 */
export function applyPose(m: Pose, x: number, y: number, z: number, out: Float64Array, at: number): void {
  out[at] = m[0] * x + m[4] * y + m[8] * z + m[12];
  out[at + 1] = m[1] * x + m[5] * y + m[9] * z + m[13];
  out[at + 2] = m[2] * x + m[6] * y + m[10] * z + m[14];
}

/** parent · child, each entry summed in the same order as `applyPose`. */
export function multiplyPoses(parent: Pose, child: Pose): Pose {
  const out = identity();
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 3; row++) {
      const linear =
        parent[row] * child[4 * column] +
        parent[4 + row] * child[4 * column + 1] +
        parent[8 + row] * child[4 * column + 2];
      out[4 * column + row] = column === 3 ? linear + parent[12 + row] : linear;
    }
  }
  return out;
}

/** World positions of the vertices of triangle `t`, nine doubles written to `out` at `at`. */
export function placeTriangle(
  pose: Pose,
  positions: Float32Array | Float64Array,
  indices: ArrayLike<number>,
  t: number,
  out: Float64Array,
  at: number,
): void {
  for (let corner = 0; corner < 3; corner++) {
    const v = 3 * indices[3 * t + corner];
    applyPose(pose, positions[v], positions[v + 1], positions[v + 2], out, at + 3 * corner);
  }
}
