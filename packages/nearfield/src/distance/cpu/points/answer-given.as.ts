// The nearest triangle of points of which a GPU found the certain answer, or the triangles that may be the nearest. Those
// are measured, or settled by what they share with the first of them (packet/shared-feature.as.ts).

import { Tree } from '../../../bvh/cpu/build/layout.as';
import { Body, worldTriangle } from '../../../bvh/cpu/place/place.as';
import { copyDoubles } from '../triangles/copy.as';
import { measureFeature } from '../triangles/measure-feature.as';
import { answerPoint, closestPoint } from './answer-point.as';
import { startClosest, tryTriangle } from './closest.as';
import { packetSize } from './packet/search-packet.as';
import { isBeyond, takeFeature, takeLowest } from './packet/shared-feature.as';
import { PointsJob, pointOf, writeAnswer, writeNoAnswer } from './points-job.as';

/** The words of a point that is left open, and of one with nothing within reach; and what the others consist of. */
const leftOpen: u32 = 0xffffffff;
const nothingNear: u32 = 0xfffffffe;
const featureBits: u32 = 29;
const isList: u32 = 7;
const placeMask: u32 = (1 << featureBits) - 1;

/** A point and what is known of it. */
@unmanaged
class GivenPoint {
  index: u32;
  /** Its word, and the slot of its triangle or of the first in its list. */
  word: u32;
  slot: u32;
  x: f64;
  y: f64;
  z: f64;
}

const givenBytes: usize = 40;

function givenAt(job: PointsJob, i: u32): GivenPoint {
  return changetype<GivenPoint>(job.packet + <usize>(i % packetSize) * givenBytes);
}

/** Answers points [first, end), at most packetSize, or as many as there is room for; then it returns false. */
export function closestGiven(job: PointsJob, body: Body, tree: Tree, first: u32, end: u32, unit: f64): bool {
  gather(job, first, end);
  let i = first;
  while (i < end && answerGiven(job, body, tree, givenAt(job, i), unit)) i++;
  // An atomic store: who reads `next` also sees the answers of all points before it.
  atomic.store<u32>(changetype<usize>(job), i, offsetof<PointsJob>('next'));
  return i === end;
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
    const word = load<u32>(job.given + ((<usize>index) << 2));
    point.index = index;
    point.word = word;
    point.x = load<f64>(from);
    point.y = load<f64>(from, 8);
    point.z = load<f64>(from, 16);
    point.slot =
      word >= nothingNear
        ? 0
        : slotOf(job, word >> featureBits === isList ? load<u32>(listOf(job, word), 4) : word & placeMask);
  }
}

function slotOf(job: PointsJob, triangle: u32): u32 {
  return load<u32>(job.slotOf + ((<usize>triangle) << 2));
}

/** The address of a point's list: the number of its triangles. */
function listOf(job: PointsJob, word: u32): usize {
  return job.triangles + ((<usize>(word & placeMask)) << 2);
}

function answerGiven(job: PointsJob, body: Body, tree: Tree, point: GivenPoint, unit: f64): bool {
  const word = point.word;
  if (word === leftOpen) return closestPoint(job, body, tree, point.index, unit, -1);
  if (word === nothingNear) {
    writeNoAnswer(job, point.index);
    return true;
  }
  if (word >> featureBits === isList) {
    const list = listOf(job, word);
    return closestOf(job, body, tree, point, list + 8, load<u32>(list) - 1);
  }
  return measureGiven(job, body, point, word) || closestOf(job, body, tree, point, 0, 0);
}

/** Measures the feature that is certainly the nearest. Returns false if the exact stage has to decide. */
function measureGiven(job: PointsJob, body: Body, point: GivenPoint, word: u32): bool {
  if (job.rounded !== 0) return false;
  const corners = job.closest.corners;
  const measured = job.measured;
  const feature = word >> featureBits;
  worldTriangle(body, point.slot, corners);
  if (!measureFeature(point.x, point.y, point.z, corners, feature, measured)) return false;
  if (!(measured.distance < 0.9999999999999 * job.upTo)) return false;
  const to = writeAnswer(job, point.index, measured.distance, word & placeMask, feature);
  copyDoubles(to, measured.nearest, 24);
  return true;
}

/** Answers a point from the triangle that was loaded first and `more` others from `at` on. */
function closestOf(job: PointsJob, body: Body, tree: Tree, point: GivenPoint, at: usize, more: u32): bool {
  const x = point.x;
  const y = point.y;
  const z = point.z;
  const scratch = job.closest;
  const list = job.candidates;
  const capacity = job.candidateCapacity;
  startClosest(scratch, job.upTo);
  tryTriangle(body, point.slot, x, y, z, scratch, list, capacity);
  if (more > 0) {
    const isKnown = job.rounded === 0 && scratch.count === 1 && takeFeature(job, tree, x, y, z);
    for (let k: u32 = 0; k < more; k++, at += 4) {
      const slot = slotOf(job, load<u32>(at));
      if (!(isKnown && isBeyond(job, body, slot, x, y, z)))
        tryTriangle(body, slot, x, y, z, scratch, list, capacity);
    }
    if (isKnown) takeLowest(job, body);
  }
  return answerPoint(job, tree, point.index, x, y, z, job.upTo);
}
