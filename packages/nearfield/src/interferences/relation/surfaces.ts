// Do two surfaces, one or both of which are open, cross or only touch? They cross if near some common point one of them
// has points in two or more of the regions into which the other divides a small ball (link.ts). The configuration in
// the ball changes only along the boundaries of the intersections of triangle pairs, and along those only where two
// such boundaries meet. So it is enough to test those points, and one point between every two of them.
//
// That is exact but slow. So triangle pairs are first classified by signs of doubles. A pair that crosses with no third
// triangle involved decides the question. If a plane weakly separates everything that meets a pair, there is no
// crossing on that pair.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { boxesShareNoVolume, placeCorners, projectionAxis, worldBox } from '../../bodies/snapshot/world.ts';
import { type Box, boxesMeet } from '../../math/box.ts';
import { orient3dAt } from '../../math/exact/orient.ts';
import {
  compareAlong,
  cross,
  dot,
  fromTo,
  type Homogeneous,
  isZero,
  linePlane,
  mix,
  planeThrough,
  pointAt,
  reduced,
  samePoint,
  toDoubles,
} from '../../math/exact/rational.ts';
import {
  type Corners,
  contactOf,
  holdsPoint,
  onSegment,
  unitDirections,
} from '../../math/triangles/triangle-contact.ts';
import { boxAround, compareNear, longestAxis, mayMeet, type Near, nearDoubles } from '../curves/near.ts';
import { crossCleanly } from './clean-crossing.ts';
import { copyOf } from './copies.ts';
import { crossesAt } from './link.ts';
import type { Relation } from './relation.ts';

/** The relation of two bodies that are not both solid, given every pair of triangles that meet. */
export function relationOfSurfaces(a: Placed, b: Placed, triangles: Uint32Array): Relation {
  if (triangles.length === 0) return 'separate';
  if (crossCleanly(a, b, triangles)) return 'crossing';
  if (boxesShareNoVolume(worldBox(a), worldBox(b))) return 'touching';
  // If one is a copy of the other, every point of one is on the other.
  if (copyOf(a, b, triangles.length / 2)) return 'touching';
  return new SurfacePair(a, b, triangles).cross() ? 'crossing' : 'touching';
}

/** The intersection of two triangles: a point, or the sides of a segment or polygon. */
interface Contact {
  readonly points: readonly Homogeneous[];
  readonly sides: readonly Side[];
}

interface Side {
  readonly from: Homogeneous;
  readonly to: Homogeneous;
  /** The ends, approximately, in doubles. */
  readonly near: readonly [Near, Near];
  /** A box that contains it. */
  readonly box: Box;
}

/** A triangle that meets the other surface. */
interface Meeting {
  /** Nine world doubles. */
  readonly p: Float64Array;
  readonly degenerate: boolean;
  /** Triangles of the other surface that it meets. */
  readonly partners: Meeting[];
  /** The same corners exactly, computed when first needed. */
  corners: Corners | undefined;
  /** The intersections with some of the partners, computed when first needed. */
  readonly contacts: Map<Meeting, Contact>;
  /** On which sides of its own plane its partners lie, computed when first needed. */
  partnerSides: number | undefined;
}

class SurfacePair {
  readonly #pairs: [Meeting, Meeting][] = [];
  readonly #examined = new Map<string, Homogeneous[]>();

  constructor(a: Placed, b: Placed, triangles: Uint32Array) {
    const [inA, inB] = [new Map<number, Meeting>(), new Map<number, Meeting>()];
    for (let i = 0; i < triangles.length; i += 2) {
      const t = meetingOf(inA, a, triangles[i]);
      const u = meetingOf(inB, b, triangles[i + 1]);
      t.partners.push(u);
      u.partners.push(t);
      this.#pairs.push([t, u]);
    }
  }

  cross(): boolean {
    return this.#pairs.some(([t, u]) => !areSeparated(t, u) && this.#crossOn(t, u));
  }

  /** Whether the surfaces cross at a point on the boundary of two triangles' intersection. */
  #crossOn(t: Meeting, u: Meeting): boolean {
    const contact = contactBetween(t, u);
    if (contact.points.length === 1) return this.#crossAt(contact.points[0], t, u);
    return contact.sides.some(side => {
      const stops = stopsOn(side, t, u);
      return (
        stops.some(stop => this.#crossAt(stop, t, u)) ||
        stops.some((stop, i) => i > 0 && this.#crossAt(mix([stops[i - 1], stop]), t, u))
      );
    });
  }

  #crossAt(point: Homogeneous, t: Meeting, u: Meeting): boolean {
    const near = toDoubles(point);
    const key = near.join();
    const examined = this.#examined.get(key);
    if (examined?.some(other => samePoint(other, point))) return false;
    if (examined) examined.push(point);
    else this.#examined.set(key, [point]);
    // A triangle of A that contains the point meets u there, and a triangle of B meets t there.
    const inA = u.partners.filter(other => mayHold(other, near) && holdsPoint(cornersOf(other), point));
    const inB = t.partners.filter(other => mayHold(other, near) && holdsPoint(cornersOf(other), point));
    if ([...inA, ...inB].some(({ p, degenerate }) => !degenerate && separates(p, inA, inB))) return false;
    return crossesAt(reduced(point), inA.map(cornersOf), inB.map(cornersOf));
  }
}

function meetingOf(known: Map<number, Meeting>, body: Placed, triangle: number): Meeting {
  let meeting = known.get(triangle);
  if (!meeting) {
    const p = new Float64Array(9);
    placeCorners(body, triangle, p, 0);
    meeting = {
      p,
      degenerate: projectionAxis(p, 0) < 0,
      partners: [],
      corners: undefined,
      contacts: new Map(),
      partnerSides: undefined,
    };
    known.set(triangle, meeting);
  }
  return meeting;
}

