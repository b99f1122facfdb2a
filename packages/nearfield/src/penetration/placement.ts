// Two solids in one frame: that of A's tree. Lengths there are world lengths divided by a scale, as far as poses are
// similarities. No pose of doubles is exactly one, and bounds subtract the difference. If a body's pose stretches more
// in one direction than in another, the solid is first rebuilt from its stretched positions, so that only a translation
// is left.
//
// Rounding. World positions are w = K·u + W, give or take e (bvh/cpu/place/place.as.ts): S = |L|·reach + |t| bounds
// their size, and 2^-48·S everything that rounding in double does to them, to K, W, and to products with the inverse of
// K. B moved by t and rounded again is off by as much, of |t| more. `noise` is four times the sum of all of them. If a
// ball of radius r lies in the model of a solid, one of radius r − noise about the same place lies in the solid itself:
// no point of the surface moves farther than that, and the winding number of a point changes only when the surface
// passes it.
//
// Most of this rounding moves a whole solid, which stays as convex as it was. Single vertices move by less. A position
// takes six operations, and the model's two more, so that each is off by 2^-50 of the sizes; `dents` bounds that for
// both solids.

import { bake } from '../bodies/snapshot/baked.ts';
import type { Placed, Shape } from '../bodies/snapshot/snapshot.ts';
import { identity, type Pose } from '../math/pose.ts';
import type { SolidKernels } from './solids.ts';

/** A body as a solid whose pose is a similarity, or nearly. */
export interface PlacedSolid extends Placed {
  /** Linear part from the tree's frame to the world, by rows, and the world position of the tree's centre. */
  readonly linear: Float64Array;
  readonly centre: Float64Array;
  /** A bound on the rounding of its world positions, as a length. */
  readonly rounding: number;
}

export interface PairFrame {
  /** B's frame into A's: R by rows, its inverse, and where B's origin lies. */
  readonly r: Float64Array;
  readonly inverse: Float64Array;
  readonly place: Float64Array;
  /** Maps world lengths into A's frame. */
  readonly toA: Float64Array;
  /** The least and largest stretch from A's frame to the world, and the least from B's frame to A's. */
  readonly leastWorld: number;
  readonly mostWorld: number;
  readonly leastStretch: number;
  /** In A's frame. */
  readonly noise: number;
  readonly dents: number;
}

/** Poses nearer to a similarity than this are taken as they are. */
const similar = 1e-6;
const roundings = 2 ** -48;

/** The body itself if its pose is a similarity, else a body made of its stretched positions. */
export function evenly(body: Placed): Placed {
  const { pose } = body;
  const linear = [pose[0], pose[4], pose[8], pose[1], pose[5], pose[9], pose[2], pose[6], pose[10]];
  const even = unevenness(Float64Array.from(linear)).uneven <= similar;
  return even ? body : { ...body, shape: stretched(body), pose: translationOf(pose) };
}

export function placeSolid(kernels: SolidKernels, body: Placed): PlacedSolid {
  const placed = evenly(body);
  const { centre, scale, reach } = kernels.frameOf(placed.shape);
  const m = placed.pose;
  const [w, size] = [new Float64Array(3), new Float64Array(3)];
  for (let i = 0; i < 3; i++) {
    w[i] = m[i] * centre[0] + m[4 + i] * centre[1] + m[8 + i] * centre[2] + m[12 + i];
    size[i] = Math.abs(m[i]) * reach[0] + Math.abs(m[4 + i]) * reach[1] + Math.abs(m[8 + i]) * reach[2];
    size[i] += Math.abs(m[12 + i]);
  }
  const k = new Float64Array(9);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) k[3 * i + j] = m[4 * j + i] / scale;
  const rounding = roundings * (size[0] + size[1] + size[2]) + Number.MIN_VALUE * 2 ** 20;
  return { ...placed, linear: k, centre: w, rounding };
}

