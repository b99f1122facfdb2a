// Approximations of exact points in doubles. They suffice to see that most segments do not meet, and how most points
// are ordered. What is too close to call is left to exact arithmetic.

import { type Box, emptyBox, growBox } from '../../math/box.ts';
import type { Sign } from '../../math/exact/orient.ts';
import { type Homogeneous, toDoubles } from '../../math/exact/rational.ts';

/** Three coordinates, each off by less than 2^-51 of itself, or by half the smallest positive double. */
export type Near = ArrayLike<number>;

/**
 * The coordinates of an exact point as doubles, each off by less than 2^-51 of itself, since there are three roundings.
 * This is much faster than correct rounding, which is used only for numbers beyond the range.
 */
export function nearDoubles(point: Homogeneous): Near {
  const w = Number(point.w);
  const near = [Number(point.x) / w, Number(point.y) / w, Number(point.z) / w];
  // Out of range: infinite, or a quotient of infinite numbers.
  return w < Infinity && near.every(Number.isFinite) ? near : toDoubles(point);
}

/** A box that contains the exact points which these approximate. */
export function boxAround(near: readonly Near[]): Box {
  const box = emptyBox();
  for (const point of near) growBox(box, point[0], point[1], point[2]);
  // A denormal quotient is off by half the smallest positive double.
  for (let i = 0; i < 6; i++) {
    const slack = 2 ** -50 * Math.abs(box[i]) + Number.MIN_VALUE;
    box[i] += i < 3 ? -slack : slack;
  }
  return box;
}

/**
 * False if two segments certainly have no common point: in some projection along an axis, one has both ends strictly on
 * one side of the other's line. With coordinates off by δ = 2^-51·size, a product of differences is off by less than
 * 4δ(length + δ) and its own roundings. The bound allows four times as much, for two products of both.
 */
export function mayMeet(p: Near, q: Near, r: Near, s: Near): boolean {
  for (let i = 0; i < 3; i++) {
    const j = i === 2 ? 0 : i + 1;
    const size = Math.max(
      Math.abs(p[i]),
      Math.abs(p[j]),
      Math.abs(q[i]),
      Math.abs(q[j]),
      Math.abs(r[i]),
      Math.abs(r[j]),
      Math.abs(s[i]),
      Math.abs(s[j]),
    );
    const [ui, uj, vi, vj] = [q[i] - p[i], q[j] - p[j], s[i] - r[i], s[j] - r[j]];
    const [wi, wj] = [r[i] - p[i], r[j] - p[j]];
    const length = Math.abs(ui) + Math.abs(uj) + Math.abs(vi) + Math.abs(vj) + Math.abs(wi) + Math.abs(wj);
    const bound = 2 ** -46 * size * (length + 2 ** -46 * size) + 2 ** -1000;
    // r and s against the line pq, then p and q against the line rs.
    const [atR, atS] = [ui * wj - uj * wi, ui * (wj + vj) - uj * (wi + vi)];
    if ((atR > bound && atS > bound) || (atR < -bound && atS < -bound)) return false;
    const [atP, atQ] = [vj * wi - vi * wj, vj * (wi - ui) - vi * (wj - uj)];
    if ((atP > bound && atQ > bound) || (atP < -bound && atQ < -bound)) return false;
  }
  return true;
}

/** The axis along which two points are furthest apart. */
export function longestAxis(p: Near, q: Near): number {
  const [x, y, z] = [Math.abs(p[0] - q[0]), Math.abs(p[1] - q[1]), Math.abs(p[2] - q[2])];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/** The order of two points along an axis; 0 if that is too close to call. */
export function compareNear(p: Near, q: Near, axis: number): Sign {
  const slack = 2 ** -50 * (Math.abs(p[axis]) + Math.abs(q[axis])) + 2 ** -1000;
  const difference = p[axis] - q[axis];
  return difference > slack ? 1 : -difference > slack ? -1 : 0;
}
