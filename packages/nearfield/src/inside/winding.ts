// How often does a body's surface wind around a point, and is the point inside the solid? A ray is cast from the point.
// Each triangle through which it leaves the solid counts +1, each through which it enters counts −1. Exact signs decide
// which triangles it crosses. If a ray meets an edge or a corner, another one is cast.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { boxAround, placeCorners, projectionAxis } from '../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../bvh/cpu/walk/finder.ts';
import { isEmptyBox } from '../math/box.ts';
import { orient2dAt, orient3dAt } from '../math/exact/orient.ts';
import {
  directionFromDoubles,
  fromDoubles,
  type Homogeneous,
  orient3dRational,
  pointAt,
  toDoubles,
} from '../math/exact/rational.ts';
import { type Corners, holdsPoint } from '../math/triangles/triangle-contact.ts';

export interface Winding {
  /** How often the surface winds around the point; not 0 inside the solid. Undefined if the point is on the surface. */
  readonly winding: number;
  /** Whether the point lies on the surface. */
  readonly on: boolean;
}

const outside: Winding = { winding: 0, on: false };
const onSurface: Winding = { winding: 0, on: true };

/** The winding number of a solid body's surface around a point, which is three doubles or an exact rational point. */
export function windingNumber(
  engine: TriangleFinder,
  body: Placed,
  point: ArrayLike<number> | Homogeneous,
): Winding {
  return 'w' in point
    ? windingAroundRational(engine, body, point)
    : windingAroundDouble(engine, body, point[0], point[1], point[2]);
}

/** For each point (x, y, z per point): 0 outside the solid, 1 inside, 2 on the surface. */
export function pointsInside(engine: TriangleFinder, body: Placed, points: ArrayLike<number>): Uint8Array {
  const places = new Uint8Array(Math.floor(points.length / 3));
  for (let i = 0; i < places.length; i++) {
    const { winding, on } = windingAroundDouble(
      engine,
      body,
      points[3 * i],
      points[3 * i + 1],
      points[3 * i + 2],
    );
    places[i] = on ? 2 : winding !== 0 ? 1 : 0;
  }
  return places;
}

/** After this many inconclusive rays in doubles, rays with exact rational directions are cast. */
const doubleRays = 12;

const p = new Float64Array(15);
/** Offsets in p: the triangle's corners from 0, the point at 9, a second point of the ray at 12. */
const pointOffset = 9;
const targetOffset = 12;

function windingAroundDouble(engine: TriangleFinder, body: Placed, x: number, y: number, z: number): Winding {
  const box = boxAround(body);
  const inBox = x >= box[0] && x <= box[3] && y >= box[1] && y <= box[4] && z >= box[2] && z <= box[5];
  if (!inBox) return outside;
  p.set([x, y, z], pointOffset);
  const extent = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const random = seededRandom();
  // Take the shortest way out of the box, slightly tilted: few triangles lie on it.
  const toFaces = [x - box[0], y - box[1], z - box[2], box[3] - x, box[4] - y, box[5] - z];
  const nearest = toFaces.indexOf(Math.min(...toFaces));
  for (let attempt = 0; attempt < doubleRays; attempt++) {
    const turned = Math.min(1, 0.05 * 2 ** attempt);
    for (let axis = 0; axis < 3; axis++) {
      const straight = axis !== nearest % 3 ? 0 : nearest < 3 ? -1 : 1;
      p[12 + axis] = p[9 + axis] + extent * (straight + turned * (random() - 0.5));
    }
    const result = castRay(engine, body, extent);
    if (result !== undefined) return result;
  }
  return windingAroundRational(engine, body, fromDoubles(x, y, z));
}

/**
 * The result of the ray from p[9…] through p[12…]: the sum of its crossings, or that it starts on the surface.
 * (Triangles that contain its start are among those it meets.) Undefined if the ray meets an edge or a corner
 * elsewhere. The result does not depend on which other triangles the engine returns besides those that the ray meets.
 */
function castRay(engine: TriangleFinder, body: Placed, extent: number): Winding | undefined {
  const origin = p.slice(pointOffset, targetOffset);
  const direction = origin.map((x, axis) => p[targetOffset + axis] - x);
  const length = Math.max(...direction.map(Math.abs));
  // The direction is rounded: each component is off by 2^-53 of itself. So within the box, a point of the true ray is
  // less than 2^-51 of the box's size away from the ray that the engine gets.
  const slack = 2 ** -48 * extent;
  if (!(length > 0 && length < Infinity && slack < Infinity)) return undefined;
  let winding = 0;
  let isClear = true;
  for (const t of engine.trianglesOnRay(body, origin, direction, slack)) {
    placeCorners(body, t, p, 0);
    const crossing = crossingOfRay();
    if (crossing === atStart) return onSurface;
    if (crossing === alongEdge) isClear = false;
    else winding += crossing;
  }
  return isClear ? { winding, on: false } : undefined;
}

/** Further results of `crossingOfRay`: the ray meets the triangle without crossing it. */
const alongEdge = 2;
const atStart = 3;

