// The nearest triangle of a body for each of many world points. The walk (closest.as.ts) leaves the triangles that may
// be the nearest by their bounds in double. They are one answer if they all have the same nearest corner or edge (equal
// positions), decided exactly (point-feature.as.ts). Its distance is measured to 2^-52 of itself
// (measure-feature.as.ts). Different features are compared by their distances in double-double, with bounds. If these
// leave open which is nearest, as for most exact ties, or the distance is not certain to be that precise, all
// candidates are listed for the exact stage.
//
// A point starts with the bound that its predecessor's triangle gives: neighbours in an array are mostly neighbours in
// space.

import { treeOrder, treeTriangleCount } from '../../../bvh/cpu/build/layout.as';
import { bodyTree, invertBody } from '../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { exactSide, expansionBytes, unknownSign } from '../triangles/expansion.as';
import {
  compareMeasured,
  measuredBytes,
  measuredDistance,
  measuredPoint,
  measuredWay,
  measureFeature,
} from '../triangles/measure-feature.as';
import { decideFeature } from '../triangles/point-feature.as';
import { nearCertain, nearFeature, nearHigh, nearLow, nearX } from '../triangles/point-triangle.as';
import {
  candidateBytes,
  candidateCorners,
  candidateNear,
  candidateSlot,
  closestBytes,
  closestCount,
  closestHigh,
  closestSlot,
  startClosest,
  tryTriangle,
} from './closest.as';
import { frameUnit, walkBody } from './world-point.as';

/** The question: one body, world points (three doubles each), how far to search, and where answers go. */
export const pointsBody: usize = 0;
export const pointsAt: usize = 4;
export const pointsCount: usize = 8;
export const pointsNext: usize = 12;
export const pointsUpTo: usize = 16;
/**
 * Answers per point: distance and nearest point or the way to it (four doubles), then triangle and feature (two words).
 */
export const pointsAnswers: usize = 24;
/** Undecided points: (point, triangle) pairs of words. */
export const pointsUnsure: usize = 28;
export const pointsUnsureCount: usize = 32;
export const pointsUnsureCapacity: usize = 36;
/** The room for the candidates of one point. */
export const pointsCandidates: usize = 40;
export const pointsCandidateCapacity: usize = 44;
/** How many candidates the point had that did not fit. */
export const pointsCandidateCount: usize = 48;
/** The known near triangles, two words per point: its first slot and the count. 0 if they are not known. */
export const pointsGiven: usize = 52;
export const pointsSlots: usize = 56;
/** 1 if points or positions were rounded on their way here: then the exact stage has to decide everything. */
export const pointsRounded: usize = 60;
/** 1 if distances are wanted in single precision: then the way to the nearest point is given in place of the point. */
export const pointsSingle: usize = 64;
/**
 * How far to search from each point, one double per point, in place of `pointsUpTo`; 0 if the limit is the same for
 * all.
 */
export const pointsBounds: usize = 68;
const pointsScratch: usize = 72;
const pointsMeasured: usize = pointsScratch + closestBytes;
const pointsCompared: usize = pointsMeasured + measuredBytes;
const pointsWork: usize = pointsCompared + measuredBytes;
export const pointsBytes: usize = pointsWork + expansionBytes;

export const pointAnswerBytes: usize = 40;

/** `answer + 32` holds this if nothing is within reach, or if the exact stage has to decide. */
export const noTriangle: u32 = 0xffffffff;
export const unsureTriangle: u32 = 0xfffffffe;
/** The slot count of a point whose near triangles are not known. */
const leftOpen: u32 = 0xffffffff;

/** Answers points until done, out of room or past `budget` points. */
export function closestPoints(job: usize, budget: i32): i32 {
  const body = load<usize>(job, pointsBody);
  const tree = load<usize>(body, bodyTree);
  const count = load<u32>(job, pointsCount);
  const empty = load<u32>(tree, treeTriangleCount) === 0;
  if (!empty) invertBody(body);
  const unit = empty ? 0 : frameUnit(body);
  let last: i32 = -1;
  for (let i = load<u32>(job, pointsNext); i < count; i++) {
    store<u32>(job, i, pointsNext);
    if (--budget < 0) return jobPaused;
    if (empty) {
      store<u32>(load<usize>(job, pointsAnswers) + <usize>i * pointAnswerBytes, noTriangle, 32);
      continue;
    }
    if (!closestPoint(job, body, tree, i, unit, last)) return jobFull;
    last = load<i32>(job + pointsScratch, closestSlot);
  }
  store<u32>(job, count, pointsNext);
  return jobDone;
}

