// What do two triangles have in common where one of them has only a corner, a side or all of itself in the plane of
// the other? What it has there is clipped by the other's three sides (Sutherland and Hodgman, Reentrant Polygon
// Clipping, 1974), seen along an axis. Every point that can come out is a corner of one of the two or a crossing
// of two of their sides, so each is kept as what it is: signs are those of doubles, and a crossing is turned into
// integers only when it is needed.

import { orient2dAt } from '../../math/exact/orient.ts';
import { type Homogeneous, linePlane, planeThrough, pointAt, sideOf } from '../../math/exact/rational.ts';
import { unitDirections } from '../../math/triangles/triangle-contact.ts';
import type { PointNumbers } from './point-numbers.ts';

/** A corner at an offset of p, or the crossing of side `side` of the one triangle and side `edge` of the other. */
interface Point {
  readonly corner: number;
  readonly side: number;
  readonly edge: number;
  /** The line of the side that follows: 0 to 2 for a side of the clipped triangle, 3 to 5 for one that clipped it. */
  readonly line: number;
}

/**
 * Numbers of the corners of what two triangles in p share, in order around it. `own` is the offset of the one that is
 * clipped, `inPlane` those of its corners (as bits) that lie in the plane of the other, at `other`, which is not
 * degenerate and does not project to a segment along `axis`. The first one's remaining corners must lie on one
 * side of the plane. `numberOfCrossing` gives the number of the point in which two sides cross, which `find` finds:
 * the same two sides cross in several pairs of triangles.
 */
export function flatContact(
  p: Float64Array,
  own: number,
  inPlane: number,
  other: number,
  axis: number,
  numbers: PointNumbers,
  numberOfCrossing: (side: number, edge: number, find: () => Homogeneous) => number,
): number[] {
  let points: Point[] = [];
  for (let k = 0; k < 3; k++) {
    // Of two corners, the second and the first in order may follow one another along the last side.
    const line = inPlane === 5 ? 2 : k;
    if ((inPlane >> k) & 1) points.push({ corner: own + 3 * k, side: -1, edge: -1, line });
  }
  const clip = new Clip(p, own, other, axis);
  for (let edge = 0; edge < 3; edge++) points = clip.by(points, edge);
  return points.map(({ corner, side, edge }) =>
    corner >= 0
      ? numbers.ofDoubles(p, corner)
      : numberOfCrossing(side, edge, () => clip.crossing(side, edge)),
  );
}

class Clip {
  readonly #p: Float64Array;
  readonly #own: number;
  readonly #other: number;
  readonly #axis: number;
  readonly #turn: number;

  constructor(p: Float64Array, own: number, other: number, axis: number) {
    this.#p = p;
    this.#own = own;
    this.#other = other;
    this.#axis = axis;
    this.#turn = this.#turnOf(other, other + 3, other + 6);
  }

  /** The part of a convex point set on the inner side of a side of the clipping triangle, or on it. */
  by(points: readonly Point[], edge: number): Point[] {
    const insides = points.map(point => this.#inside(point, edge));
    if (insides.every(inside => inside >= 0)) return [...points];
    const kept: Point[] = [];
    for (let i = 0; i < points.length; i++) {
      // A segment has one side only, a point none.
      const j = i + 1 < points.length ? i + 1 : points.length > 2 ? 0 : -1;
      const leaves = j >= 0 && insides[i] >= 0 && insides[j] < 0;
      if (insides[i] >= 0) {
        kept.push(leaves && insides[i] === 0 ? { ...points[i], line: 3 + edge } : points[i]);
      }
      if (j < 0 || insides[i] * insides[j] >= 0) continue;
      const { line } = points[i];
      kept.push({ ...this.#onLine(line, edge), line: leaves ? 3 + edge : line });
    }
    return kept;
  }

  /** The point in which a line crosses a side: two sides of the clipping triangle meet in their common corner. */
  #onLine(line: number, edge: number): Omit<Point, 'line'> {
    if (line < 3) return { corner: -1, side: line, edge };
    const before = line - 3;
    const common = (before + 1) % 3 === edge ? edge : before;
    return { corner: this.#other + 3 * common, side: -1, edge: -1 };
  }

  /** Whether a point lies on the inner side of a side of the clipping triangle (positive), on its line or outside. */
  #inside({ corner, side, edge: at }: Point, edge: number): number {
    const [from, to] = [this.#other + 3 * edge, this.#other + 3 * ((edge + 1) % 3)];
    if (corner >= 0) return this.#turn * this.#turnOf(from, to, corner);
    if (at === edge) return 0;
    // A crossing on another side of the triangle, which runs from the common corner of the two to a far one. If
    // the crossing side has these on its two sides, or one on it, that says where on the line the crossing is.
    const common = (at + 1) % 3 === edge ? from : to;
    const far = this.#other + 3 * (3 - edge - ((edge + 1) % 3));
    const [start, end] = [this.#own + 3 * side, this.#own + 3 * ((side + 1) % 3)];
    const [atCommon, atFar] = [this.#turnOf(start, end, common), this.#turnOf(start, end, far)];
    if (atCommon === 0) return 0;
    if (atFar === 0 || atCommon !== atFar) return 1;
    const plane = this.#plane(edge);
    return sideOf(plane, this.crossing(side, at)) * sideOf(plane, pointAt(this.#p, far));
  }

  crossing(side: number, edge: number): Homogeneous {
    const [start, end] = [this.#own + 3 * side, this.#own + 3 * ((side + 1) % 3)];
    return linePlane(pointAt(this.#p, start), pointAt(this.#p, end), this.#plane(edge));
  }

  /** A plane along the axis through a side of the clipping triangle. */
  #plane(edge: number): Homogeneous {
    const [from, to] = [this.#other + 3 * edge, this.#other + 3 * ((edge + 1) % 3)];
    return planeThrough(pointAt(this.#p, from), pointAt(this.#p, to), unitDirections[this.#axis]);
  }

  #turnOf(a: number, b: number, c: number): number {
    return orient2dAt(this.#p, a, b, c, (this.#axis + 1) % 3, (this.#axis + 2) % 3);
  }
}
