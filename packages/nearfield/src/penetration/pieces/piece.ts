// A convex piece of a solid, represented by its farthest points in each direction.

import type { Support } from './hull.ts';

/** A convex set within a solid, in the frame of its tree. */
export interface Piece {
  /** Farthest point along a unit direction. */
  readonly support: Support;
  /** A ball inside it, and the radius of one around it with the same centre. */
  readonly centre: Float64Array;
  readonly inner: number;
  readonly outer: number;
  /**
   * How far points of `support` may lie outside the solid's model: a convex solid is only convex up to rounding. Moved
   * towards the centre by loss·outer/inner they lie inside it.
   */
  readonly loss: number;
  /** Whether it is a tetrahedron: wherever rounding moves its corners, it is their hull. */
  readonly simplex: boolean;
  /** If rounding moves the surface by this or more, a part of the piece may leave the solid (shells.ts). */
  readonly firm: number;
}

/** The support of the hull of some points, three numbers per point. */
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
