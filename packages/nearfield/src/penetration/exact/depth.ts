// How deep do two small solids overlap that are convex except for rounding? Computed in integers made of their world
// positions. This is for solids so thin, or overlaps so small, that doubles leave the bracket open (pieces/hull.ts).
// The depth is that of the world positions as they are, for translations of any real numbers. Rounding when a
// translation is applied to a pose only concerns the upper bound (separation.ts).

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { dot } from '../../math/exact/rational.ts';
import { applyPose } from '../../math/pose.ts';
import { closedShells } from '../pieces/shells.ts';
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
  /** No translation shorter than this separates; 0 if they have no common interior. Rounded down. */
  readonly lower: number;
  /** Shortest first; empty if they have no common interior. */
  readonly ways: readonly WayOut[];
  /** Heights of planes are in units of 2^-bits. */
  readonly bits: number;
  /** The solids are the unions of these. */
  readonly shells: { readonly a: readonly StarSolid[]; readonly b: readonly StarSolid[] };
}

/**
 * Comparing every face with every corner takes time proportional to the product of their numbers. So no more faces than
 * this.
 */
const mostFaces = 512;
/** Products of three coordinates of more digits would be beyond the range of doubles. */
const mostDigits = 330;
/** A lower bound this near the upper one is good enough. */
const nearEnough = 0.99;
/** The most wedges of bent solids, and pairs of cells, that are compared. */
const mostPairs = 1024;
const mostCells = 8;

/** Tells whether both solids have few faces. */
export const mayBeExact = (a: Placed, b: Placed): boolean =>
  Math.max(a.shape.mesh.triangleCount, b.shape.mesh.triangleCount) <= mostFaces;

/**
 * For two solids of few faces. Undefined if one has too many digits, or shells that are not convex up to rounding or do
 * not wind the same way.
 */
export function exactDepth(a: Placed, b: Placed): ExactDepth | undefined {
  const [shellsA, shellsB] = [worldShells(a), worldShells(b)];
  if (!(shellsA?.length && shellsB?.length)) return undefined;
  // Integers take a hundred times as long to find that out.
  if (isPlainlyHollow(shellsA) || isPlainlyHollow(shellsB)) return undefined;
  const bits = commonBits([...shellsA, ...shellsB].flatMap(({ positions }) => positions));
  const solidA = starSolids(shellsA, bits) ?? starSolids(worldShells(a, true), bits);
  const solidB = solidA && (starSolids(shellsB, bits) ?? starSolids(worldShells(b, true), bits));
  if (solidB === undefined) return undefined;
  const shells = { a: solidA!, b: solidB };
  const [pointsA, pointsB] = [shells.a, shells.b].map(solid => solid.flatMap(({ points }) => points));
  const hulls = depthInDifference(pointsA, pointsB);
  if (hulls === undefined) return { lower: 0, ways: [], bits, shells };
  const ways = hulls.nearest.map(({ normal }) => wayAlong(normal, pointsA, pointsB, bits));
  ways.sort((one, other) => one.distance - other.distance);
  // Distances are right to 2^-49 of themselves.
  return { lower: lowerOf(shells, bits, ways[0].distance) * (1 - 2 ** -48), ways, bits, shells };
}

/**
 * Whether a single shell has faces that look towards the mean of its corners and others that look away, as a ring has, by
 * more than doubles could be wrong: then integers say that it is no star (core.ts). With positions relative to the mean,
 * of size s at most, each is off by a few roundings of the largest coordinate, R. That moves a face's normal by less than
 * 2^-50·R times its longest side, and the product with a corner by that times s, or by 2^-50·R times the normal.
 */
