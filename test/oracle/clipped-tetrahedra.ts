// Oracle: the volume and the middle of what two unions of tetrahedra have in common, in fractions. A tetrahedron is cut
// by half-spaces, one after another, into tetrahedra. Unions follow by inclusion and exclusion: the indicator of a union is the
// sum over all sets of its pieces, with alternating signs, of the indicator of what the set has in common. No surface is cut;
// only the volumes of the tetrahedra are rounded, to 300 fractional bits.

import type { ConvexPiece } from './depth/forbidden-translations.ts';
import { fractionOf } from './triangles/least-difference.ts';

/** Whole numbers over a common denominator: x, y, z, w > 0. */
type Point = readonly [bigint, bigint, bigint, bigint];
/** a·x + b·y + c·z + d·w ≥ 0 is inside. */
type Plane = readonly [bigint, bigint, bigint, bigint];
type Tetrahedron = readonly [Point, Point, Point, Point];

export interface CommonVolume {
  /** Correct to the last bits. */
  readonly volume: number;
  /** ∫ x dV, likewise. */
  readonly moment: readonly [number, number, number];
}

export function commonVolume(a: readonly ConvexPiece[], b: readonly ConvexPiece[]): CommonVolume {
  const [ofA, ofB] = [a, b].map(pieces => subsets(pieces.map(exact)));
  const sums = [0n, 0n, 0n, 0n];
  for (const s of ofA) {
    for (const t of ofB) {
      const sign = (s.length + t.length) % 2 === 0 ? 1n : -1n;
      const [first, ...others] = [...s, ...t];
      let parts: Tetrahedron[] = [first];
      for (const plane of others.flatMap(planesOf)) parts = parts.flatMap(part => clipped(part, plane));
      for (const part of parts) addTetrahedron(sums, part, sign);
    }
  }
  return {
    volume: toNumber(sums[0]) / 6,
    moment: [toNumber(sums[1]) / 24, toNumber(sums[2]) / 24, toNumber(sums[3]) / 24],
  };
}

/** Fractional bits of the sums: the terms are rounded down to them, far below any double here. */
const bits = 300n;

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [m, n] = [a, b];
  while (n !== 0n) [m, n] = [n, m % n];
  return m === 0n ? 1n : m;
}

/** A sum as a double. */
function toNumber(sum: bigint): number {
  const size = sum < 0n ? -sum : sum;
  const dropped = BigInt(Math.max(0, size.toString(2).length - 60));
  return (Math.sign(Number(sum)) * Number(size >> dropped)) / 2 ** Number(bits - dropped);
}

/** All sets of some pieces but the empty one. */
function subsets(pieces: readonly Tetrahedron[]): Tetrahedron[][] {
  return Array.from({ length: 2 ** pieces.length - 1 }, (_, i) =>
    pieces.filter((_, piece) => ((i + 1) >> piece) & 1),
  );
}

function exact(piece: ConvexPiece): Tetrahedron {
  const corners = piece.map((corner): Point => {
    const [x, y, z] = [...corner].map(fractionOf);
    const w = x.denominator * y.denominator * z.denominator;
    return reduced([
      x.numerator * y.denominator * z.denominator,
      y.numerator * x.denominator * z.denominator,
      z.numerator * x.denominator * y.denominator,
      w,
    ]);
  });
  return corners as unknown as Tetrahedron;
}

function reduced([x, y, z, w]: Point): Point {
  const size = (n: bigint): bigint => (n < 0n ? -n : n);
  const common = greatestDivisor(greatestDivisor(size(x), size(y)), greatestDivisor(size(z), size(w)));
  return [x / common, y / common, z / common, w / common];
}

/** The determinant of three rows of three. */
function determinant(r: readonly (readonly bigint[])[]): bigint {
  return (
    r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
    r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
    r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0])
  );
}

/** The planes of the four faces, each with the fourth corner inside. */
function planesOf(corners: Tetrahedron): Plane[] {
  return corners.map((inner, i) => {
    const [p, q, r] = corners.filter((_, k) => k !== i);
    const minor = (axis: number): bigint =>
      determinant([p, q, r].map(point => point.filter((_, k) => k !== axis)));
    const plane: Plane = [minor(0), -minor(1), minor(2), -minor(3)];
    const side = valueAt(plane, inner);
    return (side < 0n ? plane.map(n => -n) : plane) as unknown as Plane;
  });
}

const valueAt = (plane: Plane, point: Point): bigint =>
  plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] + plane[3] * point[3];

/** The part of a tetrahedron inside a plane, as tetrahedra. */
function clipped(corners: Tetrahedron, plane: Plane): Tetrahedron[] {
  const values = corners.map(corner => valueAt(plane, corner));
  const inside = corners.filter((_, i) => values[i] >= 0n);
  const outside = corners.filter((_, i) => values[i] < 0n);
  if (outside.length === 0) return [corners];
  if (inside.length === 0) return [];
  /** Where the line from an inner to an outer corner meets the plane. */
  const cut = (p: Point, q: Point): Point => {
    const [s, t] = [valueAt(plane, p), valueAt(plane, q)];
    // Weights s·q − t·p: both are positive, since s ≥ 0 > t.
    return reduced([0, 1, 2, 3].map(k => s * q[k] - t * p[k]) as unknown as Point);
  };
  if (inside.length === 1) {
    const [p] = inside;
    return [[p, cut(p, outside[0]), cut(p, outside[1]), cut(p, outside[2])]];
  }
  // A prism with triangles of corresponding corners: three tetrahedra.
  const prism = (a: readonly Point[], b: readonly Point[]): Tetrahedron[] => [
    [a[0], a[1], a[2], b[2]],
    [a[0], a[1], b[1], b[2]],
    [a[0], b[0], b[1], b[2]],
  ];
  if (inside.length === 3)
    return prism(
      inside,
      inside.map(p => cut(p, outside[0])),
    );
  const [p, q] = inside;
  const [r, s] = outside;
  return prism([p, cut(p, r), cut(p, s)], [q, cut(q, r), cut(q, s)]);
}

/** Adds six times the volume, then 24 times the moments. */
function addTetrahedron(sums: bigint[], [p, q, r, s]: Tetrahedron, sign: bigint): void {
  // Rows q/qw − p/pw and so on, over pw·qw each.
  const row = (to: Point): bigint[] => [0, 1, 2].map(k => to[k] * p[3] - p[k] * to[3]);
  const value = determinant([row(q), row(r), row(s)]);
  const numerator = (value < 0n ? -value : value) << bits;
  const denominator = p[3] ** 3n * q[3] * r[3] * s[3];
  if (numerator === 0n) return;
  sums[0] += sign * (numerator / denominator);
  for (let axis = 0; axis < 3; axis++) {
    for (const corner of [p, q, r, s]) {
      sums[axis + 1] += sign * ((numerator * corner[axis]) / (denominator * corner[3]));
    }
  }
}
