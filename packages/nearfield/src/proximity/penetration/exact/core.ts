// A convex set within a solid that is convex but for rounding, exactly. If rounding bent its faces, the solid is less than the hull
// of its corners, and what is less counts where the solid is thin.
//
// Take a centre c inside the planes of all faces. What lies inside all of these planes is convex, and no surface passes through
// it. The solid winds around c, since every face looks away from it: each adds a positive solid angle. So everything inside
// all planes, the `core`, belongs to the solid. Where no corner lies beyond a plane, the core is the solid.
//
// Otherwise the corners of the core are those of its dual. With y = x − c, a plane is n·y = g, g > 0, its dual point n/g. A facet
// m·d = k of the hull of the dual points is a corner y = m/k of the core. Dual points and corners are rounded to integers of
// some digits more; then corners are drawn towards c until all lie inside all planes, which is checked without rounding.

import { dot, ratioToDouble, type Vector } from '../../../math/rational.ts';
import { hullOf } from './exact-hull.ts';
import {
  digitsOf,
  type IntegerPlane,
  type IntegerPoint,
  planeOf,
  pointOf,
  sideOf,
} from './integer-points.ts';

export interface Core {
  /** Corners of the core, in units smaller than those of the solid's corners by 2^`digits`. */
  readonly corners: readonly IntegerPoint[];
  readonly digits: number;
}

/** The plane of a face, normal outward, and how far inside the centre lies: n·c + inside = height, the centre being finer. */
interface Side {
  readonly normal: IntegerPoint;
  readonly inside: bigint;
}

/** A corner that lies beyond a plane by a larger part of what it is from the centre to there: no rounding. */
const mostBent = 0.25;
/** How much finer than the solid's corners the centre is, the corners of the core are, and dual points are than that needs. */
const centreDigits = 16n;
const cornerDigits = 24n;
const dualDigits = 120;

/** Undefined where a solid is not convex but for rounding. `faces` are the numbers of their corners, three per face. */
export function coreOf(points: readonly IntegerPoint[], faces: ArrayLike<number>): Core | undefined {
  const centre = meanOf(points);
  const sides: Side[] = [];
  let turn = 0;
  let isBent = false;
  for (let i = 0; i < faces.length; i += 3) {
    const plane = planeOf(points[faces[i]], points[faces[i + 1]], points[faces[i + 2]]);
    if (plane === undefined) return undefined;
    const inside = (plane.height << centreDigits) - dot(plane.normal, centre);
    const own = inside > 0n ? 1 : -1;
    if (inside === 0n || (turn !== 0 && own !== turn)) return undefined;
    turn = own;
    for (const point of points) {
      if (sideOf(plane, point) !== turn) continue;
      if (!(bentBy(plane, inside, point) < mostBent)) return undefined;
      isBent = true;
    }
    // A mesh that is turned inside out has normals inward throughout.
    const { x, y, z } = plane.normal;
    sides.push(own > 0 ? { normal: plane.normal, inside } : { normal: pointOf(-x, -y, -z), inside: -inside });
  }
  return isBent ? drawnCore(points, centre, sides) : { corners: points, digits: 0 };
}

/** How far a point lies beyond a plane, of how far the centre lies inside. */
function bentBy({ normal, height }: IntegerPlane, inside: bigint, point: IntegerPoint): number {
  const beyond = (dot(normal, point) - height) << centreDigits;
  return inside > 0n ? ratioToDouble(beyond, inside) : ratioToDouble(-beyond, -inside);
}

function drawnCore(
  points: readonly IntegerPoint[],
  centre: Vector,
  sides: readonly Side[],
): Core | undefined {
  // The dual point of a plane at the farthest corner still has its digits.
  const power = BigInt(digitsOf(points) + dualDigits) + centreDigits;
  const duals = sides.map(({ normal: { x, y, z }, inside }) =>
    pointOf((x << power) / inside, (y << power) / inside, (z << power) / inside),
  );
  const corners: Vector[] = [];
  for (const { normal, height } of hullOf(duals)) {
    // The centre is inside all planes, so the hull of the duals holds the origin, but for rounding.
    if (height <= 0n) return undefined;
    const shift = power + cornerDigits;
    const corner = {
      x: (normal.x << shift) / height,
      y: (normal.y << shift) / height,
      z: (normal.z << shift) / height,
    };
    if (!corners.some(other => isNear(other, corner))) corners.push(corner);
  }
  let excess = 0;
  for (const { normal, inside } of sides) {
    const reach = inside << cornerDigits;
    for (const corner of corners) {
      const own = dot(normal, corner);
      if (own > reach) excess = Math.max(excess, ratioToDouble(own - reach, reach));
    }
  }
  // Drawn by a part of 2^-drawn, which is more than the excess: (1 + e)·(1 − d) ≤ 1 for d ≥ e.
  const drawn = excess === 0 ? 64 : -Math.ceil(Math.log2(1.001 * excess));
  if (drawn < 8) return undefined;
  const digits = BigInt(drawn) + cornerDigits;
  const place = (y: bigint, c: bigint): bigint => (y << BigInt(drawn)) - y + (c << digits);
  return {
    corners: corners.map(({ x, y, z }) =>
      pointOf(place(x, centre.x), place(y, centre.y), place(z, centre.z)),
    ),
    digits: Number(digits + centreDigits),
  };
}

/** Corners of planes that meet in one point differ by what was rounded. */
function isNear(p: Vector, q: Vector): boolean {
  for (const apart of [p.x - q.x, p.y - q.y, p.z - q.z]) if (apart > 64n || apart < -64n) return false;
  return true;
}

function meanOf(points: readonly IntegerPoint[]): IntegerPoint {
  let [x, y, z] = [0n, 0n, 0n];
  for (const p of points) {
    x += p.x;
    y += p.y;
    z += p.z;
  }
  const count = BigInt(points.length);
  return pointOf((x << centreDigits) / count, (y << centreDigits) / count, (z << centreDigits) / count);
}

/** The same points in units smaller by 2^digits. */
export const finer = (points: readonly IntegerPoint[], digits: number): readonly IntegerPoint[] =>
  digits === 0
    ? points
    : points.map(({ x, y, z }) => pointOf(x << BigInt(digits), y << BigInt(digits), z << BigInt(digits)));
