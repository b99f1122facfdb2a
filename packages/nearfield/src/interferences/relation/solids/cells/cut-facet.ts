// A triangle (flat-view.ts), and the segments in which other triangles cut it. Exact. The numbers of a segment are
// computed only when a cell is compared with it (cell.ts).

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { orient2dAt, type Sign, samePosition } from '../../../../math/exact/orient.ts';
import { signOf } from '../../../../math/exact/rational.ts';
import type { PlaneSigns } from '../../../curves/plane-signs.ts';
import { valueAt, type WholeFrame, type WholePoint } from '../../../curves/whole-frame.ts';
import type { Facet } from '../facet.ts';
import type { Side } from '../kinds.ts';
import type { Parts } from '../parts/parts.ts';
import { type Cell, type CellBox, passesThrough, type Segment } from './cell.ts';
import {
  areFine,
  dotProduct,
  exactSpot,
  FlatView,
  type Line,
  type Near,
  nearSign,
  nearTriple,
  type Spot,
  type Triple,
} from './flat-view.ts';
import { planeValues, turnValues } from './values.ts';

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

/** The values of another triangle's plane at the facet's corners. */
interface Values {
  readonly near: Near;
  /** In whole numbers, computed when first needed. */
  exact: Triple | undefined;
}

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

  /** The values of other triangles' planes at the facet's corners, by twice the triangle, plus one for body 1. */
  readonly #values = new Map<number, Values>();
  /** The facet's corners, projected: two numbers each. */
  readonly #flat: Float64Array;

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
    this.#flat = Float64Array.from([0, 3, 6].flatMap(at => [facet.p[at + this.#u], facet.p[at + this.#v]]));
    this.view = new FlatView(this.#flat);
  }

  /** The uncut triangle as a cell. */
  whole(): Cell {
    const { corners, sides } = this.view;
    return { corners, lines: sides, inner: [1, 1, 1] };
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
    const { body, triangle, q, at, ends } = segment;
    const [from, to] = [this.#end(segment, ends[0]), this.#end(segment, ends[1])];
    const known = this.view.lineThrough(from, to);
    if (known) return { line: known, from, to };
    const isCorner = ends[0] >= 3 && ends[1] >= 3;
    const line = isCorner
      ? this.#lineThrough(body, triangle, ends[0] - 3, ends[1] - 3, q, at)
      : this.#lineWith(body, triangle, q, at);
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
  #lineWith(body: Side, t: number, q: Float64Array, at: number): Line {
    const values = this.#valuesOf(body, t, q, at);
    return this.view.line(values.near, () => this.#exactValues(values, body, t));
  }

  /** The line through corners i and j of a triangle in the facet's plane. */
  #lineThrough(body: Side, t: number, i: number, j: number, q: Float64Array, at: number): Line {
    turnValues(q, at + 3 * i, at + 3 * j, this.#u, this.#v, this.#flat, turns, 0);
    const [f0, f1, f2, e0, e1, e2] = turns;
    return this.view.line([f0, f1, f2, e0, e1, e2], () => this.#turnsOf(body, t, i, j));
  }

  /** Whether the facet's corners lie to the left of the line from corner i to corner j of a triangle, and how far. */
  #turnsOf(body: Side, t: number, i: number, j: number): Triple {
    const corners = this.#frame.corners(body, t);
    const [a, b, c] = this.#corners;
    const [from, to] = [corners[i], corners[j]];
    return [this.#turn(from, to, a), this.#turn(from, to, b), this.#turn(from, to, c)];
  }

  /** The facet's corners as whole numbers. */
  get #corners(): readonly [WholePoint, WholePoint, WholePoint] {
    return this.#frame.corners(this.side, this.triangle);
  }

  /** Positive if three points run counter-clockwise, seen along the axis. */
  #turn(a: WholePoint, b: WholePoint, c: WholePoint): bigint {
    const [u, v] = [this.#u, this.#v];
    return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
  }

  /** How far the facet's corners are above the plane of a triangle with the corners q[at…]. */
  #valuesOf(body: Side, t: number, q: Float64Array, at: number): Values {
    const key = 2 * t + body;
    let values = this.#values.get(key);
    if (values === undefined) {
      const near = planeValues(q, at, this.facet.p);
      values = { near, exact: undefined };
      if (!areFine(near, 0)) {
        const exact = this.#exactValues(values, body, t);
        values = { near: nearTriple(exact), exact };
      }
      this.#values.set(key, values);
    }
    return values;
  }

  #exactValues(values: Values, body: Side, t: number): Triple {
    if (values.exact === undefined) {
      const plane = this.#frame.plane(body, t);
      const [a, b, c] = this.#corners;
      values.exact = [valueAt(plane, a), valueAt(plane, b), valueAt(plane, c)];
    }
    return values.exact;
  }

  /**
   * Whether a triangle with the corners q[at…] lies above the facet at a point (1) or below it (−1). The line along the
   * axis through the point must cross the triangle's interior, with its normal (`crossing` 1) or against it (−1). Undefined
   * if the triangle crosses the facet's plane exactly there.
   */
  heightAt(body: Side, t: number, q: Float64Array, at: number, spot: Spot, crossing: Sign): Sign | undefined {
    const values = this.#valuesOf(body, t, q, at);
    const above =
      nearSign(values.near, 0, spot.near) ||
      signOf(dotProduct(this.#exactValues(values, body, t), exactSpot(spot)));
    // The triangle is below the facet if the facet is above it, on the side to which its normal points.
    return above === 0 ? undefined : ((-above * crossing) as Sign);
  }

  /**
   * An end of a cut: the point in which a side crosses the plane, or a corner in it. The triangles on both sides of
   * that edge end there, so the point is on both their lines. It is the same object if the doubles are the same.
   */
  #end({ body, triangle, q, at }: LazySegment, end: number): Spot {
    let [from, to] = end < 3 ? [end, (end + 1) % 3] : [end - 3, end - 3];
    let [first, second] = [this.#vertexOf(body, triangle, from), this.#vertexOf(body, triangle, to)];
    if (first > second) [first, second, from, to] = [second, first, to, from];
    const key = first * 2 ** 26 + second;
    const [i, j] = [at + 3 * from, at + 3 * to];
    const known = this.#ends.get(key);
    if (known && samePosition(known.q, known.i, i, q) && samePosition(known.q, known.j, j, q))
      return known.spot;
    const corners = this.#frame.corners(body, triangle);
    const spot =
      i === j ? this.view.spotOf(this.#weightsOf(corners[from])) : this.#crossing(corners[from], corners[to]);
    this.#ends.set(key, { q, i, j, spot });
    return spot;
  }

  /** A number that corners share if they are at the same position: those of both bodies, or else those of each. */
  #vertexOf(body: Side, t: number, k: number): number {
    const vertex = this.#planes.vertexOf(this.#planes.numberOf(body, t), k);
    if (vertex !== undefined) return vertex;
    const { indices, welds } = this.#bodies[body].shape.mesh;
    return 2 * welds.vertexOf[indices[3 * t + k]] + body;
  }

  /** The weights of a point's projection at the facet's corners, times twice the facet's area. */
  #weightsOf(point: WholePoint): Triple {
    const [a, b, c] = this.#corners;
    return [this.#turn(b, c, point), this.#turn(c, a, point), this.#turn(a, b, point)];
  }

  /** The point in which a line through two points on different sides of the facet's plane crosses it. */
  #crossing(from: WholePoint, to: WholePoint): Spot {
    const plane = this.#frame.plane(this.side, this.triangle);
    const [f, g] = [valueAt(plane, from), valueAt(plane, to)];
    const [start, end] = [this.#weightsOf(from), this.#weightsOf(to)];
    return this.view.spotOf([
      start[0] * g - end[0] * f,
      start[1] * g - end[1] * f,
      start[2] * g - end[2] * f,
    ]);
  }

  /**
   * Writes the values of the three sides of a triangle with the corners q[at…] at the facet's corners to out[to…], six
   * numbers per side. They are 0, without an error, for a side that projects to a point.
   */
  sideValues(body: Side, t: number, q: Float64Array, at: number, out: Float64Array, to: number): void {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [at + 3 * k, at + 3 * ((k + 1) % 3)];
      if (q[i + this.#u] === q[j + this.#u] && q[i + this.#v] === q[j + this.#v]) {
        out.fill(0, to + 6 * k, to + 6 * k + 6);
        continue;
      }
      turnValues(q, i, j, this.#u, this.#v, this.#flat, out, to + 6 * k);
      if (!areFine(out, to + 6 * k)) out.set(nearTriple(this.#turnsOf(body, t, k, (k + 1) % 3)), to + 6 * k);
    }
  }

  /** Whether a point lies to the left (1) or to the right (−1) of the side from corner k, whose values are at values[at…]. */
  turnAt(values: Float64Array, at: number, body: Side, t: number, k: number, spot: Spot): Sign {
    const sign = nearSign(values, at, spot.near);
    if (sign !== 0 || values[at + 3] === 0) return sign;
    return signOf(dotProduct(this.#turnsOf(body, t, k, (k + 1) % 3), exactSpot(spot)));
  }
}

/** Scratch memory: values at the facet's corners, and their errors. */
const turns = new Float64Array(6);

interface KnownEnd {
  readonly q: Float64Array;
  readonly i: number;
  readonly j: number;
  readonly spot: Spot;
}

const straddle = (a: Sign, b: Sign, c: Sign): boolean =>
  (a > 0 || b > 0 || c > 0) && (a < 0 || b < 0 || c < 0);
