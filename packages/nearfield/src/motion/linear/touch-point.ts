// Where two features touch, in doubles: a point to be shown. Lengths are divided by those of the edges before they are
// multiplied, so that nothing leaves the range of doubles at any size.

import type { Touch } from './triangle-pair.ts';

/** A point that two features have at a time of contact, up to rounding. */
export function touchPoint({ kind, points }: Touch, time: number): Float64Array {
  const at = (point: number): Float64Array =>
    Float64Array.from({ length: 3 }, (_, k) => {
      const i = 3 * point + k;
      return points[i] * (1 - time) + points[12 + i] * time;
    });
  if (kind === 'vertex-face') return at(0);
  const [a0, a1, b0, b1] = [at(0), at(1), at(2), at(3)];
  const [d, e, r] = [minus(a1, a0), minus(b1, b0), minus(b0, a0)];
  const [unitD, unitE] = [unitFor(d), unitFor(e)];
  const [edge, other] = [times(d, unitD), times(e, unitE)];
  const normal = cross(edge, other);
  const along = dot(cross(times(r, unitD), other), normal) / dot(normal, normal);
  if (along >= 0 && along <= 1) return a0.map((x, k) => x + along * d[k]);
  // Parallel edges: the end that is nearest to the other edge.
  const ends = [
    { end: a0, distance: fromSegment(a0, b0, e) },
    { end: a1, distance: fromSegment(a1, b0, e) },
    { end: b0, distance: fromSegment(b0, a0, d) },
    { end: b1, distance: fromSegment(b1, a0, d) },
  ];
  return ends.reduce((p, q) => (q.distance < p.distance ? q : p)).end;
}

/** The distance of a point from a segment. */
function fromSegment(point: Float64Array, from: Float64Array, along: Float64Array): number {
  const to = minus(point, from);
  const unit = unitFor(along);
  const [scaled, way] = [times(to, unit), times(along, unit)];
  const part = Math.min(1, Math.max(0, dot(scaled, way) / dot(way, way) || 0));
  return Math.hypot(...to.map((x, k) => x - part * along[k]));
}

/** A power of two that brings a vector to a length of about 1; 1 for a vector of 0. */
function unitFor(v: Float64Array): number {
  const size = Math.max(Math.abs(v[0]), Math.abs(v[1]), Math.abs(v[2]));
  return size > 0 && size < Infinity ? 2 ** Math.min(1000, -Math.round(Math.log2(size))) : 1;
}

const minus = (p: Float64Array, q: Float64Array): Float64Array => p.map((x, k) => x - q[k]);
const times = (p: Float64Array, factor: number): Float64Array => p.map(x => x * factor);
const dot = (p: Float64Array, q: Float64Array): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: Float64Array, q: Float64Array): Float64Array =>
  Float64Array.of(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]);
