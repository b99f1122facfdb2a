// Does the line of a pixel cross a triangle, and at what depth? This is decided exactly for the doubles of the world
// (view.ts), with the same rule for ties as samples of volumes: lines count as shifted by (ε, ε²) (inside/crossing.ts).
// So a shared edge is crossed once, a corner that only touches a line twice or not at all, and a triangle seen edge-on
// never.
//
// Doubles decide nearly everything; integers decide the rest (whole-triangles.ts). With u = 2^-53, let corners relative
// to the line be off by at most `off` in each coordinate: `seeError`, plus 2^-51 of the picture for the line's place.
// An edge function ax·by − ay·bx is then off by at most
//
//   off·(|ax| + |ay| + |bx| + |by|) + 2·off²      from the errors of corners
//   4·u·(|ax·by| + |ay·bx|)                       from rounding two differences, two products and their difference
//
// and `margin` is the sum of these over all three edges. The depth z₀ + (e₁·d₁ + e₂·d₂)/E has weights eₖ/E between 0
// and 1 that add up to at most 1. With each eₖ off by `margin`, E by three times that, and D = |d₁| + |d₂|, it is off
// by at most
//
//   4·margin·D/(|E| − 3·margin) + 2^-49·D + 2^-52·|z₀| + 3·off
//
// for the weights; for rounding products, sum and quotient; for the last sum; for the corners' own depths. If that is
// more than 2^-37 of the body's reach, the depth is computed in integers and rounded once.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners, worldBox } from '../../../bodies/snapshot/world.ts';
import { leastArea } from '../../../inside/crossing.ts';
import type { Sign } from '../../../math/exact/orient.ts';
import { mirrors } from '../../../math/pose.ts';
import { lineShift, seeError, type View } from '../view.ts';
import { WholeTriangle, WholeView, wholeLine } from './whole-triangles.ts';

/** A crossing of a pixel's line with a triangle. */
export interface Crossing {
  /** From the view's origin, in world units. */
  readonly depth: number;
  /** 0 for the first body, 1 for the second. */
  readonly side: 0 | 1;
  /** 1 if the line, along the view's direction, leaves the body; 0 if it enters. */
  readonly away: 0 | 1;
  readonly triangle: number;
}

/** A crossing whose depth is off by no more than `error`. */
export interface BoundedCrossing extends Crossing {
  readonly error: number;
}

/**
 * The order of crossings along a line: at equal depth the first body comes first, and entering comes before leaving.
 */
export const compareCrossings = (p: Crossing, q: Crossing): number =>
  p.depth - q.depth || p.side - q.side || p.away - q.away || p.triangle - q.triangle;

/** Crosses one body's triangles with lines of a view. */
export class Crosser {
  /** The corners as the view sees them. */
  readonly #corners = new Float64Array(9);
  readonly #world = new Float64Array(9);
  readonly #mirrored: boolean;
  readonly #wholes = new Map<number, WholeTriangle>();
  readonly #off: number;
  readonly #mostError: number;
  #wholeView: WholeView | undefined;
  #triangle = 0;
  /** The last crossing; its depth is off by at most `error`. */
  depth = 0;
  error = 0;
  away: 0 | 1 = 0;

  constructor(
    readonly view: View,
    readonly body: Placed,
  ) {
    this.#mirrored = mirrors(body.pose);
    const reach = reachOf(view, body);
    this.#off = seeError(reach) + 2 ** -51 * Math.max(view.columns, view.rows) * view.pixel;
    this.#mostError = 2 ** -37 * reach;
  }

