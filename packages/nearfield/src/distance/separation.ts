// How far apart are two bodies, exactly? An engine finds the triangle pairs that may be the nearest, or that may meet.
// This file turns them into one distance with its points and triangles.

import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { snapshotOf } from '../bodies/snapshot/snapshot-of.ts';
import { sortRecords } from '../bvh/cpu/sort/records.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { TooManyPairs } from '../core/errors.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { pointsInside } from '../inside/winding.ts';
import { decidePairs } from '../interferences/exact.ts';
import { cpuPairs } from '../interferences/hierarchy/cpu/driver.ts';
import { holdsPartOf, mayHoldPartOf } from '../interferences/relation/containment.ts';
import { applyPose, placeTriangle } from '../math/pose.ts';
import { trianglesMeet } from '../math/triangles/triangle-triangle.ts';
import { cpuDistances } from './cpu/driver.ts';
import { decideNearest } from './exact/nearest.ts';
import { distanceOf, nearestPoints, pointToDoubles } from './exact/triangle-distance.ts';
import { nearState, type RawNearest, settledNumbers } from './request.ts';

/** The distance of two bodies, and where it occurs. */
export interface Separation {
  /**
   * In world units, correctly rounded. 0 if and only if the bodies meet; Infinity if they are not nearer than was asked for. A body
   * that is not solid has no inside: within a solid it does not meet it, and the distance is that of the surfaces.
   */
  readonly distance: number;
  /** The point of a at that distance: world x, y, z, each correctly rounded; NaN if nothing is near enough. */
  readonly pointA: Float64Array;
  /** The point of b at that distance, likewise. */
  readonly pointB: Float64Array;
  /**
   * The triangle of a that has the point. Among equally near pairs of triangles, the lowest triangle of the body with the
   * lower index is named, then the lowest of the other. −1 if nothing is near enough, or if one solid lies inside the
   * other: then both points are one common point.
   */
  readonly triangleA: number;
  /** The triangle of b that has the point, by the same rule. */
  readonly triangleB: number;
}

/** The triangle pairs that an engine left for one candidate, and its state. */
export interface Candidate {
  readonly triangles: Uint32Array;
  readonly state: number;
  /** The first pair that meets, or an empty array; undefined if the engine has not searched for it. */
  readonly meeting: Uint32Array | undefined;
  /** The answer, if nothing is left to decide. */
  readonly settled?: Separation | undefined;
}

export const candidateOf = (raw: RawNearest, c: number): Candidate => ({
  triangles: raw.triangles.subarray(2 * raw.start[c], 2 * raw.start[c + 1]),
  state: raw.states[c],
  meeting: raw.meetings?.get(c),
  settled: (raw.states[c] & nearState.settled) === 0 ? undefined : settledOf(raw, c),
});

/** The answer about a candidate that the engine has settled. */
export function settledOf({ settled }: RawNearest, c: number): Separation {
  const { places, numbers } = settled!;
  const at = settledNumbers * places[c];
  return {
    distance: numbers[at],
    pointA: numbers.slice(at + 1, at + 4),
    pointB: numbers.slice(at + 4, at + 7),
    triangleA: numbers[at + 7],
    triangleB: numbers[at + 8],
  };
}

const corners = new Float64Array(18);
const theTwo = new Uint32Array([0, 1]);

/** The answer if nothing is as near as was asked for. */
export const farther = (): Separation => ({
  distance: Infinity,
  pointA: new Float64Array(3).fill(Number.NaN),
  pointB: new Float64Array(3).fill(Number.NaN),
  triangleA: -1,
  triangleB: -1,
});

/** Tells whether triangles meet or may meet. */
export const mayMeet = ({ state }: Candidate): boolean => (state & nearState.mayMeet) !== 0;

/** The exact separation. a must be the body with the lower index. */
export function separationOf(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  candidate: Candidate,
  upTo: number,
  surface: boolean,
): Separation {
  let { triangles } = candidate;
  if (mayMeet(candidate)) {
    const pair = candidate.meeting ?? firstMeeting(engine, a, b);
    if (pair.length > 0) return meetingAt(a, b, pair);
  }
  const common = surface ? undefined : commonPoint(engine, a, b);
  if (common) {
    return { distance: 0, pointA: common, pointB: common.slice(), triangleA: -1, triangleB: -1 };
  }
  if (candidate.settled) return candidate.settled;
  if (mayMeet(candidate)) {
    const request = { candidates: theTwo, upTo, evenIfMeeting: true };
    const again = candidateOf(cpuDistances(engine).nearestSync([a, b], request), 0);
    if (again.settled) return again.settled;
    triangles = again.triangles;
  }
  const found = decideNearest(a, b, inOrder(engine, triangles), upTo);
  if (found === undefined) return farther();
  const { nearest, triangleA, triangleB } = found;
  return {
    distance: distanceOf(nearest),
    pointA: pointToDoubles(nearest.pointA, nearest.unit),
    pointB: pointToDoubles(nearest.pointB, nearest.unit),
    triangleA,
    triangleB,
  };
}

