// How far apart are two bodies, and which triangles are nearest? Branch and bound over pairs of nodes of both trees (Larsen,
// Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes, 1999), depth first, with a good bound to
// start from: the nearest points of one body to a point of the other, in turns, until they no longer come nearer.
// What is left at the leaves is measured in double (leaf-distance.as.ts); pairs that may be the nearest are listed for the
// exact stage, which decides.

import { boxAt, childMask, nodeAt, treeLevelCount, treeRoot, treeTriangleCount } from '../../bvh/layout.as';
import { mapAbs, mapBytes, mapUncertainty, relate } from '../../methods/hierarchy/frame.as';
import { jobDone, jobFull, jobPaused } from '../../methods/hierarchy/job.as';
import { bodyE, bodyH, bodyTree, bodyW } from '../../methods/hierarchy/place.as';
import { boxDistances } from './box-distance.as';
import { closestHigh, closestSlot, startClosest } from './closest.as';
import {
  compact,
  distanceA,
  distanceB,
  distanceBest,
  distanceBestLow,
  distanceBoxTests,
  distanceEntryBytes,
  distanceFar,
  distanceFrame,
  distanceFrom,
  distanceLeafSlack,
  distanceLimitA,
  distanceListCapacity,
  distanceListCount,
  distanceMeets,
  distancePolished,
  distanceRefined,
  distanceRefining,
  distanceSerial,
  distanceStack,
  distanceStackCount,
  distanceStarted,
  distanceStopAtMeeting,
  distanceUnitA,
  distanceUnitB,
  limitDistance,
  scratchClosest,
  scratchKeys,
} from './distance-job.as';
import { reachBoxes, startFar } from './far.as';
import { leafDistances, nameTriangles, refineList } from './leaf-distance.as';
import { nearX, nearY, nearZ } from './point-triangle.as';
import { frameUnit, walkBody } from './world-point.as';

const single: f64 = 5.9604644775390625e-8; // 2^-24
/** So many pairs are left to the exact stage as they are. */
const fewPairs: u32 = 64;
/** Nearest points are taken in turns again when the distance has become this much less. */
const polishGain: f64 = 0.97;
/** A node is opened alone if it is this much larger than the other. */
const imbalance: f32 = 2.0;

/** Works on the pair of bodies until done, out of room or past `budget` node pairs. */
export function runDistance(job: usize, budget: i32): i32 {
  const a = load<usize>(job, distanceA);
  const b = load<usize>(job, distanceB);
  if (!load<u32>(job, distanceStarted)) {
    store<u32>(job, 1, distanceStarted);
    start(job, a, b);
  }
  while (load<u32>(job, distanceStackCount) > 0) {
    if (load<u32>(job, distanceListCount) + 16 > load<u32>(job, distanceListCapacity)) {
      compact(job);
      if (load<u32>(job, distanceListCount) * 2 > load<u32>(job, distanceListCapacity)) refineList(job, a, b);
      if (load<u32>(job, distanceListCount) * 2 > load<u32>(job, distanceListCapacity)) return jobFull;
    }
    if (--budget < 0) return jobPaused;
    step(job, a, b);
    if (load<f64>(job, distanceBest) < load<f64>(job, distancePolished) * polishGain) polish(job, a, b);
  }
  compact(job);
  if (load<u32>(job, distanceListCount) > fewPairs) refineList(job, a, b);
  nameTriangles(job, a, b);
  return jobDone;
}

