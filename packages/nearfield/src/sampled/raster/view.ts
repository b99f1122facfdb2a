// A parallel view: a direction and a rectangle of square pixels. Depth grows along the direction; right, up and
// direction are a right-handed frame.
//
// A vertex at the world position p is seen at (right·d, up·d, direction·d), d = p − origin: the real numbers that the
// doubles of p, of the axes and of the origin give. `see` rounds them, by at most `seeError`. Exact decisions about a
// view are about these real numbers (exact/whole-triangles.ts), so about the world's own doubles.
//
// The line of pixel (i, j) passes through ((i + 1/2 + 2^-36)·pixel, (j + 1/2 + 2^-38)·pixel): the pixel's middle,
// shifted slightly to the right and up. Edges often lie on middles, up to rounding, as those of a box of width 1 under
// pixels of 0.1. If two borders are a whole number of pixels apart, the shift puts the line at one of them inside and
// the line at the other outside, instead of leaving both to rounding.

import { aNumber, aVector, bad, inWords, type Rule } from '../../core/arguments.ts';
import { type Box, emptyBox, isEmptyBox } from '../../math/box.ts';
import { identity, type Pose } from '../../math/pose.ts';

/** x, y and z. */
export type Triple = readonly [number, number, number];

/** How far to the right of and above a pixel's middle its line passes, in pixels. */
export const lineShift: readonly [number, number] = [2 ** -36, 2 ** -38];

/** Three unit vectors, perpendicular to one another: to the right and up in the picture, and along the lines. */
export interface Axes {
  /** To the right in the picture, along rows. */
  readonly right: Triple;
  /** Up in the picture, along columns. */
  readonly up: Triple;
  /** Along the lines: depth grows with it. direction = right × up. */
  readonly direction: Triple;
}

/** A rectangle of pixels through which two bodies are viewed, along parallel lines. */
export class View implements Axes {
  /** To the right in the picture, along rows: a unit vector of the world. */
  readonly right: Triple;
  /** Up in the picture, along columns: a unit vector of the world. */
  readonly up: Triple;
  /** Along the lines: a unit vector of the world, right × up. */
  readonly direction: Triple;

  constructor(
    axes: Axes,
    /** World position of the outer corner of the first pixel, at depth 0. */
    readonly origin: Triple,
    /** The side of a pixel in world units. */
    readonly pixel: number,
    /** Pixels per row. */
    readonly columns: number,
    /** Rows of pixels, from below. */
    readonly rows: number,
    /** The least depth in view, in world units. */
    readonly near: number,
    /** The greatest depth in view. */
    readonly far: number,
  ) {
    this.right = axes.right;
    this.up = axes.up;
    this.direction = axes.direction;
  }

  /**
   * The world position of a place in the picture: columns and rows in pixels from the outer corner, depth in world
   * units. Throws 'bad-option' for anything but numbers.
   */
  toWorld(column: number, row: number, depth: number): [number, number, number] {
    // A pixel that shows nothing has no depth: NaN gives NaN.
    anyNumber(column, 'column');
    anyNumber(row, 'row');
    anyNumber(depth, 'depth');
    const { right, up, direction, origin, pixel } = this;
    const at = (axis: number) =>
      origin[axis] + (right[axis] * column * pixel + up[axis] * row * pixel + direction[axis] * depth);
    return [at(0), at(1), at(2)];
  }

  /** Column and row in pixels from the outer corner, depth in world units. */
  toImage(point: ArrayLike<number>): [number, number, number] {
    aVector(point, 'point');
    this.see(point[0], point[1], point[2], seen, 0);
    return [seen[0] / this.pixel, seen[1] / this.pixel, seen[2]];
  }

  /**
   * Writes where a world position is seen, in world units, to out[at]. It is rounded, by at most `seeError`. @internal
   */
  see(x: number, y: number, z: number, out: Float64Array, at: number): void {
    const { right, up, direction, origin } = this;
    const dx = x - origin[0];
    const dy = y - origin[1];
    const dz = z - origin[2];
    out[at] = right[0] * dx + right[1] * dy + right[2] * dz;
    out[at + 1] = up[0] * dx + up[1] * dy + up[2] * dz;
    out[at + 2] = direction[0] * dx + direction[1] * dy + direction[2] * dz;
  }

  /** The place at which the line of a pixel passes through the picture, in pixels. @internal */
  lineOf(column: number, row: number): [number, number] {
    return [column + 0.5 + lineShift[0], row + 0.5 + lineShift[1]];
  }

