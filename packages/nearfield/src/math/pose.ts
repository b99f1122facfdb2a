// Poses: affine 4×4 matrices in doubles, column-major. The order of operations in `applyPose` is a contract: every
// answer is about the doubles that it computes.

import { arrayOf, inWords, isObject, wholeNumber, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import { orient3dAt } from './exact/orient.ts';

/** An affine matrix from local to world coordinates: 16 doubles, column-major; the last row is 0 0 0 1. */
export type Pose = Float64Array;

/** The identity pose. A new array at each call, which the caller may change. */
export function identity(): Pose {
  const pose = new Float64Array(16);
  pose[0] = pose[5] = pose[10] = pose[15] = 1;
  return pose;
}

/**
 * Checks a pose and copies it to `out[at]`. If it is not a pose, throws 'bad-pose' and leaves `out` unchanged. `who`
 * names the body. Returns whether the pose is ordinary (`checkPoses`).
 */
export function readPose(values: ArrayLike<number>, who: string, out: Float64Array, at = 0): boolean {
  if (values?.length !== 16 || typeof values !== 'object') {
    throw new NearfieldError('bad-pose', `${who}: ${notSixteen(values)}`);
  }
  if (!hasSeenFractions) showFractions();
  let m = checked;
  if (values instanceof Float64Array) m = values as Float64Array<ArrayBuffer>;
  else {
    for (let i = 0; i < 16; i++) {
      const value = values[i];
      if (typeof value !== 'number') {
        throw new NearfieldError('bad-pose', `${who}: pose[${i}] must be a number, not ${inWords(value)}`);
      }
      m[i] = value;
    }
  }
  const ordinary = firstUncommon(m, 0, 1) === 1;
  const error = ordinary ? undefined : whatIsWrong(m, who);
  if (error !== undefined) throw error;
  for (let i = 0; i < 16; i++) out[at + i] = m[i];
  return ordinary;
}

/**
 * Checks many poses, 16 numbers each; `who` names a pose's body. Throws 'bad-pose'. Returns whether all of them are
 * ordinary: linear parts below 10^30, translations below 10^60, determinants far from 0.
 */
export function checkPoses(poses: Float64Array, count: number, who: (i: number) => string): boolean {
  if (!hasSeenFractions) showFractions();
  let i = firstUncommon(poses, 0, count);
  if (i === count) return true;
  for (; i < count; i = firstUncommon(poses, i + 1, count)) {
    const error = whatIsWrong(poses.subarray(16 * i, 16 * i + 16), who(i));
    if (error !== undefined) throw error;
  }
  return false;
}

/** The message for something that is not 16 numbers, with a hint for matrix objects. */
function notSixteen(values: unknown): string {
  const rule = 'a pose has 16 numbers, column-major';
  if (!isObject(values)) return `${rule}, not ${inWords(values)}`;
  if ('elements' in values) return `${rule}: pass matrix.elements, not the matrix`;
  if (!('length' in values)) return `${rule}, in an array`;
  const isNested = Array.isArray(values) && Array.isArray(values[0]);
  return `${rule}; this one has ${values.length}${isNested ? ' arrays: put them into one, column by column' : ''}`;
}

let hasSeenFractions = false;

/**
 * A warm-up. JavaScript engines compile arithmetic for integers if they have seen only integers, as in poses that only
 * translate. Fractions then take twice as long. So the check is run on fractions first.
 */
function showFractions(): void {
  hasSeenFractions = true;
  const turned = [0.36, 0.48, -0.8, 0, -0.8, 0.6, 0.1, 0, 0.48, 0.64, 0.6, 0, 0.5, 1.5, 2.5, 1];
  firstUncommon(
    Float64Array.from({ length: 16 * 256 }, (_, i) => turned[i % 16]),
    0,
    256,
  );
}

/**
 * The first pose from `first` on that is not plainly valid, or `count`. Ten thousand poses per frame may be checked
 * here: a plainly valid pose takes a few operations without a call. The others get the exact check.
 */
function firstUncommon(m: Float64Array, first: number, count: number): number {
  for (let i = first, at = 16 * first; i < count; i++, at += 16) {
    const ax = m[at];
    const ay = m[at + 1];
    const az = m[at + 2];
    const bx = m[at + 4];
    const by = m[at + 5];
    const bz = m[at + 6];
    const cx = m[at + 8];
    const cy = m[at + 9];
    const cz = m[at + 10];
    const yz = by * cz;
    const zy = bz * cy;
    const zx = bz * cx;
    const xz = bx * cz;
    const xy = bx * cy;
    const yx = by * cx;
    const determinant = ax * (yz - zy) + ay * (zx - xz) + az * (xy - yx);
    // The magnitudes of the determinant's terms add up to at most |a|₁|b|₁|c|₁ ≤ (√3)³|a||b||c| ≤ s^(3/2), where s is
    // the sum of all squares. Each term passes through five roundings of 2^-53. The error is less than 2^-50 of that
    // sum, and the square of this bound is 8·10^-31 s³. Between 10^-60 and 10^59 nothing overflows, and underflow is
    // negligible. Every comparison is false for NaN.
    const squares = ax * ax + ay * ay + az * az + bx * bx + by * by + bz * bz + cx * cx + cy * cy + cz * cz;
    const tx = m[at + 12];
    const ty = m[at + 13];
    const tz = m[at + 14];
    const plain =
      determinant * determinant > 2e-30 * (squares * squares * squares) &&
      squares > 1e-60 &&
      squares < 1e59 &&
      tx * tx + ty * ty + tz * tz < 1e119 &&
      m[at + 3] === 0 &&
      m[at + 7] === 0 &&
      m[at + 11] === 0 &&
      m[at + 15] === 1;
    if (!plain) return i;
  }
  return count;
}

/** The error for a pose that is invalid; undefined if it is valid. Decided exactly. */
function whatIsWrong(values: Float64Array, who: string): NearfieldError | undefined {
  const m = examined;
  m.set(values);
  const i = m.findIndex(value => !Number.isFinite(value));
  if (i >= 0) return new NearfieldError('bad-pose', `${who}: pose[${i}] is ${m[i]}`);
  if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) {
    const row = `${m[3]} ${m[7]} ${m[11]} ${m[15]}`;
    const byRows = m[12] === 0 && m[13] === 0 && m[14] === 0 && m[15] === 1;
    const hint = byRows ? ': are they row by row? A pose is column-major' : '';
    const message = `${who}: the last row of a pose is 0 0 0 1; this one has ${row}${hint}`;
    return new NearfieldError('bad-pose', message);
  }
  // The exact sign of the linear part's determinant: columns 0, 1, 2 as points, against the origin.
  if (orient3dAt(m, 0, 4, 8, origin) !== 0) return undefined;
  return new NearfieldError('bad-pose', `${who}: the pose is singular: it flattens the body`);
}