function start(job: usize, a: usize, b: usize): void {
  const treeA = load<usize>(a, bodyTree);
  const treeB = load<usize>(b, bodyTree);
  store<u32>(job, 0, distanceStackCount);
  store<u32>(job, 0, distanceListCount);
  store<u32>(job, 0, distanceMeets);
  store<u32>(job, 0, distanceRefining);
  store<u32>(job, 0, distanceRefined);
  store<f64>(job, 0, distanceBestLow);
  if (load<u32>(treeA, treeTriangleCount) === 0 || load<u32>(treeB, treeTriangleCount) === 0) return;
  const frame = job + distanceFrame;
  relate(a, b, frame);
  store<u32>(job, load<u32>(job, distanceSerial) + 1, distanceSerial);
  store<f64>(job, frameUnit(a), distanceUnitA);
  store<f64>(job, frameUnit(b), distanceUnitB);
  let reach: f64 = 0;
  for (let row: usize = 0; row < 3; row++) {
    let sum = <f64>abs(load<f32>(frame + (row << 6), 48));
    for (let k: usize = 0; k < 3; k++) {
      sum += <f64>load<f32>(frame + row * 48 + (k << 4), mapAbs) * load<f64>(b + (k << 3), bodyH);
    }
    reach = max(reach, sum);
  }
  const uncertainty = <f64>load<f32>(frame, mapUncertainty);
  store<f64>(job, 3.6 * uncertainty + single * 16.0 * (reach + 2.0), distanceLeafSlack);
  startFar(job, a, b, reach);
  for (let axis: usize = 0; axis < 24; axis += 8)
    store<f64>(job + axis, load<f64>(b + axis, bodyW), distanceFrom);
  polish(job, a, b);
  limitDistance(job);
  push(job, 0, 0, -Infinity, boxSize(treeA + treeRoot), movedSize(treeB + treeRoot, frame));
}

/**
 * An upper bound from nearest points in turns: of A to some point (the middle of B's box to begin with, later a corner of the best pair
 * whenever the search has found a much better one), of B to that point, and so on. A point found is off its body by the rounding of its own coordinates and of those that gave it: less than 2^-50 of the largest world
 * coordinate, which e (2^-48 of it) more than covers.
 */
function polish(job: usize, a: usize, b: usize): void {
  let x = load<f64>(job, distanceFrom);
  let y = load<f64>(job, distanceFrom + 8);
  let z = load<f64>(job, distanceFrom + 16);
  const scratch = job + scratchClosest;
  let best = Infinity;
  for (let turn: u32 = 0; turn < 12; turn++) {
    const to = turn & 1 ? b : a;
    startClosest(scratch, Infinity);
    const unit = turn & 1 ? load<f64>(job, distanceUnitB) : load<f64>(job, distanceUnitA);
    walkBody(to, x, y, z, unit, scratch, 0, 0);
    if (load<i32>(scratch, closestSlot) < 0) return;
    x += load<f64>(scratch, nearX);
    y += load<f64>(scratch, nearY);
    z += load<f64>(scratch, nearZ);
    if (turn === 0) continue;
    const high = load<f64>(scratch, closestHigh);
    const gained = best - high;
    best = min(best, high);
    if (!(gained > 0.01 * high)) break;
  }
  for (let axis: usize = 0; axis < 24; axis += 8)
    best += load<f64>(a + axis, bodyE) + load<f64>(b + axis, bodyE);
  if (best < load<f64>(job, distanceBest)) {
    store<f64>(job, best, distanceBest);
    store<f64>(job, 0, distanceBestLow);
    limitDistance(job);
  }
  store<f64>(job, load<f64>(job, distanceBest), distancePolished);
}

/** The square of the distance that the entry's boxes keep, then their sizes in A's frame. */
function push(job: usize, a: u32, b: u32, bound: f32, sizeA: f32, sizeB: f32): void {
  const count = load<u32>(job, distanceStackCount);
  const entry = load<usize>(job, distanceStack) + <usize>count * distanceEntryBytes;
  store<u32>(entry, a);
  store<u32>(entry, b, 4);
  store<f32>(entry, bound, 8);
  store<f32>(entry, sizeA, 12);
  store<f32>(entry, sizeB, 16);
  store<u32>(job, count + 1, distanceStackCount);
}

function boxSize(box: usize): f32 {
  return load<f32>(box, 48) + load<f32>(box, 64) + load<f32>(box, 80);
}

function movedSize(box: usize, map: usize): f32 {
  let size: f32 = 0;
  for (let row: usize = 0; row < 144; row += 48) {
    size +=
      load<f32>(map + row, mapAbs) * load<f32>(box, 48) +
      load<f32>(map + row, mapAbs + 16) * load<f32>(box, 64) +
      load<f32>(map + row, mapAbs + 32) * load<f32>(box, 80);
  }
  return size;
}