  /** Selects the triangle for the following calls. */
  take(triangle: number): void {
    const [p, world] = [this.#corners, this.#world];
    placeCorners(this.body, triangle, world, 0);
    for (let at = 0; at < 9; at += 3) this.view.see(world[at], world[at + 1], world[at + 2], p, at);
    this.#triangle = triangle;
  }

  /** The pixels whose middles lie within the triangle's box: first column, first row, last column, last row. */
  rectangle(out: Int32Array): void {
    const p = this.#corners;
    const { pixel, columns, rows } = this.view;
    // Doubles are off by far less than the pixel that is added on either side. Triangles may lie beyond the range of
    // integers.
    const within = (place: number, count: number) => Math.min(count, Math.max(-1, place));
    out[0] = Math.max(0, within(Math.ceil(Math.min(p[0], p[3], p[6]) / pixel - 1.5), columns));
    out[1] = Math.max(0, within(Math.ceil(Math.min(p[1], p[4], p[7]) / pixel - 1.5), rows));
    out[2] = within(Math.floor(Math.max(p[0], p[3], p[6]) / pixel + 0.5), columns - 1);
    out[3] = within(Math.floor(Math.max(p[1], p[4], p[7]) / pixel + 0.5), rows - 1);
  }

  /**
   * Tells whether the line of a pixel crosses the triangle. If so, `depth`, `error` and `away` describe the crossing.
   */
  crosses(column: number, row: number): boolean {
    const p = this.#corners;
    const off = this.#off;
    const { pixel } = this.view;
    const x = (column + 0.5 + lineShift[0]) * pixel;
    const y = (row + 0.5 + lineShift[1]) * pixel;
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
    const products = Math.abs(bc) + Math.abs(cb) + Math.abs(ca) + Math.abs(ac) + Math.abs(ab) + Math.abs(ba);
    const size = Math.abs(ax) + Math.abs(ay) + Math.abs(bx) + Math.abs(by) + Math.abs(cx) + Math.abs(cy);
    const margin = 2 ** -50 * products + 1.01 * off * (size + 2 * off) + leastArea;
    let turn: Sign;
    if (e0 > margin && e1 > margin && e2 > margin) turn = 1;
    else if (e0 < -margin && e1 < -margin && e2 < -margin) turn = -1;
    else {
      const positive = e0 > margin || e1 > margin || e2 > margin;
      const negative = e0 < -margin || e1 < -margin || e2 < -margin;
      if (positive && negative) return false;
      // A line clear of the triangle's box misses it, however steeply the triangle is seen.
      const near = 2 * off + 2 ** -50 * size;
      if (Math.min(ax, bx, cx) > near || Math.max(ax, bx, cx) < -near) return false;
      if (Math.min(ay, by, cy) > near || Math.max(ay, by, cy) < -near) return false;
      turn = this.wholeOf(this.#triangle).passes(wholeLine(column, row));
      if (turn === 0) return false;
    }
    this.away = turn > 0 !== this.#mirrored ? 1 : 0;
    const d1 = p[5] - p[2];
    const d2 = p[8] - p[2];
    const rise = Math.abs(d1) + Math.abs(d2);
    const total = e0 + e1 + e2;
    const certain = Math.abs(total) - 3 * margin;
    this.error =
      1.01 * ((4 * margin * rise) / certain + 2 ** -49 * rise + 2 ** -52 * Math.abs(p[2]) + 3 * off);
    if (certain > 0 && this.error <= this.#mostError) {
      this.depth = p[2] + (e1 * d1 + e2 * d2) / total;
      return true;
    }
    this.depth = this.wholeOf(this.#triangle).depthRounded(wholeLine(column, row));
    this.error = 2 ** -52 * Math.abs(this.depth);
    return true;
  }

  /** A triangle in integers. */
  wholeOf(triangle: number): WholeTriangle {
    let known = this.#wholes.get(triangle);
    if (known === undefined) {
      const corners = new Float64Array(9);
      placeCorners(this.body, triangle, corners, 0);
      known = new WholeTriangle((this.#wholeView ??= new WholeView(this.view)), corners);
      this.#wholes.set(triangle, known);
    }
    return known;
  }
}

/** The largest distance of a corner of the body from the view's origin, summed over the three world axes. */
function reachOf(view: View, body: Placed): number {
  const box = worldBox(body);
  if (!(box[0] <= box[3])) return 0;
  let reach = 0;
  for (let axis = 0; axis < 3; axis++) {
    const origin = view.origin[axis];
    reach += Math.max(Math.abs(box[axis] - origin), Math.abs(box[axis + 3] - origin));
  }
  return reach;
}

/** The largest error of the depth of a crossing with any of the bodies. */
export function crossingError(view: View, bodies: readonly Placed[]): number {
  return 2 ** -37 * Math.max(0, ...bodies.map(body => reachOf(view, body)));
}
