// How far may a position lie from where the writing program had it, because the file's number format rounds?
//
// A coordinate rounded to the nearest number of its format is off by at most half the distance between two numbers
// there: for binary formats half a unit in the last place of the largest coordinate, for quantised ones half a
// quantum, for text half a unit of the last printed place. Let e be these bounds per axis. An affine pose with the
// linear part L moves the error to L·δ with |δ| ≤ e, so along axis i it is at most Σ |L_ij| e_j. If the entries of the
// pose are themselves rounded, by at most E, and the coordinates are at most m, add Σ E_ij m_j, and E_i4 for the
// translation. (The product of both errors is a rounding of a rounding; one part in 2^20 covers it.) `rounding` is the
// length of that vector. A point of a triangle is a weighted mean of its corners, so no point of the surface is off by
// more. What the writing program did to its numbers before it wrote them is not known here.

import { NearfieldError, type Pose, type Positions } from 'nearfield';
import type { ReadBody } from '../read-result.ts';
import { inWords } from '../reading/file-error.ts';

/** A bound per axis, in the mesh's own coordinates: of an error, or of a coordinate. */
export type Bounds = readonly [x: number, y: number, z: number];

/**
 * The error of each of the 16 entries of a pose, column by column. Undefined if the pose is exact. A plain array, which
 * takes a fraction of the time that a typed one takes to make: a file has one per node.
 */
export type PoseError = readonly number[] | undefined;

/** The largest |x|, |y| and |z| of a mesh's positions. */
export function reachOf(positions: Positions): Bounds {
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < positions.length; i += 3) {
    x = Math.max(x, Math.abs(positions[i]));
    y = Math.max(y, Math.abs(positions[i + 1]));
    z = Math.max(z, Math.abs(positions[i + 2]));
  }
  return [x, y, z];
}

/** The error of a mesh's binary coordinates: in single precision if all of them are, else in double. */
export function binaryError(positions: Positions, reach = reachOf(positions)): Bounds {
  const [x, y, z] = reach;
  const half = isSingle(positions) ? halfSingleUlp : halfDoubleUlp;
  return [half(x), half(y), half(z)];
}

/** True if every number fits single precision, as those of a program do that works in it, whatever it writes. */
export function isSingle(values: ArrayLike<number>): boolean {
  if (values instanceof Float32Array) return true;
  for (let i = 0; i < values.length; i++) if (Math.fround(values[i]) !== values[i]) return false;
  return true;
}

/**
 * Half the distance from |value| to the next number of single precision: 2^-24 times its power of two. Below the
 * smallest normal number, 2^-126, the distance no longer shrinks.
 */
export const halfSingleUlp = (value: number): number => halfUlp(value, 24, -126);

/** The same in double precision, down to 2^-1022. */
export const halfDoubleUlp = (value: number): number => halfUlp(value, 53, -1022);

function halfUlp(value: number, bits: number, lowest: number): number {
  if (value === 0) return 0;
  const size = Math.abs(value);
  const exponent = Math.max(exponentOf(size), lowest);
  if (exponent - bits > -1023) {
    halves[upper] = (exponent - bits + 1023) << 20;
    halves[1 - upper] = 0;
    return double[0];
  }
  // The result is subnormal: a product of two factors, neither of which underflows.
  return 2 ** exponent * 2 ** -bits;
}

const double = new Float64Array(1);
/** The two halves of that double, the upper one last or first. */
const halves = new Uint32Array(double.buffer);
double[0] = 1;
const upper = halves[1] === 0 ? 0 : 1;

/**
 * The exponent of a double: the greatest whole number n with 2^n ≤ size if the double is normal, at most that if it
 * is not.
 */
function exponentOf(size: number): number {
  double[0] = size;
  return ((halves[upper] >>> 20) & 0x7ff) - 1023;
}

