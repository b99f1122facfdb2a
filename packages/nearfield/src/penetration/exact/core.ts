// Convex sets within a solid that is convex except for rounding, exactly. If rounding bent its faces, the solid is less
// than the hull of its corners, and the difference matters if the solid is thin.
//
// Take a centre c inside the planes of all faces. The region inside all of these planes is convex, and no surface
// passes through it. The solid winds around c, since every face looks away from it: each adds a positive solid angle.
// So everything inside all planes, the `core`, belongs to the solid. If no corner lies beyond a plane, the core is the
// solid.
//
// A cell is larger on the side of one face f. It lies inside the planes of all faces that f is inside of. For every
// other face g, it lies on f's side of a plane through c between f and g. A ray from c to a point of the cell leaves
// the solid through a face of the first kind, so not before the point; through one of the second kind it would be on
// the other side. So the cell is part of the solid, and convex. The cells of all faces together are the solid.

import { cross, dot, ratioToDouble, type Vector } from '../../math/exact/rational.ts';
import { cornersWithin, type Side } from './corners.ts';
import { type IntegerPlane, type IntegerPoint, planeOf, pointOf, sideOf } from './integer-points.ts';

/** Corners of a convex set, in units smaller than those of the solid's corners by 2^`digits`. */
export interface Corners {
  readonly corners: readonly IntegerPoint[];
  readonly digits: number;
}

/** A solid all of whose faces look away from a centre. */
export interface StarSolid {
  readonly points: readonly IntegerPoint[];
  /** Indices of the corners, three per face. */
  readonly faces: ArrayLike<number>;
  /** Finer than the points by `centreDigits`. */
  readonly centre: Vector;
  readonly sides: readonly Side[];
  /** 1, or −1 if it is turned inside out. */
  readonly turn: number;
  /** Whether a corner lies beyond the plane of a face. */
  readonly isBent: boolean;
}

/** How much finer than the solid's corners its centre is. */
const centreDigits = 16n;
/** If a corner lies beyond a plane by this many times the centre's distance inside it, that is not rounding. */
const mostBent = 4;

/**
 * Undefined if faces do not look away from the mean of the corners, or a solid is not convex by more than rounding.
 * Faces whose corners are in line are left out: they add no solid angle, and those in the plane of another pass through
 * nothing inside it.
 */
export function starSolid(points: readonly IntegerPoint[], faces: ArrayLike<number>): StarSolid | undefined {
  const centre = meanOf(points, centreDigits);
  const planes: IntegerPlane[] = [];
  const kept: number[] = [];
  const flat: IntegerPoint[][] = [];
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = [faces[i], faces[i + 1], faces[i + 2]];
    const plane = planeOf(points[a], points[b], points[c]);
    if (plane === undefined) {
      flat.push([points[a], points[b], points[c]]);
      continue;
    }
    planes.push(plane);
    kept.push(a, b, c);
  }
  const sides: Side[] = [];
  let turn = 0;
  let isBent = false;
  for (const plane of planes) {
    const inside = (plane.height << centreDigits) - dot(plane.normal, centre);
    const own = inside > 0n ? 1 : -1;
    if (inside === 0n || (turn !== 0 && own !== turn)) return undefined;
    turn = own;
    const sign = BigInt(own);
    for (const point of points) {
      if (sideOf(plane, point) !== turn) continue;
      const beyond = (dot(plane.normal, point) - plane.height) << centreDigits;
      if (!(ratioToDouble(sign * beyond, sign * inside) < mostBent)) return undefined;
      isBent = true;
    }
    // If a mesh is turned inside out, all its normals point inward.
    const { x, y, z } = plane.normal;
    sides.push({ normal: { x: sign * x, y: sign * y, z: sign * z }, inside: sign * inside });
  }
  const isOutside = (corners: readonly IntegerPoint[]): boolean =>
    planes.some(plane => corners.every(corner => sideOf(plane, corner) !== -turn));
  // Without a face that has area there is no volume.
  if (turn === 0 || !flat.every(isOutside)) return undefined;
  return { points, faces: kept, centre, sides, turn, isBent };
}

export function coreOf({ points, centre, sides, isBent }: StarSolid): Corners | undefined {
  return isBent ? cornersWithin(centre, sides, Number(centreDigits)) : { corners: points, digits: 0 };
}

/** A tetrahedron: the centre and a face. */
export function wedgeOf(solid: StarSolid, face: number): Corners {
  const { x, y, z } = solid.centre;
  const corners = [pointOf(x, y, z)];
  for (const p of cornersOf(solid, face)) corners.push(pointOf(p.x, p.y, p.z));
  return { corners, digits: Number(centreDigits) };
}

/** The cell of a face. */
export function cellOf(solid: StarSolid, face: number): Corners | undefined {
  const { centre, sides } = solid;
  const own = cornersOf(solid, face);
  const within: Side[] = [];
  // Heights over the centre become heights over the middle of the wedge.
  const middle = meanOf([centre, ...own], 0n);
  const offset = { x: middle.x - centre.x, y: middle.y - centre.y, z: middle.z - centre.z };
  const add = (normal: Vector, height: bigint): void => {
    within.push({ normal, inside: height - dot(normal, offset) });
  };
  for (let other = 0; other < sides.length; other++) {
    const { normal, inside } = sides[other];
    if (other === face || own.every(p => dot(normal, p) - dot(normal, centre) <= inside)) add(normal, inside);
    else {
      const wall = wallBetween(centre, own, cornersOf(solid, other));
      if (wall === undefined) return undefined;
      add(wall, 0n);
    }
  }
  if (within.some(({ inside }) => inside <= 0n)) return undefined;
  return cornersWithin(middle, within, Number(centreDigits));
}

/** The corners of a face in the centre's units. */
const cornersOf = ({ points, faces }: StarSolid, face: number): Vector[] =>
  [0, 1, 2].map(k => {
    const { x, y, z } = points[faces[3 * face + k]];
    return { x: x << centreDigits, y: y << centreDigits, z: z << centreDigits };
  });

/** The normal of a plane through the centre that has one triangle on its lower side and another on its upper. */
function wallBetween(centre: Vector, lower: readonly Vector[], upper: readonly Vector[]): Vector | undefined {
  const from = ({ x, y, z }: Vector): Vector => ({ x: x - centre.x, y: y - centre.y, z: z - centre.z });
  const [below, above] = [lower.map(from), upper.map(from)];
  const all = [...below, ...above];
  // Two cones that meet in no more than their sides have such a plane through two of their edges.
  for (let i = 0; i < 6; i++) {
    for (let j = 0; j < 6; j++) {
      if (i === j) continue;
      const normal = cross(all[i], all[j]);
      if (normal.x === 0n && normal.y === 0n && normal.z === 0n) continue;
      if (below.every(p => dot(normal, p) <= 0n) && above.every(p => dot(normal, p) >= 0n)) return normal;
    }
  }
  return undefined;
}

function meanOf(points: readonly Vector[], digits: bigint): Vector {
  let [x, y, z] = [0n, 0n, 0n];
  for (const p of points) {
    x += p.x;
    y += p.y;
    z += p.z;
  }
  const count = BigInt(points.length);
  return { x: (x << digits) / count, y: (y << digits) / count, z: (z << digits) / count };
}
