// The nearest triangle of points for which another engine listed the triangles that may be the nearest. These are
// measured, or settled by what they share with the first of them (together/shared-feature.as.ts).

import { Tree } from '../../../bvh/cpu/build/layout.as';
import { Body } from '../../../bvh/cpu/place/place.as';
import { answerPoint, closestPoint } from './answer-point.as';
import { startClosest, tryTriangle } from './closest.as';
import { PointsJob, pointOf } from './points-job.as';
import { mostTogether } from './together/search-together.as';
import { isBeyond, takeFeature, takeLowest } from './together/shared-feature.as';

/** The triangle count of a point whose near triangles are not known. */
const leftOpen: u32 = 0xffffffff;

/** A point and what is known of it. */
@unmanaged
class GivenPoint {
  index: u32;
  /** Its near triangles: the address of the first, and the count. */
  triangles: usize;
  count: u32;
  /** The slot of the first. */
  slot: u32;
  x: f64;
  y: f64;
  z: f64;
}

const givenBytes: usize = 48;

function givenAt(job: PointsJob, i: u32): GivenPoint {
  return changetype<GivenPoint>(job.together + <usize>(i % mostTogether) * givenBytes);
}

/** Answers points [first, end), at most mostTogether, or as many as there is room for; then it returns false. */
export function closestGiven(job: PointsJob, body: Body, tree: Tree, first: u32, end: u32, unit: f64): bool {
  gather(job, first, end);
  for (let i = first; i < end; i++) {
    const point = givenAt(job, i);
    const isAnswered =
      point.count === leftOpen
        ? closestPoint(job, body, tree, point.index, unit, -1)
        : closestOf(job, body, tree, point);
    if (!isAnswered) return false;
    job.next = i + 1;
  }
  return true;
}

/**
 * Loads the data of the points before they are used. They are scattered in memory, and so all loads are in flight
 * together.
 */
function gather(job: PointsJob, first: u32, end: u32): void {
  for (let i = first; i < end; i++) {
    const point = givenAt(job, i);
    const index = pointOf(job, i);
    const from = job.points + <usize>index * 24;
    const range = job.given + ((<usize>index) << 3);
    point.index = index;
    point.x = load<f64>(from);
    point.y = load<f64>(from, 8);
    point.z = load<f64>(from, 16);
    point.triangles = job.triangles + ((<usize>load<u32>(range)) << 2);
    point.count = load<u32>(range, 4);
  }
  for (let i = first; i < end; i++) {
    const point = givenAt(job, i);
    const isKnown = point.count !== leftOpen && point.count > 0;
    point.slot = isKnown ? slotAt(job, point.triangles) : 0;
  }
}

function slotAt(job: PointsJob, at: usize): u32 {
  return load<u32>(job.slotOf + ((<usize>load<u32>(at)) << 2));
}

function closestOf(job: PointsJob, body: Body, tree: Tree, point: GivenPoint): bool {
  const x = point.x;
  const y = point.y;
  const z = point.z;
  const scratch = job.closest;
  const list = job.candidates;
  const capacity = job.candidateCapacity;
  const count = point.count;
  startClosest(scratch, job.upTo);
  if (count > 0) tryTriangle(body, point.slot, x, y, z, scratch, list, capacity);
  if (count > 1) {
    const isKnown = job.rounded === 0 && scratch.count === 1 && takeFeature(job, tree, x, y, z);
    let at = point.triangles;
    for (let k: u32 = 1; k < count; k++) {
      at += 4;
      const slot = slotAt(job, at);
      if (!(isKnown && isBeyond(job, body, slot, x, y, z)))
        tryTriangle(body, slot, x, y, z, scratch, list, capacity);
    }
    if (isKnown) takeLowest(job, body);
  }
  return answerPoint(job, tree, point.index, x, y, z, job.upTo);
}