/**
 * How the ray from p[9…] through p[12…] meets the triangle at p[0…]: 1 if it crosses along the normal, −1 if against
 * it, 0 if not at all, else `alongEdge` or `atStart`. With orient3d's convention, a line along the normal has each
 * directed side of the triangle on its negative side, and the three determinants add up, but for the sign, to the dot
 * product of direction and normal.
 *
 * If a triangle's plane contains the ray, or if the triangle has no area, it counts as not met unless the ray starts on
 * it. The reason: a ray moved aside by a sufficiently small amount starts in the same region of the surface's
 * complement, crosses the same other triangles (it meets none of their edges), and misses these.
 */
function crossingOfRay(): number {
  const s0 = orient3dAt(p, pointOffset, targetOffset, 0, 3);
  const s1 = orient3dAt(p, pointOffset, targetOffset, 3, 6);
  if (s0 * s1 < 0) return 0;
  const s2 = orient3dAt(p, pointOffset, targetOffset, 6, 0);
  if (s0 * s2 < 0 || s1 * s2 < 0) return 0;
  if (s0 !== 0 && s1 !== 0 && s2 !== 0) {
    const side = orient3dAt(p, 0, 3, 6, pointOffset);
    if (side === 0) return atStart;
    return side === -s0 ? side : 0;
  }
  if (holdsDoublePoint()) return atStart;
  const some = s0 !== 0 ? s0 : s1 !== 0 ? s1 : s2;
  if (some === 0) return 0;
  // The line meets the plane on an edge, ahead of the start or behind it.
  return orient3dAt(p, 0, 3, 6, pointOffset) === -some ? alongEdge : 0;
}

/** Whether the closed triangle at p[0…], degenerate or not, contains the point at p[9…]. */
function holdsDoublePoint(): boolean {
  if (orient3dAt(p, 0, 3, 6, pointOffset) !== 0) return false;
  const axis = projectionAxis(p, 0);
  if (axis < 0) return sideHoldsPoint(0, 3) || sideHoldsPoint(3, 6) || sideHoldsPoint(6, 0);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const s0 = orient2dAt(p, 0, 3, pointOffset, u, v);
  const s1 = orient2dAt(p, 3, 6, pointOffset, u, v);
  const s2 = orient2dAt(p, 6, 0, pointOffset, u, v);
  return s0 * s1 >= 0 && s1 * s2 >= 0 && s2 * s0 >= 0;
}

/** Whether the segment from p[a…] to p[b…] contains the point at p[9…]. */
function sideHoldsPoint(a: number, b: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const x = p[pointOffset + axis];
    if (x < Math.min(p[a + axis], p[b + axis]) || x > Math.max(p[a + axis], p[b + axis])) return false;
    if (orient2dAt(p, a, b, pointOffset, axis, (axis + 1) % 3) !== 0) return false;
  }
  return true;
}

/** The same in exact rationals, for points that are not doubles and for points that no ray in doubles could decide. */
function windingAroundRational(engine: TriangleFinder, body: Placed, point: Homogeneous): Winding {
  const near = toDoubles(point);
  const box = boxAround(body);
  if (isEmptyBox(box)) return outside;
  // Infinite if world positions are infinite; then the engine refuses the body.
  const size = Math.max(...box.map(Math.abs));
  // The rounded point is off by half a unit in the last place, which within the box is below 2^-52 of the size.
  const slack = 2 ** -50 * size + Number.MIN_VALUE;
  if (near.some((x, axis) => x < box[axis] - slack || x > box[axis + 3] + slack)) return outside;
  const around = [...near.map(x => x - slack), ...near.map(x => x + slack)];
  for (const t of engine.trianglesInBox(body, around)) {
    if (holdsPoint(cornersOf(body, t), point)) return onSurface;
  }
  const random = seededRandom();
  while (true) {
    const numbers = [random() - 0.5, random() - 0.5, random() - 0.5];
    const winding = countRationalCrossings(engine, body, point, near, numbers, slack);
    if (winding !== undefined) return { winding, on: false };
  }
}

function countRationalCrossings(
  engine: TriangleFinder,
  body: Placed,
  point: Homogeneous,
  near: readonly number[],
  numbers: readonly number[],
  slack: number,
): number | undefined {
  const direction = directionFromDoubles(numbers[0], numbers[1], numbers[2]);
  let winding = 0;
  for (const t of engine.trianglesOnRay(body, near, numbers, slack)) {
    const [a, b, c] = cornersOf(body, t);
    // As in crossingOfRay, with a direction in place of the line's second point.
    const s0 = orient3dRational(point, direction, a, b);
    const s1 = orient3dRational(point, direction, b, c);
    const s2 = orient3dRational(point, direction, c, a);
    if (s0 * s1 < 0 || s1 * s2 < 0 || s2 * s0 < 0) continue;
    if (s0 === 0 && s1 === 0 && s2 === 0) continue;
    if (s0 === 0 || s1 === 0 || s2 === 0) return undefined;
    const crossing = s0 < 0 ? 1 : -1;
    if (orient3dRational(a, b, c, point) === crossing) winding += crossing;
  }
  return winding;
}

function cornersOf(body: Placed, t: number): Corners {
  placeCorners(body, t, p, 0);
  return [pointAt(p, 0), pointAt(p, 3), pointAt(p, 6)];
}

/** A linear congruential generator for numbers in [0, 1). The seed is fixed, so that answers are deterministic. */
export function seededRandom(): () => number {
  let state = 0x2545f491;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
