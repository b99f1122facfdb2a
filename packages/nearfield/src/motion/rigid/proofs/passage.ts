// Do two surfaces certainly touch between two times, even if they meet at neither? A sheet that passes flat through
// another meets it at one moment only. Certain signs: a corner of one triangle is first on one side of the other's plane and then on the
// other side, and all the time within the prism over it along a fixed direction k; or two edges pass each other while they cross
// as seen along k. At some time in between the orientation is 0, and the two share a point.
//
// k is transverse to the plane (to both edges) all the time, so what crosses along k and lies in one plane meets. Every
// determinant has its sign with all points moved by as much as they can move between the two times, and by the slack.

import type { PairMotion } from '../pair.ts';
import { cross } from '../paths/turn.ts';
import { type Certificate, robustSign } from './certificate.ts';

const [before, after] = [new Float64Array(18), new Float64Array(18)];

/** A proof that two triangles of the list touch between two times. */
export function passageOf(
  pair: PairMotion,
  pairs: Uint32Array,
  from: number,
  to: number,
): Certificate | undefined {
  const { pathA, pathB, closely } = pair;
  const h = to - from;
  const moved = closely.slack + (pathA.speed(from, h) + pathB.speed(from, h)) * h * (1 + 2 ** -30);
  for (let i = 0; i < pairs.length; i += 2) {
    const [triangleA, triangleB] = [pairs[i], pairs[i + 1]];
    closely.place(from, triangleA, triangleB, before);
    closely.place(to, triangleA, triangleB, after);
    const at = passesAt(closely.slack, moved);
    if (at < 0) continue;
    const origin = closely.originAt(to);
    const point = Float64Array.from([0, 1, 2], i => origin[i] + after[at + i]);
    return { triangleA, triangleB, point, margin: 0 };
  }
  return undefined;
}

/** Where in `after` a corner is that takes part, or −1 if no feature certainly passes another. */
function passesAt(slack: number, moved: number): number {
  for (let i = 0; i < 9; i += 3) {
    if (cornerPasses(9, i, slack, moved)) return i;
    if (cornerPasses(0, 9 + i, slack, moved)) return 9 + i;
  }
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      if (edgesPass(3 * i, 3 * ((i + 1) % 3), 9 + 3 * j, 9 + 3 * ((j + 1) % 3), slack, moved)) return 3 * i;
  return -1;
}

/** Whether the orientation of four points certainly changes its sign. */
function turnsOver(a: number, b: number, c: number, d: number, slack: number): boolean {
  const first = robustSign(before, a, b, c, d, slack);
  return first !== 0 && robustSign(after, a, b, c, d, slack) === -first;
}

function cornerPasses(f: number, p: number, slack: number, moved: number): boolean {
  if (!turnsOver(f, f + 3, f + 6, p, slack)) return false;
  const k = cross(difference(f + 3, f), difference(f + 6, f));
  const side = signAlong(k, f, f + 3, f, f + 6, moved);
  return (
    side !== 0 &&
    signAlong(k, f, f + 3, f, p, moved) === side &&
    signAlong(k, f + 3, f + 6, f + 3, p, moved) === side &&
    signAlong(k, f + 6, f, f + 6, p, moved) === side
  );
}

function edgesPass(a: number, b: number, c: number, d: number, slack: number, moved: number): boolean {
  if (!turnsOver(a, b, c, d, slack)) return false;
  const k = cross(difference(b, a), difference(d, c));
  const first = signAlong(k, a, b, a, c, moved);
  if (first === 0 || signAlong(k, a, b, a, d, moved) !== -first) return false;
  const second = signAlong(k, c, d, c, a, moved);
  return second !== 0 && signAlong(k, c, d, c, b, moved) === -second && signAlong(k, a, b, c, d, moved) !== 0;
}

const difference = (to: number, from: number): [number, number, number] => [
  after[to] - after[from],
  after[to + 1] - after[from + 1],
  after[to + 2] - after[from + 2],
];

/**
 * The sign of det(q − p, s − r, k) if it is the same wherever the four points are within `moved`, else 0. As `robustSign`,
 * with a third vector that does not change, so that underflow is multiplied by its length alone.
 */
function signAlong(
  k: readonly [number, number, number],
  p: number,
  q: number,
  r: number,
  s: number,
  moved: number,
): number {
  const u = difference(q, p);
  const v = difference(s, r);
  const [x, y, z] = cross(u, v);
  const value = x * k[0] + y * k[1] + z * k[2];
  const [lu, lv, lk] = [Math.hypot(...u), Math.hypot(...v), Math.hypot(...k)];
  const change = (2 * moved * (lu + lv) + 4 * moved * moved) * lk;
  const bound = change * (1 + 2 ** -40) + 2 ** -48 * lu * lv * lk + 2 ** -1060 * (1 + lk);
  return value > bound ? 1 : value < -bound ? -1 : 0;
}