/** The largest list of meeting pairs made to find the first one: twelve megabytes, and a tenth of a second. */
const mostListed = 2 ** 20;

/** The first of the triangle pairs that meet, or an empty array. */
export function firstMeeting(
  engine: CpuEngine,
  a: SnapshotBody,
  b: SnapshotBody,
  most = mostListed,
): Uint32Array {
  try {
    const raw = cpuPairs(engine).interfereSync([a, b], { detail: 'list', candidates: theTwo, most });
    return decidePairs(raw, i => (i === 0 ? a : b), engine).triangles.subarray(0, 2);
  } catch (error) {
    if (!(error instanceof TooManyPairs)) throw error;
    return firstByWalks(engine, a, b) ?? giveUp(error);
  }
}

function giveUp(error: Error): never {
  throw error;
}

/**
 * The first meeting pair of bodies that meet in very many pairs, as coincident triangles do: n² pairs of 2n triangles.
 * Compares one triangle of A after another with the triangles of B around it. Returns undefined if the first pair that
 * may meet does not: then there may be no such pair, and finding that out would take as long as listing all pairs.
 */
function firstByWalks(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody): Uint32Array | undefined {
  const { certain, unsure } = cpuPairs(engine).interfereSync([a, b], {
    detail: 'any',
    candidates: theTwo,
    stopAtFirst: true,
  });
  const known = certain.length > 0 ? certain : unsure;
  if (known.length === 0) return undefined;
  placeTriangle(a.pose, a.positions, a.mesh.indices, known[1], corners, 0);
  placeTriangle(b.pose, b.positions, b.mesh.indices, known[2], corners, 9);
  if (!trianglesMeet(corners)) return undefined;
  const box = new Float64Array(6);
  for (let t = 0; t <= known[1]; t++) {
    placeTriangle(a.pose, a.positions, a.mesh.indices, t, corners, 0);
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(corners[axis], corners[axis + 3], corners[axis + 6]);
      box[axis + 3] = Math.max(corners[axis], corners[axis + 3], corners[axis + 6]);
    }
    // The list is sorted.
    for (const u of finderOf(engine).trianglesInBox(b, box)) {
      placeTriangle(b.pose, b.positions, b.mesh.indices, u, corners, 9);
      if (trianglesMeet(corners)) return Uint32Array.of(t, u);
    }
  }
  return undefined;
}

function meetingAt(a: SnapshotBody, b: SnapshotBody, [triangleA, triangleB]: Uint32Array): Separation {
  placeTriangle(a.pose, a.positions, a.mesh.indices, triangleA, corners, 0);
  placeTriangle(b.pose, b.positions, b.mesh.indices, triangleB, corners, 9);
  const { pointA, unit } = nearestPoints(corners);
  const point = pointToDoubles(pointA, unit);
  return { distance: 0, pointA: point, pointB: point.slice(), triangleA, triangleB };
}

/** A common point of two solids whose surfaces do not meet: a corner of one that lies inside the other. */
function commonPoint(engine: CpuEngine, a: SnapshotBody, b: SnapshotBody): Float64Array | undefined {
  if (!a.mesh.solid || !b.mesh.solid) return undefined;
  const both = snapshotOf([a, b]);
  if (mayHoldPartOf(both, 0, 1) && holdsPartOf(finderOf(engine), a, b)) return cornerWithin(engine, a, b);
  if (mayHoldPartOf(both, 1, 0) && holdsPartOf(finderOf(engine), b, a)) return cornerWithin(engine, b, a);
  return undefined;
}

function cornerWithin(engine: CpuEngine, body: SnapshotBody, other: SnapshotBody): Float64Array | undefined {
  const { pose, positions, mesh } = other;
  const point = new Float64Array(3);
  for (const vertex of mesh.adjacency.componentVertices) {
    applyPose(pose, positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2], point, 0);
    if (pointsInside(finderOf(engine), body, point)[0] !== 0) return point;
  }
  return undefined;
}

/** Sorts triangle pairs by the first, then the second. */
function inOrder(engine: CpuEngine, pairs: Uint32Array): Uint32Array {
  if (pairs.length <= 2) return pairs;
  const records = new Uint32Array((pairs.length / 2) * 3);
  for (let i = 0, r = 0; i < pairs.length; i += 2, r += 3) {
    records[r + 1] = pairs[i];
    records[r + 2] = pairs[i + 1];
  }
  sortRecords(engine, records);
  const sorted = new Uint32Array(pairs.length);
  for (let i = 0, r = 0; i < pairs.length; i += 2, r += 3) {
    sorted[i] = records[r + 1];
    sorted[i + 1] = records[r + 2];
  }
  return sorted;
}
