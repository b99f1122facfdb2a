// Where does the line of a pixel cross a triangle? Decided exactly, of the doubles of the world (view.ts), with the rule for
// ties that samples of volumes have: lines are thought of as moved by (ε, ε²) (inside/crossing.ts). So a shared
// edge is crossed once, a corner that only touches a line twice or not at all, and a triangle seen edge-on never.
//
// Doubles decide nearly everything; whole numbers decide the rest (whole-triangles.ts). With u = 2^-53, let corners seen from the
// line be off by at most `off` in each coordinate: `seeError`, and 2^-51 of the picture for where the line is. An edge
// function ax·by − ay·bx is then off by at most
//
//     off·(|ax| + |ay| + |bx| + |by|) + 2·off²      because corners are
//     4·u·(|ax·by| + |ay·bx|)                       two differences, two products and theirs are rounded
//
// and `margin` has the sums over all three. The depth z₀ + (e₁·d₁ + e₂·d₂)/E has weights eₖ/E between 0 and 1 that add up to
// 1 at most. With each eₖ off by `margin`, E by three of it, and D = |d₁| + |d₂|, it is off by at most
//
//     4·margin·D/(|E| − 3·margin) + 2^-49·D + 2^-52·|z₀| + 3·off
//
// for the weights; for rounding products, sum and quotient; for the last sum; for the corners' own depths. Where that is more
// than 2^-37 of the body's reach the depth is found in whole numbers and rounded once.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners, worldBox } from '../../../bodies/snapshot/world.ts';
import { leastArea } from '../../../inside/crossing.ts';
import type { Sign } from '../../../math/exact/orient.ts';
import { mirrors } from '../tiles.ts';
import { lineShift, seeError, type View } from '../view.ts';
import { WholeTriangle, WholeView, wholeLine } from './whole-triangles.ts';

/** A crossing of a pixel's line with a triangle. */
export interface Crossing {
  /** From the view's origin, world units. */
  readonly depth: number;
  /** 0 for the first body, 1 for the second. */
  readonly side: 0 | 1;
  /** 1 where the line, along the view's direction, leaves the body; 0 where it enters. */
  readonly away: 0 | 1;
  readonly triangle: number;
}

/** A crossing whose depth is off by no more than `error`. */
export interface BoundedCrossing extends Crossing {
  readonly error: number;
}

/** The order of crossings along a line: at one depth the first body's first, and bodies are entered before they are left. */
export const compareCrossings = (p: Crossing, q: Crossing): number =>
  p.depth - q.depth || p.side - q.side || p.away - q.away || p.triangle - q.triangle;

/** Crosses one body's triangles with lines of a view. */
export class Crosser {
  /** The corners as they are seen. */
  readonly #corners = new Float64Array(9);
  readonly #world = new Float64Array(9);
  readonly #mirrored: boolean;
  readonly #wholes = new Map<number, WholeTriangle>();
  readonly #off: number;
  readonly #mostError: number;
  #wholeView: WholeView | undefined;
  #triangle = 0;
  /** What the last crossing was; its depth is off by no more than `error`. */
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

  /** The triangle that is crossed from now on. */
  take(triangle: number): void {
    const [p, world] = [this.#corners, this.#world];
    placeCorners(this.body, triangle, world, 0);
    for (let at = 0; at < 9; at += 3) this.view.see(world[at], world[at + 1], world[at + 2], p, at);
    this.#triangle = triangle;
  }

  /** Columns and rows of the pixels whose middles lie within the triangle's box: first column, first row, last, last. */
  rectangle(out: Int32Array): void {
    const p = this.#corners;
    const { pixel, columns, rows } = this.view;
    // Doubles are off by far less than the pixel that is added on either side. Triangles may lie farther off than integers go.
    const within = (place: number, count: number) => Math.min(count, Math.max(-1, place));
    out[0] = Math.max(0, within(Math.ceil(Math.min(p[0], p[3], p[6]) / pixel - 1.5), columns));
    out[1] = Math.max(0, within(Math.ceil(Math.min(p[1], p[4], p[7]) / pixel - 1.5), rows));
    out[2] = within(Math.floor(Math.max(p[0], p[3], p[6]) / pixel + 0.5), columns - 1);
    out[3] = within(Math.floor(Math.max(p[1], p[4], p[7]) / pixel + 0.5), rows - 1);
  }

  /** Whether the line of a pixel passes the triangle; `depth`, `error` and `away` then say how. */
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
      // A line clear of the triangle's box passes by, however flat the triangle is seen.
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

  /** A triangle in whole numbers. */
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

/** All that a corner of the body is away from the view's origin along the three axes of the world. */
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

/** What the depth of a crossing with any of the bodies is off by at most. */
export function crossingError(view: View, bodies: readonly Placed[]): number {
  return 2 ** -37 * Math.max(0, ...bodies.map(body => reachOf(view, body)));
}
