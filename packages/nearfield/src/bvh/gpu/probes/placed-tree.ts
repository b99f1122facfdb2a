// A tree on the GPU placed in the world by its body's pose, for kernels that search it alone: for points, rays, boxes
// and spheres. Everything is relative to the body's local origin C and in units of 2^g, with g such that the linear
// part L of the pose, with the shape's own scale, has its largest entry in [1/2, 1).
//
// A vertex is C + L·q up to `vertexError` (math/gpu/filter.md, section 2), which covers the rounding of q and of the
// world doubles. p − C is off by one rounding of itself. The rows N of the inverse are rounded to single. Along one
// of them a vertex lies at its stored position, up to the deviation of N·L from the unit matrix and |N|·vertexError.
// The metric is 1/‖N‖, by the row sums of N·Nᵀ.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { applyPose } from '../../../math/pose.ts';
import type { Entry } from '../trees.ts';

/** The fields of such a tree in a kernel's uniform. */
export const placedTreeFields = {
  linear: ['vec4f', 3],
  /** Rows of the inverse; w bounds the error of a vertex along the row. */
  inverse: ['vec4f', 3],
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  vertexError: 'f32',
} as const;

export interface PlacedTree {
  /** C, and the unit as a number of world units. */
  readonly origin: Float64Array;
  readonly unit: number;
  /** Rows of L, and of N, which are singles. */
  readonly linear: readonly (readonly number[])[];
  readonly inverse: readonly (readonly number[])[];
  /** How far a vertex may lie from its stored position along the rows of N. */
  readonly rowErrors: readonly number[];
  readonly vertexError: number;
  readonly metric: number;
}

const axes: readonly number[] = [0, 1, 2];

/** Undefined if single precision is of no use: the pose squeezes, or numbers are too large or too small for it. */
export function placeTree({ pose }: Placed, entry: Entry): PlacedTree | undefined {
  const { origin: local, exponent, reach } = entry.frame;
  let largest = 0;
  for (const row of axes)
    for (const column of axes) largest = Math.max(largest, Math.abs(pose[4 * column + row]));
  const unit = 2 ** (Math.floor(Math.log2(largest)) + 1 + exponent);
  if (!(unit > 1e-200 && unit < 1e200) || entry.leafCount === 0) return undefined;
  const scale = 2 ** exponent / unit;
  const linear = axes.map(row => axes.map(column => pose[4 * column + row] * scale));
  const origin = new Float64Array(3);
  applyPose(pose, local[0], local[1], local[2], origin, 0);
  let world = 0;
  for (const row of axes) {
    const size = axes.reduce((sum, column) => sum + Math.abs(linear[row][column]) * reach[column], 0);
    world = Math.max(world, size + Math.abs(origin[row]) / unit);
  }
  // As in place-body.wgsl: 16·2^-53 of the numbers that world positions are rounded from, 3.01·2^-30 for stored
  // positions.
  const vertexError = 2 ** -49 * world + 3.01 * 2 ** -30;
  const inverse = inverseOf(linear);
  if (inverse === undefined) return undefined;
  const metric = 1 / normOf(inverse);
  if (!(metric > 1 / 64) || vertexError > 2 ** -8) return undefined;
  const rowErrors = axes.map(row => {
    let off = 0;
    for (const column of axes) {
      const product = axes.reduce((sum, k) => sum + inverse[row][k] * linear[k][column], 0);
      off += Math.abs(product - (row === column ? 1 : 0));
    }
    const size = Math.abs(inverse[row][0]) + Math.abs(inverse[row][1]) + Math.abs(inverse[row][2]);
    return (1 + 2 ** -20) * (off + size * vertexError + 2 ** -40);
  });
  return { origin, unit, linear, inverse, rowErrors, vertexError, metric };
}

/** Writes the fields of a uniform, whose offsets are `at`. */
export function writePlacedTree(
  { linear, inverse, rowErrors, vertexError }: PlacedTree,
  { nodeOffset, leafOffset, leafCount }: Entry,
  words: Uint32Array<ArrayBuffer>,
  at: Readonly<Record<keyof typeof placedTreeFields, number>>,
): void {
  const floats = new Float32Array(words.buffer);
  for (const row of axes) {
    for (const column of axes) {
      floats[at.linear + 4 * row + column] = linear[row][column];
      floats[at.inverse + 4 * row + column] = inverse[row][column];
    }
    floats[at.inverse + 4 * row + 3] = rowErrors[row];
  }
  words[at.nodeOffset] = nodeOffset;
  words[at.leafOffset] = leafOffset;
  words[at.leafCount] = leafCount;
  words[at.depth] = leafCount <= 1 ? 0 : 32 - Math.clz32(leafCount - 1);
  floats[at.vertexError] = vertexError * (1 + 2 ** -20);
}

/** The inverse, rounded to single. Undefined if it is of no use. */
function inverseOf([x, y, z]: readonly (readonly number[])[]): number[][] | undefined {
  const cross = (u: readonly number[], v: readonly number[]) => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const columns = [cross(y, z), cross(z, x), cross(x, y)];
  const determinant = x[0] * columns[0][0] + x[1] * columns[0][1] + x[2] * columns[0][2];
  if (!(Math.abs(determinant) > 1e-9)) return undefined;
  return axes.map(row => axes.map(column => Math.fround(columns[column][row] / determinant)));
}

/** At least the spectral norm: the largest row sum of N·Nᵀ bounds its square. */
function normOf(n: readonly (readonly number[])[]): number {
  let most = 0;
  for (const u of n) {
    let sum = 0;
    for (const v of n) sum += Math.abs(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
    most = Math.max(most, sum);
  }
  return Math.sqrt(most) * (1 + 2 ** -40);
}
