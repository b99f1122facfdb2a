// Which pose does a glTF node have relative to its parent, and how exact are the numbers that say so? A node has a
// matrix, or a translation, a rotation and a scale.

import type { Pose } from 'nearfield';
import { halfSingleUlp, noError, type PoseError } from '../facts/rounding.ts';
import type { CheckedJson } from './checked-json.ts';

export interface NodePose {
  readonly pose: Pose;
  readonly error: PoseError;
}

/** The pose of a node relative to its parent. Undefined if the node gives none. */
export function nodePose(node: CheckedJson, warn: (what: string) => void): NodePose | undefined {
  const matrix = node.get('matrix')?.numbers(16);
  if (matrix) {
    if (matrix[3] !== 0 || matrix[7] !== 0 || matrix[11] !== 0 || matrix[15] !== 1) {
      node.fail('the last row of its matrix is not 0 0 0 1');
    }
    return { pose: matrix, error: areSingle(matrix) ? singleError(matrix) : undefined };
  }
  const translation = node.get('translation')?.numbers(3);
  const rotation = node.get('rotation')?.numbers(4);
  const scale = node.get('scale')?.numbers(3);
  if (!translation && !rotation && !scale) return undefined;
  if (rotation) {
    const [x, y, z, w] = rotation;
    if (Math.abs(x * x + y * y + z * z + w * w - 1) > 0.01) {
      warn(`${node.path}: the rotation is not of unit length; it is used as it is`);
    }
  }
  return {
    pose: composePose(translation ?? [0, 0, 0], rotation ?? [0, 0, 0, 1], scale ?? [1, 1, 1]),
    error: composedError(translation, rotation, scale),
  };
}

/** translation · rotation · scale, the rotation a quaternion x, y, z, w of unit length. Written to `pose`, which is zero at first. */
export function composePose(
  t: ArrayLike<number>,
  q: ArrayLike<number>,
  s: ArrayLike<number>,
  pose: Pose = new Float64Array(16),
): Pose {
  const x = q[0];
  const y = q[1];
  const z = q[2];
  const w = q[3];
  pose[0] = (1 - 2 * (y * y + z * z)) * s[0];
  pose[1] = 2 * (x * y + z * w) * s[0];
  pose[2] = 2 * (x * z - y * w) * s[0];
  pose[4] = 2 * (x * y - z * w) * s[1];
  pose[5] = (1 - 2 * (x * x + z * z)) * s[1];
  pose[6] = 2 * (y * z + x * w) * s[1];
  pose[8] = 2 * (x * z + y * w) * s[2];
  pose[9] = 2 * (y * z - x * w) * s[2];
  pose[10] = (1 - 2 * (x * x + y * y)) * s[2];
  pose[12] = t[0];
  pose[13] = t[1];
  pose[14] = t[2];
  pose[15] = 1;
  return pose;
}

/**
 * The error of a composed pose. A quantised rotation has steps of `rotationQuantum`. Let every component of the
 * quaternion be off by at most d. An entry of the rotation is a sum of products of two components, such as 1 - 2(y² + z²) or 2(xy + zw). Its derivatives sum to at most
 * 4(|y| + |z|) ≤ 4√2 or 2(|x| + |y| + |z| + |w|) ≤ 4 for a unit quaternion, so 6d bounds every entry. An entry is at
 * most 1, so the scale's error is added as it is.
 */
export function composedError(
  translation: ArrayLike<number> | undefined,
  rotation: ArrayLike<number> | undefined,
  scale: ArrayLike<number> | undefined,
  rotationQuantum = 0,
  error = noError(),
): PoseError {
  const component = rotation && areSingle(rotation) ? halfSingleUlp(1) : rotationQuantum / 2;
  const turned = 6 * component;
  const scaled = scale !== undefined && areSingle(scale);
  const moved = translation !== undefined && areSingle(translation);
  if (turned === 0 && !scaled && !moved) return undefined;
  for (let column = 0; column < 3; column++) {
    const factor = Math.abs(scale?.[column] ?? 1);
    for (let row = 0; row < 3; row++) {
      error[4 * column + row] = turned * factor + (scaled ? halfSingleUlp(factor) : 0);
    }
    error[12 + column] = moved ? halfSingleUlp(translation[column]) : 0;
  }
  return error;
}

/** Half a unit in the last place of every entry. */
function singleError(matrix: Pose): PoseError {
  const error = noError();
  for (let i = 0; i < 15; i++) if (matrix[i] !== 0) error[i] = halfSingleUlp(matrix[i]);
  return error;
}

/**
 * Whether numbers were rounded to single precision by the program that wrote them. JSON has doubles, but many programs
 * have floats and write these. They write a float x in one of three ways:
 * - as a double: 0.10000000149011612, which is x itself;
 * - with the fewest digits that give x again as a float: 0.70710677;
 * - with nine digits: 0.707106769.
 * A number that is none of these for its nearest float was never a float: 2600123.4 is not, because that float,
 * 2600123.5, would be written so. One such number shows that the writer had doubles, and no rounding is counted.
 * If all numbers are floats, the long ones decide. Numbers of four digits or fewer, such as 0.5 or 12, and whole numbers
 * below 2^23 are written alike by both kinds of programs, and are meant as they are.
 */
function areSingle(numbers: ArrayLike<number>): boolean {
  if (numbers instanceof Float32Array) return true;
  let long = false;
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i];
    // From 2^23 on floats are whole numbers: one shows no more there than a fraction elsewhere.
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 23) continue;
    if (!isWrittenFloat(value)) return false;
    long ||= Number(value.toPrecision(4)) !== value;
  }
  return long;
}

function isWrittenFloat(value: number): boolean {
  const float = Math.fround(value);
  if (float === value) return true;
  // The digits that the number has, such as 8 for 2600123.4: its mantissa without the point.
  const digits = value.toExponential().replace('-', '').search('e') - 1;
  if (digits > 9 || !Number.isFinite(float)) return false;
  if (Number(float.toPrecision(9)) === value) return true;
  const isFewest = digits < 2 || Math.fround(Number(float.toPrecision(digits - 1))) !== float;
  return isFewest && Number(float.toPrecision(Math.max(digits, 1))) === value;
}