  /** A pose transformed into the view, in pixels. Unlike the result of `see`, it has no stated bound. @internal */
  turn(pose: Pose): Pose {
    const { right, up, direction, origin, pixel } = this;
    const turned = identity();
    for (let row = 0; row < 3; row++) {
      const axis = row === 0 ? right : row === 1 ? up : direction;
      const x = axis[0];
      const y = axis[1];
      const z = axis[2];
      for (let at = 0; at < 12; at += 4) {
        turned[at + row] = (x * pose[at] + y * pose[at + 1] + z * pose[at + 2]) / pixel;
      }
      const there = x * (pose[12] - origin[0]) + y * (pose[13] - origin[1]) + z * (pose[14] - origin[2]);
      turned[12 + row] = there / pixel;
    }
    return turned;
  }
}

/**
 * The largest error of `see` in each coordinate, for a position whose three differences from the view's origin sum to
 * at most `reach`. The differences, their products with an axis and two sums are rounded, by less than 4.1·2^-53 of it.
 */
export const seeError = (reach: number): number => 2 ** -50 * reach;

const seen = new Float64Array(3);
const anyNumber = aNumber('a number', () => true);

/** Three finite numbers, not all 0. */
export const aDirection: Rule = (given, what) => {
  const list = given as ArrayLike<unknown> | null;
  const isVector = list?.length === 3 && Array.from(list).every(Number.isFinite);
  const isDirection = isVector && Array.from(list).some(each => each !== 0);
  if (!isDirection)
    throw bad(
      `${what} must be three finite numbers, not all 0; got ${isVector ? Array.from(list) : inWords(given)}`,
    );
};

/**
 * A right-handed frame along a direction of any length. Up is the z axis, or the y axis if the direction is mainly
 * along z. Along a world axis the frame only exchanges coordinates. For an observer who looks along the direction with
 * up above, `right` is on the left.
 */
export function axesAlong(direction: ArrayLike<number>): Axes {
  aDirection(direction, 'a direction');
  const size = Math.max(...Array.from(direction, Math.abs));
  const along = unit([direction[0] / size, direction[1] / size, direction[2] / size]);
  const leansToZ = Math.abs(along[2]) >= Math.max(Math.abs(along[0]), Math.abs(along[1]));
  const right = unit(cross(leansToZ ? [0, 1, 0] : [0, 0, 1], along));
  return { right, up: unit(cross(along, right)), direction: along };
}

const cross = (u: Triple, v: Triple): [number, number, number] => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];

function unit(v: Triple): [number, number, number] {
  const length = Math.hypot(v[0], v[1], v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
}

/** The box around the corners of a box, in the coordinates of a view along the axes from the world's origin. */
export function boxAlong({ right, up, direction }: Axes, box: Box): Box {
  if (isEmptyBox(box)) return emptyBox();
  const out = new Float64Array(6);
  [right, up, direction].forEach((axis, row) => {
    let [low, high] = [0, 0];
    for (let k = 0; k < 3; k++) {
      low += Math.min(axis[k] * box[k], axis[k] * box[k + 3]);
      high += Math.max(axis[k] * box[k], axis[k] * box[k + 3]);
    }
    out[row] = low;
    out[row + 3] = high;
  });
  return out;
}

export interface ViewSize {
  /** The side of a pixel in world units. Give this or `resolution`. */
  readonly pixel?: number | undefined;
  /** Pixels along the longer side. Give this or `pixel`. */
  readonly resolution?: number | undefined;
  /**
   * The shift of middles, as a share of a pixel, at most 1/2; default 0. Edges often lie exactly on unshifted middles.
   */
  readonly shift?: readonly [number, number] | undefined;
}

/**
 * A view along axes of a box given in their coordinates (`boxAlong`), with half a pixel or more to spare on every side.
 */
export function viewOf(
  axes: Axes,
  seenBox: Box,
  { pixel, resolution = 512, shift = [0, 0] }: ViewSize,
): View {
  const box = isEmptyBox(seenBox) ? new Float64Array(6) : seenBox;
  const width = box[3] - box[0];
  const height = box[4] - box[1];
  // A box that is seen as a point still needs pixels of some size.
  const longest = Math.max(width, height) || box[5] - box[2] || 1;
  const side = pixel ?? longest / Math.max(1, resolution - 1);
  const columns = Math.max(1, Math.ceil(width / side + 1));
  const rows = Math.max(1, Math.ceil(height / side + 1));
  const left = (box[0] + box[3]) / 2 - (columns / 2 + shift[0]) * side;
  const low = (box[1] + box[4]) / 2 - (rows / 2 + shift[1]) * side;
  const { right, up, direction } = axes;
  const at = (k: number) => right[k] * left + up[k] * low + direction[k] * box[2];
  return new View(axes, [at(0), at(1), at(2)], side, columns, rows, 0, box[5] - box[2]);
}
