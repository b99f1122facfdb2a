// The first contact of two moving features in doubles: the cell of time, never, or unsure. Every other answer than
// unsure is proven; what is unsure goes to the exact stage (exact/contact.ts).
//
// With difference vectors U(t), V(t), W(t) that are linear in t, the features are coplanar when F = U · (V × W) = 0, and touch then
// if certain cross products c₁(t), c₂(t), … have no opposite signs along an axis (contact.md). F is kept as the four
// coefficients of its Bernstein form, each c as three. A polynomial lies between its least and its greatest coefficient, so
// coefficients of one sign prove that sign. Intervals of time are halved until everything is proven.
//
// Errors, with u = 2^-53 and m the greatest magnitude of a component at either time:
// - A difference of doubles is off by u of itself. Its sign is exact.
// - A coefficient of c = pₓq_y − p_yq_x sums products of differences that pass through 6 roundings at most; their magnitudes add
//   up to m(pₓ)m(q_y) + m(p_y)m(qₓ) =: P₂. A coefficient on a part of the time is a mean of the three by at most 6 more
//   roundings. Both together are less than 16u·P₂; the bound is 2^-48·P₂ = 32u·P₂, and 2^-1000 for underflow.
// - A coefficient of F sums products of three that pass through 11 roundings at most, with magnitudes up to P₃ = Σ m(u)·P₂. One
//   halving takes means in 3 steps of one rounding each: 3u·P₃; a part of another length takes three steps of 4 roundings, of
//   differences up to 2P₃: 24u·P₃. After 20 halvings the error is below 100u·P₃; the bound is 2^-46·P₃ = 128u·P₃. At a single
//   time, F is off by less than 16u·P₃ and 9 roundings: the bound is 2^-48·P₃ = 32u·P₃.
// - Underflow: with m ≤ 2^100 and P₃ ≥ 2^-900, products that vanish, 2^-1074 each and times m once, are far below the bounds.
//   Other magnitudes are unsure. Sums and means of 2^300 do not overflow.

import { never } from './exact/contact.ts';

/** Not a cell: doubles cannot tell. */
export const unsure = -1;

/** Two features of four points, as in exact/contact.ts. */
export type Kind = 'vertex-face' | 'edge-edge';

/** Difference vectors, x y z at time 0, then at time 1. */
const u = new Float64Array(6);
const v = new Float64Array(6);
const w = new Float64Array(6);
const extra1 = new Float64Array(6);
const extra2 = new Float64Array(6);

/** Per axis, up to four cross products with three coefficients each, and the bound of each. */
const crossings = new Float64Array(36);
const bounds = new Float64Array(12);
let perAxis = 3;

const smallestVolume = 2 ** -900;
const largestLength = 2 ** 100;

/** The coefficients of F on [0, 1]. */
const cubic = new Float64Array(4);

/** Numbers of the query. (In variables of a module they would be allocated at every change.) */
const now = new Float64Array(3);
/** In `now`: the bound of F's error on intervals, and at a single time, and the time from which on nothing matters. */
const onInterval = 0;
const atTime = 1;
const latest = 2;

/** The budget of intervals. */
let visits = 0;
const mostVisits = 64;
const deepest = 20;
let places = 40;

/**
 * The cell (`Root.cell`) of the first contact, `never` if there is none in a cell up to `limit`, or `unsure`. `points` has four
 * points at time 0 and the same four at time 1, 24 numbers.
 */
export function surelyFirstCell(kind: Kind, points: Float64Array, bits: number, limit: number): number {
  if (kind === 'vertex-face') {
    subtract(points, 3, 0, u);
    subtract(points, 6, 0, v);
    subtract(points, 9, 0, w);
    if (areOneSided(u, v, w)) return never;
  } else {
    // r, d, e: between the first ends, and along the edges.
    subtract(points, 6, 0, u);
    subtract(points, 3, 0, v);
    subtract(points, 9, 6, w);
    subtract(points, 9, 0, extra1);
    subtract(points, 3, 6, extra2);
    if (areEdgesApart()) return never;
  }
  if (!setCubic()) return unsure;
  if (hasOneSign(cubic[0], cubic[1], cubic[2], cubic[3], now[onInterval])) return never;
  now[latest] = (limit + 1) / 2 / 2 ** bits;
  const end = Math.min(1, Math.ceil(now[latest] * 2 ** 20) / 2 ** 20);
  // From here on only the time up to `end` matters. It has 20 binary places, so 20 halvings are exact.
  const f01 = cubic[0] + end * (cubic[1] - cubic[0]);
  const f12 = cubic[1] + end * (cubic[2] - cubic[1]);
  const f23 = cubic[2] + end * (cubic[3] - cubic[2]);
  const f012 = f01 + end * (f12 - f01);
  const f123 = f12 + end * (f23 - f12);
  const f0123 = f012 + end * (f123 - f012);
  if (hasOneSign(cubic[0], f01, f012, f0123, now[onInterval])) return never;
  if (kind === 'vertex-face') {
    perAxis = 3;
    setCrossing(v, w, 0);
    setCrossing(w, u, 1);
    setCrossing(u, v, 2);
  } else {
    perAxis = 4;
    // From one end and from the other, along both edges: (b0 − a0) × e, (a1 − b0) × e, (b0 − a0) × d, d × (b1 − a0).
    setCrossing(u, w, 0);
    setCrossing(extra2, w, 1);
    setCrossing(u, v, 2);
    setCrossing(v, extra1, 3);
  }
  visits = 0;
  places = bits;
  return visit(cubic[0], f01, f012, f0123, 0, end, 0);
}

