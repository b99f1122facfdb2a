// Which of a few triangle pairs is exactly the nearest, how far apart are its triangles, and where? This kernel settles
// it in double-double if that is certain. It is certain except for parallel flat faces, ties of different features, and
// results in the middle between two doubles. Those are left to integers (exact/triangle-distance.ts), which take ten
// times as long.
//
// One pair is measured: its features (corner, edge, face) as double precision found them. Let p and q be the nearest
// points of the lines or planes of the features, and g = q − p. The pair is proved to be at distance |g| if p and q lie
// inside both features and every other corner lies beyond the plane through p, or q, normal to g. Another pair is no
// nearer if its corners lie beyond as well or are the features' own. It is exactly as near if it has all of the
// features' corners: then it shares them. If some pair is neither certainly as near in this way nor certainly farther,
// everything is left to integers.
//
// Errors. u² = 2^-106; sums of three products of exact differences are off by less than 32·u² of the factors' lengths.
// Let M be the product of the lengths that give a normal n, and κ = M/|n|. Then |δn| ≤ 32·u²·M, and forward through
// each formula:
//   a side (e × w)·n:                                  |δ| ≤ 100·u²·|e|·|w|·M
//   foot on an edge e of a point at w from its start: |δt| ≤ 80·u²·|w|/|e|
//   foot on a face of a point at w from a corner:      |δ| ≤ 250·u²·κ·|w|
//   edges u, v, starts r apart: |δs| ≤ 200·u²·κ·(κ·|r|/|u| + 1), t with |v| likewise
// Four times that is used, and nothing is settled if κ > 2^30. Then g, rounded to doubles, is off by less than
// 2^-52·|g|, and a sum g·(x − c) in double by less than 2^-50·|g|·|x − c|.

import { Body, worldTriangle } from '../../../bvh/cpu/place/place.as';
import { add, cross, divide, dot, fromTo, high, low, multiply } from '../triangles/double-double.as';
import { cornerOf, edgeFrom, edgeTo, refine } from '../triangles/refine.as';
import { trianglePair } from '../triangles/triangle-pair.as';
import { DistanceJob, recordAt } from './distance-job.as';

const unitSquared: f64 = 1.232595164407831e-32; // 2^-106
const mostKappa: f64 = 1073741824; // 2^30
const shortest: f64 = 1e-100;
const leastShare: f64 = 9.313225746154785e-10; // 2^-30
const signRoundings: f64 = 8.881784197001252e-16; // 2^-50

// The scratch: vectors of double-doubles, then the features' corners (room for three per body) and how many there are.
const vectorU: usize = 0;
const vectorV: usize = 48;
const vectorW: usize = 96;
const vectorN: usize = 144;
const vectorC: usize = 192;
const vectorE: usize = 240;
const vectorF: usize = 288;
const cornersOfA: usize = 336;
const cornersOfB: usize = 408;
export const settleBytes: usize = cornersOfB + 72;

/** g. */
let directionX: f64 = 0;
let directionY: f64 = 0;
let directionZ: f64 = 0;
let directionLength: f64 = 0;

/** Settles the list, whose records name slots, and writes the answer to the job. Returns false if it is not certain. */
export function settle(job: DistanceJob, a: Body, b: Body): bool {
  const count = job.listCount;
  if (count === 0 || job.meets !== 0) return false;
  const first = recordAt(job, 0);
  const pair = job.pair;
  const cornersA = job.cornersA;
  const cornersB = job.cornersB;
  worldTriangle(a, first.a, cornersA);
  worldTriangle(b, first.b, cornersB);
  trianglePair(cornersA, cornersB, Infinity, pair);
  const featureA = pair.featureA;
  const featureB = pair.featureB;
  // Between these sizes no product that matters underflows.
  const size = pair.size;
  if (!(size > 1e-40 && size < 1e40)) return false;
  const refined = job.refined;
  // Gives bounds and the direction between the features, whatever they are.
  if (!(pair.low > 0) || !refine(cornersA, cornersB, pair, Infinity, 0, refined)) return false;
  const least = refined.low + refined.lowRest;
  if (least !== refined.high + refined.highRest) return false;
  // If the bodies are nearer than that, g is not known well enough.
  if (!(least > size * leastShare)) return false;
  job.distance = least;
  const scratch = job.settleScratch;
  if (!points(job, cornersA, cornersB, featureA, featureB, scratch)) return false;
  directionX = load<f64>(refined.g);
  directionY = load<f64>(refined.g, 16);
  directionZ = load<f64>(refined.g, 32);
  directionLength = sqrt(directionX * directionX + directionY * directionY + directionZ * directionZ);
  if (!(directionLength > shortest && directionLength < 1e100)) return false;
  const ofA = featureCorners(cornersA, featureA, scratch + cornersOfA);
  const ofB = featureCorners(cornersB, featureB, scratch + cornersOfB);
  const orderA = a.tree.order;
  const orderB = b.tree.order;
  let lowest = u64.MAX_VALUE;
  for (let i: u32 = 0; i < count; i++) {
    const record = recordAt(job, i);
    if (i > 0) {
      worldTriangle(a, record.a, cornersA);
      worldTriangle(b, record.b, cornersB);
    }
    const shared =
      beyond(cornersA, scratch + cornersOfA, ofA, -1) + beyond(cornersB, scratch + cornersOfB, ofB, 1);
    if (shared !== ofA + ofB) return false;
    const name =
      ((<u64>load<u32>(orderA + ((<usize>record.a) << 2))) << 32) |
      <u64>load<u32>(orderB + ((<usize>record.b) << 2));
    if (name < lowest) lowest = name;
  }
  job.triangleA = <u32>(lowest >> 32);
  job.triangleB = <u32>lowest;
  return true;
}

