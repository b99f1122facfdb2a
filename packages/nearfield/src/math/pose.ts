// Poses: affine 4×4 matrices, column-major, in doubles, as DESIGN's numerical contract defines them.

import { NearfieldError } from '../errors.ts';

/** 16 numbers, column-major; the last row is 0 0 0 1. */
export type Pose = Float64Array;

export const identity = (): Pose => new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

/** Copies and checks a pose. `who` names the body in the message. */
export function toPose(values: ArrayLike<number>, who: string): Pose {
  if (values.length !== 16) {
    throw new NearfieldError(
      'bad-pose',
      `${who}: a pose has 16 numbers, column-major; this one has ${values.length}`,
    );
  }
  const pose = Float64Array.from(values);
  for (let i = 0; i < 16; i++) {
    if (!Number.isFinite(pose[i])) throw new NearfieldError('bad-pose', `${who}: pose[${i}] is ${pose[i]}`);
  }
  if (pose[3] !== 0 || pose[7] !== 0 || pose[11] !== 0 || pose[15] !== 1) {
    const row = `${pose[3]} ${pose[7]} ${pose[11]} ${pose[15]}`;
    throw new NearfieldError('bad-pose', `${who}: the last row of a pose is 0 0 0 1; this one has ${row}`);
  }
  if (!isRegular(pose)) {
    throw new NearfieldError('bad-pose', `${who}: the pose is singular: it flattens the body`);
  }
  return pose;
}

/** Whether the linear part has an inverse that doubles can hold: its rows are scaled to unit size first. */
function isRegular(m: Pose): boolean {
  const rows: number[][] = [];
  for (let r = 0; r < 3; r++) {
    const scale = Math.max(Math.abs(m[r]), Math.abs(m[4 + r]), Math.abs(m[8 + r]));
    if (scale === 0) return false;
    rows.push([m[r] / scale, m[4 + r] / scale, m[8 + r] / scale]);
  }
  return determinant3(rows[0], rows[1], rows[2]) !== 0;
}

function determinant3(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
    a[1] * (b[0] * c[2] - b[2] * c[0]) +
    a[2] * (b[0] * c[1] - b[1] * c[0])
  );
}

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
