// Does a point lie inside the circle through three others? Decided by a static filter in doubles (Shewchuk, Adaptive
// Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997, §4.4), then in integers. The
// incircle test of robust-predicates gives the same signs, but is 8 KB of code: more than a page that makes a plate
// with a hole should load for it.

import { fractionBits, scaledInteger } from '../../math/exact/rational.ts';
import type { Point2 } from './loops.ts';

/** Shewchuk's bound of the rounding errors, relative to the permanent: (10 + 96u)·u, where u = 2^-53. */
const relativeBound = (10 + 96 * 2 ** -53) * 2 ** -53;
/**
 * A normal number above everything that underflow can lose: each product loses less than 2^-1074 times the lengths
 * below.
 */
const smallest = 2 ** -900;
/** With lengths below this, what underflow loses stays below `smallest`, and no product of them overflows. */
const longest = 2 ** 200;

/** Positive if d lies inside the circle through a, b and c, which run counter-clockwise; 0 if it lies on it. */
export function inCircle(a: Point2, b: Point2, c: Point2, d: Point2): number {
  const [ax, ay, bx, by] = [a[0] - d[0], a[1] - d[1], b[0] - d[0], b[1] - d[1]];
  const [cx, cy] = [c[0] - d[0], c[1] - d[1]];
  const [a2, b2, c2] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
  const determinant = a2 * (bx * cy - cx * by) + b2 * (cx * ay - ax * cy) + c2 * (ax * by - bx * ay);
  const permanent =
    a2 * (Math.abs(bx * cy) + Math.abs(cx * by)) +
    b2 * (Math.abs(cx * ay) + Math.abs(ax * cy)) +
    c2 * (Math.abs(ax * by) + Math.abs(bx * ay));
  const isInRange = Math.max(a2, b2, c2) < longest * longest;
  return isInRange && Math.abs(determinant) > relativeBound * permanent + smallest
    ? determinant
    : exactly(a, b, c, d);
}

function exactly(...points: readonly [Point2, Point2, Point2, Point2]): number {
  const bits = Math.max(...points.flat().map(fractionBits));
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = points.map(([x, y]) => [
    scaledInteger(x, bits),
    scaledInteger(y, bits),
  ]);
  const row = (x: bigint, y: bigint) => [x, y, x * x + y * y];
  const [a, b, c] = [row(ax - dx, ay - dy), row(bx - dx, by - dy), row(cx - dx, cy - dy)];
  const minor = (u: bigint[], v: bigint[]) => u[0] * v[1] - v[0] * u[1];
  const determinant = a[2] * minor(b, c) + b[2] * minor(c, a) + c[2] * minor(a, b);
  return determinant > 0n ? 1 : determinant < 0n ? -1 : 0;
}