function subtract(points: Float64Array, p: number, q: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    out[k] = points[p + k] - points[q + k];
    out[3 + k] = points[12 + p + k] - points[12 + q + k];
  }
}

/** Whether all three vectors always have the same strict sign along some axis. */
function areOneSided(p: Float64Array, q: Float64Array, r: Float64Array): boolean {
  for (let k = 0; k < 3; k++) {
    if (p[k] > 0) {
      if (p[k + 3] > 0 && q[k] > 0 && q[k + 3] > 0 && r[k] > 0 && r[k + 3] > 0) return true;
    } else if (p[k] < 0) {
      if (p[k + 3] < 0 && q[k] < 0 && q[k + 3] < 0 && r[k] < 0 && r[k + 3] < 0) return true;
    }
  }
  return false;
}

/** Whether all differences between an end of one edge and an end of the other always have one strict sign along some axis. */
function areEdgesApart(): boolean {
  for (let k = 0; k < 3; k++) {
    // b0 − a0, b1 − a0, a1 − b0. The fourth, a1 − b1 = d − (b1 − a0), would be off by a rounding, so its corners decide.
    const sign = Math.sign(u[k]);
    if (sign === 0) continue;
    const isOne =
      u[k + 3] * sign > 0 &&
      extra1[k] * sign > 0 &&
      extra1[k + 3] * sign > 0 &&
      extra2[k] * sign < 0 &&
      extra2[k + 3] * sign < 0 &&
      (extra1[k] - v[k]) * sign > errorOf(extra1[k], v[k]) &&
      (extra1[k + 3] - v[k + 3]) * sign > errorOf(extra1[k + 3], v[k + 3]);
    if (isOne) return true;
  }
  return false;
}

/** A bound of the error of the difference of two rounded differences: three roundings. */
const errorOf = (x: number, y: number): number => 2 ** -51 * (Math.abs(x) + Math.abs(y));

const larger = (p: Float64Array, k: number): number => Math.max(Math.abs(p[k]), Math.abs(p[k + 3]));

/** Sets the coefficients of F; false if magnitudes are out of range. */
function setCubic(): boolean {
  const ux = larger(u, 0);
  const uy = larger(u, 1);
  const uz = larger(u, 2);
  const vx = larger(v, 0);
  const vy = larger(v, 1);
  const vz = larger(v, 2);
  const wx = larger(w, 0);
  const wy = larger(w, 1);
  const wz = larger(w, 2);
  const size = ux * (vy * wz + vz * wy) + uy * (vz * wx + vx * wz) + uz * (vx * wy + vy * wx);
  const isInRange =
    Math.max(ux, uy, uz, vx, vy, vz) <= largestLength &&
    Math.max(wx, wy, wz) <= largestLength &&
    size >= smallestVolume;
  if (!isInRange) return false;
  now[onInterval] = 2 ** -46 * size;
  now[atTime] = 2 ** -48 * size;
  let f0 = 0;
  let f1 = 0;
  let f2 = 0;
  let f3 = 0;
  for (let k = 0; k < 3; k++) {
    const i = k === 2 ? 0 : k + 1;
    const j = k === 0 ? 2 : k - 1;
    const first = v[i] * w[j] - v[j] * w[i];
    const twiceMiddle = v[i] * w[j + 3] - v[j + 3] * w[i] + (v[i + 3] * w[j] - v[j] * w[i + 3]);
    const last = v[i + 3] * w[j + 3] - v[j + 3] * w[i + 3];
    f0 += u[k] * first;
    f1 += u[k] * twiceMiddle + u[k + 3] * first;
    f2 += u[k + 3] * twiceMiddle + u[k] * last;
    f3 += u[k + 3] * last;
  }
  cubic[0] = f0;
  cubic[1] = f1 / 3;
  cubic[2] = f2 / 3;
  cubic[3] = f3;
  return true;
}

