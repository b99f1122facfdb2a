// The nearest triangle for one point: finds the triangles that may be the nearest, and decides among them if doubles and double-doubles can
// (closest-points.as.ts).

import { Tree } from '../../../bvh/cpu/build/layout.as';
import { Body } from '../../../bvh/cpu/place/place.as';
import { copyDoubles } from '../triangles/copy.as';
import { exactSide, unknownSign } from '../triangles/expansion.as';
import { compareMeasured, Measured, measuredBytes, measureFeature } from '../triangles/measure-feature.as';
import { decideFeature } from '../triangles/point-feature.as';
import { Near } from '../triangles/point-triangle.as';
import { candidateOf, NearTriangle, startClosest, tryTriangle } from './closest.as';
import { noTriangle, PointsJob, writeAnswer, writeNoAnswer, writeUnsure } from './points-job.as';
import { walkBody } from './world-point.as';

/** Answers one point. Returns false if its candidates or the list of undecided points had no room. */
export function closestPoint(job: PointsJob, body: Body, tree: Tree, i: u32, unit: f64, last: i32): bool {
  const point = job.points + <usize>i * 24;
  const x = load<f64>(point);
  const y = load<f64>(point, 8);
  const z = load<f64>(point, 16);
  const scratch = job.closest;
  const list = job.candidates;
  const capacity = job.candidateCapacity;
  const bounds = job.bounds;
  const upTo = bounds === 0 ? job.upTo : load<f64>(bounds + ((<usize>i) << 3));
  startClosest(scratch, upTo);
  if (last >= 0) {
    tryTriangle(body, <u32>last, x, y, z, scratch, list, capacity);
    scratch.high = min(scratch.high, upTo);
  }
  walkBody(body, x, y, z, unit, scratch, list, capacity, last);
  return answerPoint(job, tree, i, x, y, z, upTo);
}

/** Answers a point from its candidates. Returns false if they or the list of undecided points had no room. */
export function answerPoint(job: PointsJob, tree: Tree, i: u32, x: f64, y: f64, z: f64, upTo: f64): bool {
  const list = job.candidates;
  const found = job.closest.count;
  if (found > job.candidateCapacity) {
    job.candidateCount = found;
    return false;
  }
  if (found === 0) {
    writeNoAnswer(job, i);
    return true;
  }
  const order = tree.order;
  const chosen = oneAnswer(job, x, y, z, upTo, list, found, order);
  if (chosen === null) {
    const listed = job.unsureCount;
    if (listed + found > job.unsureCapacity) {
      job.candidateCount = found;
      return false;
    }
    let to = job.unsure + ((<usize>listed) << 3);
    for (let at: u32 = 0; at < found; at++, to += 8) {
      const candidate = candidateOf(list, at).slot;
      store<u32>(to, i);
      store<u32>(to, load<u32>(order + ((<usize>candidate) << 2)), 4);
    }
    job.unsureCount = listed + found;
    writeUnsure(job, i);
    return true;
  }
  const measured = job.measured;
  const triangle = load<u32>(order + ((<usize>chosen.slot) << 2));
  const to = writeAnswer(job, i, measured.distance, triangle, chosen.near.feature);
  copyDoubles(to, job.single !== 0 ? measured.way : measured.nearest, 24);
  return true;
}

/**
 * The candidate with the lowest of the nearest triangles, if that is certain. Its feature is then the right one, and it
 * is measured to `measured`. null if the exact stage has to decide.
 */
