// How deep two small solids overlap that are convex but for rounding, in integers made of their world positions: what is left to
// do where the solids are so thin, or overlap so little, that doubles leave the bracket open (pieces/hull.ts). The depth is that
// of the world positions as they are, for translations of any real numbers; how a translation is rounded when it is applied
// to a pose concerns the upper bound alone (separation.ts).

import { applyPose } from '../../../math/pose.ts';
import { dot } from '../../../math/rational.ts';
import type { Placed } from '../../../scene/engine.ts';
import { type Corners, cellOf, coreOf, type StarSolid, starSolid, wedgeOf } from './core.ts';
import { depthInDifference } from './exact-hull.ts';
import {
  commonBits,
  digitsOf,
  farthest,
  finer,
  type IntegerPlane,
  type IntegerPoint,
  integerPoints,
  lengthOf,
  planeAlong,
} from './integer-points.ts';

/** A plane beyond which a translation separates the hulls of both solids. */
export interface WayOut {
  readonly plane: IntegerPlane;
  /** Unit normal, and the plane's distance from the origin, in the world. */
  readonly normal: readonly [number, number, number];
  readonly distance: number;
}

export interface ExactDepth {
  /** No translation shorter than this separates; 0 where they have no common interior. Rounded down. */
  readonly lower: number;
  /** Shortest first; none where they have no common interior. */
  readonly ways: readonly WayOut[];
  /** Heights of planes are in units of 2^-bits. */
  readonly bits: number;
}

/** Comparing faces with corners takes as many steps as there are of both, multiplied: no more than this many faces. */
const mostFaces = 512;
/** Products of three coordinates of more digits would be beyond the range of doubles. */
const mostDigits = 330;
/** A lower bound this near the upper one needs no better. */
const nearEnough = 0.99;
/** Wedges of bent solids that are compared, and pairs of cells. */
const mostPairs = 1024;
const mostCells = 8;

/** Whether both solids have few faces. */
export const mayBeExact = (a: Placed, b: Placed): boolean =>
  Math.max(a.shape.mesh.triangleCount, b.shape.mesh.triangleCount) <= mostFaces;

/** Of two solids of few faces. Undefined where one has too many digits, is not convex but for rounding, or is thinner than that rounding. */
export function exactDepth(a: Placed, b: Placed): ExactDepth | undefined {
  const [p, q] = [worldCorners(a), worldCorners(b)];
  const bits = Math.max(commonBits(p.positions), commonBits(q.positions));
  const [pointsA, pointsB] = [integerPoints(p.positions, bits), integerPoints(q.positions, bits)];
  if (Math.max(digitsOf(pointsA), digitsOf(pointsB)) > mostDigits) return undefined;
  const solidA = starSolid(pointsA, p.faces);
  const solidB = solidA && starSolid(pointsB, q.faces);
  if (solidB === undefined) return undefined;
  const hulls = depthInDifference(pointsA, pointsB);
  if (hulls === undefined) return { lower: 0, ways: [], bits };
  const ways = hulls.nearest.map(({ normal }) => wayAlong(normal, pointsA, pointsB, bits));
  ways.sort((one, other) => one.distance - other.distance);
  // Distances are right to 2^-49 of themselves.
  const lower =
    solidA!.isBent || solidB.isBent ? bentDepth(solidA!, solidB, bits, ways[0].distance) : ways[0].distance;
  return { lower: lower * (1 - 2 ** -48), ways, bits };
}

/** The largest depth in the difference of convex sets of two solids, in the world. No more are tried once that is near `most`. */
function bentDepth(a: StarSolid, b: StarSolid, bits: number, most: number): number {
  const depthIn = (p: Corners | undefined, q: Corners | undefined): number => {
    if (p === undefined || q === undefined) return 0;
    const digits = Math.max(p.digits, q.digits);
    const [cornersP, cornersQ] = [finer(p.corners, digits - p.digits), finer(q.corners, digits - q.digits)];
    if (Math.max(digitsOf(cornersP), digitsOf(cornersQ)) > mostDigits) return 0;
    const depth = depthInDifference(cornersP, cornersQ);
    return depth === undefined ? 0 : inWorld(depth.nearest[0].distance, bits + digits);
  };
  let lower = depthIn(coreOf(a), coreOf(b));
  if (lower > nearEnough * most) return lower;
  const [facesA, facesB] = [a, b].map(({ isBent, sides }) => (isBent ? sides.map((_, i) => i) : [-1]));
  if (facesA.length * facesB.length > mostPairs) return lower;
  const wedge = (solid: StarSolid, face: number): Corners | undefined =>
    face < 0 ? coreOf(solid) : wedgeOf(solid, face);
  const [wedgesA, wedgesB] = [facesA.map(face => wedge(a, face)), facesB.map(face => wedge(b, face))];
  const pairs: { i: number; j: number; depth: number }[] = [];
  for (let i = 0; i < facesA.length; i++) {
    for (let j = 0; j < facesB.length; j++) {
      const depth = depthIn(wedgesA[i], wedgesB[j]);
      if (depth > 0) pairs.push({ i, j, depth });
    }
  }
  pairs.sort((one, other) => other.depth - one.depth);
  const cell = (solid: StarSolid, face: number): Corners | undefined =>
    face < 0 ? coreOf(solid) : cellOf(solid, face);
  for (const { i, j, depth } of pairs.slice(0, mostCells)) {
    lower = Math.max(lower, depth, depthIn(cell(a, facesA[i]), cell(b, facesB[j])));
    if (lower > nearEnough * most) break;
  }
  return lower;
}

/** Whether a translation leads beyond one of the planes, exactly: then it separates the solids. */
export function leadsOut({ ways, bits }: ExactDepth, translation: ArrayLike<number>): boolean {
  const own = commonBits(Array.from({ length: 3 }, (_, i) => translation[i]));
  const [t] = integerPoints(translation, own);
  return ways.some(
    ({ plane: { normal, height } }) => dot(normal, t) << BigInt(bits) >= height << BigInt(own),
  );
}

function wayAlong(
  normal: IntegerPoint,
  a: readonly IntegerPoint[],
  b: readonly IntegerPoint[],
  bits: number,
): WayOut {
  const height = dot(normal, farthest(a, normal, 1)) - dot(normal, farthest(b, normal, -1));
  const plane = planeAlong(normal, height);
  const length = lengthOf(normal);
  const [x, y, z] = normal.near;
  return {
    plane,
    normal: [x / length, y / length, z / length],
    distance: inWorld(plane.distance, bits),
  };
}

/** Times 2^-bits, which alone may be less than any double. */
function inWorld(distance: number, bits: number): number {
  const half = Math.floor(bits / 2);
  return distance * 2 ** -half * 2 ** (half - bits);
}

/** World positions of the vertices that triangles use, and the triangles. */
function worldCorners({ shape, pose }: Placed): { positions: number[]; faces: Uint32Array } {
  const { mesh, positions } = shape;
  const numberOf = new Map<number, number>();
  const placed: number[] = [];
  const out = new Float64Array(3);
  const faces = Uint32Array.from(mesh.indices, index => {
    const vertex = mesh.adjacency.vertexOf[index];
    let number = numberOf.get(vertex);
    if (number === undefined) {
      number = numberOf.size;
      numberOf.set(vertex, number);
      applyPose(pose, positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], out, 0);
      placed.push(out[0], out[1], out[2]);
    }
    return number;
  });
  return { positions: placed, faces };
}