function isPlainlyHollow(shells: readonly WorldShell[]): boolean {
  if (shells.length !== 1) return false;
  const [{ positions, faces }] = shells;
  const mean = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) mean[i % 3] += (3 * positions[i]) / positions.length;
  const p = positions.map((x, i) => x - mean[i % 3]);
  const largest = (values: readonly number[]): number =>
    values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const [size, reach] = [2 * largest(p), 2 * largest(positions)];
  const seen = [false, false];
  for (let i = 0; i < faces.length; i += 3) {
    const [a, b, c] = [3 * faces[i], 3 * faces[i + 1], 3 * faces[i + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const height = nx * p[a] + ny * p[a + 1] + nz * p[a + 2];
    const side = Math.hypot(ux, uy, uz) + Math.hypot(vx, vy, vz);
    // Far more than the error, which is all that is needed.
    const plain = 2 ** -20 * size * Math.hypot(nx, ny, nz) + 2 ** -40 * reach * size * side;
    if (Math.abs(height) > plain) seen[height > 0 ? 1 : 0] = true;
    if (seen[0] && seen[1]) return true;
  }
  return false;
}

/** For single shells; 0 for unions, about which nothing is known yet. */
function lowerOf({ a, b }: ExactDepth['shells'], bits: number, most: number): number {
  if (a.length > 1 || b.length > 1) return 0;
  return a[0].isBent || b[0].isBent ? bentDepth(a[0], b[0], bits, most) : most;
}

function starSolids(shells: readonly WorldShell[] | undefined, bits: number): StarSolid[] | undefined {
  if (shells === undefined) return undefined;
  const solids: StarSolid[] = [];
  for (const { positions, faces } of shells) {
    const points = integerPoints(positions, bits);
    if (digitsOf(points) > mostDigits) return undefined;
    const solid = starSolid(points, faces);
    if (solid === undefined || solid.turn !== (solids[0] ?? solid).turn) return undefined;
    solids.push(solid);
  }
  return solids;
}

/** The largest depth in the difference of convex sets of two solids, in the world. Stops once that is near `most`. */
function bentDepth(a: StarSolid, b: StarSolid, bits: number, most: number): number {
  const depthIn = (p: Corners | undefined, q: Corners | undefined): number =>
    p && q ? depthBetween(p, q, bits) : 0;
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

/**
 * How deep the origin lies in the difference of two convex sets, in the world; 0 if it does not, or is not known to.
 */
export function depthBetween(p: Corners, q: Corners, bits: number): number {
  const digits = Math.max(p.digits, q.digits);
  const [cornersP, cornersQ] = [finer(p.corners, digits - p.digits), finer(q.corners, digits - q.digits)];
  if (areApart(cornersP, cornersQ)) return 0;
  if (Math.max(digitsOf(cornersP), digitsOf(cornersQ)) > mostDigits) return 0;
  const depth = depthInDifference(cornersP, cornersQ);
  return depth === undefined ? 0 : inWorld(depth.nearest[0].distance, bits + digits);
}

/**
 * Tells whether the boxes of two sets are apart. Rounding keeps the order of their ends, so different rounded ends
 * decide.
 */
const areApart = (p: readonly IntegerPoint[], q: readonly IntegerPoint[]): boolean =>
  [0, 1, 2].some(axis => {
    const [lowP, highP] = rangeOf(p, axis);
    const [lowQ, highQ] = rangeOf(q, axis);
    return highP < lowQ || highQ < lowP;
  });

function rangeOf(points: readonly IntegerPoint[], axis: number): [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { near } of points) {
    if (near[axis] < low) low = near[axis];
    if (near[axis] > high) high = near[axis];
  }
  return [low, high];
}

/** Tells exactly whether a translation leads beyond one of the planes: then it separates the solids. */
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

/** Times 2^-bits, which by itself may be less than any double. */
export function inWorld(distance: number, bits: number): number {
  const half = Math.floor(bits / 2);
  return distance * 2 ** -half * 2 ** (half - bits);
}

/** A closed surface: world positions of its vertices, three numbers per vertex, and vertex indices, three per face. */
export interface WorldShell {
  readonly positions: number[];
  readonly faces: Uint32Array;
}

/** `together` as in `closedShells`. */
export function worldShells({ shape, pose }: Placed, together = false): WorldShell[] | undefined {
  const { mesh, positions } = shape;
  const out = new Float64Array(3);
  return closedShells(mesh, positions, together)?.map(({ faces, vertices }) => ({
    faces,
    positions: vertices.flatMap(v => {
      applyPose(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], out, 0);
      return [out[0], out[1], out[2]];
    }),
  }));
}
