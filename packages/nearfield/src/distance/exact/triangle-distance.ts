// Exactly how far apart are two triangles, and where? The corners are doubles, so squared distances are fractions of
// integers: one for each pair of features (corner, edge, face) whose nearest points lie inside both.
//
// Points pA, pB of two convex sets are nearest if and only if the plane through each, normal to g = pB − pA, has its
// set on the far side: g·x ≤ g·pA for every corner x of A, g·y ≥ g·pB for every y of B. So the features to try may be
// guessed in double: a pair that passes this exact test is right, however poor the guess. If triangles meet, no pair
// passes. If all guesses fail, all features are tried.

import type { Sign } from '../../math/exact/orient.ts';
import {
  cross,
  dot,
  type Homogeneous,
  minus,
  pointAt,
  ratioToDouble,
  signOf,
  toDoubles,
  type Vector,
} from '../../math/exact/rational.ts';
import { trianglesMeet } from '../../math/triangles/triangle-triangle.ts';
import { features, guessFeatures } from './features.ts';

/** Nearest points of two triangles. Coordinates are integers; `unit` of them make one world unit. */
export interface Nearest {
  readonly unit: bigint;
  /** In that scale the squared distance is numerator / denominator / unit², denominator > 0. */
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly pointA: Homogeneous;
  readonly pointB: Homogeneous;
  /**
   * The corners of A (0 to 2) that span the feature containing pointA in its interior, and likewise for B. g is normal
   * to both features.
   */
  readonly featureA: readonly number[];
  readonly featureB: readonly number[];
}

/** base + along·numerator/denominator, denominator > 0. */
const on = (base: Vector, along: Vector, numerator: bigint, denominator: bigint): Homogeneous => ({
  x: base.x * denominator + along.x * numerator,
  y: base.y * denominator + along.y * numerator,
  z: base.z * denominator + along.z * numerator,
  w: denominator,
});
const atCorner = (corner: Vector): Homogeneous => ({ ...corner, w: 1n });

/** The six corners (18 doubles) as integers of one scale. */
function integerCorners(p: Float64Array): { corners: Vector[]; unit: bigint } {
  const points = [0, 3, 6, 9, 12, 15].map(at => pointAt(p, at));
  let unit = 1n;
  for (const { w } of points) if (w > unit) unit = w;
  const corners = points.map(({ x, y, z, w }) => {
    const factor = unit / w;
    return factor === 1n ? { x, y, z } : { x: x * factor, y: y * factor, z: z * factor };
  });
  return { corners, unit };
}

/**
 * The nearest points of the closed triangles at p[0 … 8] and p[9 … 17]. A degenerate triangle is treated as the segment
 * or point that it is.
 */
export function nearestPoints(p: Float64Array): Nearest {
  const { corners, unit } = integerCorners(p);
  for (const feature of guessFeatures(p)) {
    const found = nearestOf(corners, unit, feature);
    if (found && separates(corners, found)) return found;
  }
  let best: Nearest | undefined;
  for (const feature of features) {
    const found = nearestOf(corners, unit, feature);
    if (found && (best === undefined || compareSquares(found, best) < 0)) best = found;
  }
  // There is always a best pair: two corners always qualify.
  if (best!.numerator !== 0n && trianglesMeet(p)) return crossingPoint(corners, unit);
  return best!;
}

/** Tells whether all corners lie beyond the planes through the points. If so, the points are the nearest. */
function separates(corners: readonly Vector[], { pointA, pointB }: Nearest): boolean {
  const g = between(pointA, pointB);
  if (g.x === 0n && g.y === 0n && g.z === 0n) return true;
  const most = dot(g, pointA);
  const least = dot(g, pointB);
  for (let i = 0; i < 3; i++) {
    if (dot(g, corners[i]) * pointA.w > most) return false;
    if (dot(g, corners[3 + i]) * pointB.w < least) return false;
  }
  return true;
}

/** The direction from one point to the other, times both denominators. */
export const between = (a: Homogeneous, b: Homogeneous): Vector => ({
  x: b.x * a.w - a.x * b.w,
  y: b.y * a.w - a.y * b.w,
  z: b.z * a.w - a.z * b.w,
});

/** The nearest points of a feature of A and a feature of B, if they lie inside both. */
function nearestOf(
  corners: readonly Vector[],
  unit: bigint,
  [featureA, featureB]: (typeof features)[number],
): Nearest | undefined {
  const a = featureA.map(corner => corners[corner]);
  const b = featureB.map(corner => corners[3 + corner]);
  if (a.length === 2 && b.length === 2) return edges(a, b, unit, featureA, featureB);
  // One feature is a corner; the other is a corner, an edge or a face.
  const turned = b.length === 1 && a.length > 1;
  const [point] = turned ? b : a;
  const foot = footOf(point, turned ? a : b);
  if (foot === undefined) return undefined;
  const { numerator, denominator, at } = foot;
  const [pointA, pointB] = turned ? [at, atCorner(point)] : [atCorner(point), at];
  return { unit, numerator, denominator, pointA, pointB, featureA, featureB };
}