/** `farthest` bounds the translations that matter, in the world. */
export function framePair(a: PlacedSolid, b: PlacedSolid, farthest: number): PairFrame {
  const toA = inverseOf(a.linear);
  const r = productOf(toA, b.linear);
  const between = b.centre.map((x, i) => x - a.centre[i]);
  const world = unevenness(a.linear);
  const stretch = unevenness(r);
  const most = world.size * Math.sqrt(1 + world.uneven);
  const least = world.size * Math.sqrt(Math.max(0, 1 - world.uneven));
  const noise = 4 * (a.rounding + b.rounding + roundings * farthest);
  const dents = 0.25 * (a.rounding + b.rounding + roundings * farthest);
  return {
    r,
    inverse: inverseOf(r),
    toA,
    place: transform(toA, between[0], between[1], between[2]),
    leastWorld: least * (1 - 1e-14),
    mostWorld: most * (1 + 1e-14),
    leastStretch: stretch.size * Math.sqrt(Math.max(0, 1 - stretch.uneven)) * (1 - 1e-14),
    noise: noise / least,
    dents: dents / least + 0.25 * roundings * (1 + stretch.size * Math.sqrt(1 + stretch.uneven)),
  };
}

export function transform(m: Float64Array, x: number, y: number, z: number): Float64Array {
  return new Float64Array([
    m[0] * x + m[1] * y + m[2] * z,
    m[3] * x + m[4] * y + m[5] * z,
    m[6] * x + m[7] * y + m[8] * z,
  ]);
}

/**
 * The body's positions under the linear part of its pose, rounded in the order of the contract, so that adding t rounds
 * the same way.
 */
function stretched({ pose, ...body }: Placed): Shape {
  const linear = pose.slice();
  linear.fill(0, 12, 15);
  return bake({ ...body, pose: linear }, 1).shape;
}

function translationOf(pose: Pose): Pose {
  const only = identity();
  for (let i = 12; i < 15; i++) only[i] = pose[i];
  return only;
}

/**
 * The mean stretch of a matrix, s, and a bound for how much its least and largest differ: singular values lie between
 * s·√(1 − uneven) and s·√(1 + uneven), since MᵀM/s² differs from 1 by a matrix whose norm is at most its Frobenius norm.
 */
function unevenness(m: Float64Array): { size: number; uneven: number } {
  const scale = Math.max(...m.map(Math.abs));
  const n = m.map(x => x / scale);
  const columns = [0, 1, 2].map(j => n[j] * n[j] + n[3 + j] * n[3 + j] + n[6 + j] * n[6 + j]);
  const mean = (columns[0] + columns[1] + columns[2]) / 3;
  let off = 0;
  for (let i = 0; i < 3; i++) {
    off += (columns[i] / mean - 1) ** 2;
    const j = (i + 1) % 3;
    off += 2 * ((n[i] * n[j] + n[3 + i] * n[3 + j] + n[6 + i] * n[6 + j]) / mean) ** 2;
  }
  return { size: scale * Math.sqrt(mean), uneven: Math.sqrt(off) + 1e-14 };
}

function productOf(m: Float64Array, n: Float64Array): Float64Array {
  const product = new Float64Array(9);
  for (let i = 0; i < 9; i++) {
    const row = i - (i % 3);
    product[i] = m[row] * n[i % 3] + m[row + 1] * n[3 + (i % 3)] + m[row + 2] * n[6 + (i % 3)];
  }
  return product;
}

function inverseOf(matrix: Float64Array): Float64Array {
  const scale = Math.max(...matrix.map(Math.abs));
  const m = matrix.map(x => x / scale);
  const cofactor = (i: number, j: number): number => {
    const [p, q, u, v] = [(i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3];
    return m[3 * p + u] * m[3 * q + v] - m[3 * p + v] * m[3 * q + u];
  };
  const determinant = m[0] * cofactor(0, 0) + m[1] * cofactor(0, 1) + m[2] * cofactor(0, 2);
  return Float64Array.from({ length: 9 }, (_, i) => cofactor(i % 3, Math.floor(i / 3)) / determinant / scale);
}
