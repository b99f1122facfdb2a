// The exact intersection of two triangles: nothing, a point, a segment or a convex polygon. One triangle is clipped by
// the planes that bound the other. Degenerate triangles count as the segment or point they are.

import {
  cross,
  fromTo,
  type Homogeneous,
  isZero,
  linePlane,
  orient3dRational,
  type Plane,
  planeThrough,
  samePoint,
  sideOf,
  turn,
  withoutTwos,
} from '../exact/rational.ts';

/** Three exact corners. */
export type Corners = readonly [Homogeneous, Homogeneous, Homogeneous];

/** The corners of the intersection, in order around it: none, one, two, or more for a polygon. */
export const contactOf = (a: Corners, b: Corners): Homogeneous[] => contactOfHulls(new Hull(a), new Hull(b));

/** The same for two triangles whose planes may be known from before. */
export function contactOfHulls(a: Hull, b: Hull): Homogeneous[] {
  // The one with more dimensions clips the other, so that the clipping planes are those of a triangle if there is one.
  const [clipped, clipping] = a.corners.length < b.corners.length ? [a, b] : [b, a];
  let points = clipped.corners;
  for (const plane of clipping.planes) points = section(points, plane);
  for (const { plane, inner } of clipping.bounds) points = clip(points, plane, inner);
  return points;
}

/** A triangle, segment or point that meets many others: its planes are computed when first needed, then kept. */
export class Hull {
  /** One point, two ends of a segment, or three corners. */
  readonly corners: Homogeneous[];
  #planes: readonly Plane[] | undefined;
  #bounds: readonly Bound[] | undefined;
  #directions: readonly Homogeneous[] | undefined;

  constructor(corners: Corners) {
    this.corners = hullOf(corners);
  }

  /** Planes whose intersection is the plane, line or point that it spans. */
  get planes(): readonly Plane[] {
    return (this.#planes ??= planesThrough(this.corners).map(withoutTwos));
  }

  get bounds(): readonly Bound[] {
    return (this.#bounds ??= boundingPlanes(this.corners).map(({ plane, inner }) => ({
      plane: withoutTwos(plane),
      inner,
    })));
  }

  /**
   * Where in it a point lies: −1 if it does not contain the point, else a bit per bound that the point lies on. For a
   * triangle, bit i is the side from corner i to the next; for a segment, bit i is end i.
   */
  placeOf(point: Homogeneous): number {
    for (const plane of this.planes) if (sideOf(plane, point) !== 0) return outside;
    let place = 0;
    for (let i = 0; i < this.bounds.length; i++) {
      const { plane, inner } = this.bounds[i];
      const side = inner * sideOf(plane, point);
      if (side < 0) return outside;
      if (side === 0) place |= 1 << i;
    }
    return place;
  }

  /** The directions from each corner to the next, with as few digits as powers of two leave them. */
  get directions(): readonly Homogeneous[] {
    return (this.#directions ??= this.corners.map((corner, i) => {
      return withoutTwos(fromTo(corner, this.corners[(i + 1) % this.corners.length]));
    }));
  }
}

/** The place of a point that a hull does not contain. */
export const outside = -1;

/** A plane that bounds a hull within its plane or line, and on which side of it the hull lies. */
interface Bound {
  readonly plane: Plane;
  readonly inner: number;
}

/** Whether a closed triangle contains a point: the point is in the plane and not strictly outside any side. */
export function holdsPoint(corners: Corners, point: Homogeneous): boolean {
  const [a, b, c] = corners;
  if (orient3dRational(a, b, c, point) !== 0) return false;
  const normal = cross(fromTo(a, b), fromTo(a, c));
  if (isZero(normal)) return corners.some((corner, i) => onSegment(corner, corners[(i + 1) % 3], point));
  return corners.every((corner, i) => turn(normal, corner, corners[(i + 1) % 3], point) >= 0);
}

export const onSegment = (a: Homogeneous, b: Homogeneous, point: Homogeneous): boolean =>
  isZero(cross(fromTo(a, point), fromTo(b, point))) && isBetween(point, a, b);