function footOf(
  point: Vector,
  feature: readonly Vector[],
): { numerator: bigint; denominator: bigint; at: Homogeneous } | undefined {
  const [first, second, third] = feature;
  const w = minus(point, first);
  if (second === undefined) return { numerator: dot(w, w), denominator: 1n, at: atCorner(first) };
  const e = minus(second, first);
  if (third === undefined) {
    const length = dot(e, e);
    const t = dot(w, e);
    if (t <= 0n || t >= length) return undefined;
    return { numerator: dot(w, w) * length - t * t, denominator: length, at: on(first, e, t, length) };
  }
  const f = minus(third, first);
  const n = cross(e, f);
  const denominator = dot(n, n);
  if (denominator === 0n) return undefined;
  if (dot(cross(e, w), n) <= 0n || dot(cross(w, f), n) <= 0n) return undefined;
  if (dot(cross(minus(third, second), minus(point, second)), n) <= 0n) return undefined;
  const height = dot(n, w);
  return { numerator: height * height, denominator, at: on(point, n, -height, denominator) };
}

function edges(
  [p0, p1]: readonly Vector[],
  [q0, q1]: readonly Vector[],
  unit: bigint,
  featureA: readonly number[],
  featureB: readonly number[],
): Nearest | undefined {
  const u = minus(p1, p0);
  const v = minus(q1, q0);
  const n = cross(u, v);
  const denominator = dot(n, n);
  if (denominator === 0n) return undefined;
  const r = minus(p0, q0);
  const [uu, uv, vv, ur, vr] = [dot(u, u), dot(u, v), dot(v, v), dot(u, r), dot(v, r)];
  const s = uv * vr - ur * vv;
  const t = uu * vr - uv * ur;
  if (s <= 0n || s >= denominator || t <= 0n || t >= denominator) return undefined;
  const height = dot(n, r);
  const pointA = on(p0, u, s, denominator);
  const pointB = on(q0, v, t, denominator);
  return { unit, numerator: height * height, denominator, pointA, pointB, featureA, featureB };
}

/** A common point of two crossing triangles: where an edge of one pierces the interior of the other. */
function crossingPoint(corners: readonly Vector[], unit: bigint): Nearest {
  for (const [edgesOf, faceOf] of [
    [0, 3],
    [3, 0],
  ]) {
    const [first, second, third] = [0, 1, 2].map(corner => corners[faceOf + corner]);
    const n = cross(minus(second, first), minus(third, first));
    for (let i = 0; i < 3; i++) {
      const from = corners[edgesOf + i];
      const to = corners[edgesOf + ((i + 1) % 3)];
      const h0 = dot(n, minus(from, first));
      const h1 = dot(n, minus(to, first));
      if (signOf(h0) * signOf(h1) >= 0) continue;
      const sign = h0 > 0n ? 1n : -1n;
      const point = on(from, minus(to, from), sign * h0, sign * (h0 - h1));
      const inside = [
        [first, second],
        [second, third],
        [third, first],
      ].every(([e0, e1]) => dot(cross(minus(e1, e0), between(atCorner(e0), point)), n) >= 0n);
      if (!inside) continue;
      const all = [0, 1, 2];
      return {
        unit,
        numerator: 0n,
        denominator: 1n,
        pointA: point,
        pointB: point,
        featureA: all,
        featureB: all,
      };
    }
  }
  throw new Error('internal error: triangles that meet have no common point');
}

/** Compares two squared distances; positive if a's is larger. */
export function compareSquares(a: Nearest, b: Nearest): Sign {
  if (a.unit === b.unit) return signOf(a.numerator * b.denominator - b.numerator * a.denominator);
  return signOf(
    a.numerator * b.denominator * b.unit * b.unit - b.numerator * a.denominator * a.unit * a.unit,
  );
}

/** Compares with the square of a double. */
export function compareWithDistance({ numerator, denominator, unit }: Nearest, distance: number): Sign {
  if (distance === Infinity) return -1;
  const { x, w } = pointAt([distance, 0, 0], 0);
  return signOf(numerator * w * w - x * x * denominator * unit * unit);
}

/** The distance as a double, correctly rounded (ties to even). */
export function distanceOf({ numerator, denominator, unit }: Nearest): number {
  return rootToDouble(numerator, denominator * unit * unit);
}

/**
 * √(numerator / denominator), correctly rounded, except that a root above 0 never becomes 0: it becomes the least
 * double above 0. Choose k such that the quotient q = numerator·4^k / denominator has at least 114 bits. Then r = ⌊√q⌋
 * has 57. If it is not exact, r + ½ lies on the same side as the root of every double and of every midpoint between two
 * doubles (which are multiples of 8).
 */
export function rootToDouble(numerator: bigint, denominator: bigint): number {
  if (numerator === 0n) return 0;
  const bits = numerator.toString(2).length - denominator.toString(2).length;
  const k = Math.max(0, Math.ceil((116 - bits) / 2));
  const shifted = numerator << BigInt(2 * k);
  const quotient = shifted / denominator;
  const root = integerRoot(quotient);
  const exact = root * root === quotient && quotient * denominator === shifted;
  return ratioToDouble(2n * root + (exact ? 0n : 1n), 1n << BigInt(k + 1)) || Number.MIN_VALUE;
}

/** ⌊√n⌋ by Newton's iteration from above. */
function integerRoot(n: bigint): bigint {
  const bits = n.toString(2).length;
  const drop = Math.max(0, bits - 104) & ~1;
  const near = BigInt(Math.ceil(Math.sqrt(Number(n >> BigInt(drop))) * (1 + 2 ** -50)) + 1);
  let root = near << BigInt(drop / 2);
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** World coordinates of a point of a `Nearest`, correctly rounded. */
export function pointToDoubles(point: Homogeneous, unit: bigint): Float64Array {
  return Float64Array.from(toDoubles({ ...point, w: point.w * unit }));
}
