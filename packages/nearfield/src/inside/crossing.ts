// Where does a column of samples, parallel to z, pass through a triangle? Decided exactly, with one rule for ties
// (simulation of simplicity): every sample counts as moved by (ε, ε², ε³), with ε > 0 smaller than any number involved.
// A moved sample lies on no edge and on no triangle. So a closed surface is crossed as often upwards as downwards, a
// shared edge is crossed once, and a vertex that only touches a column is crossed twice or not at all (Hoff et al.,
// section 5.1.2, after Rossignac).
//
// In the plane, a point on the line through a and b moves to the left of a → b if (b−a)×(ε,
// ε²) = (bx−ax)·ε² − (by−ay)·ε is positive. Its sign is −sign(by−ay), or sign(bx−ax) if that is 0. In space, a sample
// on the plane of a triangle moves to the side of (ε, ε², ε³), which is the sign of the first component of the normal
// that is not 0.
//
// Doubles decide nearly everything. Each of the computed edge functions e₀, e₁, e₂ of a column is off by at most 4·u
// times the magnitudes m of its two products (u = 2^-53), which is less than 2^-50·Σm. If it is larger than that, its
// sign is certain.

import { orient2dAt, orient3dAt, type Sign } from '../math/exact/orient.ts';

/**
 * Scratch memory: the triangle's corners at 0, 3, 6, the column's x and y at 9 and 10, one of its samples at 12.
 * `turnAt` writes the edge functions of the column to 15, 16 and 17, opposite the corners, and Σm to 18.
 */
export type Corners = Float64Array;
export const createCorners = (): Corners => new Float64Array(19);
const column = 9;
const sample = 12;
const edges = 15;
const magnitudes = 18;

/** Below this, underflow (up to 2^-1074 per product) is not covered by the relative error bound. */
export const leastArea = 2 ** -1000;

/** Stores the column (x, y) in the scratch memory and returns `passes` for it. */
export function turnAt(p: Corners, x: number, y: number): Sign {
  const ax = p[0] - x;
  const ay = p[1] - y;
  const bx = p[3] - x;
  const by = p[4] - y;
  const cx = p[6] - x;
  const cy = p[7] - y;
  const bc = bx * cy;
  const cb = by * cx;
  const ca = cx * ay;
  const ac = cy * ax;
  const ab = ax * by;
  const ba = ay * bx;
  const e0 = bc - cb;
  const e1 = ca - ac;
  const e2 = ab - ba;
  const magnitude = Math.abs(bc) + Math.abs(cb) + Math.abs(ca) + Math.abs(ac) + Math.abs(ab) + Math.abs(ba);
  const margin = 2 ** -50 * magnitude + leastArea;
  const above = e0 > margin && e1 > margin && e2 > margin;
  const below = e0 < -margin && e1 < -margin && e2 < -margin;
  if (!above && !below) {
    const positive = e0 > margin || e1 > margin || e2 > margin;
    const negative = e0 < -margin || e1 < -margin || e2 < -margin;
    if (positive && negative) return 0;
  }
  p[column] = x;
  p[column + 1] = y;
  p[edges] = e0;
  p[edges + 1] = e1;
  p[edges + 2] = e2;
  p[magnitudes] = magnitude;
  return above ? 1 : below ? -1 : passes(p);
}

/**
 * 1 if the column (p[9], p[10]) passes through the triangle and the corners are counter-clockwise seen from above, −1
 * if they are clockwise, 0 if the column misses the triangle.
 */
export function passes(p: Corners): Sign {
  const first = sideOf(p, 0, 3);
  if (first === 0 || sideOf(p, 3, 6) !== first) return 0;
  return sideOf(p, 6, 0) === first ? first : 0;
}

function sideOf(p: Corners, a: number, b: number): Sign {
  const sign = orient2dAt(p, a, b, column, 0, 1);
  if (sign !== 0) return sign;
  if (p[b + 1] !== p[a + 1]) return p[b + 1] > p[a + 1] ? -1 : 1;
  return p[b] > p[a] ? 1 : p[b] < p[a] ? -1 : 0;
}

/**
 * Whether the sample at height z lies above the triangle, for a column that passes through it. `turn` is the result of
 * `passes`.
 */
export function isAbove(p: Corners, z: number, turn: Sign): boolean {
  p[sample] = p[column];
  p[sample + 1] = p[column + 1];
  p[sample + 2] = z;
  // orient3dAt is positive on the side from which the corners are seen clockwise.
  const sign = orient3dAt(p, 0, 3, 6, sample);
  if (sign !== 0) return sign === -turn;
  return sideOfNormal(p) === turn;
}

/** The side of the triangle's plane to which (ε, ε², ε³) points: 1 along the normal. */
function sideOfNormal(p: Corners): Sign {
  return orient2dAt(p, 0, 3, 6, 1, 2) || orient2dAt(p, 0, 3, 6, 2, 0) || orient2dAt(p, 0, 3, 6, 0, 1);
}

/**
 * The index of the first of the ascending heights z[low] … z[high − 1] that lies above the triangle, or `high` if none
 * does. The search starts at `near`.
 */
export function firstAbove(
  p: Corners,
  turn: Sign,
  z: Float64Array,
  low: number,
  high: number,
  near: number,
): number {
  // Galloping search: double the step from the guess, then bisect. A good guess costs two tests, a bad one a few more.
  let below = low - 1;
  let above = high;
  let at = near < low ? low : near >= high ? high - 1 : near;
  let step = 1;
  while (below + 1 < above) {
    if (at <= below || at >= above) at = (below + above) >> 1;
    if (isAbove(p, z[at], turn)) {
      above = at;
      at -= step;
    } else {
      below = at;
      at += step;
    }
    step *= 2;
  }
  return above;
}
