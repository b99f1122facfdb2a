// Do two surfaces, one or both of which are open, cross or only touch? They cross if near some common point one of them
// has points in two or more of the regions into which the other divides a small ball (link.ts). The configuration in
// the ball changes only along the boundaries of the intersections of triangle pairs, and along those only where two
// such boundaries meet. So it is enough to test those points, and one point between every two of them.
//
// That is exact but slow. So triangle pairs are first classified by signs of doubles. A pair that crosses with no third
// triangle involved decides the question. If a plane weakly separates everything that meets a pair, there is no
// crossing on that pair.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import {
  boxesShareNoVolume,
  cornersBox,
  placeCorners,
  projectionAxis,
  worldBox,
} from '../../bodies/snapshot/world.ts';
import { type Box, boxesMeet } from '../../math/box.ts';
import {
  compareAlong,
  cross,
  dot,
  fromTo,
  type Homogeneous,
  isZero,
  linePlane,
  planeThrough,
  pointAt,
  samePoint,
  toDoubles,
  withoutTwos,
} from '../../math/exact/rational.ts';
import {
  type Corners,
  contactOfHulls,
  Hull,
  onSegment,
  outside,
  unitDirections,
} from '../../math/triangles/triangle-contact.ts';
import { boxAround, compareNear, longestAxis, mayMeet } from '../curves/near.ts';
import { PlaneSigns } from '../curves/plane-signs.ts';
import { crossCleanly } from './clean-crossing.ts';
import { copyOf } from './copies.ts';
import { type Around, crossesAt } from './link.ts';
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

/** An exact point. Equal points are one object. */
interface Point {
  readonly number: number;
  readonly exact: Homogeneous;
  /** The nearest doubles. */
  readonly near: readonly [number, number, number];
  /** The triangles of each surface that contain it, found when first needed. The surfaces are known not to cross there. */
  around: readonly [Triangle[], Triangle[]] | undefined;
}

/** A triangle that contains a point, and where in it that lies. */
interface Triangle extends Around {
  readonly meeting: Meeting;
}

/** The intersection of two triangles: a point, or the sides of a segment or polygon. */
interface Contact {
  readonly points: readonly Point[];
  readonly sides: readonly Side[];
  /** A box that contains it. */
  readonly box: Box;
}

/** A side of a contact. Sides with equal ends are one object. */
interface Side {
  readonly from: Point;
  readonly to: Point;
  /** A box that contains it. */
  readonly box: Box;
  /** Whether the surfaces are known not to cross at any of its points. */
  examined: boolean;
}

/** A triangle that meets the other surface. */
interface Meeting {
  /** Its number in `PlaneSigns`, and the signs of all corners against all planes. */
  readonly number: number;
  readonly planes: PlaneSigns;
  /** Nine world doubles. */
  readonly p: Float64Array;
  readonly box: Box;
  readonly degenerate: boolean;
  /** Triangles of the other surface that it meets. */
  readonly partners: Meeting[];
  /** The same corners exactly, computed when first needed. */
  corners: Corners | undefined;
  hull: Hull | undefined;
  /** The intersections with some of the partners, computed when first needed. */
  readonly contacts: Map<Meeting, Contact>;
  /** On which sides of its own plane other triangles lie, computed when first needed. */
  readonly sidesOf: Map<Meeting, number>;
  /** On which sides of its own plane its partners lie, computed when first needed. */
  partnerSides: number | undefined;
  /** Whether no partner has an area, computed when first needed. */
  meetsNoArea: boolean | undefined;
}

class SurfacePair {
  readonly #pairs: [Meeting, Meeting][] = [];
  /** Points by their nearest doubles, and sides by the numbers of their ends, the lower first. */
  readonly #points = new Map<string, Point[]>();
  readonly #pointOf = new Map<Homogeneous, Point>();
  readonly #sides = new Map<string, Side>();
  /** What lies between two points next to each other on a side, by their numbers, where they do not cross. */
  readonly #between = new Set<string>();
  #pointCount = 0;

