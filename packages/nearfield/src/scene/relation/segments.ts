// The segments and points in which two surfaces meet, triangle pair by triangle pair. Ends are exact points, each
// with a number; the same point has the same number whichever pair it comes from, so that segments join.

import { orient3dAt, samePosition } from '../../math/orient.ts';
import {
  comparePoints,
  type Homogeneous,
  linePlane,
  type Plane,
  planeThrough,
  pointAt,
  samePoint,
  toDoubles,
} from '../../math/rational.ts';
import { neighboursMeet } from '../../math/triangle-neighbours.ts';
import type { Placed } from '../engine.ts';
import { type Corners, contactOf, onSegment } from './contact.ts';
import { placeCorners } from './world.ts';

/** Two numbers of points, and the pair of triangles that has the segment between them in common. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly a: number;
  readonly b: number;
}

export interface Meetings {
  /** Coordinates of the points by number, correctly rounded. */
  readonly points: readonly (readonly [number, number, number])[];
  readonly segments: readonly Segment[];
  /** Points in which triangles touch that no segment holds. */
  readonly touches: readonly Segment[];
}

/** Where the triangle pairs meet: segments once each, coplanar overlaps by their outline. */
export function meetingsOf(a: Placed, b: Placed, triangles: Uint32Array): Meetings {
  const finder = new SegmentFinder(a, b);
  for (let i = 0; i < triangles.length; i += 2) finder.add(triangles[i], triangles[i + 1]);
  return finder.finish();
}

/** The triangle of A at 0, that of B at 9. */
const p = new Float64Array(18);

class SegmentFinder {
  readonly #bodies: readonly [Placed, Placed];
  readonly #exact: Homogeneous[] = [];
  readonly #rounded: [number, number, number][] = [];
  readonly #numbers = new Map<string, number[]>();
  /** Points where an edge of one body pierces a triangle of the other, by edge and triangle. */
  readonly #piercings = new Map<string, number>();
  readonly #planes: readonly [Map<number, Plane>, Map<number, Plane>] = [new Map(), new Map()];
  readonly #crossings: Segment[] = [];
  // Pairs that touch, or meet in an edge or a corner, and coplanar ones: they are compared with one another.
  readonly #contacts: Segment[] = [];
  readonly #overlaps: { readonly points: number[]; readonly a: number; readonly b: number }[] = [];

  constructor(a: Placed, b: Placed) {
    this.#bodies = [a, b];
  }