function oneAnswer(
  job: PointsJob,
  x: f64,
  y: f64,
  z: f64,
  upTo: f64,
  list: usize,
  count: u32,
  order: usize,
): NearTriangle | null {
  const measured = job.measured;
  const compared = job.compared;
  // One of the nearest, and the lowest triangle among those equally near.
  let nearest = candidateOf(list, 0);
  let chosen = nearest;
  let lowest: u32 = noTriangle;
  let isAlike = false;
  let isMeasured = false;
  // Not provably less than the bound: the exact stage decides.
  if (job.closest.high >= upTo) return null;
  if (job.rounded !== 0) return null;
  for (let i: u32 = 0; i < count; i++) {
    const candidate = candidateOf(list, i);
    const near = candidate.near;
    const corners = candidate.corners;
    const likely = near.feature;
    if (near.certain === 0) decideFeature(x, y, z, corners, near, job.work);
    if (near.certain === 0) return null;
    const feature = near.feature;
    if (i > 0 && !sameFeature(nearest, candidate)) {
      if (!isMeasured && !measureExactly(x, y, z, nearest, measured, job.work)) return null;
      isMeasured = true;
      if (!measureExactly(x, y, z, candidate, compared, job.work)) return null;
      const nearer = compareMeasured(measured, compared);
      if (nearer === unknownSign) return null;
      if (nearer < 0) continue;
      if (nearer > 0) {
        copyDoubles(changetype<usize>(measured), changetype<usize>(compared), measuredBytes);
        nearest = candidate;
        lowest = noTriangle;
      }
    }
    const triangle = load<u32>(order + ((<usize>candidate.slot) << 2));
    if (triangle >= lowest) continue;
    lowest = triangle;
    chosen = candidate;
    isAlike = likely === feature;
  }
  if (!isMeasured && isAlike && job.single !== 0 && inDouble(chosen, measured)) return chosen;
  return measureCandidate(x, y, z, chosen, measured) ? chosen : null;
}

function measureCandidate(x: f64, y: f64, z: f64, candidate: NearTriangle, out: Measured): bool {
  const feature = candidate.near.feature;
  return measureFeature(x, y, z, candidate.corners, feature, out);
}

/**
 * Measures for a comparison. If a point is neither inward nor outward of its nearest edge, it is as far from the
 * triangle's plane as from the edge, and the distance from many planes is exact.
 */
function measureExactly(x: f64, y: f64, z: f64, candidate: NearTriangle, out: Measured, work: usize): bool {
  const feature = candidate.near.feature;
  if (feature === 0 || feature >= 4) return measureCandidate(x, y, z, candidate, out);
  const corners = candidate.corners;
  const a = corners + <usize>(feature - 1) * 24;
  const b = corners + <usize>(feature % 3) * 24;
  const c = corners + <usize>((feature + 1) % 3) * 24;
  const isAbove = exactSide(x, y, z, a, b, c, work) === 0;
  return measureFeature(x, y, z, corners, isAbove ? 0 : feature, out);
}

/** Takes the double precision result if its bounds are within 2^-30 of each other; a single has 24 digits. */
function inDouble(candidate: NearTriangle, out: Measured): bool {
  const near = candidate.near;
  const low = near.low;
  const high = near.high;
  if (!(high - low <= 9.313225746154785e-10 * low)) return false;
  out.distance = 0.5 * (low + high);
  copyDoubles(out.way, changetype<usize>(near) + offsetof<Near>('x'), 24);
  return true;
}

/** Tells whether two candidates' features, both corners or both edges, have equal positions. */
function sameFeature(candidateA: NearTriangle, candidateB: NearTriangle): bool {
  const featureA = candidateA.near.feature;
  const featureB = candidateB.near.feature;
  const a = candidateA.corners;
  const b = candidateB.corners;
  if (featureA === 0 || featureB === 0 || featureA < 4 !== featureB < 4) return false;
  if (featureA >= 4) return samePosition(a + <usize>(featureA - 4) * 24, b + <usize>(featureB - 4) * 24);
  const a0 = a + <usize>(featureA - 1) * 24;
  const a1 = featureA === 3 ? a : a0 + 24;
  const b0 = b + <usize>(featureB - 1) * 24;
  const b1 = featureB === 3 ? b : b0 + 24;
  return (samePosition(a0, b0) && samePosition(a1, b1)) || (samePosition(a0, b1) && samePosition(a1, b0));
}

export function samePosition(a: usize, b: usize): bool {
  return (
    load<f64>(a) === load<f64>(b) &&
    load<f64>(a, 8) === load<f64>(b, 8) &&
    load<f64>(a, 16) === load<f64>(b, 16)
  );
}