/** A checked copy of a pose. Throws 'bad-pose'. */
export function toPose(values: ArrayLike<number>, who: string): Pose {
  const pose = new Float64Array(16);
  readPose(values, who, pose);
  return pose;
}

/** A copy of the pose in a row of many; in `out` if it is given. One by one: for so few numbers `slice` takes longer. */
export function poseOfRow(poses: Float64Array, row: number, out: Pose = new Float64Array(16)): Pose {
  for (let i = 0; i < 16; i++) out[i] = poses[16 * row + i];
  return out;
}

/** Scratch memory for `readPose`. */
const checked = new Float64Array(16);
/** Scratch memory for `whatIsWrong`: a pose, followed by the origin. */
const examined = new Float64Array(19);
const origin = 16;

/**
 * Writes the world position of the point (x, y, z) to `out[at]`; the pose begins at m[i]. The order of operations is
 * the contract: ((m0·x + m4·y) + m8·z) + m12, each operation rounded to double. Every answer is about these doubles.
 */
export function applyPose(
  m: Pose,
  x: number,
  y: number,
  z: number,
  out: Float64Array,
  at: number,
  i = 0,
): void {
  out[at] = m[i] * x + m[i + 4] * y + m[i + 8] * z + m[i + 12];
  out[at + 1] = m[i + 1] * x + m[i + 5] * y + m[i + 9] * z + m[i + 13];
  out[at + 2] = m[i + 2] * x + m[i + 6] * y + m[i + 10] * z + m[i + 14];
}