/** The error of an exact pose, to be filled. */
export const noError = (): number[] => [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/** How far a position may be off after `pose`, in world units: the comment above derives it. */
export function roundingOf(
  error: Bounds,
  pose?: Pose,
  poseError?: PoseError,
  reach: Bounds = [0, 0, 0],
): number {
  if (!pose) return Math.hypot(...error);
  let squares = 0;
  for (let row = 0; row < 3; row++) {
    let sum = poseError ? poseError[12 + row] : 0;
    for (let column = 0; column < 3; column++) {
      const at = 4 * column + row;
      sum += Math.abs(pose[at]) * error[column];
      if (poseError) sum += poseError[at] * reach[column];
    }
    squares += sum * sum;
  }
  return Math.sqrt(squares) * (poseError ? 1 + 2 ** -20 : 1);
}

/**
 * The error of the product parent · own: |parent| · (error of own) + (error of parent) · |own|. Undefined if both are
 * exact; the rounding of the product in double precision is left out.
 */
export function productError(
  parent: Pose | undefined,
  parentError: PoseError,
  own: Pose,
  ownError: PoseError,
  error = noError(),
): PoseError {
  if (!parentError && !(parent && ownError)) return ownError;
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 3; row++) {
      let sum = column === 3 ? (parentError?.[12 + row] ?? 0) : 0;
      // The last row of a pose is 0 0 0 1, without error.
      for (let k = 0; k < 3; k++) {
        if (ownError)
          sum += Math.abs(parent?.[4 * k + row] ?? (k === row ? 1 : 0)) * ownError[4 * column + k];
        if (parentError) sum += parentError[4 * k + row] * Math.abs(own[4 * column + k]);
      }
      error[4 * column + row] = sum;
    }
  }
  return error;
}

/**
 * The largest factor by which a pose lengthens anything. With the linear part L, its square is the largest eigenvalue of LᵀL,
 * which is at most the largest sum of a row's absolute values (Gershgorin); for a rotation and a scale along the axes that
 * is the largest scale itself.
 */
export function stretchOf(pose: Pose): number {
  const product = (i: number, j: number) =>
    Math.abs(
      pose[4 * i] * pose[4 * j] + pose[4 * i + 1] * pose[4 * j + 1] + pose[4 * i + 2] * pose[4 * j + 2],
    );
  const [xy, xz, yz] = [product(0, 1), product(0, 2), product(1, 2)];
  return Math.sqrt(Math.max(product(0, 0) + xy + xz, xy + product(1, 1) + yz, xz + yz + product(2, 2)));
}

/**
 * How far a position of a body that was read may be off if `pose` takes the place of its own: the rounding of the mesh, times the
 * largest factor of the pose, and what the pose itself rounds. A coordinate ((m0·x + m4·y) + m8·z) + m12 is off by at most
 * 5 · 2^-53 of the sum of the four sizes: once for the entry as written, once for the product, three times for sums.
 * Undefined if the format does not say. Throws 'bad-option' for arguments of other kinds.
 */
export function roundingAt(
  body: Pick<ReadBody, 'mesh' | 'rounding' | 'meshRounding'>,
  pose: Pose,
): number | undefined {
  checkArguments(body, pose);
  const own = body.meshRounding ?? body.rounding;
  if (own === undefined) return undefined;
  const { bounds, triangleCount } = body.mesh;
  const reach = (axis: number) => (triangleCount === 0 ? 0 : Math.max(-bounds[axis], bounds[axis + 3]));
  const [x, y, z] = [reach(0), reach(1), reach(2)];
  const size = (row: number) =>
    Math.abs(pose[12 + row]) +
    Math.abs(pose[row]) * x +
    Math.abs(pose[4 + row]) * y +
    Math.abs(pose[8 + row]) * z;
  return stretchOf(pose) * own + 5 * 2 ** -53 * Math.hypot(size(0), size(1), size(2));
}

function checkArguments(body: unknown, pose: unknown): void {
  const { mesh } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ReadBody>;
  if (typeof mesh !== 'object' || mesh === null || !ArrayBuffer.isView(mesh.positions))
    throw new NearfieldError('bad-option', `roundingAt: body must have a mesh, not ${inWords(body)}`);
  if (!(pose instanceof Float64Array && pose.length === 16))
    throw new NearfieldError(
      'bad-option',
      `roundingAt: pose must be a Float64Array of 16 numbers, not ${inWords(pose)}`,
    );
}
