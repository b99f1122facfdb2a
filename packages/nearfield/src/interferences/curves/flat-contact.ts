// The intersection of two triangles if only a corner, a side or all of one lies in the plane of the other. The part in
// the plane is clipped by the other's three sides (Sutherland and Hodgman, Reentrant Polygon Clipping, 1974), projected
// along an axis. Every resulting point is a corner of one of the two or a crossing of two of their sides, and is
// represented as such. So signs can be computed from doubles, and a crossing is converted to integers only when needed.

import { orient2dAt } from '../../math/exact/orient.ts';
import { type Homogeneous, linePlane, planeThrough, pointAt, sideOf } from '../../math/exact/rational.ts';
import { unitDirections } from '../../math/triangles/triangle-contact.ts';
import type { PointNumbers } from './point-numbers.ts';

/** A corner at an offset of p, or the crossing of side `side` of one triangle and side `edge` of the other. */
interface Point {
  readonly corner: number;
  readonly side: number;
  readonly edge: number;
  /**
   * The line along which the polygon continues: 0 to 2 for a side of the clipped triangle, 3 to 5 for a side that
   * clipped it.
   */
  readonly line: number;
}

/**
 * The point numbers of the corners of two triangles' intersection, in order around it. `own` is the offset in p of the
 * triangle that is clipped. `inPlane` has a bit for each of its corners that lies in the plane of the other triangle.
 * The remaining corners must lie on one side of that plane. The other triangle, at `other`, is not degenerate and does
 * not project to a segment along `axis`. `numberOfCrossing` gives the number of the point in which two sides cross;
 * `find` computes that point if it is new. (The same two sides cross in several pairs of triangles.)
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
    // With corners 0 and 2 in the plane, the connecting side is the last one, from corner 2 to corner 0.
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

  /** Clips a convex point set by one side of the clipping triangle: keeps what is inside it or on it. */
  by(points: readonly Point[], edge: number): Point[] {
    const insides = points.map(point => this.#inside(point, edge));
    if (insides.every(inside => inside >= 0)) return [...points];
    const kept: Point[] = [];
    for (let i = 0; i < points.length; i++) {
      // A segment has only one side, a point has none.
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

  /**
   * The point in which a line crosses a side of the clipping triangle. Two sides of that triangle meet in their common
   * corner.
   */
  #onLine(line: number, edge: number): Omit<Point, 'line'> {
    if (line < 3) return { corner: -1, side: line, edge };
    const before = line - 3;
    const common = (before + 1) % 3 === edge ? edge : before;
    return { corner: this.#other + 3 * common, side: -1, edge: -1 };
  }

  /** Positive if a point lies inside a side of the clipping triangle, 0 if on its line, negative if outside. */
  #inside({ corner, side, edge: at }: Point, edge: number): number {
    const [from, to] = [this.#other + 3 * edge, this.#other + 3 * ((edge + 1) % 3)];
    if (corner >= 0) return this.#turn * this.#turnOf(from, to, corner);
    if (at === edge) return 0;
    // The crossing is on another side of the triangle, which runs from the two sides' common corner to the far corner.
    // Compare on which sides of the crossing line these two corners lie: that tells where on the line the crossing is.
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

  /** The plane through a side of the clipping triangle, parallel to the axis. */
  #plane(edge: number): Homogeneous {
    const [from, to] = [this.#other + 3 * edge, this.#other + 3 * ((edge + 1) % 3)];
    return planeThrough(pointAt(this.#p, from), pointAt(this.#p, to), unitDirections[this.#axis]);
  }

  #turnOf(a: number, b: number, c: number): number {
    return orient2dAt(this.#p, a, b, c, (this.#axis + 1) % 3, (this.#axis + 2) % 3);
  }
}
