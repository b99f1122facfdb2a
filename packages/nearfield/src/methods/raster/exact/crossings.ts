// Where does the line through the middle of a pixel cross a triangle? Decided exactly, of the doubles in which the view sees
// the corners (view.ts), with the rule for ties that samples of volumes have: lines are thought of as moved by (ε, ε²)
// (methods/field/slices/crossing.ts). So a shared edge is crossed once, a corner that only touches a line twice or not at
// all, and a triangle seen edge-on never.
//
// Doubles decide nearly everything. With e₀, e₁, e₂ the computed edge functions, each off by at most 4·u times the magnitudes
// m of its two products (u = 2^-53), the depth z₀ + (e₁·d₁ + e₂·d₂)/E is off by at most D·(16·u·Σm/|E| + 16·u) + 2·u·|z₀|,
// D = |d₁| + |d₂|. Where |E| > 2^-8·Σm, that is less than 2^-40·D + 2^-52·|z₀|; elsewhere the depth is found in integers and
// rounded once.

import { fromDoubles, linePlane, planeThrough, pointAt, ratioToDouble } from '../../../math/rational.ts';
import { placeCorners, worldBox } from '../../../scene/contact/world.ts';
import type { Placed } from '../../../scene/engine.ts';
import { type Corners, createCorners, turnAt } from '../../field/slices/crossing.ts';
import { mirrors } from '../tiles.ts';
import type { View } from '../view.ts';

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

/** The order of crossings along a line: at one depth the first body's first, and bodies are entered before they are left. */
export const compareCrossings = (p: Crossing, q: Crossing): number =>
  p.depth - q.depth || p.side - q.side || p.away - q.away || p.triangle - q.triangle;

/** Crosses one body's triangles with lines of a view. */
export class Crosser {
  readonly #corners: Corners = createCorners();
  readonly #world = new Float64Array(9);
  readonly #mirrored: boolean;
  /** What the last crossing was. */
  depth = 0;
  away: 0 | 1 = 0;

  constructor(
    readonly view: View,
    readonly body: Placed,
  ) {
    this.#mirrored = mirrors(body.pose);
  }

  /** The triangle that is crossed from now on. */
  take(triangle: number): void {
    const [p, world] = [this.#corners, this.#world];
    placeCorners(this.body, triangle, world, 0);
    for (let at = 0; at < 9; at += 3) this.view.see(world[at], world[at + 1], world[at + 2], p, at);
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

  /** Whether the line through the middle of a pixel passes the triangle; `depth` and `away` then say how. */
  crosses(column: number, row: number): boolean {
    const p = this.#corners;
    const { pixel } = this.view;
    const turn = turnAt(p, (column + 0.5) * pixel, (row + 0.5) * pixel);
    if (turn === 0) return false;
    const sum = p[15] + p[16] + p[17];
    this.depth =
      Math.abs(sum) > 2 ** -8 * p[18]
        ? p[2] + (p[16] * (p[5] - p[2]) + p[17] * (p[8] - p[2])) / sum
        : exactDepth(p);
    this.away = turn > 0 !== this.#mirrored ? 1 : 0;
    return true;
  }
}

/**
 * What the depth of a crossing with any of the bodies is off by at most, and, together with it, any corner from its world
 * position. With R all that a corner is away from the view's origin along the three axes, D is at most 4·R: 2^-40·D for the
 * depth, and a few roundings of R for where the view sees corners, are less than 2^-37·R.
 */
export function crossingError(view: View, bodies: readonly Placed[]): number {
  let most = 0;
  for (const body of bodies) {
    const box = worldBox(body);
    if (!(box[0] <= box[3])) continue;
    let reach = 0;
    for (let axis = 0; axis < 3; axis++) {
      const origin = view.origin[axis];
      reach += Math.max(Math.abs(box[axis] - origin), Math.abs(box[axis + 3] - origin));
    }
    most = Math.max(most, reach);
  }
  return 2 ** -37 * most;
}

/** Correctly rounded. A line that passes a triangle crosses its plane. */
function exactDepth(p: Corners): number {
  const plane = planeThrough(pointAt(p, 0), pointAt(p, 3), pointAt(p, 6));
  const { z, w } = linePlane(fromDoubles(p[9], p[10], 0), { x: 0n, y: 0n, z: 1n, w: 0n }, plane);
  return ratioToDouble(z, w);
}
