// A triangle projected along an axis (flat-view.ts), and the segments in which other triangles cut it. Exact. The
// integers of a segment are computed only when a cell is compared with it (cell.ts).

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { orient2dAt, type Sign } from '../../../../math/exact/orient.ts';
import { signOf } from '../../../../math/exact/rational.ts';
import type { PlaneSigns } from '../../../curves/plane-signs.ts';
import { valueAt, type WholeFrame, type WholePoint } from '../../../curves/whole-frame.ts';
import type { Facet } from '../facet.ts';
import type { Side } from '../kinds.ts';
import type { Parts } from '../parts/parts.ts';
import { type Cell, type CellBox, passesThrough, type Segment } from './cell.ts';
import { FlatView, type Line, type Spot } from './flat-view.ts';

/** A triangle of a body that cuts a facet in a segment. */
export interface Cut {
  readonly body: Side;
  /** The triangle, and which numbers change at it (difference.ts). */
  readonly triangle: number;
  readonly changes: number;
  /** The index of its group in the facet's groups. */
  readonly group: number;
  /** Triangles with the same corners share this object. */
  readonly segment: LazySegment;
}

/** A part of a body's surface (parts.ts) that cuts a facet. */
export interface CutGroup {
  readonly body: Side;
  readonly part: number;
}

/** A segment in which a triangle meets the plane of the facet. */
interface LazySegment {
  readonly body: Side;
  readonly triangle: number;
  /** The triangle's corners are q[at…], in world doubles. */
  readonly q: Float64Array;
  readonly at: number;
  /** Where the two ends lie: k for the side that starts at corner k, 3 + k for corner k itself. */
  readonly ends: readonly [number, number];
  /** The segment, computed when first needed. */
  found: Segment | undefined;
  /** The last cell that was compared with it, and whether it passes through that cell. */
  cell: Cell | undefined;
  passes: boolean;
}

const pair = new Float64Array(18);

/** A triangle of a body projected along its axis, and the segments that cut it. */
export class CutFacet {
  readonly cuts: Cut[] = [];
  readonly groups: CutGroup[] = [];
  /** The index of each group, by twice its part, plus one for body 1. */
  readonly #groupAt = new Map<number, number>();
  /** Segments of triangles that have been added, by the number that triangles with the same corners share. */
  readonly #segments = new Map<number, LazySegment[]>();
  readonly view: FlatView;
  readonly #bodies: readonly [Placed, Placed];
  readonly #parts: readonly [Parts, Parts];
  readonly #planes: PlaneSigns;
  readonly #frame: WholeFrame;
  /** The two axes after the projection axis. */
  readonly #u: number;
  readonly #v: number;
  /**
   * Ends of cuts, by the vertices of the side they lie on, with the corners i and j of a triangle that has this side.
   */
  readonly #ends = new Map<number, KnownEnd>();

  /** How other triangles lie over the facet, computed when first needed. */
  readonly #heights = new Map<number, { readonly line: Line | undefined; readonly sign: Sign }>();