const cornersOf = (meeting: Meeting): Corners =>
  (meeting.corners ??= [pointAt(meeting.p, 0), pointAt(meeting.p, 3), pointAt(meeting.p, 6)]);

function contactBetween(t: Meeting, u: Meeting): Contact {
  let contact = t.contacts.get(u);
  if (!contact) {
    const points = contactOf(cornersOf(t), cornersOf(u));
    contact = { points, sides: sidesOf(points) };
    t.contacts.set(u, contact);
    u.contacts.set(t, contact);
  }
  return contact;
}

/** Whether a triangle's box may contain the exact point that was rounded to these doubles. */
function mayHold({ p }: Meeting, near: readonly number[]): boolean {
  return near.every((x, axis) => {
    const slack = 2 ** -52 * Math.abs(x) + Number.MIN_VALUE;
    const low = Math.min(p[axis], p[3 + axis], p[6 + axis]);
    const high = Math.max(p[axis], p[3 + axis], p[6 + axis]);
    return x + slack >= low && x - slack <= high;
  });
}

const pair = new Float64Array(18);

// Bits for the sides of a plane on which something has points.
const below = 1;
const above = 2;

function sidesAgainst(p: Float64Array, triangles: readonly Meeting[]): number {
  pair.set(p);
  let sides = 0;
  for (const { p: q } of triangles) {
    pair.set(q, 9);
    for (let corner = 9; corner < 18; corner += 3) {
      const sign = orient3dAt(pair, 0, 3, 6, corner);
      if (sign !== 0) sides |= sign > 0 ? below : above;
    }
    if (sides === (below | above)) break;
  }
  return sides;
}

/** Whether they have no side in common, and neither is on both sides. */
const lieApart = (sides: number, otherSides: number): boolean =>
  (sides & otherSides) === 0 && sides !== (below | above) && otherSides !== (below | above);

/** Whether the two groups lie in different closed half-spaces of p's plane. */
const separates = (p: Float64Array, a: readonly Meeting[], b: readonly Meeting[]): boolean =>
  lieApart(sidesAgainst(p, a), sidesAgainst(p, b));

/**
 * Whether, for the plane of one of two triangles, everything of A that meets u is in one closed half-space, and
 * everything of B that meets t is in the other. Then the surfaces cross at no common point of the two. The reason: at
 * such a point an open half-ball is free of B. Every point of A that is not on B is in that half-ball or on its border.
 * So they all lie in one region. The same holds with A and B swapped.
 */
function areSeparated(t: Meeting, u: Meeting): boolean {
  return isSeparatedBy(t, u) || isSeparatedBy(u, t);
}

function isSeparatedBy(own: Meeting, other: Meeting): boolean {
  if (own.degenerate) return false;
  own.partnerSides ??= sidesAgainst(own.p, own.partners);
  if (own.partnerSides === (below | above)) return false;
  return lieApart(own.partnerSides, sidesAgainst(own.p, other.partners));
}

/** The sides of a polygon, or the single side of a segment. */
function sidesOf(points: readonly Homogeneous[]): Side[] {
  const near = points.map(nearDoubles);
  const sides: Side[] = [];
  for (let i = points.length > 2 ? 0 : 1; i < points.length; i++) {
    const last = (i + points.length - 1) % points.length;
    const ends = [near[last], near[i]] as const;
    sides.push({ from: points[last], to: points[i], near: ends, box: boxAround(ends) });
  }
  return sides;
}

/**
 * The points at which the configuration may change along a side of t and u's intersection, in order, including its
 * ends.
 */
function stopsOn(side: Side, t: Meeting, u: Meeting): Homogeneous[] {
  const { from, to, near } = side;
  const stops = [from, to];
  const others = [
    ...t.partners.map(other => contactBetween(t, other)),
    ...u.partners.map(other => contactBetween(other, u)),
  ];
  for (const { points, sides } of others) {
    if (points.length === 1 && onSegment(from, to, points[0])) stops.push(points[0]);
    for (const other of sides) {
      if (other === side || !boxesMeet(side.box, other.box)) continue;
      if (mayMeet(near[0], near[1], other.near[0], other.near[1])) {
        addMeetings(from, to, other.from, other.to, stops);
      }
    }
  }
  const axis = longestAxis(near[0], near[1]);
  const order = stops
    .map(point => ({ point, near: nearDoubles(point) }))
    .sort(
      (x, y) => compareNear(x.near, y.near, axis) || compareAlong(unitDirections[axis], x.point, y.point),
    );
  return order
    .filter(
      (x, i) =>
        i === 0 ||
        compareNear(x.near, order[i - 1].near, axis) !== 0 ||
        !samePoint(x.point, order[i - 1].point),
    )
    .map(({ point }) => point);
}

/** Appends the point in which the segment pq meets rs, or the ends of rs that lie on pq if they are collinear. */
function addMeetings(
  p: Homogeneous,
  q: Homogeneous,
  r: Homogeneous,
  s: Homogeneous,
  out: Homogeneous[],
): void {
  const normal = cross(fromTo(p, q), fromTo(r, s));
  if (isZero(normal)) {
    for (const end of [r, s]) if (onSegment(p, q, end)) out.push(end);
    return;
  }
  if (dot(normal, fromTo(p, r)) !== 0n) return;
  const point = linePlane(p, q, planeThrough(r, s, normal));
  if (onSegment(p, q, point) && onSegment(r, s, point)) out.push(point);
}
