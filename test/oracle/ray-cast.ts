// Where does a line pass through the surfaces of some bodies? Plain ray casting in exact arithmetic, as a reference
// for image methods: each triangle by three determinants of integers, depths as fractions. It shares nothing with the
// library; a grid of cells across the lines, and rectangles around triangles, only select the triangles to test.
// A line that meets an edge or a corner is treated as moved by ε·right + ε²·up, for an ε smaller than any number, so
// that a surface is crossed once where triangles share an edge. Triangles that contain the direction are never
// crossed.

import type { Mesh, Pose } from 'nearfield';

type Triple = readonly [number, number, number];

/**
 * The lines: all along `direction`, which need not have length exactly 1, approximately at right angles to the other
 * two.
 */
export interface Axes {
  readonly direction: Triple;
  readonly right: Triple;
  readonly up: Triple;
}

export interface Crossing {
  readonly triangle: number;
  /** Whether the line enters the body here or leaves it. */
  readonly enters: boolean;
  /** The multiple of the direction from the origin, as a fraction with a positive denominator. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The same, rounded. */
  readonly depth: number;
}

/** A stretch of a line that lies in a solid, from crossing to crossing. */
export interface Stretch {
  readonly from: Crossing;
  readonly to: Crossing;
}

interface Placed {
  readonly mesh: Mesh;
  readonly pose: Pose;
}

type BigTriple = readonly [bigint, bigint, bigint];

export class RayCaster {
  readonly #axes: Axes;
  readonly #cell: number;
  readonly #bodies: readonly CastBody[];
  readonly #direction: readonly { readonly bits: number; readonly vector: BigTriple }[];

  /** `cell` is the side of the grid's cells: about the distance between lines, or the size of triangles. */
  constructor(bodies: readonly Placed[], axes: Axes, cell: number) {
    this.#axes = axes;
    this.#cell = cell;
    this.#direction = [axes.direction, axes.right, axes.up].map(axis => {
      const bits = Math.max(...axis.map(fractionBits));
      return { bits, vector: axis.map(value => scaled(value, bits)) as unknown as BigTriple };
    });
    this.#bodies = bodies.map(body => castBody(body, axes, cell));
  }

  /** The crossings of the line through a point with each body, in order of depth. */
  cast(origin: ArrayLike<number>): Crossing[][] {
    const [x, y] = [along(this.#axes.right, origin), along(this.#axes.up, origin)];
    const key = cellKey(Math.floor(x / this.#cell), Math.floor(y / this.#cell));
    const originBits = Math.max(...[0, 1, 2].map(i => fractionBits(origin[i])));
    return this.#bodies.map(body => {
      const crossings: Crossing[] = [];
      const bits = Math.max(body.bits, originBits);
      const p = [0, 1, 2].map(i => scaled(origin[i], bits)) as unknown as BigTriple;
      for (const triangle of body.cells.get(key) ?? []) {
        const [left, right, bottom, top] = body.rectangles[triangle];
        if (x < left || x > right || y < bottom || y > top) continue;
        const crossing = this.#cross(body, triangle, p, bits);
        if (crossing !== undefined) crossings.push(crossing);
      }
      return crossings.sort(compareCrossings);
    });
  }

  /**
   * With p the origin and d the direction, the line passes edge ab on the side of the sign of s(ab) = det(a − p, b − p, d), and
   * it crosses the triangle if and only if the three signs are the same. Moving p by δ adds det(δ, a − b, d).
   */
  #cross(body: CastBody, triangle: number, p: BigTriple, bits: number): Crossing | undefined {
    const [a, b, c] = [0, 1, 2].map(k => cornerOf(body, body.indices[3 * triangle + k], bits));
    const [direction, right, up] = this.#direction;
    const d = direction.vector;
    const normal = cross(minus(b, a), minus(c, a));
    const facing = dot(normal, d);
    if (facing === 0n) return undefined;
    const side = (from: BigTriple, to: BigTriple): boolean => {
      let sign = dot(cross(minus(from, p), minus(to, p)), d);
      if (sign === 0n) sign = dot(cross(right.vector, minus(from, to)), d);
      // Not 0 as well: an edge along the direction would make the triangle lie in it.
      if (sign === 0n) sign = dot(cross(up.vector, minus(from, to)), d);
      return sign > 0n;
    };
    const first = side(a, b);
    if (side(b, c) !== first || side(c, a) !== first) return undefined;
    let numerator = dot(normal, minus(a, p)) << BigInt(direction.bits);
    let denominator = facing << BigInt(bits);
    if (denominator < 0n) [numerator, denominator] = [-numerator, -denominator];
    const depth = Number((numerator << 80n) / denominator) * 2 ** -80;
    return { triangle, enters: facing < 0n !== body.mirrored, numerator, denominator, depth };
  }
}

interface CastBody {
  /** World positions. */
  readonly positions: Float64Array;
  readonly indices: ArrayLike<number>;
  readonly mirrored: boolean;
  /** Positions times 2^bits are whole: `corners` has those that were asked for. */
  readonly bits: number;
  readonly corners: BigTriple[];
  readonly cells: ReadonlyMap<number, number[]>;
  /** Per triangle, across the lines: left, right, bottom, top. */
  readonly rectangles: readonly (readonly [number, number, number, number])[];
}

/** A vertex times 2^bits. */
function cornerOf({ positions, bits: own, corners }: CastBody, vertex: number, bits: number): BigTriple {
  const corner = (corners[vertex] ??= [0, 1, 2].map(i =>
    scaled(positions[3 * vertex + i], own),
  ) as unknown as BigTriple);
  const more = BigInt(bits - own);
  return more === 0n ? corner : [corner[0] << more, corner[1] << more, corner[2] << more];
}