  constructor(
    readonly facet: Facet,
    readonly side: Side,
    readonly triangle: number,
    bodies: readonly [Placed, Placed],
    parts: readonly [Parts, Parts],
    planes: PlaneSigns,
    frame: WholeFrame,
  ) {
    this.#bodies = bodies;
    this.#parts = parts;
    this.#planes = planes;
    this.#frame = frame;
    this.#u = (facet.axis + 1) % 3;
    this.#v = (facet.axis + 2) % 3;
    this.view = new FlatView(frame.shifts[this.#u], frame.shifts[this.#v]);
  }

  /** The uncut triangle as a cell. */
  whole(): Cell {
    const { p } = this.facet;
    const points = this.#frame.corners(this.side, this.triangle);
    const corners = [0, 3, 6].map(at => this.#corner(p, at));
    const lines = points.map((point, i) => this.#lineThrough(point, points[(i + 1) % 3]));
    corners.forEach((corner, i) => {
      corner.on.push(lines[i].index, lines[(i + 2) % 3].index);
    });
    const inner = lines.map((line, i) => this.view.side(line, corners[(i + 2) % 3]));
    return { corners, lines, inner };
  }

  #corner(p: Float64Array, at: number): Spot {
    return this.view.spotAt(p[at + this.#u], p[at + this.#v]);
  }

  #lineThrough(from: WholePoint, to: WholePoint): Line {
    return this.view.lineThrough(from[this.#u], from[this.#v], to[this.#u], to[this.#v]);
  }

  /**
   * Adds triangle t of a body, with the corners q[at…], if it may cut the interior of the facet. `place` is the same
   * for triangles with the same corners. `q` is kept, not copied.
   */
  add(body: Side, t: number, q: Float64Array, at: number, changes: number, place: number): void {
    let segments = this.#segments.get(place);
    if (segments === undefined) {
      segments = [];
      for (const ends of this.#segmentsOf(body, t, q, at)) {
        const [found, cell, passes] = [undefined, undefined, false];
        segments.push({ body, triangle: t, q, at, ends, found, cell, passes });
      }
      this.#segments.set(place, segments);
    }
    if (segments.length === 0) return;
    const group = this.addGroup(body, t);
    for (const segment of segments) this.cuts.push({ body, triangle: t, changes, group, segment });
  }

  /** The index of the group of a triangle's part. A new group is added if needed. */
  addGroup(body: Side, t: number): number {
    let group = this.groupOf(body, t);
    if (group < 0) {
      const part = this.#parts[body].partOf[t];
      group = this.groups.push({ body, part }) - 1;
      this.#groupAt.set(2 * part + body, group);
    }
    return group;
  }

  /** The index of the group of a triangle's part, or −1 if there is none. */
  groupOf(body: Side, t: number): number {
    return this.#groupAt.get(2 * this.#parts[body].partOf[t] + body) ?? -1;
  }

  /**
   * The ends of the segments in which a triangle with the corners q[at…] may cut the interior of the facet. Signs of
   * doubles exclude triangles that stay on one side of the facet's plane, and triangles whose plane has the facet on
   * one side. Degenerate triangles have no area and separate nothing: they do not cut.
   */
  #segmentsOf(body: Side, t: number, q: Float64Array, at: number): [number, number][] {
    const { p } = this.facet;
    for (let i = 0; i < 9; i++) {
      pair[i] = p[i];
      pair[9 + i] = q[at + i];
    }
    const planes = this.#planes;
    const [n, m] = [planes.numberOf(this.side, this.triangle), planes.numberOf(body, t)];
    const h0 = planes.sign(pair, n, 0, m, 0, 9);
    const h1 = planes.sign(pair, n, 0, m, 1, 12);
    const h2 = planes.sign(pair, n, 0, m, 2, 15);
    if (h0 === 0 && h1 === 0 && h2 === 0) return this.#sidesInPlane();
    if (!straddle(h0, h1, h2)) {
      // On one side of the plane: at most a side lies in the plane, namely if two corners do.
      const inPlane = (h0 === 0 ? 1 : 0) + (h1 === 0 ? 1 : 0) + (h2 === 0 ? 1 : 0);
      if (inPlane < 2) return [];
    }
    const g0 = planes.sign(pair, m, 9, n, 0, 0);
    const g1 = planes.sign(pair, m, 9, n, 1, 3);
    const g2 = planes.sign(pair, m, 9, n, 2, 6);
    if (!straddle(g0, g1, g2)) return [];
    const heights = [h0, h1, h2];
    const ends: number[] = [];
    for (let i = 0; i < 3; i++) {
      if (heights[i] === 0) ends.push(3 + i);
      if (heights[i] * heights[(i + 1) % 3] < 0) ends.push(i);
    }
    return [[ends[0], ends[1]]];
  }

  /** The sides of the other triangle, in the facet's plane, whose lines have corners of the facet on both sides. */
  #sidesInPlane(): [number, number][] {
    const [u, v] = [this.#u, this.#v];
    const sides: [number, number][] = [];
    if (orient2dAt(pair, 9, 12, 15, u, v) === 0) return sides;
    for (let k = 0; k < 3; k++) {
      const next = (k + 1) % 3;
      const [i, j] = [9 + 3 * k, 9 + 3 * next];
      const s0 = orient2dAt(pair, i, j, 0, u, v);
      const s1 = orient2dAt(pair, i, j, 3, u, v);
      const s2 = orient2dAt(pair, i, j, 6, u, v);
      if (straddle(s0, s1, s2)) sides.push([3 + k, 3 + next]);
    }
    return sides;
  }

  /**
   * The sign of the corner at p[corner…], corner k of a body's triangle t, against the facet's plane. The facet's
   * corners are at p[0…].
   */
  cornerSign(p: Float64Array, body: Side, t: number, k: number, corner: number): Sign {
    const planes = this.#planes;
    return planes.sign(p, planes.numberOf(this.side, this.triangle), 0, planes.numberOf(body, t), k, corner);
  }

  /** The segment of a cut. */
  segment({ segment }: Cut): Segment {
    return (segment.found ??= this.#findSegment(segment));
  }

  #findSegment(segment: LazySegment): Segment {
    const { body, triangle, ends } = segment;
    const isCorner = ends[0] >= 3 && ends[1] >= 3;
    const corners = this.#frame.corners(body, triangle);
    const line = isCorner
      ? this.#lineThrough(corners[ends[0] - 3], corners[ends[1] - 3])
      : this.#lineWith(body, triangle);
    const [from, to] = [this.#end(segment, ends[0]), this.#end(segment, ends[1])];
    if (!from.on.includes(line.index)) from.on.push(line.index);
    if (!to.on.includes(line.index)) to.on.push(line.index);
    return { line, from, to };
  }

  /** Whether a cut passes through the interior of a cell. */
  passes(cell: Cell, cut: Cut): boolean {
    const { segment } = cut;
    if (segment.cell !== cell) {
      segment.cell = cell;
      segment.passes = passesThrough(this.view, cell, this.segment(cut));
    }
    return segment.passes;
  }

  /**
   * Whether the box of a cut meets a cell's box. It is the segment's box if that is known, else the box of the cutting
   * triangle.
   */
  isNear(box: CellBox, { segment }: Cut): boolean {
    const { q, at, found } = segment;
    if (found !== undefined) {
      const { from, to } = found;
      if (from.x + from.errorX < box[0] && to.x + to.errorX < box[0]) return false;
      if (from.y + from.errorY < box[1] && to.y + to.errorY < box[1]) return false;
      if (from.x - from.errorX > box[2] && to.x - to.errorX > box[2]) return false;
      return !(from.y - from.errorY > box[3] && to.y - to.errorY > box[3]);
    }
    const [u, v] = [at + this.#u, at + this.#v];
    if (q[u] < box[0] && q[3 + u] < box[0] && q[6 + u] < box[0]) return false;
    if (q[v] < box[1] && q[3 + v] < box[1] && q[6 + v] < box[1]) return false;
    if (q[u] > box[2] && q[3 + u] > box[2] && q[6 + u] > box[2]) return false;
    return !(q[v] > box[3] && q[3 + v] > box[3] && q[6 + v] > box[3]);
  }

  /** The line in which the plane of a triangle crosses the facet's. */
  #lineWith(body: Side, t: number): Line {
    const { a, b, c } = this.#heightOver(body, t);
    return this.view.line(a, b, c);
  }

  /**
   * The height of the plane of a body's triangle over the facet's plane at u, v:
   * (a·u + b·v + c)/(n·m), where n and m are the normals' components along the axis. If the plane is parallel to the
   * axis, m is 0, but a·u + b·v + c = 0 is still the planes' common line.
   */
  #heightOver(body: Side, t: number): HeightNumbers {
    const own = this.#frame.plane(this.side, this.triangle);
    const other = this.#frame.plane(body, t);
    const { axis } = this.facet;
    const [n, m] = [own.normal[axis], other.normal[axis]];
    return {
      a: own.normal[this.#u] * m - other.normal[this.#u] * n,
      b: own.normal[this.#v] * m - other.normal[this.#v] * n,
      c: own.offset * m - other.offset * n,
      sign: (signOf(n) * signOf(m)) as Sign,
    };
  }

  /**
   * Whether a body's triangle lies above the facet at a point (1), below it (−1) or in its plane
   * (0). The line along the axis through the point must cross the triangle's interior. Undefined if the triangle
   * crosses the plane exactly there.
   */
  heightAt(body: Side, t: number, spot: Spot): Sign | undefined {
    const key = 2 * t + body;
    let height = this.#heights.get(key);
    if (height === undefined) {
      const { a, b, c, sign } = this.#heightOver(body, t);
      if (a === 0n && b === 0n) height = { line: undefined, sign: (sign * signOf(c)) as Sign };
      else {
        const line = this.view.line(a, b, c);
        // The line may be a negative multiple of these numbers.
        const turned = a !== 0n ? signOf(a) * signOf(line.a) : signOf(b) * signOf(line.b);
        height = { line, sign: (sign * turned) as Sign };
      }
      this.#heights.set(key, height);
    }
    if (height.line === undefined) return height.sign;
    const side = this.view.side(height.line, spot);
    return side === 0 ? undefined : ((side * height.sign) as Sign);
  }

  /**
   * An end of a cut: the point in which a side crosses the plane, or a corner in it. The triangles on both sides of
   * that edge end there, so the point is on both their lines. It is the same object if the doubles are the same.
   */
  #end({ body, triangle, q, at }: LazySegment, end: number): Spot {
    const { indices, welds } = this.#bodies[body].shape.mesh;
    let [from, to] = end < 3 ? [end, (end + 1) % 3] : [end - 3, end - 3];
    let first = welds.vertexOf[indices[3 * triangle + from]];
    let second = welds.vertexOf[indices[3 * triangle + to]];
    if (first > second) [first, second, from, to] = [second, first, to, from];
    const key = (2 * first + body) * 2 ** 26 + second;
    const [i, j] = [at + 3 * from, at + 3 * to];
    const known = this.#ends.get(key);
    if (known && samePoints(known.q, known.i, q, i) && samePoints(known.q, known.j, q, j)) return known.spot;
    let spot: Spot;
    if (i === j) spot = this.#corner(q, i);
    else {
      const plane = this.#frame.plane(this.side, this.triangle);
      const corners = this.#frame.corners(body, triangle);
      const [start, end] = [corners[from], corners[to]];
      const [f, g] = [valueAt(plane, start), valueAt(plane, end)];
      const [u, v] = [this.#u, this.#v];
      spot = this.view.spotOf(start[u] * g - end[u] * f, start[v] * g - end[v] * f, g - f);
    }
    this.#ends.set(key, { q, i, j, spot });
    return spot;
  }

  /**
   * Whether the line along the axis through a point crosses a body's triangle, with the corners q[at…], with its normal (1),
   * against it (−1), not at all (0), or meets its edges (undefined). A triangle that projects to a point bounds nothing
   * and can be ignored: if a line meets it, the corners of its neighbours show that.
   */
  crossingAt(body: Side, t: number, q: Float64Array, at: number, spot: Spot): Sign | undefined {
    const corners = [at, at + 3, at + 6];
    const [us, vs] = [corners.map(k => q[k + this.#u]), corners.map(k => q[k + this.#v])];
    if (isBeside(us, spot.x, spot.errorX) || isBeside(vs, spot.y, spot.errorY)) return 0;
    if (us.every(x => x === us[0]) && vs.every(y => y === vs[0])) return 0;
    const turns = corners.map((_, k) => this.#turnAt(body, t, k, q, at, spot));
    if (turns.includes(1) && turns.includes(-1)) return 0;
    return turns.includes(0) ? undefined : turns[0];
  }

  /**
   * Whether a point lies to the left (1) or to the right (−1) of the side from corner k of a triangle, seen along the axis. In
   * doubles, differences, products and their difference are off by 4·2^-53 of the products' sizes. A coordinate's error
   * counts times the other difference.
   */
  #turnAt(body: Side, t: number, k: number, q: Float64Array, at: number, spot: Spot): Sign {
    const [i, j] = [at + 3 * k, at + 3 * ((k + 1) % 3)];
    const [fromU, fromV] = [q[i + this.#u], q[i + this.#v]];
    const [du, dv] = [q[j + this.#u] - fromU, q[j + this.#v] - fromV];
    const [left, right] = [du * (spot.y - fromV), dv * (spot.x - fromU)];
    const bound =
      2 ** -50 * (Math.abs(left) + Math.abs(right)) +
      1.001 * (Math.abs(du) * spot.errorY + Math.abs(dv) * spot.errorX) +
      2 ** -1000;
    if (left - right > bound) return 1;
    if (right - left > bound) return -1;
    const { u, v, w } = this.view.exact(spot);
    const corners = this.#frame.corners(body, t);
    const [from, to] = [corners[k], corners[(k + 1) % 3]];
    return signOf(
      (to[this.#u] - from[this.#u]) * (v - from[this.#v] * w) -
        (to[this.#v] - from[this.#v]) * (u - from[this.#u] * w),
    );
  }
}

/** Whether all three numbers are on one side of x, which is off by at most `error`. */
const isBeside = (three: readonly number[], x: number, error: number): boolean =>
  three.every(other => x + error < other) || three.every(other => x - error > other);

interface KnownEnd {
  readonly q: Float64Array;
  readonly i: number;
  readonly j: number;
  readonly spot: Spot;
}

const samePoints = (p: Float64Array, i: number, q: Float64Array, j: number): boolean =>
  p[i] === q[j] && p[i + 1] === q[j + 1] && p[i + 2] === q[j + 2];

interface HeightNumbers {
  readonly a: bigint;
  readonly b: bigint;
  readonly c: bigint;
  /** The sign of the denominator. */
  readonly sign: Sign;
}

const straddle = (a: Sign, b: Sign, c: Sign): boolean =>
  (a > 0 || b > 0 || c > 0) && (a < 0 || b < 0 || c < 0);
