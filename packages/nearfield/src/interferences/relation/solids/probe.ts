// What are the winding numbers on the two sides of a triangle at one of its points? A ray parallel to a coordinate axis
// is followed from the point out of both bodies. The triangles it crosses beyond the point give the winding numbers on
// the far side. The triangles in the facet's own plane at the point give the difference to the near side. Because the
// ray is parallel to an axis, every decision is two-dimensional but one: whether another triangle lies beyond the point
// or before it.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { boxAround, placeCorners } from '../../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../../bvh/cpu/walk/finder.ts';
import type { Box } from '../../../math/box.ts';
import { orient2dAt, orient3dAt, type Sign } from '../../../math/exact/orient.ts';
import { fromDoubles, planeThrough, pointAt, sideOf, turn } from '../../../math/exact/rational.ts';
import type { Facet } from './facet.ts';
import type { Side } from './kinds.ts';

/**
 * Winding numbers of both bodies on the side to which a triangle's normal points (above), and on the other side
 * (below).
 */
export interface Sides {
  readonly above: readonly [number, number];
  readonly below: readonly [number, number];
}

/** Scratch memory: the facet's corners at 0, another triangle's at 9, the point at 18. */
const p = new Float64Array(21);

/** The ray. */
const origin = new Float64Array(3);
const direction = new Float64Array(3);

/** Whether `ownHeight` is the facet's at the point. */
let isOwnHeightKnown = false;

/**
 * Puts a facet and one of its points into the scratch memory. The point is given by its coordinates along the two axes
 * after the facet's.
 */
function placeProbe({ axis, p: corners }: Facet, u: number, v: number): void {
  p.set(corners);
  p[18 + ((axis + 1) % 3)] = u;
  p[18 + ((axis + 2) % 3)] = v;
  p[18 + axis] = 0;
  isOwnHeightKnown = false;
}

export class Probe {
  readonly #engine: TriangleFinder;
  readonly #bodies: readonly [Placed, Placed];
  #boxes: readonly [Box, Box] | undefined;

  constructor(engine: TriangleFinder, a: Placed, b: Placed) {
    this.#engine = engine;
    this.#bodies = [a, b];
  }

  /**
   * The winding numbers on both sides of the facet at the point with coordinates u, v along the axes (axis + 1) % 3 and
   * (axis + 2) % 3, which must lie strictly inside it. Undefined if the line meets an edge, or another triangle that
   * crosses the facet exactly at the point. Then another point must be tried.
   *
   * `star` is the facet's body if it is star-shaped, so that it lies on one side of the facet alone. It then gets the numbers 0 and
   * 1 without a search, maybe the wrong way round. Undefined if that matters: if the other body's two numbers differ, too.
   */
  at(facet: Facet, u: number, v: number, star?: Side): Sides | undefined {
    const { axis } = facet;
    const [uAxis, vAxis] = [(axis + 1) % 3, (axis + 2) % 3];
    placeProbe(facet, u, v);
    const low = Math.min(p[axis], p[axis + 3], p[axis + 6]);
    const high = Math.max(p[axis], p[axis + 3], p[axis + 6]);
    const forward = this.#shorterWay(axis, low, high);
    origin[uAxis] = u;
    origin[vAxis] = v;
    origin[axis] = forward > 0 ? low : high;
    direction.fill(0);
    direction[axis] = forward;

    const far: [number, number] = [0, 0];
    const near: [number, number] = [0, 0];
    for (let side = 0; side < 2; side++) {
      if (side === star) {
        near[side] = 1;
        continue;
      }
      const body = this.#bodies[side];
      let beyond = 0;
      let here = 0;
      const triangles = this.#engine.trianglesOnRay(body, origin, direction, 0);
      for (let i = 0; i < triangles.length; i++) {
        placeCorners(body, triangles[i], p, 9);
        const crossing = crossingAt(uAxis, vAxis);
        if (crossing === 0) continue;
        if (crossing === undefined) return undefined;
        const above = heightAgainst(facet, u, v, low, high);
        if (above === undefined) return undefined;
        if (above === 0) here += forward * crossing;
        else if (above === forward) beyond += forward * crossing;
      }
      far[side] = beyond;
      near[side] = beyond + here;
      if (star !== undefined && here !== 0) return undefined;
    }
    return forward === facet.turn ? { above: far, below: near } : { above: near, below: far };
  }

  /** Estimates whether the way out of the bodies is shorter up the axis (1) or down it (−1). */
  #shorterWay(axis: number, low: number, high: number): 1 | -1 {
    // The smallest boxes need every vertex, which is not worth it for an estimate.
    this.#boxes ??= [boxAround(this.#bodies[0]), boxAround(this.#bodies[1])];
    const [a, b] = this.#boxes;
    const up = Math.max(a[axis + 3], b[axis + 3]) - high;
    const down = low - Math.min(a[axis], b[axis]);
    return up <= down ? 1 : -1;
  }
}

/**
 * Whether the axis through p[18…] crosses the triangle at p[9…] with its normal (1), against it (−1), not at all
 * (0), or meets its edges (undefined).
 */