function castBody({ mesh, pose: m }: Placed, { right, up }: Axes, cell: number): CastBody {
  const local = mesh.positions;
  const positions = new Float64Array(local.length);
  let bits = 0;
  for (let at = 0; at < local.length; at += 3) {
    const [x, y, z] = [local[at], local[at + 1], local[at + 2]];
    for (let i = 0; i < 3; i++) {
      const value = m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
      positions[at + i] = value;
      bits = Math.max(bits, fractionBits(value));
    }
  }
  const determinant =
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[4] * (m[1] * m[10] - m[2] * m[9]) +
    m[8] * (m[1] * m[6] - m[2] * m[5]);
  const { indices, triangleCount } = mesh;
  const cells = new Map<number, number[]>();
  const rectangles: [number, number, number, number][] = [];
  for (let triangle = 0; triangle < triangleCount; triangle++) {
    const [low, high] = [
      [Infinity, Infinity],
      [-Infinity, -Infinity],
    ];
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * indices[3 * triangle + corner];
      const point = positions.subarray(at, at + 3);
      [along(right, point), along(up, point)].forEach((value, axis) => {
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      });
    }
    // A thousandth of a cell is more than the rounding of these sums.
    const room = 1e-3 * cell;
    rectangles.push([low[0] - room, high[0] + room, low[1] - room, high[1] + room]);
    const range = (axis: number) => [
      Math.floor(low[axis] / cell - 1e-3),
      Math.floor(high[axis] / cell + 1e-3),
    ];
    const [[left, rightmost], [bottom, top]] = [range(0), range(1)];
    for (let j = bottom; j <= top; j++) {
      for (let i = left; i <= rightmost; i++) {
        const list = cells.get(cellKey(i, j));
        if (list) list.push(triangle);
        else cells.set(cellKey(i, j), [triangle]);
      }
    }
  }
  return { positions, indices, mirrored: determinant < 0, bits, corners: [], cells, rectangles };
}

const cellKey = (i: number, j: number): number => i * 2 ** 24 + j;

/** Exact: fractions are compared, not their roundings. */
export function compareCrossings(a: Crossing, b: Crossing): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : a.triangle - b.triangle;
}

/** Where a line lies in the solid: the winding number is not 0. Stretches of no length are left out. */
export function stretchesOf(crossings: readonly Crossing[]): Stretch[] {
  const stretches: Stretch[] = [];
  let winding = 0;
  let from: Crossing | undefined;
  for (const crossing of crossings) {
    winding += crossing.enters ? 1 : -1;
    if (winding !== 0) from ??= crossing;
    else if (from !== undefined) {
      if (crossing.numerator * from.denominator !== from.numerator * crossing.denominator) {
        const last = stretches.at(-1);
        const joined = last !== undefined && isAt(last.to, from);
        if (joined) stretches[stretches.length - 1] = { from: last.from, to: crossing };
        else stretches.push({ from, to: crossing });
      }
      from = undefined;
    }
  }
  if (winding !== 0)
    throw new Error(`the body is not closed: a line ends with a winding number of ${winding}`);
  return stretches;
}

const isAt = (a: Crossing, b: Crossing): boolean =>
  a.numerator * b.denominator === b.numerator * a.denominator;

/** The solids' order along a line, front to back: 'AABB' is all of A before all of B. */
export const orderOf = (a: readonly Crossing[], b: readonly Crossing[]): string =>
  [...a.map(crossing => ({ crossing, name: 'A' })), ...b.map(crossing => ({ crossing, name: 'B' }))]
    .sort((p, q) => compareCrossings(p.crossing, q.crossing))
    .map(({ name }) => name)
    .join('');

/**
 * The distance of two solids along a line: minus their total common length, or the smallest gap between a stretch of
 * one and a stretch of the other. NaN if the line does not meet both.
 */
export function solidDistance(a: readonly Crossing[], b: readonly Crossing[]): number {
  const [ofA, ofB] = [stretchesOf(a), stretchesOf(b)];
  let [common, gap] = [0, Number.NaN];
  for (const p of ofA) {
    for (const q of ofB) {
      const from = compareCrossings(p.from, q.from) < 0 ? q.from : p.from;
      const to = compareCrossings(p.to, q.to) < 0 ? p.to : q.to;
      const length = difference(to, from);
      if (length > 0) common += length;
      else if (!(gap < -length)) gap = -length;
    }
  }
  return common > 0 ? -common : gap;
}

/** Subtracted before it is rounded. */
function difference(p: Crossing, q: Crossing): number {
  const numerator = p.numerator * q.denominator - q.numerator * p.denominator;
  return Number((numerator << 80n) / (p.denominator * q.denominator)) * 2 ** -80;
}

const along = (axis: Triple, point: ArrayLike<number>): number =>
  axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2];

const minus = (a: BigTriple, b: BigTriple): BigTriple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: BigTriple, b: BigTriple): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: BigTriple, b: BigTriple): BigTriple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** How often a double must be doubled to become whole. Doubling is exact. */
function fractionBits(value: number): number {
  let bits = 0;
  for (let rest = value; !Number.isInteger(rest); rest *= 2) bits++;
  return bits;
}

/** value·2^bits, for at least fractionBits(value). */
function scaled(value: number, bits: number): bigint {
  const own = fractionBits(value);
  return BigInt(value * 2 ** own) << BigInt(bits - own);
}