/** Copies the corners that span a feature. Returns how many. */
function featureCorners(triangle: usize, feature: u32, out: usize): i32 {
  if (feature === 0) {
    memory.copy(out, triangle, 72);
    return 3;
  }
  if (feature >= 4) {
    memory.copy(out, cornerOf(triangle, feature), 24);
    return 1;
  }
  memory.copy(out, edgeFrom(triangle, feature), 24);
  memory.copy(out + 24, edgeTo(triangle, feature), 24);
  return 2;
}

/**
 * How many of a feature's corners a triangle has, if its other corners certainly lie beyond the plane through them: on
 * the side of sign·g. −8 if that is not certain.
 */
function beyond(triangle: usize, feature: usize, count: i32, sign: f64): i32 {
  let found: i32 = 0;
  for (let at: usize = 0; at < 72; at += 24) {
    const x = load<f64>(triangle + at);
    const y = load<f64>(triangle + at, 8);
    const z = load<f64>(triangle + at, 16);
    let same = false;
    for (let k: i32 = 0; k < count; k++) {
      const c = feature + <usize>k * 24;
      same = same || (x === load<f64>(c) && y === load<f64>(c, 8) && z === load<f64>(c, 16));
    }
    if (same) {
      found++;
      continue;
    }
    const dx = x - load<f64>(feature);
    const dy = y - load<f64>(feature, 8);
    const dz = z - load<f64>(feature, 16);
    const along = sign * (directionX * dx + directionY * dy + directionZ * dz);
    const length = sqrt(dx * dx + dy * dy + dz * dz);
    if (!(along > signRoundings * directionLength * length && length > shortest)) return -8;
  }
  return found;
}

/**
 * Writes the features' nearest points, rounded, to the job. Returns false if they are not certainly inside, or their
 * rounding is not certain.
 */
function points(job: DistanceJob, a: usize, b: usize, featureA: u32, featureB: u32, scratch: usize): bool {
  const toA = job.pointA;
  const toB = job.pointB;
  if (featureA >= 4) memory.copy(toA, cornerOf(a, featureA), 24);
  if (featureB >= 4) memory.copy(toB, cornerOf(b, featureB), 24);
  if (featureA >= 4 && featureB >= 4) return true;
  if (featureA >= 4) return foot(toA, b, featureB, toB, scratch);
  if (featureB >= 4) return foot(toB, a, featureA, toA, scratch);
  if (featureA === 0 || featureB === 0) return false;
  const p0 = edgeFrom(a, featureA);
  const q0 = edgeFrom(b, featureB);
  const u = scratch + vectorU;
  const v = scratch + vectorV;
  const w = scratch + vectorW;
  fromTo(p0, edgeTo(a, featureA), u);
  fromTo(q0, edgeTo(b, featureB), v);
  fromTo(p0, q0, w);
  const kappa = normal(scratch);
  if (!(kappa < mostKappa)) return false;
  return (
    onEdge(p0, u, v, kappa, toA, scratch) &&
    // From q0, r and the normal both change sign; the square undoes it.
    onEdge(q0, v, u, kappa, toB, scratch)
  );
}

/** n = u × v. Returns κ, infinite if n is too short to tell. */
function normal(scratch: usize): f64 {
  cross(scratch + vectorU, scratch + vectorV, scratch + vectorN);
  const n = length(scratch + vectorN);
  return n > shortest ? (length(scratch + vectorU) * length(scratch + vectorV)) / n : Infinity;
}

function length(vector: usize): f64 {
  const x = load<f64>(vector);
  const y = load<f64>(vector, 16);
  const z = load<f64>(vector, 32);
  return sqrt(x * x + y * y + z * z);
}

/**
 * The point of the edge from `start` along `own` that is nearest to the other edge. Let r be the vector from this
 * edge's start to the other's. The share along the edge is (r × other)·n / n·n. The formula holds for both edges, since
 * r·(other × n) changes its sign with r and with n alike.
 */