function crossingAt(u: number, v: number): -1 | 0 | 1 | undefined {
  const x = p[18 + u];
  const y = p[18 + v];
  if (x < p[9 + u] && x < p[12 + u] && x < p[15 + u]) return 0;
  if (x > p[9 + u] && x > p[12 + u] && x > p[15 + u]) return 0;
  if (y < p[9 + v] && y < p[12 + v] && y < p[15 + v]) return 0;
  if (y > p[9 + v] && y > p[12 + v] && y > p[15 + v]) return 0;
  const s0 = orient2dAt(p, 9, 12, 18, u, v);
  const s1 = orient2dAt(p, 12, 15, 18, u, v);
  if (s0 * s1 < 0) return 0;
  const s2 = orient2dAt(p, 15, 9, 18, u, v);
  if (s0 * s2 < 0 || s1 * s2 < 0) return 0;
  if (s0 === 0 || s1 === 0 || s2 === 0) return undefined;
  return s0;
}

/**
 * Whether the triangle at p[9…] crosses the axis above the facet (1), below it (−1), or lies in its plane (0).
 * Undefined if it crosses the plane exactly there.
 */
function heightAgainst(
  facet: Facet,
  u: number,
  v: number,
  low: number,
  high: number,
): -1 | 0 | 1 | undefined {
  const { axis } = facet;
  const estimate = estimatedHeight(facet, u, v, low, high);
  if (estimate !== 0) return estimate;
  if (
    orient3dAt(p, 0, 3, 6, 9) === 0 &&
    orient3dAt(p, 0, 3, 6, 12) === 0 &&
    orient3dAt(p, 0, 3, 6, 15) === 0
  ) {
    return 0;
  }
  const at = [0, 0, 0];
  at[(axis + 1) % 3] = u;
  at[(axis + 2) % 3] = v;
  const point = facet.pointAbove(fromDoubles(at[0], at[1], at[2]));
  const [a, b, c] = [pointAt(p, 9), pointAt(p, 12), pointAt(p, 15)];
  const below = sideOf(planeThrough(a, b, c), point);
  if (below === 0) return undefined;
  return below === turn(facet.along, a, b, c) ? 1 : -1;
}

/** The same, decided in doubles; 0 if they cannot decide. */
function estimatedHeight({ axis }: Facet, u: number, v: number, low: number, high: number): Sign {
  const otherLow = Math.min(p[9 + axis], p[12 + axis], p[15 + axis]);
  if (otherLow > high) return 1;
  const otherHigh = Math.max(p[9 + axis], p[12 + axis], p[15 + axis]);
  if (otherHigh < low) return -1;

  if (!isOwnHeightKnown) {
    estimateHeight(0, axis, u, v, ownHeight);
    isOwnHeightKnown = true;
  }
  estimateHeight(9, axis, u, v, otherHeight);
  const difference = otherHeight[0] - ownHeight[0];
  const bound = (otherHeight[1] + ownHeight[1]) * (1 + 2 ** -50) + 2 ** -52 * Math.abs(difference);
  if (difference > bound) return 1;
  if (-difference > bound) return -1;
  return 0;
}

/** Where the axis crosses the facet's plane and the other triangle's, and how far from the truth that may be. */
const ownHeight = new Float64Array(2);
const otherHeight = new Float64Array(2);

/**
 * The height at which the axis through u, v crosses the plane of the triangle at p[at…], with an error bound:
 * h = c − (nu·du + nv·dv)/nw. With ε = 2^-53, a component of the normal n passes through at most 4 roundings, so it is
 * off by less than 5ε times the sum P of its two products' magnitudes. The numerator's terms pass through 7 roundings,
 * so it is off by less than 9ε·Q with Q = Pu|du| + Pv|dv|. The factors 12 and 7 in the code leave a margin for the
 * roundings of P and Q themselves. If the denominator's error is below half of it, the quotient q is off by less than
 * 2(error of numerator + |q|·error of denominator)/|nw| and a rounding. Underflow adds at most 2^-1073 to a product,
 * times |du| or |dv|, which is covered by 2^-1000. Overflow gives an infinite or NaN error, which decides nothing.
 */
function estimateHeight(at: number, axis: number, u: number, v: number, out: Float64Array): void {
  const i = axis === 2 ? 0 : axis + 1;
  const j = i === 2 ? 0 : i + 1;
  const cu = p[at + i];
  const cv = p[at + j];
  const cw = p[at + axis];
  const au = p[at + 3 + i] - cu;
  const av = p[at + 3 + j] - cv;
  const aw = p[at + 3 + axis] - cw;
  const bu = p[at + 6 + i] - cu;
  const bv = p[at + 6 + j] - cv;
  const bw = p[at + 6 + axis] - cw;
  const du = u - cu;
  const dv = v - cv;
  const numerator = (av * bw - aw * bv) * du + (aw * bu - au * bw) * dv;
  const denominator = au * bv - av * bu;
  const q =
    (Math.abs(av * bw) + Math.abs(aw * bv)) * Math.abs(du) +
    (Math.abs(aw * bu) + Math.abs(au * bw)) * Math.abs(dv);
  const numeratorError = 12 * 2 ** -53 * q + 2 ** -1000 * (Math.abs(du) + Math.abs(dv) + 1);
  const denominatorError = 7 * 2 ** -53 * (Math.abs(au * bv) + Math.abs(av * bu)) + 2 ** -1000;
  const quotient = numerator / denominator;
  out[0] = cw - quotient;
  out[1] =
    denominatorError > Math.abs(denominator) / 2
      ? Infinity
      : (2.1 * (numeratorError + Math.abs(quotient) * denominatorError)) / Math.abs(denominator) +
        2 ** -50 * (Math.abs(quotient) + Math.abs(cw)) +
        2 ** -1000;
}
