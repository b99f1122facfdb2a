// The segments and points in which two surfaces meet, triangle pair by triangle pair. Ends are exact points with
// numbers. Equal points have the same number, whichever pair they come from, so that segments join.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { placeCorners, projectionAxis } from '../../bodies/snapshot/world.ts';
import { orient3dAt, samePosition } from '../../math/exact/orient.ts';
import { linePlane, type Plane, planeThrough, pointAt } from '../../math/exact/rational.ts';
import { type Corners, contactOf } from '../../math/triangles/triangle-contact.ts';
import { neighboursMeet } from '../../math/triangles/triangle-neighbours.ts';
import { flatContact } from './flat-contact.ts';
import { PointNumbers } from './point-numbers.ts';

/** The numbers of two points, and the pair of triangles that meet in the segment between them. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly a: number;
  readonly b: number;
}

export interface Meetings {
  readonly points: PointNumbers;
  readonly segments: readonly Segment[];
  /** Points in which triangles touch and that lie on no segment. */
  readonly touches: readonly Segment[];
}

/** How many pairs of triangles, or segments, are looked at between two looks at the clock. */
export const step = 128;

/**
 * The segments and points in which the triangle pairs meet. Each segment appears once; coplanar overlaps contribute
 * their outline. The points get their numbers from `numbers`. Yields the share done.
 */
export function* meetingsOf(
  a: Placed,
  b: Placed,
  triangles: Uint32Array,
  numbers = new PointNumbers(),
): Generator<number, Meetings> {
  const finder = new SegmentFinder(a, b, numbers);
  for (let i = 0; i < triangles.length; i += 2) {
    if (i % (2 * step) === 0) yield (0.6 * i) / triangles.length;
    finder.add(triangles[i], triangles[i + 1]);
  }
  return yield* finder.finish();
}

/** Scratch memory: the triangle of A at 0, that of B at 9. */
const p = new Float64Array(18);

class SegmentFinder {
  readonly #bodies: readonly [Placed, Placed];
  readonly #numbers: PointNumbers;
  /** Points in which an edge of one body pierces a triangle of the other, by edge and triangle. */
  readonly #piercings = new Map<string, number>();
  /** Edge numbers of either body by the edges' ends, and points in which two edges cross by the edges' numbers. */
  readonly #edges: readonly [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  readonly #sideCrossings = new Map<number, number>();
  readonly #planes: readonly [Map<number, Plane>, Map<number, Plane>] = [new Map(), new Map()];
  readonly #crossings: Segment[] = [];
  // Pairs that touch or meet in an edge or a corner, and coplanar ones. They have to be compared with each other.
  readonly #contacts: Segment[] = [];
  readonly #overlaps: { readonly points: number[]; readonly a: number; readonly b: number }[] = [];

  constructor(a: Placed, b: Placed, numbers: PointNumbers) {
    this.#bodies = [a, b];
    this.#numbers = numbers;
  }