  constructor(a: Placed, b: Placed, triangles: Uint32Array) {
    const [inA, inB] = [new Map<number, Meeting>(), new Map<number, Meeting>()];
    const planes = new PlaneSigns([a, b]);
    for (let i = 0; i < triangles.length; i += 2) {
      const t = meetingOf(inA, a, triangles[i], planes, 0);
      const u = meetingOf(inB, b, triangles[i + 1], planes, 1);
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
    const { points, sides } = this.#contactBetween(t, u);
    if (points.length === 1) return this.#crossAt(points[0], u.partners, t.partners);
    return sides.some(side => {
      if (side.examined) return false;
      side.examined = true;
      // A triangle of A that contains a point of the side meets u there, and a triangle of B meets t there.
      const nearA = u.partners.filter(({ box }) => boxesMeet(box, side.box));
      const nearB = t.partners.filter(({ box }) => boxesMeet(box, side.box));
      if (lieApart(nearA, nearB)) return false;
      const inA = nearA.filter(other => boxesMeet(this.#contactBetween(other, u).box, side.box));
      const inB = nearB.filter(other => boxesMeet(this.#contactBetween(t, other).box, side.box));
      if (lieApart(inA, inB)) return false;
      const contacts = [
        ...inA.map(other => this.#contactBetween(other, u)),
        ...inB.map(other => this.#contactBetween(t, other)),
      ];
      return this.#crossAlong(side, inA, inB, contacts);
    });
  }

  /**
   * Whether they cross at a point of a side, given some triangles of each, among them all that contain a point of it, and
   * all contacts that meet it.
   */
  #crossAlong(
    side: Side,
    a: readonly Meeting[],
    b: readonly Meeting[],
    contacts: readonly Contact[],
  ): boolean {
    const stops = this.#stopsOn(side, contacts);
    return (
      stops.some(stop => this.#crossAt(stop, a, b)) ||
      stops.some((stop, i) => i > 0 && this.#crossBetween(stops[i - 1], stop))
    );
  }

  /** Whether they cross at a point, given some triangles of each, among them all that contain it. */
  #crossAt(point: Point, a: readonly Meeting[], b: readonly Meeting[]): boolean {
    if (point.around) return false;
    const around = [trianglesAround(point, a), trianglesAround(point, b)] as const;
    point.around = around;
    return crossAmong(...around);
  }

  /**
   * Whether they cross between two points next to each other on a side, at which they do not. Nothing changes between
   * them. So a triangle contains what lies between if it contains both, and has it on a side if it has both there.
   */
  #crossBetween(from: Point, to: Point): boolean {
    const key = keyOf(from, to);
    if (this.#between.has(key)) return false;
    this.#between.add(key);
    const [inA, inB] = ([0, 1] as const).map(side => {
      const places = new Map(to.around![side].map(({ meeting, place }) => [meeting, place]));
      return from.around![side].flatMap(({ meeting, hull, place }) => {
        const other = places.get(meeting);
        return other === undefined ? [] : [{ meeting, hull, place: place & other }];
      });
    });
    return crossAmong(inA, inB);
  }

  #contactBetween(t: Meeting, u: Meeting): Contact {
    let contact = t.contacts.get(u);
    if (!contact) {
      const points = contactOfHulls(hullOf(t), hullOf(u)).map(point => this.#pointAt(point));
      contact = { points, sides: this.#sidesOf(points), box: boxAround(points.map(({ near }) => near)) };
      t.contacts.set(u, contact);
      u.contacts.set(t, contact);
    }
    return contact;
  }

  #pointAt(exact: Homogeneous): Point {
    // Corners of contacts mostly are corners of triangles: the same objects again.
    let point = this.#pointOf.get(exact);
    if (!point) this.#pointOf.set(exact, (point = this.#findPoint(exact)));
    return point;
  }

  #findPoint(given: Homogeneous): Point {
    const exact = withoutTwos(given);
    const near = toDoubles(exact);
    const key = near.join();
    const others = this.#points.get(key);
    const known = others?.find(other => samePoint(other.exact, exact));
    if (known) return known;
    const point = { number: this.#pointCount++, exact, near, around: undefined };
    if (others) others.push(point);
    else this.#points.set(key, [point]);
    return point;
  }

  /** The sides of a polygon, or the single side of a segment. */
  #sidesOf(points: readonly Point[]): Side[] {
    const sides: Side[] = [];
    for (let i = points.length > 2 ? 0 : 1; i < points.length; i++) {
      const [from, to] = [points[(i + points.length - 1) % points.length], points[i]];
      const key = keyOf(from, to);
      let side = this.#sides.get(key);
      if (!side) {
        side = { from, to, box: boxAround([from.near, to.near]), examined: false };
        this.#sides.set(key, side);
      }
      sides.push(side);
    }
    return sides;
  }

  /**
   * The points at which the configuration may change along a side, in order, including its ends: where it meets the
   * boundaries of these contacts.
   */
  #stopsOn(side: Side, contacts: readonly Contact[]): Point[] {
    const { from, to } = side;
    const stops = new Set([from, to]);
    const tried = new Set([side]);
    for (const { points, sides } of contacts) {
      if (points.length === 1 && isOn(side, points[0])) stops.add(points[0]);
      for (const other of sides) {
        if (tried.has(other) || !boxesMeet(side.box, other.box)) continue;
        tried.add(other);
        if (mayMeet(from.near, to.near, other.from.near, other.to.near))
          this.#addMeetings(side, other, stops);
      }
    }
    const axis = longestAxis(from.near, to.near);
    return [...stops].sort(
      (x, y) => compareNear(x.near, y.near, axis) || compareAlong(unitDirections[axis], x.exact, y.exact),
    );
  }

  /** Adds the point in which a side meets another, or the ends of the other that lie on it if they are collinear. */
  #addMeetings(side: Side, { from, to }: Side, stops: Set<Point>): void {
    const { exact: p } = side.from;
    const { exact: q } = side.to;
    // If an end is on the side, they meet nowhere else unless they are collinear, and then the other end may be on it.
    const [hasFrom, hasTo] = [stops.has(from), stops.has(to)];
    if (hasFrom || hasTo) {
      const end = hasFrom ? to : from;
      if (!(hasFrom && hasTo) && isOn(side, end)) stops.add(end);
      return;
    }
    const normal = cross(fromTo(p, q), fromTo(from.exact, to.exact));
    if (isZero(normal)) {
      for (const end of [from, to]) if (isOn(side, end)) stops.add(end);
      return;
    }
    if (dot(normal, fromTo(p, from.exact)) !== 0n) return;
    const point = linePlane(p, q, planeThrough(from.exact, to.exact, normal));
    if (onSegment(p, q, point) && onSegment(from.exact, to.exact, point)) stops.add(this.#pointAt(point));
  }
}

const isOn = ({ from, to }: Side, point: Point): boolean =>
  mayMeet(from.near, to.near, point.near, point.near) && onSegment(from.exact, to.exact, point.exact);

/** The same for both orders of two points. */
const keyOf = ({ number: i }: Point, { number: j }: Point): string => (i < j ? `${i},${j}` : `${j},${i}`);

const trianglesAround = ({ exact, near }: Point, triangles: readonly Meeting[]): Triangle[] =>
  triangles.flatMap(meeting => {
    const hull = hullOf(meeting);
    const place = mayHold(meeting, near) ? hull.placeOf(exact) : outside;
    return place === outside ? [] : [{ meeting, hull, place }];
  });

/** Whether surfaces cross at a point, given all triangles of each that contain it. */
function crossAmong(a: readonly Triangle[], b: readonly Triangle[]): boolean {
  const meetingOf = ({ meeting }: Triangle): Meeting => meeting;
  return !lieApart(a.map(meetingOf), b.map(meetingOf)) && crossesAt(a, b);
}

function meetingOf(
  known: Map<number, Meeting>,
  body: Placed,
  triangle: number,
  planes: PlaneSigns,
  side: 0 | 1,
): Meeting {
  let meeting = known.get(triangle);
  if (!meeting) {
    const p = new Float64Array(9);
    placeCorners(body, triangle, p, 0);
    meeting = {
      number: planes.numberOf(side, triangle),
      planes,
      p,
      box: cornersBox(p, 0),
      degenerate: projectionAxis(p, 0) < 0,
      partners: [],
      corners: undefined,
      hull: undefined,
      contacts: new Map(),
      sidesOf: new Map(),
      partnerSides: undefined,
      meetsNoArea: undefined,
    };
    known.set(triangle, meeting);
  }
  return meeting;
}

const cornersOf = (meeting: Meeting): Corners =>
  (meeting.corners ??= [pointAt(meeting.p, 0), pointAt(meeting.p, 3), pointAt(meeting.p, 6)]);

const hullOf = (meeting: Meeting): Hull => (meeting.hull ??= new Hull(cornersOf(meeting)));

/** Whether a triangle's box may contain the exact point that was rounded to these doubles. */
function mayHold({ box }: Meeting, near: readonly number[]): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const x = near[axis];
    const slack = 2 ** -52 * Math.abs(x) + Number.MIN_VALUE;
    if (x + slack < box[axis] || x - slack > box[axis + 3]) return false;
  }
  return true;
}

const pair = new Float64Array(18);

// Bits for the sides of a plane on which something has points.
const below = 1;
const above = 2;

/** On which sides of a triangle's plane another one lies. */
function sidesOf(own: Meeting, other: Meeting): number {
  let sides = own.sidesOf.get(other);
  if (sides === undefined) {
    pair.set(own.p);
    pair.set(other.p, 9);
    sides = 0;
    for (let k = 0; k < 3 && sides !== (below | above); k++) {
      const sign = own.planes.sign(pair, own.number, 0, other.number, k, 9 + 3 * k);
      if (sign !== 0) sides |= sign > 0 ? below : above;
    }
    own.sidesOf.set(other, sides);
  }
  return sides;
}

function sidesAgainst(own: Meeting, triangles: readonly Meeting[]): number {
  let sides = 0;
  for (const other of triangles) {
    sides |= sidesOf(own, other);
    if (sides === (below | above)) break;
  }
  return sides;
}

/** Whether they have no side in common, and neither is on both sides. */
const shareNoSide = (sides: number, otherSides: number): boolean =>
  (sides & otherSides) === 0 && sides !== (below | above) && otherSides !== (below | above);

/**
 * Whether surfaces cross at no common point whose triangles are all among these, for one of two reasons. Triangles
 * without area divide nothing. Or the plane of one triangle has everything of A in one closed half-space, and everything
 * of B in the other (areSeparated).
 */
function lieApart(a: readonly Meeting[], b: readonly Meeting[]): boolean {
  if (a.every(isDegenerate) && b.every(isDegenerate)) return true;
  const separates = (own: Meeting): boolean =>
    !own.degenerate && shareNoSide(sidesAgainst(own, a), sidesAgainst(own, b));
  return a.some(separates) || b.some(separates);
}

const isDegenerate = ({ degenerate }: Meeting): boolean => degenerate;

const meetsNoArea = (meeting: Meeting): boolean =>
  (meeting.meetsNoArea ??= meeting.partners.every(isDegenerate));

/**
 * Whether nothing of A that meets u and nothing of B that meets t has an area; or, for the plane of one of the two
 * triangles, everything of A that meets u is in one closed half-space, and everything of B that meets t is in the other.
 * Then the surfaces cross at no common point of the two. The reason: at
 * such a point an open half-ball is free of B. Every point of A that is not on B is in that half-ball or on its border.
 * So they all lie in one region. The same holds with A and B swapped.
 */
function areSeparated(t: Meeting, u: Meeting): boolean {
  return (meetsNoArea(t) && meetsNoArea(u)) || isSeparatedBy(t, u) || isSeparatedBy(u, t);
}

function isSeparatedBy(own: Meeting, other: Meeting): boolean {
  if (own.degenerate) return false;
  own.partnerSides ??= sidesAgainst(own, own.partners);
  if (own.partnerSides === (below | above)) return false;
  return shareNoSide(own.partnerSides, sidesAgainst(own, other.partners));
}
