// A convex piece of a solid, as the search for forbidden translations sees it: by its farthest points.

import type { Support } from './hull.ts';

/** A convex set within a solid, in the frame of its tree. */
export interface Piece {
  /** Farthest point along a unit direction. */
  readonly support: Support;
  /** A ball within it, and the radius of one about the same centre that holds it. */
  readonly centre: Float64Array;
  readonly inner: number;
  readonly outer: number;
  /**
   * How far points of `support` may lie outside the solid's model: a convex solid is convex up to rounding only. Moved
   * towards the centre by loss·outer/inner they lie within it.
   */
  readonly loss: number;
  /** Whether it is a tetrahedron: wherever rounding moves its corners, it is the hull of them. */
  readonly simplex: boolean;
  /** Rounding that moves the surface by this or more may take a part of the piece from the solid (shells.ts). */
  readonly firm: number;
}

/** Of the hull of some points, x, y, z each. */
export function supportOf(points: Float64Array): Support {
  return (x, y, z, out) => {
    let best = -Infinity;
    let at = 0;
    for (let i = 0; i < points.length; i += 3) {
      const reach = points[i] * x + points[i + 1] * y + points[i + 2] * z;
      if (reach > best) {
        best = reach;
        at = i;
      }
    }
    out[0] = points[at];
    out[1] = points[at + 1];
    out[2] = points[at + 2];
    return best;
  };
}