  /** Adds what two triangles that meet have in common. */
  add(a: number, b: number): void {
    placeCorners(this.#bodies[0], a, p, 0);
    placeCorners(this.#bodies[1], b, p, 9);
    const ends = this.#pierced(a, b);
    if (ends) {
      this.#crossings.push({ from: ends[0], to: ends[1], a, b });
      return;
    }
    const shared = sharedCorners();
    if (shared.length > 0 && shared.length < 3 && !neighboursMeet(p)) {
      // All they have in common is what their common positions span.
      const ends = shared.map(at => this.#number(pointAt(p, at)));
      this.#contacts.push({ from: ends[0], to: ends[ends.length - 1], a, b });
      return;
    }
    const corners = (at: number): Corners => [pointAt(p, at), pointAt(p, at + 3), pointAt(p, at + 6)];
    const points = contactOf(corners(0), corners(9)).map(point => this.#number(point));
    if (points.length > 2) this.#overlaps.push({ points, a, b });
    else if (points.length > 0) this.#contacts.push({ from: points[0], to: points[points.length - 1], a, b });
  }

  /**
   * The two points in which edges of two triangles pierce the inside of the other one: the ends of the common
   * segment where nothing touches anything. Undefined where a corner or an edge meets the other's plane or edge.
   */
  #pierced(a: number, b: number): [number, number] | undefined {
    const ends: number[] = [];
    for (const side of [0, 1] as const) {
      const [own, other] = side === 0 ? [0, 9] : [9, 0];
      const signs = [0, 3, 6].map(i => orient3dAt(p, other, other + 3, other + 6, own + i));
      if (signs.includes(0)) return undefined;
      for (let i = 0; i < 3; i++) {
        const j = (i + 1) % 3;
        if (signs[i] === signs[j]) continue;
        const [from, to] = [own + 3 * i, own + 3 * j];
        const s0 = orient3dAt(p, from, to, other, other + 3);
        const s1 = orient3dAt(p, from, to, other + 3, other + 6);
        const s2 = orient3dAt(p, from, to, other + 6, other);
        if (s0 === 0 || s1 === 0 || s2 === 0) return undefined;
        if (s0 !== s1 || s1 !== s2) continue;
        const triangles = side === 0 ? ([a, b] as const) : ([b, a] as const);
        ends.push(this.#piercing(side, triangles[0], i, triangles[1]));
      }
    }
    return ends.length === 2 ? [ends[0], ends[1]] : undefined;
  }

  /** The point in which side i of a triangle of one body pierces a triangle of the other. */
  #piercing(side: 0 | 1, triangle: number, i: number, other: number): number {
    const { indices, welds } = this.#bodies[side].shape.mesh;
    const from = welds.vertexOf[indices[3 * triangle + i]];
    const to = welds.vertexOf[indices[3 * triangle + ((i + 1) % 3)]];
    const key = `${side},${Math.min(from, to)},${Math.max(from, to)},${other}`;
    let number = this.#piercings.get(key);
    if (number === undefined) {
      const [own, across] = side === 0 ? [0, 9] : [9, 0];
      const planes = this.#planes[1 - side];
      let plane = planes.get(other);
      if (!plane) {
        plane = planeThrough(pointAt(p, across), pointAt(p, across + 3), pointAt(p, across + 6));
        planes.set(other, plane);
      }
      const ends = [pointAt(p, own + 3 * i), pointAt(p, own + 3 * ((i + 1) % 3))];
      number = this.#number(linePlane(ends[0], ends[1], plane));
      this.#piercings.set(key, number);
    }
    return number;
  }

  #number(point: Homogeneous): number {
    const rounded = toDoubles(point);
    const key = rounded.join();
    const known = this.#numbers.get(key);
    const same = known?.find(number => samePoint(this.#exact[number], point));
    if (same !== undefined) return same;
    const number = this.#exact.push(point) - 1;
    this.#rounded.push(rounded);
    if (known) known.push(number);
    else this.#numbers.set(key, [number]);
    return number;
  }

  finish(): Meetings {
    const segments = new Map<string, Segment>();
    const held = new Set<number>();
    const keep = (segment: Segment): void => {
      held.add(segment.from).add(segment.to);
      const key = edgeKey(segment.from, segment.to);
      if (segment.from !== segment.to && !segments.has(key)) segments.set(key, segment);
    };
    const sides = this.#overlapSides();
    const split = this.#splitter(sides);
    // Sides of overlaps that occur an odd number of times are the outline; the others are inside the overlap, or on
    // an edge along which it goes on from one plane into another.
    const counts = new Map<string, number>();
    for (const side of sides) {
      for (const part of split(side)) {
        const key = edgeKey(part.from, part.to);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    for (const crossing of this.#crossings) keep(crossing);
    for (const contact of this.#contacts) {
      if (contact.from === contact.to) continue;
      for (const part of split(contact)) if (!counts.has(edgeKey(part.from, part.to))) keep(part);
    }
    for (const side of sides) {
      for (const part of split(side)) {
        if (counts.get(edgeKey(part.from, part.to))! % 2 === 1) keep(part);
        else held.add(part.from).add(part.to);
      }
    }
    const touches = new Map<number, Segment>();
    for (const contact of this.#contacts) {
      if (contact.from === contact.to && !held.has(contact.from) && !touches.has(contact.from)) {
        touches.set(contact.from, contact);
      }
    }
    return { points: this.#rounded, segments: [...segments.values()], touches: [...touches.values()] };
  }

  /** Sides of all overlaps; an overlap that occurs again, where triangles lie on one another, counts once. */
  #overlapSides(): Segment[] {
    const seen = new Set<string>();
    const sides: Segment[] = [];
    for (const { points, a, b } of this.#overlaps) {
      const key = [...points].sort((x, y) => x - y).join();
      if (seen.has(key)) continue;
      seen.add(key);
      points.forEach((from, i) => {
        sides.push({ from, to: points[(i + 1) % points.length], a, b });
      });
    }
    return sides;
  }

  /**
   * Splits a segment at the points of other contacts that lie on it. Only contacts that have a triangle in common
   * with it can have such points.
   */
  #splitter(sides: readonly Segment[]): (segment: Segment) => Segment[] {
    const [ofA, ofB] = [new Map<number, Set<number>>(), new Map<number, Set<number>>()];
    const note = (map: Map<number, Set<number>>, triangle: number, { from, to }: Segment): void => {
      let points = map.get(triangle);
      if (!points) map.set(triangle, (points = new Set()));
      points.add(from).add(to);
    };
    for (const segment of [...this.#contacts, ...sides]) {
      note(ofA, segment.a, segment);
      note(ofB, segment.b, segment);
    }
    return segment => {
      const stops = [segment.from, segment.to];
      for (const number of new Set([...ofA.get(segment.a)!, ...ofB.get(segment.b)!])) {
        if (number === segment.from || number === segment.to || !this.#mayLieOn(number, segment)) continue;
        if (onSegment(this.#exact[segment.from], this.#exact[segment.to], this.#exact[number]))
          stops.push(number);
      }
      if (stops.length === 2) return [segment];
      stops.sort((x, y) => comparePoints(this.#exact[x], this.#exact[y]));
      return stops.slice(1).map((to, i) => ({ from: stops[i], to, a: segment.a, b: segment.b }));
    };
  }

  /** Whether a point lies in the box of a segment and near its line, as far as rounded coordinates tell. */
  #mayLieOn(number: number, { from, to }: Segment): boolean {
    const [x, u, v] = [this.#rounded[number], this.#rounded[from], this.#rounded[to]];
    for (let i = 0; i < 3; i++) {
      if (x[i] < Math.min(u[i], v[i]) || x[i] > Math.max(u[i], v[i])) return false;
    }
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const [left, right] = [(x[i] - u[i]) * (v[j] - u[j]), (x[j] - u[j]) * (v[i] - u[i])];
      // Coordinates are off by 2^-53 of themselves, differences by twice that and their own rounding.
      const size = Math.abs(u[i]) + Math.abs(v[i]) + Math.abs(u[j]) + Math.abs(v[j]);
      const length = Math.abs(v[i] - u[i]) + Math.abs(v[j] - u[j]);
      if (Math.abs(left - right) > 2 ** -48 * size * (length + 2 ** -50 * size) + 2 ** -1000) return false;
    }
    return true;
  }
}

/** Offsets in p of the corners of A's triangle that are also corners of B's, each position once. */
function sharedCorners(): number[] {
  const shared: number[] = [];
  for (let i = 0; i < 9; i += 3) {
    if (shared.some(at => samePosition(p, at, i))) continue;
    if (samePosition(p, i, 9) || samePosition(p, i, 12) || samePosition(p, i, 15)) shared.push(i);
  }
  return shared;
}

const edgeKey = (from: number, to: number): string => (from < to ? `${from},${to}` : `${to},${from}`);