/** Sets the coefficients of p × q as the nth cross product of every axis. */
function setCrossing(p: Float64Array, q: Float64Array, n: number): void {
  for (let k = 0; k < 3; k++) {
    const i = k === 2 ? 0 : k + 1;
    const j = k === 0 ? 2 : k - 1;
    const at = 12 * k + 3 * n;
    crossings[at] = p[i] * q[j] - p[j] * q[i];
    crossings[at + 1] = (p[i] * q[j + 3] - p[j + 3] * q[i] + (p[i + 3] * q[j] - p[j] * q[i + 3])) / 2;
    crossings[at + 2] = p[i + 3] * q[j + 3] - p[j + 3] * q[i + 3];
    bounds[4 * k + n] = 2 ** -48 * (larger(p, i) * larger(q, j) + larger(p, j) * larger(q, i)) + 2 ** -1000;
  }
}

const hasOneSign = (f0: number, f1: number, f2: number, f3: number, bound: number): boolean =>
  (f0 > bound && f1 > bound && f2 > bound && f3 > bound) ||
  (f0 < -bound && f1 < -bound && f2 < -bound && f3 < -bound);

/** The first contact from time `from` to time `to`, where F has the coefficients f0 … f3. */
function visit(
  f0: number,
  f1: number,
  f2: number,
  f3: number,
  from: number,
  to: number,
  depth: number,
): number {
  const volumeBound = now[onInterval];
  if (from > now[latest] || hasOneSign(f0, f1, f2, f3, volumeBound)) return never;
  const where = placement(from, to);
  if (where < 0) return never;
  if (where > 0 && Math.abs(f0) > volumeBound && Math.abs(f3) > volumeBound && f0 > 0 !== f3 > 0) {
    // Differences of coefficients are those of the derivative, up to a factor: strictly monotone means one root.
    const sign = f3 > 0 ? 1 : -1;
    const least = Math.min((f1 - f0) * sign, (f2 - f1) * sign, (f3 - f2) * sign);
    if (least > 3 * volumeBound) return cellBetween(from, to, sign);
  }
  if (depth === deepest || ++visits > mostVisits) return unsure;
  const a = (f0 + f1) / 2;
  const b = (f1 + f2) / 2;
  const c = (f2 + f3) / 2;
  const ab = (a + b) / 2;
  const bc = (b + c) / 2;
  const middle = (ab + bc) / 2;
  const half = (from + to) / 2;
  const first = visit(f0, a, ab, middle, from, half, depth + 1);
  return first !== never ? first : visit(middle, bc, c, f3, half, to, depth + 1);
}

/**
 * From time s to t: negative if coplanar features certainly do not touch, positive if they certainly do, else 0. They do not if
 * along some axis two cross products have opposite signs, and do if all have the same.
 */
function placement(s: number, t: number): number {
  for (let k = 0; k < 3; k++) {
    let positive = 0;
    let negative = 0;
    for (let n = 0; n < perAxis; n++) {
      const at = 12 * k + 3 * n;
      const c0 = crossings[at];
      const c1 = crossings[at + 1];
      const c2 = crossings[at + 2];
      const bound = bounds[4 * k + n];
      const first0 = c0 + s * (c1 - c0);
      const first1 = c1 + s * (c2 - c1);
      const low = first0 + s * (first1 - first0);
      const middle = first0 + t * (first1 - first0);
      const last0 = c0 + t * (c1 - c0);
      const high = last0 + t * (c1 + t * (c2 - c1) - last0);
      if (low > bound && middle > bound && high > bound) positive++;
      else if (low < -bound && middle < -bound && high < -bound) negative++;
    }
    if (positive > 0 && negative > 0) return -1;
    if (positive === perAxis || negative === perAxis) return 1;
  }
  return 0;
}

/** The cell of the only root between two times; `unsure` if it is too close to the border of a cell. */
function cellBetween(from: number, to: number, sign: number): number {
  const count = 2 ** places;
  let [low, high] = [from, to];
  let [below, above] = [valueAt(low) * sign, valueAt(high) * sign];
  // Regula falsi, with a halved weight of an end that stays (Illinois): a guess, which the signs at the ends of its cell confirm.
  let guess = from;
  let last = 0;
  for (let i = 0; i < 24; i++) {
    const t = low - (below * (high - low)) / (above - below);
    const isSame = Math.abs(t - guess) * count < 0.01;
    guess = Math.min(high, Math.max(low, t));
    const value = valueAt(guess) * sign;
    if (isSame || value === 0) break;
    if (value > 0) {
      high = guess;
      above = value;
      if (last > 0) below /= 2;
    } else {
      low = guess;
      below = value;
      if (last < 0) above /= 2;
    }
    last = value;
  }
  const n = Math.floor(guess * count);
  for (let k = n - 1; k <= n + 1; k++) {
    if (valueAt(k / count) * sign < -now[atTime] && valueAt((k + 1) / count) * sign > now[atTime])
      return 2 * k + 1;
  }
  return unsure;
}

/** F at a time. */
function valueAt(t: number): number {
  const s = 1 - t;
  const a = s * cubic[0] + t * cubic[1];
  const b = s * cubic[1] + t * cubic[2];
  const c = s * cubic[2] + t * cubic[3];
  return s * (s * a + t * b) + t * (s * b + t * c);
}