/** The corners of a triangle's convex hull: one point, two ends of a segment, or three corners. */
function hullOf(corners: Corners): Homogeneous[] {
  const [a, b, c] = corners;
  if (!isZero(cross(fromTo(a, b), fromTo(a, c)))) return [a, b, c];
  const hull = [a];
  for (const point of [b, c]) {
    if (hull.length === 1) {
      if (!samePoint(a, point)) hull.push(point);
    } else {
      // Three collinear points: keep the two that have the third between them.
      const [first, second] = hull;
      if (isBetween(point, first, second)) continue;
      hull[isBetween(first, point, second) ? 0 : 1] = point;
    }
  }
  return hull;
}

/** For three collinear points: whether the first lies between the others or equals one of them. */
function isBetween(point: Homogeneous, a: Homogeneous, b: Homogeneous): boolean {
  const [u, v] = [fromTo(point, a), fromTo(point, b)];
  return u.x * v.x + u.y * v.y + u.z * v.z <= 0n;
}

/** The directions of the axes. */
export const unitDirections: readonly Homogeneous[] = [
  { x: 1n, y: 0n, z: 0n, w: 0n },
  { x: 0n, y: 1n, z: 0n, w: 0n },
  { x: 0n, y: 0n, z: 1n, w: 0n },
];

function planesThrough(hull: readonly Homogeneous[]): Plane[] {
  const [a, b, c] = hull;
  if (c) return [planeThrough(a, b, c)];
  // Planes through the line along two or three of the axes. An axis parallel to the line gives no plane.
  if (b) return unitDirections.map(unit => planeThrough(a, b, unit)).filter(plane => !isZero(plane));
  return unitDirections.map((unit, i) => planeThrough(a, unit, unitDirections[(i + 1) % 3]));
}

function boundingPlanes(hull: readonly Homogeneous[]): Bound[] {
  const [a, b, c] = hull;
  if (!b) return [];
  if (!c) {
    // Perpendicular to the segment at either end: all points whose dot product with its direction equals that of the
    // end.
    const along = fromTo(a, b);
    return [
      { plane: planeAcross(along, a), inner: 1 },
      { plane: planeAcross(along, b), inner: -1 },
    ];
  }
  const normal = cross(fromTo(a, b), fromTo(a, c));
  return hull.map((corner, i) => {
    const plane = planeThrough(corner, hull[(i + 1) % 3], normal);
    return { plane, inner: sideOf(plane, hull[(i + 2) % 3]) };
  });
}

/** The plane through a point, perpendicular to a direction; its value grows along the direction. */
const planeAcross = (along: Homogeneous, point: Homogeneous): Plane => ({
  x: along.x * point.w,
  y: along.y * point.w,
  z: along.z * point.w,
  w: -(along.x * point.x + along.y * point.y + along.z * point.z),
});

/** The intersection of a convex point set with a plane. */
function section(points: readonly Homogeneous[], plane: Plane): Homogeneous[] {
  const sides = points.map(point => sideOf(plane, point));
  const kept: Homogeneous[] = [];
  for (let i = 0; i < points.length; i++) {
    if (sides[i] === 0) kept.push(points[i]);
    const j = nextOf(i, points.length);
    if (j >= 0 && sides[i] * sides[j] < 0) kept.push(linePlane(points[i], points[j], plane));
  }
  return kept;
}

/** The part of a convex point set on the inner side of a plane or on it. */
function clip(points: readonly Homogeneous[], plane: Plane, inner: number): Homogeneous[] {
  const sides = points.map(point => inner * sideOf(plane, point));
  const kept: Homogeneous[] = [];
  for (let i = 0; i < points.length; i++) {
    if (sides[i] >= 0) kept.push(points[i]);
    const j = nextOf(i, points.length);
    if (j >= 0 && sides[i] * sides[j] < 0) kept.push(linePlane(points[i], points[j], plane));
  }
  return kept;
}

/** The corner after corner i, or −1 if there is none: a segment has only one side, a point has none. */
const nextOf = (i: number, count: number): number => (i + 1 < count ? i + 1 : count > 2 ? 0 : -1);
