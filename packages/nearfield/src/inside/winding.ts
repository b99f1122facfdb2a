// How often does a body's surface wind around a point, and is the point inside the solid? A ray from the point
// crosses the surface; each triangle it leaves through counts +1, each it enters through −1. Which triangles it
// crosses is decided by exact signs. A ray that meets an edge or a corner says nothing, and another is cast.

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
  /** How often the surface winds around the point: not 0 in the solid. Meaningless on the surface. */
  readonly winding: number;
  /** Whether the point lies on the surface. */
  readonly on: boolean;
}

const outside: Winding = { winding: 0, on: false };
const onSurface: Winding = { winding: 0, on: true };

/** The winding number of a solid body's surface around a point: three doubles, or an exact rational point. */
export function windingNumber(
  engine: TriangleFinder,
  body: Placed,
  point: ArrayLike<number> | Homogeneous,
): Winding {
  return 'w' in point
    ? windingAroundRational(engine, body, point)
    : windingAroundDouble(engine, body, point[0], point[1], point[2]);
}

/** For each of the points (x, y, z triples): 0 outside the solid, 1 inside, 2 on the surface. */
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

/** After so many rays from a double point through doubles, rays with exact random directions are cast. */
const doubleRays = 12;

const p = new Float64Array(15);
/** Offsets in p: the triangle at 0, the point at 9, another point of the ray at 12. */
const pointOffset = 9;
const targetOffset = 12;

function windingAroundDouble(engine: TriangleFinder, body: Placed, x: number, y: number, z: number): Winding {
  const box = boxAround(body);
  const inBox = x >= box[0] && x <= box[3] && y >= box[1] && y <= box[4] && z >= box[2] && z <= box[5];
  if (!inBox) return outside;
  p[9] = x;
  p[10] = y;
  p[11] = z;
  const extent = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const random = seededRandom();
  // The way out of the box that is shortest, slightly turned: few triangles lie on it.
  const toFaces = [x - box[0], y - box[1], z - box[2], box[3] - x, box[4] - y, box[5] - z];
  const nearest = toFaces.indexOf(Math.min(...toFaces));
  for (let attempt = 0; attempt < doubleRays; attempt++) {
    const turned = Math.min(1, 0.05 * 2 ** attempt);
    for (let axis = 0; axis < 3; axis++) {
      const straight = axis !== nearest % 3 ? 0 : nearest < 3 ? -1 : 1;
      p[12 + axis] = p[9 + axis] + extent * (straight + turned * (random() - 0.5));
    }
    const told = castRay(engine, body, box);
    if (told !== undefined) return told;
  }
  return windingAroundRational(engine, body, fromDoubles(x, y, z));
}

/**
 * What the ray from p[9…] through p[12…] tells: the sum of crossings, or that it starts on the surface, since triangles that
 * hold its start are among those it meets. Undefined if it meets an edge or a corner elsewhere. It says the same whichever
 * triangles an engine gives beside those that are met.
 */
function castRay(engine: TriangleFinder, body: Placed, box: ArrayLike<number>): Winding | undefined {
  const direction = [p[12] - p[9], p[13] - p[10], p[14] - p[11]];
  const length = Math.max(...direction.map(Math.abs));
  // The direction is rounded: each component is off by 2^-53 of itself, so a point of the true ray within the
  // box is off by less than 2^-51 of the box's size from the ray the engine is given.
  const slack = 2 ** -48 * Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  if (!(length > 0) || !Number.isFinite(length) || !Number.isFinite(slack)) return undefined;
  let winding = 0;
  let isClear = true;
  const origin = [p[9], p[10], p[11]];
  for (const t of engine.trianglesOnRay(body, origin, direction, slack)) {
    placeCorners(body, t, p, 0);
    const crossing = crossingOfRay();
    if (crossing === atStart) return onSurface;
    if (crossing === alongEdge) isClear = false;
    else winding += crossing;
  }
  return isClear ? { winding, on: false } : undefined;
}

/** How a ray meets a triangle where it does not cross it. */
const alongEdge = 2;
const atStart = 3;

/**
 * How the ray from p[9…] through p[12…] meets the triangle at p[0…]: 1 it crosses along the normal, −1 against it, 0 not at
 * all, else as above. With orient3d's convention a line along the normal has each directed side of the triangle on its
 * negative side, and all three signs have the direction's product with the normal as their sum.
 *
 * A triangle whose plane holds the ray, or that has no area, counts as not met unless the ray starts on it. A ray moved aside
 * by little enough starts in the same place of the surface's complement, crosses the same of the other triangles, whose edges it
 * does not meet, and misses these.
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
  // The line goes through the plane at an edge, ahead or behind.
  return orient3dAt(p, 0, 3, 6, pointOffset) === -some ? alongEdge : 0;
}

/** Whether the closed triangle at p[0…], degenerate or not, holds the point at p[9…]. */
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

/** Whether the segment from p[a…] to p[b…] holds the point at p[9…]. */
function sideHoldsPoint(a: number, b: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const x = p[pointOffset + axis];
    if (x < Math.min(p[a + axis], p[b + axis]) || x > Math.max(p[a + axis], p[b + axis])) return false;
    if (orient2dAt(p, a, b, pointOffset, axis, (axis + 1) % 3) !== 0) return false;
  }
  return true;
}

/** The same in integers, for points that are no doubles and for what no double ray has decided. */
function windingAroundRational(engine: TriangleFinder, body: Placed, point: Homogeneous): Winding {
  const near = toDoubles(point);
  const box = boxAround(body);
  if (isEmptyBox(box)) return outside;
  // Infinite where world positions are: then the engine refuses the body.
  const size = Math.max(...box.map(Math.abs));
  // The rounded point is off by half a unit in the last place, which is below 2^-52 of the size within the box.
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
    // As crossingOfRay, with a direction in the place of the second point of the line.
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

/** Numbers in [0, 1) by a linear congruence, always the same ones: answers do not depend on chance. */
export function seededRandom(): () => number {
  let state = 0x2545f491;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