/**
 * parent · child, each entry summed in the same order as `applyPose`; in `out` if it is given, which may be neither of the two.
 * Throws 'bad-pose' for anything but 16 doubles.
 */
export function multiplyPoses(parent: Pose, child: Pose, out: Pose = new Float64Array(16)): Pose {
  checkMatrix(parent, 'parent');
  checkMatrix(child, 'child');
  checkMatrix(out, 'out');
  for (let column = 0; column < 4; column++) {
    out[4 * column + 3] = column === 3 ? 1 : 0;
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

function checkMatrix(given: unknown, what: string, from = 0): void {
  if (given instanceof Float64Array && given.length >= from + 16) return;
  const length = given instanceof Float64Array ? `one of ${given.length}` : inWords(given);
  throw new NearfieldError('bad-pose', `${what} must be a pose, 16 numbers in a Float64Array, not ${length}`);
}

/**
 * Writes the world position of the point (x, y, z) to `out[at]`; the pose begins at m[i]. The order of operations is
 * the contract: ((m0·x + m4·y) + m8·z) + m12, each operation rounded to double. Every answer is about these doubles.
 * Throws 'bad-pose' if m has no 16 numbers there, 'bad-array' if `out` has no space for three, 'not-finite' for a
 * coordinate that is not finite, 'bad-option' for other wrong arguments.
 */
export const applyPoseChecked: typeof applyPose = (m, x, y, z, out, at, i = 0) => {
  // This may run for millions of vertices: one quick test for correct arguments, and a closer look only if it fails.
  const isRight =
    m instanceof Float64Array &&
    out instanceof Float64Array &&
    Number.isInteger(i) &&
    Number.isInteger(at) &&
    i >= 0 &&
    at >= 0 &&
    m.length >= i + 16 &&
    out.length >= at + 3 &&
    Number.isFinite(x) &&
    Number.isFinite(y) &&
    Number.isFinite(z);
  if (!isRight) checkApplied(m, [x, y, z], out, at, i);
  applyPose(m, x, y, z, out, at, i);
};

function checkApplied(m: Pose, point: readonly unknown[], out: Float64Array, at: number, i: number): void {
  wholeNumber(0)(i, 'i');
  checkMatrix(m, 'm', i);
  arrayOf(out, 'out', Float64Array);
  if (out.length < 3)
    throw new NearfieldError('bad-array', `out needs space for 3 numbers, not ${out.length}`);
  wholeNumber(0, out.length - 3)(at, 'at');
  point.forEach((value, axis) => {
    const name = 'xyz'[axis];
    if (typeof value !== 'number') throw wrong(name, 'a number', value);
    if (!Number.isFinite(value)) throw new NearfieldError('not-finite', `${name} is ${value}`);
  });
}

/** Writes the world positions of triangle `t`'s vertices, nine doubles, to `out[at]`; the pose begins at pose[i]. */
export function placeTriangle(
  pose: Pose,
  positions: Float32Array | Float64Array,
  indices: ArrayLike<number>,
  t: number,
  out: Float64Array,
  at: number,
  i = 0,
): void {
  for (let corner = 0; corner < 3; corner++) {
    const v = 3 * indices[3 * t + corner];
    applyPose(pose, positions[v], positions[v + 1], positions[v + 2], out, at + 3 * corner, i);
  }
}

/** The columns of a pose's linear part, then the origin. */
const columns = new Float64Array(12);

/** Whether the determinant of a pose's linear part is negative. Exact. */
export function mirrors(pose: Pose): boolean {
  for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) columns[3 * k + i] = pose[4 * k + i];
  // The determinant of the columns is that of the columns minus the origin: orient3d with the origin last.
  return orient3dAt(columns, 0, 3, 6, 9) < 0;
}
