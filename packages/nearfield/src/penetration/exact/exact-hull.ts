// How deep the origin lies in the difference of two convex sets of corners, exactly: expanding polytopes, as in
// pieces/hull.ts, in integers. So every facet has a plane, the part of the hull that a new point sees is one disc, and
// a facet either belongs to the difference or is replaced: thin sets need no tolerance, and the search ends.
//
// Several facets may lie on one plane, and a point of that plane does not see them. A side of the hole around a new
// point lies on a facet that the point is strictly above. So the point is not in line with that side, and the new
// facets have planes.

import { cross, dot } from '../../math/exact/rational.ts';
import {
  farthest,
  type IntegerPlane,
  type IntegerPoint,
  minus,
  planeOf,
  pointOf,
  sideOf,
} from './integer-points.ts';

/** A facet of the hull so far. */
interface Facet extends IntegerPlane {
  readonly a: IntegerPoint;
  readonly b: IntegerPoint;
  readonly c: IntegerPoint;
  /** Whether the difference reaches no farther along its normal. */
  final: boolean;
}

export interface DepthInDifference {
  /** The facets nearest to the origin, nearest first: no point nearer than the first is outside the difference. */
  readonly nearest: readonly IntegerPlane[];
}

/** The most facet visits in all. If they are not enough, the nearest facet so far is still a bound. */
const mostVisits = 400_000;
/** How many facets are returned. */
const mostNearest = 8;

/**
 * How deep the origin lies in the interior of P − Q, given the corners of both; undefined if it does not. Both sets
 * must have interior.
 */
export function depthInDifference(
  p: readonly IntegerPoint[],
  q: readonly IntegerPoint[],
): DepthInDifference | undefined {
  const support = (along: IntegerPoint): IntegerPoint => minus(farthest(p, along, 1), farthest(q, along, -1));
  let facets = simplexOf(support);
  for (let visits = 0; ; ) {
    let nearest = facets[0];
    for (const facet of facets) if (facet.distance < nearest.distance) nearest = facet;
    if (nearest.final || visits > mostVisits) break;
    visits += facets.length;
    const point = support(nearest.normal);
    const reach = dot(nearest.normal, point);
    if (reach <= 0n) return undefined;
    if (reach === nearest.height) nearest.final = true;
    else facets = joined(facets, point);
  }
  facets.sort((f, g) => f.distance - g.distance);
  return facets[0].height > 0n ? { nearest: facets.slice(0, mostNearest) } : undefined;
}

/** The facets of the hull of points that are not all in one plane. */
export function hullOf(points: readonly IntegerPoint[]): readonly IntegerPlane[] {
  let facets = simplexOf(along => farthest(points, along, 1));
  for (const point of points)
    if (facets.some(facet => sideOf(facet, point) > 0)) facets = joined(facets, point);
  return facets;
}

/** Four points of a set that are not in a plane, and the facets between them. */
function simplexOf(support: (along: IntegerPoint) => IntegerPoint): Facet[] {
  const first = support(pointOf(1n, 0n, 0n));
  const second = support(pointOf(-1n, 0n, 0n));
  const along = minus(second, first);
  // Perpendicular to it; its first coordinate is not 0.
  const third = off(first, pointOf(-along.y, along.x, 0n), support);
  const n = cross(along, minus(third, first));
  const fourth = off(first, pointOf(n.x, n.y, n.z), support);
  const above = dot(n, minus(fourth, first)) > 0n;
  const [b, c] = above ? [third, second] : [second, third];
  // Seen from the fourth point, first, b and c run clockwise.
  return [facetOf(first, b, c), facetOf(first, fourth, b), facetOf(b, fourth, c), facetOf(c, fourth, first)];
}

/** A point that is not as far along a direction as another; one of the two sides has one. */
function off(
  from: IntegerPoint,
  along: IntegerPoint,
  support: (along: IntegerPoint) => IntegerPoint,
): IntegerPoint {
  const point = support(along);
  if (dot(along, minus(point, from)) !== 0n) return point;
  return support(pointOf(-along.x, -along.y, -along.z));
}

function facetOf(a: IntegerPoint, b: IntegerPoint, c: IntegerPoint): Facet {
  return { ...planeOf(a, b, c)!, a, b, c, final: false };
}

/** The facets of the hull after adding a point that lies outside. */
function joined(facets: readonly Facet[], point: IntegerPoint): Facet[] {
  const kept: Facet[] = [];
  const rim = new Map<IntegerPoint, IntegerPoint>();
  const seen: Facet[] = [];
  for (const facet of facets) (sideOf(facet, point) > 0 ? seen : kept).push(facet);
  // Sides that run both ways lie inside the hole. Around the hole, exactly one side begins at every corner.
  const inside = new Map<IntegerPoint, Set<IntegerPoint>>();
  for (const { a, b, c } of seen) {
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      const ends = inside.get(from);
      if (ends) ends.add(to);
      else inside.set(from, new Set([to]));
    }
  }
  for (const [from, ends] of inside) for (const to of ends) if (!inside.get(to)?.has(from)) rim.set(from, to);
  for (const [from, to] of rim) kept.push(facetOf(from, to, point));
  return kept;
}