/** Answers one point. Returns false if its candidates or the list of undecided points had no room. */
function closestPoint(job: usize, body: usize, tree: usize, i: u32, unit: f64, last: i32): bool {
  const point = load<usize>(job, pointsAt) + <usize>i * 24;
  const x = load<f64>(point);
  const y = load<f64>(point, 8);
  const z = load<f64>(point, 16);
  const scratch = job + pointsScratch;
  const list = load<usize>(job, pointsCandidates);
  const capacity = load<u32>(job, pointsCandidateCapacity);
  const answer = load<usize>(job, pointsAnswers) + <usize>i * pointAnswerBytes;
  const bounds = load<usize>(job, pointsBounds);
  const upTo = bounds === 0 ? load<f64>(job, pointsUpTo) : load<f64>(bounds + ((<usize>i) << 3));
  startClosest(scratch, upTo);
  const given = load<usize>(job, pointsGiven);
  const slots = given === 0 ? leftOpen : load<u32>(given + ((<usize>i) << 3), 4);
  if (slots !== leftOpen) {
    let at = load<usize>(job, pointsSlots) + ((<usize>load<u32>(given + ((<usize>i) << 3))) << 2);
    for (let k: u32 = 0; k < slots; k++, at += 4)
      tryTriangle(tree, body, load<u32>(at), x, y, z, scratch, list, capacity);
  } else if (last >= 0) {
    tryTriangle(tree, body, <u32>last, x, y, z, scratch, list, capacity);
    store<f64>(scratch, min(load<f64>(scratch, closestHigh), upTo), closestHigh);
  }
  if (slots === leftOpen) walkBody(body, x, y, z, unit, scratch, list, capacity, last);
  const found = load<u32>(scratch, closestCount);
  if (found > capacity) {
    store<u32>(job, found, pointsCandidateCount);
    return false;
  }
  if (found === 0) {
    store<u32>(answer, noTriangle, 32);
    return true;
  }
  const order = load<usize>(tree, treeOrder);
  const chosen = oneAnswer(job, x, y, z, upTo, list, found, order);
  if (chosen === 0) {
    const listed = load<u32>(job, pointsUnsureCount);
    if (listed + found > load<u32>(job, pointsUnsureCapacity)) {
      store<u32>(job, found, pointsCandidateCount);
      return false;
    }
    let to = load<usize>(job, pointsUnsure) + ((<usize>listed) << 3);
    for (let at: u32 = 0; at < found; at++, to += 8) {
      const candidate = load<u32>(list + <usize>at * candidateBytes, candidateSlot);
      store<u32>(to, i);
      store<u32>(to, load<u32>(order + ((<usize>candidate) << 2)), 4);
    }
    store<u32>(job, listed + found, pointsUnsureCount);
    store<u32>(answer, unsureTriangle, 32);
    return true;
  }
  const measured = job + pointsMeasured;
  store<f64>(answer, load<f64>(measured, measuredDistance));
  memory.copy(answer + 8, measured + (load<u32>(job, pointsSingle) !== 0 ? measuredWay : measuredPoint), 24);
  store<u32>(answer, load<u32>(order + ((<usize>load<u32>(chosen, candidateSlot)) << 2)), 32);
  store<u32>(answer, load<u32>(chosen + candidateNear, nearFeature), 36);
  return true;
}

/**
 * The candidate with the lowest of the nearest triangles, if that is certain. Its feature is then the right one, and it
 * is measured to `pointsMeasured`. 0 if the exact stage has to decide.
 */