function onEdge(start: usize, own: usize, other: usize, kappa: f64, to: usize, scratch: usize): bool {
  const n = scratch + vectorN;
  cross(scratch + vectorW, other, scratch + vectorC);
  dot(scratch + vectorC, n);
  const partHigh = high;
  const partLow = low;
  dot(n, n);
  divide(partHigh, partLow, high, low);
  const error = 800.0 * unitSquared * kappa * ((kappa * length(scratch + vectorW)) / length(own) + 1.0);
  return place(start, own, high, low, error, to);
}

/** start + share·along, rounded, if the share certainly lies within (0, 1) and the rounding is certain. */
function place(start: usize, along: usize, shareHigh: f64, shareLow: f64, error: f64, to: usize): bool {
  if (!(shareHigh > 2.0 * error + 1e-30 && 1.0 - shareHigh > 2.0 * error + 1e-15)) return false;
  for (let axis: usize = 0; axis < 3; axis++) {
    const edge = load<f64>(along + (axis << 4));
    const from = load<f64>(start + (axis << 3));
    if (edge === 0) {
      store<f64>(to + (axis << 3), from);
      continue;
    }
    coordinate(from, edge, load<f64>(along + (axis << 4), 8), shareHigh, shareLow);
    const rounding = unitSquared * (16.0 * abs(from) + 64.0 * abs(edge)) + abs(edge) * error;
    if (!rounded(rounding, to + (axis << 3))) return false;
  }
  return true;
}

/** start + share·edge to `high` and `low`. */
function coordinate(start: f64, edge: f64, edgeLow: f64, share: f64, shareLow: f64): void {
  multiply(edge, edgeLow, share, shareLow);
  add(start, 0, high, low);
}

/** Stores `high` + `low` as a double if that is the same for all numbers within `error` of it. */
function rounded(error: f64, to: usize): bool {
  const value = high + low;
  store<f64>(to, value);
  // The rounding of low ± error is less than another error.
  return high + (low + 2.0 * error) === value && high + (low - 2.0 * error) === value;
}

/** The point of an edge or face nearest to a point. */
function foot(point: usize, triangle: usize, feature: u32, to: usize, scratch: usize): bool {
  const u = scratch + vectorU;
  const v = scratch + vectorV;
  const w = scratch + vectorW;
  if (feature !== 0) {
    const start = edgeFrom(triangle, feature);
    fromTo(start, edgeTo(triangle, feature), u);
    fromTo(start, point, w);
    if (!(length(u) > shortest)) return false;
    dot(w, u);
    const partHigh = high;
    const partLow = low;
    dot(u, u);
    divide(partHigh, partLow, high, low);
    return place(start, u, high, low, (320.0 * unitSquared * length(w)) / length(u), to);
  }
  fromTo(triangle, triangle + 24, u);
  fromTo(triangle, triangle + 48, v);
  fromTo(triangle, point, w);
  const kappa = normal(scratch);
  if (!(kappa < mostKappa) || !insideFace(point, triangle, scratch)) return false;
  const n = scratch + vectorN;
  dot(n, w);
  const partHigh = high;
  const partLow = low;
  dot(n, n);
  divide(partHigh, partLow, high, low);
  const shareHigh = high;
  const shareLow = low;
  const error = 1000.0 * unitSquared * kappa * length(w);
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = load<f64>(point + (axis << 3));
    if (isNothing(u, v, axis)) {
      store<f64>(to + (axis << 3), at);
      continue;
    }
    coordinate(at, -load<f64>(n + (axis << 4)), -load<f64>(n + (axis << 4), 8), shareHigh, shareLow);
    if (!rounded(error + 16.0 * unitSquared * abs(at), to + (axis << 3))) return false;
  }
  return true;
}

/** Tells whether u × v is exactly 0 along an axis because every product is 0. */
function isNothing(u: usize, v: usize, axis: usize): bool {
  const j = (axis === 2 ? 0 : axis + 1) << 4;
  const k = (axis === 0 ? 2 : axis - 1) << 4;
  return (
    (load<f64>(u + j) === 0 || load<f64>(v + k) === 0) && (load<f64>(u + k) === 0 || load<f64>(v + j) === 0)
  );
}

/**
 * Tells whether a point certainly lies over the inside of a face with normal n (in the scratch): (e × w)·n > 0 along
 * every edge e.
 */
function insideFace(point: usize, triangle: usize, scratch: usize): bool {
  const n = scratch + vectorN;
  const size = length(scratch + vectorU) * length(scratch + vectorV);
  const e = scratch + vectorE;
  const w = scratch + vectorF;
  for (let at: usize = 0; at < 72; at += 24) {
    fromTo(triangle + at, at === 48 ? triangle : triangle + at + 24, e);
    fromTo(triangle + at, point, w);
    cross(e, w, scratch + vectorC);
    dot(scratch + vectorC, n);
    if (!(high > 400.0 * unitSquared * length(e) * length(w) * size)) return false;
  }
  return true;
}
