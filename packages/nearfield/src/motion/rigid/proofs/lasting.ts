// Until when do two surfaces certainly cross? At a time at which an edge of one passes through a triangle of the other with room to
// spare (certificate.ts), five orientations say so. Between two times, corners are within ⅛·h²·(their acceleration) of the straight
// lines between their places then. On these lines an orientation is a cubic polynomial. It lies between the least and
// the greatest of its Bernstein coefficients, so if these have one sign, the edge passes through the triangle all the time.
//
// Bounds, as for `robustSign`: with u, v, w the longest of the difference vectors at either time, and every point within the
// slack s of its line, a coefficient changes by less than (u + 2s)(v + 2s)(w + 2s) − u·v·w. A coefficient is a mean of three
// determinants; 2^-46 of u·v·w covers all rounding.

import type { PairMotion } from '../pair.ts';
import { underflow } from './certificate.ts';

const [before, after] = [new Float64Array(18), new Float64Array(18)];

/**
 * A time up to `end` until which one of these pairs of triangles crosses from time t on; t itself if none is known to. Times closer
 * than `least` are not looked at.
 */
export function crossingUntil(
  pair: PairMotion,
  pairs: Uint32Array,
  t: number,
  end: number,
  least: number,
): number {
  const { closely, pathA, pathB } = pair;
  const acceleration = Math.max(pathA.acceleration, pathB.acceleration);
  let best = 0;
  for (let i = 0; i < pairs.length && best < end - t; i += 2) {
    const [triangleA, triangleB] = [pairs[i], pairs[i + 1]];
    closely.place(t, triangleA, triangleB, before);
    // Only what lasts longer than the best so far counts. It is followed for twice as long each time, then for half of that more.
    for (let h = best > 0 ? 1.25 * best : least; ; h *= 2) {
      const length = Math.min(h, end - t);
      if (!lasts(length)) break;
      best = length;
      if (length === end - t) return end;
    }
    for (let more = best / 2; more > best / 32; more /= 2)
      if (best + more < end - t && lasts(best + more)) best += more;

    function lasts(h: number): boolean {
      closely.place(t + h, triangleA, triangleB, after);
      const slack = closely.slack + 0.125 * acceleration * h * h * (1 + 2 ** -30);
      return crossesThroughout(slack);
    }
  }
  return t + best;
}

/** Whether an edge of one triangle passes through the other from `before` to `after`. */
function crossesThroughout(slack: number): boolean {
  for (let edge = 0; edge < 3; edge++) {
    const next = (edge + 1) % 3;
    if (edgePasses(3 * edge, 3 * next, 9, slack) || edgePasses(9 + 3 * edge, 9 + 3 * next, 0, slack))
      return true;
  }
  return false;
}

function edgePasses(from: number, to: number, t: number, slack: number): boolean {
  const start = lastingSign(t, t + 3, t + 6, from, slack);
  if (start === 0 || lastingSign(t, t + 3, t + 6, to, slack) !== -start) return false;
  const side = lastingSign(from, to, t, t + 3, slack);
  return (
    side !== 0 &&
    lastingSign(from, to, t + 3, t + 6, slack) === side &&
    lastingSign(from, to, t + 6, t, slack) === side
  );
}

const [u0, v0, w0, u1, v1, w1] = Array.from({ length: 6 }, () => new Float64Array(3));

/** The sign of det(b − a, c − a, d − a) if it is the same all the time, else 0. */
function lastingSign(a: number, b: number, c: number, d: number, slack: number): number {
  const u = subtract(b, a, u0, u1);
  const v = subtract(c, a, v0, v1);
  const w = subtract(d, a, w0, w1);
  const s = 2 * slack;
  const change = s * (u * v + v * w + w * u) + s * s * (u + v + w) + s * s * s;
  const bound = change * (1 + 2 ** -40) + 2 ** -46 * u * v * w + underflow;
  const first = determinant(u0, v0, w0);
  const sign = first > bound ? 1 : first < -bound ? -1 : 0;
  if (sign === 0 || !(sign * determinant(u1, v1, w1) > bound)) return 0;
  const second = determinant(u1, v0, w0) + determinant(u0, v1, w0) + determinant(u0, v0, w1);
  const third = determinant(u1, v1, w0) + determinant(u0, v1, w1) + determinant(u1, v0, w1);
  return sign * second > 3 * bound && sign * third > 3 * bound ? sign : 0;
}

/** Writes the difference of two points at both times. Returns the longer of the two lengths. */
function subtract(p: number, q: number, first: Float64Array, last: Float64Array): number {
  for (let k = 0; k < 3; k++) {
    first[k] = before[p + k] - before[q + k];
    last[k] = after[p + k] - after[q + k];
  }
  return Math.sqrt(Math.max(squared(first), squared(last)));
}

const squared = (v: Float64Array): number => v[0] * v[0] + v[1] * v[1] + v[2] * v[2];

const determinant = (u: Float64Array, v: Float64Array, w: Float64Array): number =>
  u[0] * (v[1] * w[2] - v[2] * w[1]) +
  u[1] * (v[2] * w[0] - v[0] * w[2]) +
  u[2] * (v[0] * w[1] - v[1] * w[0]);