  /** Adds the intersection of two triangles that meet. */
  add(a: number, b: number): void {
    placeCorners(this.#bodies[0], a, p, 0);
    placeCorners(this.#bodies[1], b, p, 9);
    const shared = sharedCorners();
    const ends = shared.length === 0 ? this.#pierced(a, b) : undefined;
    if (ends) {
      this.#crossings.push({ from: ends[0], to: ends[1], a, b });
      return;
    }
    if (shared.length > 0 && shared.length < 3 && !neighboursMeet(p)) {
      // The intersection is what their common positions span.
      const ends = shared.map(at => this.#numbers.ofDoubles(p, at));
      this.#contacts.push({ from: ends[0], to: ends[ends.length - 1], a, b });
      return;
    }
    const points = this.#contact(a, b);
    if (points.length > 2) this.#overlaps.push({ points, a, b });
    else if (points.length > 0) this.#contacts.push({ from: points[0], to: points[points.length - 1], a, b });
  }

  /** The point numbers of the triangles' intersection. */
  #contact(a: number, b: number): number[] {
    const [axisA, axisB] = [projectionAxis(p, 0), projectionAxis(p, 9)];
    if (axisA >= 0 && axisB >= 0) {
      const ofB = cornersInPlane(0, 9);
      if (ofB >= 0) return this.#flatContact(1, b, ofB, a, axisA);
      const ofA = cornersInPlane(9, 0);
      if (ofA >= 0) return this.#flatContact(0, a, ofA, b, axisB);
    }
    const corners = (at: number): Corners => [pointAt(p, at), pointAt(p, at + 3), pointAt(p, at + 6)];
    return contactOf(corners(0), corners(9)).map(point => this.#numbers.ofExact(point));
  }

  /**
   * The same if a triangle of one body has some corners in the plane of the other's triangle, and the rest on one side
   * of it.
   */
  #flatContact(body: 0 | 1, triangle: number, inPlane: number, other: number, axis: number): number[] {
    const own = 9 * body;
    // The triangles are known to meet. If only one corner lies in the plane, they meet there.
    if (inPlane === 1 || inPlane === 2 || inPlane === 4) {
      return [this.#numbers.ofDoubles(p, own + 3 * (inPlane >> 1))];
    }
    return flatContact(p, own, inPlane, 9 - own, axis, this.#numbers, (side, edge, find) => {
      const sides = [this.#edgeNumber(body, triangle, side), this.#edgeNumber(1 - body, other, edge)];
      const key = sides[body] * 2 ** 26 + sides[1 - body];
      let number = this.#sideCrossings.get(key);
      if (number === undefined) this.#sideCrossings.set(key, (number = this.#numbers.ofExact(find())));
      return number;
    });
  }

  /**
   * A number for side i of a triangle. Sides with the same two ends have the same number. There are fewer than 2^26.
   */
  #edgeNumber(body: number, triangle: number, i: number): number {
    const { indices, welds } = this.#bodies[body].shape.mesh;
    const from = welds.vertexOf[indices[3 * triangle + i]];
    const to = welds.vertexOf[indices[3 * triangle + ((i + 1) % 3)]];
    const edges = this.#edges[body];
    const key = Math.min(from, to) * welds.vertexOf.length + Math.max(from, to);
    let number = edges.get(key);
    if (number === undefined) edges.set(key, (number = edges.size));
    return number;
  }

  /**
   * The two points in which edges of the two triangles pierce the interior of the other one. They are the ends of the
   * common segment in the general case. Undefined if a corner meets the other's plane or an edge meets an edge.
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
      number = this.#numbers.ofExact(linePlane(ends[0], ends[1], plane));
      this.#piercings.set(key, number);
    }
    return number;
  }

  *finish(): Generator<number, Meetings> {
    const count = this.#numbers.count;
    const keyOf = ({ from, to }: Segment): number => (from < to ? from * count + to : to * count + from);
    const segments = new Map<number, Segment>();
    const held = new Set<number>();
    const keep = (segment: Segment): void => {
      held.add(segment.from).add(segment.to);
      const key = keyOf(segment);
      if (segment.from !== segment.to && !segments.has(key)) segments.set(key, segment);
    };
    const sides = this.#overlapSides();
    const split = this.#splitter(sides);
    const parts: Segment[] = [];
    for (const [i, side] of sides.entries()) {
      if (i % step === 0) yield 0.6 + (0.2 * i) / sides.length;
      parts.push(...split(side));
    }
    // Sides of overlaps that occur an odd number of times form the outline. The others lie inside the overlap, or on an
    // edge across which it continues in another plane.
    const counts = new Map<number, number>();
    for (const part of parts) counts.set(keyOf(part), (counts.get(keyOf(part)) ?? 0) + 1);
    for (const crossing of this.#crossings) keep(crossing);
    for (const [i, contact] of this.#contacts.entries()) {
      if (i % step === 0) yield 0.8 + (0.2 * i) / this.#contacts.length;
      if (contact.from === contact.to) continue;
      // Most contacts of coincident surfaces are sides of overlaps.
      if (counts.has(keyOf(contact))) continue;
      for (const part of split(contact)) if (!counts.has(keyOf(part))) keep(part);
    }
    for (const part of parts) {
      if (counts.get(keyOf(part))! % 2 === 1) keep(part);
      else held.add(part.from).add(part.to);
    }
    const touches = new Map<number, Segment>();
    for (const contact of this.#contacts) {
      if (contact.from === contact.to && !held.has(contact.from) && !touches.has(contact.from)) {
        touches.set(contact.from, contact);
      }
    }
    return { points: this.#numbers, segments: [...segments.values()], touches: [...touches.values()] };
  }

  /** The sides of all overlaps. An overlap that occurs several times, because triangles coincide, counts once. */
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
   * Splits a segment at the points of other contacts that lie on it. Only contacts that share a triangle with it can
   * have such points.
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
    const numbers = this.#numbers;
    return segment => {
      const { from, to, a, b } = segment;
      const stops = [from, to];
      const [inA, inB] = [ofA.get(a)!, ofB.get(b)!];
      const stopAt = (number: number): void => {
        if (number !== from && number !== to && numbers.isBetween(number, from, to)) stops.push(number);
      };
      for (const number of inA) stopAt(number);
      for (const number of inB) if (!inA.has(number)) stopAt(number);
      if (stops.length === 2) return [segment];
      stops.sort((x, y) => numbers.compare(x, y));
      return stops.slice(1).map((end, i) => ({ from: stops[i], to: end, a, b }));
    };
  }
}

/**
 * Which corners of the triangle at `other`, as bits, lie in the plane of the triangle at `at`; −1 if it has corners on
 * both sides of the plane.
 */
function cornersInPlane(at: number, other: number): number {
  let [inPlane, above, below] = [0, false, false];
  for (let k = 0; k < 3; k++) {
    const sign = orient3dAt(p, at, at + 3, at + 6, other + 3 * k);
    if (sign === 0) inPlane |= 1 << k;
    else if (sign > 0) below = true;
    else above = true;
  }
  return above && below ? -1 : inPlane;
}

/** Offsets in p of the corners of A's triangle that are also corners of B's triangle, each position once. */
function sharedCorners(): number[] {
  const shared: number[] = [];
  for (let i = 0; i < 9; i += 3) {
    if (shared.some(at => samePosition(p, at, i))) continue;
    if (samePosition(p, i, 9) || samePosition(p, i, 12) || samePosition(p, i, 15)) shared.push(i);
  }
  return shared;
}