function oneAnswer(
  job: usize,
  x: f64,
  y: f64,
  z: f64,
  upTo: f64,
  list: usize,
  count: u32,
  order: usize,
): usize {
  const measured = job + pointsMeasured;
  const compared = job + pointsCompared;
  // One of the nearest, and the lowest triangle among those equally near.
  let nearest = list;
  let chosen: usize = 0;
  let lowest: u32 = noTriangle;
  let isAlike = false;
  let isMeasured = false;
  // Not provably less than the bound: the exact stage decides.
  if (load<f64>(job + pointsScratch, closestHigh) >= upTo) return 0;
  if (load<u32>(job, pointsRounded) !== 0) return 0;
  for (let i: u32 = 0; i < count; i++) {
    const candidate = list + <usize>i * candidateBytes;
    const near = candidate + candidateNear;
    const corners = candidate + candidateCorners;
    const likely = load<u32>(near, nearFeature);
    decideFeature(x, y, z, corners, near, job + pointsWork);
    if (load<u32>(near, nearCertain) === 0) return 0;
    const feature = load<u32>(near, nearFeature);
    if (i > 0 && !sameFeature(nearest, candidate)) {
      if (!isMeasured && !measureExactly(x, y, z, nearest, measured, job + pointsWork)) return 0;
      isMeasured = true;
      if (!measureExactly(x, y, z, candidate, compared, job + pointsWork)) return 0;
      const nearer = compareMeasured(measured, compared);
      if (nearer === unknownSign) return 0;
      if (nearer < 0) continue;
      if (nearer > 0) {
        memory.copy(measured, compared, measuredBytes);
        nearest = candidate;
        lowest = noTriangle;
      }
    }
    const triangle = load<u32>(order + ((<usize>load<u32>(candidate, candidateSlot)) << 2));
    if (triangle >= lowest) continue;
    lowest = triangle;
    chosen = candidate;
    isAlike = likely === feature;
  }
  if (!isMeasured && isAlike && load<u32>(job, pointsSingle) !== 0 && inDouble(chosen, measured))
    return chosen;
  return measureCandidate(x, y, z, chosen, measured) ? chosen : 0;
}

function measureCandidate(x: f64, y: f64, z: f64, candidate: usize, out: usize): bool {
  const feature = load<u32>(candidate + candidateNear, nearFeature);
  return measureFeature(x, y, z, candidate + candidateCorners, feature, out);
}

/**
 * Measures for a comparison. If a point is neither inward nor outward of its nearest edge, it is as far from the
 * triangle's plane as from the edge, and the distance from many planes is exact.
 */
function measureExactly(x: f64, y: f64, z: f64, candidate: usize, out: usize, work: usize): bool {
  const feature = load<u32>(candidate + candidateNear, nearFeature);
  if (feature === 0 || feature >= 4) return measureCandidate(x, y, z, candidate, out);
  const corners = candidate + candidateCorners;
  const a = corners + <usize>(feature - 1) * 24;
  const b = corners + <usize>(feature % 3) * 24;
  const c = corners + <usize>((feature + 1) % 3) * 24;
  const isAbove = exactSide(x, y, z, a, b, c, work) === 0;
  return measureFeature(x, y, z, corners, isAbove ? 0 : feature, out);
}

/** Takes the double precision result if its bounds are within 2^-30 of each other; a single has 24 digits. */
function inDouble(candidate: usize, out: usize): bool {
  const near = candidate + candidateNear;
  const low = load<f64>(near, nearLow);
  const high = load<f64>(near, nearHigh);
  if (!(high - low <= 9.313225746154785e-10 * low)) return false;
  store<f64>(out, 0.5 * (low + high), measuredDistance);
  memory.copy(out + measuredWay, near + nearX, 24);
  return true;
}

/** Tells whether two candidates' features, both corners or both edges, have equal positions. */
function sameFeature(candidateA: usize, candidateB: usize): bool {
  const featureA = load<u32>(candidateA + candidateNear, nearFeature);
  const featureB = load<u32>(candidateB + candidateNear, nearFeature);
  const a = candidateA + candidateCorners;
  const b = candidateB + candidateCorners;
  if (featureA === 0 || featureB === 0 || featureA < 4 !== featureB < 4) return false;
  if (featureA >= 4) return samePosition(a + <usize>(featureA - 4) * 24, b + <usize>(featureB - 4) * 24);
  const a0 = a + <usize>(featureA - 1) * 24;
  const a1 = featureA === 3 ? a : a0 + 24;
  const b0 = b + <usize>(featureB - 1) * 24;
  const b1 = featureB === 3 ? b : b0 + 24;
  return (samePosition(a0, b0) && samePosition(a1, b1)) || (samePosition(a0, b1) && samePosition(a1, b0));
}

function samePosition(a: usize, b: usize): bool {
  return (
    load<f64>(a) === load<f64>(b) &&
    load<f64>(a, 8) === load<f64>(b, 8) &&
    load<f64>(a, 16) === load<f64>(b, 16)
  );
}