/** Takes one pair of nodes from the stack and opens it. */
function step(job: usize, a: usize, b: usize): void {
  const top = load<u32>(job, distanceStackCount) - 1;
  const entry = load<usize>(job, distanceStack) + <usize>top * distanceEntryBytes;
  store<u32>(job, top, distanceStackCount);
  if (load<f32>(entry, 8) > load<f32>(job, distanceLimitA)) return;
  const nodeA = load<u32>(entry);
  const nodeB = load<u32>(entry, 4);
  const sizeA = load<f32>(entry, 12);
  const sizeB = load<f32>(entry, 16);
  const treeA = load<usize>(a, bodyTree);
  const treeB = load<usize>(b, bodyTree);
  const levelA = nodeA >> 28;
  const levelB = nodeB >> 28;
  const indexA = nodeA & 0xfffffff;
  const indexB = nodeB & 0xfffffff;
  const leafA = levelA === load<u32>(treeA, treeLevelCount);
  const leafB = levelB === load<u32>(treeB, treeLevelCount);
  if (leafA && leafB) {
    leafDistances(job, a, b, indexA, indexB);
    if (load<u32>(job, distanceMeets) && load<u32>(job, distanceStopAtMeeting))
      store<u32>(job, 0, distanceStackCount);
    return;
  }
  const frame = job + distanceFrame;
  const keys = job + scratchKeys;
  if (leafA || (!leafB && sizeB > sizeA * imbalance)) {
    const children = nodeAt(treeB, levelB, indexB);
    const box = boxAt(treeA, levelA, indexA);
    if (load<u32>(job, distanceFar)) farKeys(job, children, box, true, keys);
    else boxDistances(children, box, frame + mapBytes, frame, job, true, keys);
    store<f64>(job, load<f64>(job, distanceBoxTests) + 4.0, distanceBoxTests);
    pushOpen(
      job,
      children,
      childMask(treeB, levelB, indexB),
      nodeA,
      ((levelB + 1) << 28) | (indexB << 2),
      sizeA,
      true,
    );
    return;
  }
  const children = nodeAt(treeA, levelA, indexA);
  const box = boxAt(treeB, levelB, indexB);
  if (load<u32>(job, distanceFar)) farKeys(job, children, box, false, keys);
  else boxDistances(children, box, frame, frame + mapBytes, job, false, keys);
  store<f64>(job, load<f64>(job, distanceBoxTests) + 4.0, distanceBoxTests);
  pushOpen(
    job,
    children,
    childMask(treeA, levelA, indexA),
    nodeB,
    ((levelA + 1) << 28) | (indexA << 2),
    sizeB,
    false,
  );
}

/** Keys of a node's four boxes against one box of the other tree, whose own lane is the first. */
function farKeys(job: usize, node: usize, box: usize, ofB: bool, out: usize): void {
  const other = f32x4.splat(f32x4.extract_lane(reachBoxes(job, box, !ofB), 0));
  v128.store(out, f32x4.neg(f32x4.add(reachBoxes(job, node, ofB), other)));
}

/** Stacks the children within the limit, the nearest last. */
function pushOpen(
  job: usize,
  children: usize,
  mask: u32,
  other: u32,
  first: u32,
  size: f32,
  ofB: bool,
): void {
  const keys = job + scratchKeys;
  const limit = load<f32>(job, distanceLimitA);
  let open: u32 = i32x4.bitmask(f32x4.le(v128.load(keys), f32x4.splat(limit))) & mask;
  while (open !== 0) {
    let lane = <u32>ctz(open);
    let most = load<f32>(keys + ((<usize>lane) << 2));
    for (let rest = open & (open - 1); rest !== 0; rest &= rest - 1) {
      const key = load<f32>(keys + ((<usize>ctz(rest)) << 2));
      if (key > most) {
        most = key;
        lane = <u32>ctz(rest);
      }
    }
    open &= ~(1 << lane);
    const box = children + ((<usize>lane) << 2);
    if (ofB) push(job, other, first + lane, most, size, movedSize(box, job + distanceFrame));
    else push(job, first + lane, other, most, boxSize(box), size);
  }
}
