// How far apart are two bodies, and which triangles are nearest? Branch and bound over pairs of nodes of both trees
// (Larsen, Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes, 1999), depth first. It starts
// from a good bound: the nearest point of one body to a point of the other, in turns, until they no longer come nearer.
// Triangle pairs that remain at the leaves are measured in double (leaf-distance.as.ts). Pairs that may be the nearest
// are listed for the exact stage, which decides.

import {
  boxAt,
  childMask,
  nodeAt,
  treeLevelCount,
  treeRoot,
  treeTriangleCount,
} from '../../../bvh/cpu/build/layout.as';
import {
  boxSize,
  mapAbs,
  mapBytes,
  mapUncertainty,
  movedSize,
  relate,
} from '../../../bvh/cpu/place/frame.as';
import { bodyE, bodyH, bodyTree, bodyW } from '../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { closestHigh, closestSlot, startClosest } from '../points/closest.as';
import { frameUnit, walkBody } from '../points/world-point.as';
import { nearX, nearY, nearZ } from '../triangles/point-triangle.as';
import {
  alongAlone,
  alongBeside,
  alongBoxes,
  liftAlong,
  provedSquares,
  startAlong,
  turnAlong,
} from './along.as';
import { boxDistances } from './box-distance.as';
import {
  alongBest,
  compact,
  distanceA,
  distanceAlong,
  distanceB,
  distanceBest,
  distanceBestLow,
  distanceBoxTests,
  distanceFrame,
  distanceFrom,
  distanceLeafSlack,
  distanceLimitA,
  distanceListCapacity,
  distanceListCount,
  distanceMeets,
  distanceOpen,
  distancePolished,
  distanceQueued,
  distanceRefining,
  distanceSerial,
  distanceSettled,
  distanceStarted,
  distanceStopAtMeeting,
  distanceUnitA,
  distanceUnitB,
  limitDistance,
  scratchClosest,
  scratchKeys,
} from './distance-job.as';
import { leafDistances, nameTriangles, refineList } from './leaf-distance.as';
import {
  entryA,
  entryB,
  entryBound,
  entrySizeA,
  entrySizeB,
  popEntry,
  pushEntry,
  startQueue,
} from './queue.as';
import { settle } from './settle.as';

const single: f64 = 5.9604644775390625e-8; // 2^-24
/** Up to this many pairs are left to the exact stage as they are. */
const fewPairs: u32 = 64;
/** From this many pairs on, the kernel tries whether double-double tells them apart. */
const manyPairs: u32 = 4096;
/** `polish` runs again when the distance has shrunk to this share. */
const polishGain: f64 = 0.97;
/** Bodies with no more triangle pairs than this are searched without a first bound. */
const smallPair: f64 = 4096;
/** A node is opened alone if it is this many times larger than the other. */
const imbalance: f32 = 2.0;

/** Works on the pair of bodies until done, out of room or past `budget` node pairs. */
export function runDistance(job: usize, budget: i32): i32 {
  const a = load<usize>(job, distanceA);
  const b = load<usize>(job, distanceB);
  if (!load<u32>(job, distanceStarted)) {
    store<u32>(job, 1, distanceStarted);
    start(job, a, b);
  }
  while (load<u32>(job, distanceOpen) > 0) {
    if (load<u32>(job, distanceRefining) === 0 && load<u32>(job, distanceListCount) > manyPairs) {
      compact(job);
      if (load<u32>(job, distanceListCount) * 2 > manyPairs) refineList(job, a, b);
    }
    if (load<u32>(job, distanceListCount) + 16 > load<u32>(job, distanceListCapacity)) {
      compact(job);
      if (load<u32>(job, distanceListCount) * 2 > load<u32>(job, distanceListCapacity)) refineList(job, a, b);
      if (load<u32>(job, distanceListCount) * 2 > load<u32>(job, distanceListCapacity)) return jobFull;
    }
    if (--budget < 0) return jobPaused;
    step(job, a, b);
    if (
      !load<u32>(job, distanceQueued) &&
      load<f64>(job, distanceBest) < load<f64>(job, distancePolished) * polishGain
    )
      polish(job, a, b);
  }
  compact(job);
  if (load<u32>(job, distanceListCount) > fewPairs) refineList(job, a, b);
  const few = load<u32>(job, distanceListCount) <= fewPairs;
  store<u32>(job, few && settle(job, a, b) ? 1 : 0, distanceSettled);
  nameTriangles(job, a, b);
  return jobDone;
}

function start(job: usize, a: usize, b: usize): void {
  const treeA = load<usize>(a, bodyTree);
  const treeB = load<usize>(b, bodyTree);
  startQueue(job);
  store<u32>(job, 0, distanceListCount);
  store<u32>(job, 0, distanceMeets);
  store<u32>(job, 0, distanceRefining);
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
  startAlong(job, a, b, reach);
  store<f64>(job, Infinity, alongBest);
  for (let axis: usize = 0; axis < 24; axis += 8)
    store<f64>(job + axis, load<f64>(b + axis, bodyW), distanceFrom);
  limitDistance(job);
  if (!(nearBoxes(job, treeA + treeRoot, treeB + treeRoot, false) & 1)) return;
  const triangles = <f64>load<u32>(treeA, treeTriangleCount) * <f64>load<u32>(treeB, treeTriangleCount);
  if (triangles > smallPair) polish(job, a, b);
  else store<f64>(job, 0, distancePolished);
  pushEntry(job, 0, 0, -Infinity, boxSize(treeA + treeRoot), movedSize(treeB + treeRoot, frame));
}

/**
 * An upper bound by alternating nearest points: the point of A nearest to some point, the point of B nearest to that
 * one, and so on. It starts from the middle of B's box, and later from a corner of the best pair whenever the search
 * has found a much better one. A point found is off its body by the rounding of its own coordinates and of those that
 * gave it: less than 2^-50 of the largest world coordinate, which e (2^-48 of it) more than covers.
 */
function polish(job: usize, a: usize, b: usize): void {
  let x = load<f64>(job, distanceFrom);
  let y = load<f64>(job, distanceFrom + 8);
  let z = load<f64>(job, distanceFrom + 16);
  const scratch = job + scratchClosest;
  let best = Infinity;
  let gx: f64 = 0;
  let gy: f64 = 0;
  let gz: f64 = 0;
  for (let turn: u32 = 0; turn < 12; turn++) {
    const to = turn & 1 ? b : a;
    startClosest(scratch, Infinity);
    const unit = turn & 1 ? load<f64>(job, distanceUnitB) : load<f64>(job, distanceUnitA);
    walkBody(to, x, y, z, unit, scratch, 0, 0, -1);
    if (load<i32>(scratch, closestSlot) < 0) return;
    x += load<f64>(scratch, nearX);
    y += load<f64>(scratch, nearY);
    z += load<f64>(scratch, nearZ);
    if (turn === 0) continue;
    const sign: f64 = turn & 1 ? 1.0 : -1.0;
    gx = sign * load<f64>(scratch, nearX);
    gy = sign * load<f64>(scratch, nearY);
    gz = sign * load<f64>(scratch, nearZ);
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
    turnAlong(job, a, b, gx, gy, gz);
    store<f64>(job, best, alongBest);
    limitDistance(job);
  }
  store<f64>(job, load<f64>(job, distanceBest), distancePolished);
}

/** Takes one pair of nodes from the stack and opens it. */
function step(job: usize, a: usize, b: usize): void {
  const entry = popEntry(job);
  if (load<f32>(entry, entryBound) > load<f32>(job, distanceLimitA)) {
    // The queue's first entry is too far, so all others are too.
    if (load<u32>(job, distanceQueued)) store<u32>(job, 0, distanceOpen);
    return;
  }
  const nodeA = load<u32>(entry, entryA);
  const nodeB = load<u32>(entry, entryB);
  const sizeA = load<f32>(entry, entrySizeA);
  const sizeB = load<f32>(entry, entrySizeB);
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
      store<u32>(job, 0, distanceOpen);
    return;
  }
  const openB = leafA || (!leafB && sizeB > sizeA * imbalance);
  store<f64>(job, load<f64>(job, distanceBoxTests) + 4.0, distanceBoxTests);
  if (openB) {
    const children = nodeAt(treeB, levelB, indexB);
    const open =
      nearBoxes(job, children, boxAt(treeA, levelA, indexA), true) & childMask(treeB, levelB, indexB);
    if (open !== 0) push4(job, children, open, nodeA, ((levelB + 1) << 28) | (indexB << 2), sizeA, true);
  } else {
    const children = nodeAt(treeA, levelA, indexA);
    const open =
      nearBoxes(job, children, boxAt(treeB, levelB, indexB), false) & childMask(treeA, levelA, indexA);
    if (open !== 0) push4(job, children, open, nodeB, ((levelA + 1) << 28) | (indexA << 2), sizeB, false);
  }
}

/**
 * Which of the four boxes of a node may be within the limit of one box of the other tree. Writes to the scratch: bounds
 * to compare with the limit, then keys for the order in which to visit them.
 */
function nearBoxes(job: usize, node: usize, box: usize, ofB: bool): u32 {
  const frame = job + distanceFrame;
  const keys = job + scratchKeys;
  const limit = f32x4.splat(load<f32>(job, distanceLimitA));
  const along = load<u32>(job, distanceAlong);
  if (along === alongAlone) {
    const order = alongBoxes(job, node, box, ofB);
    v128.store(keys, order);
    v128.store(keys, order, 16);
    return i32x4.bitmask(f32x4.le(order, limit));
  }
  if (along === alongBeside) {
    const order = alongBoxes(job, node, box, ofB);
    const proved = provedSquares(order, liftAlong(job));
    const open = i32x4.bitmask(f32x4.le(proved, limit));
    if (open === 0) return 0;
    boxDistances(node, box, ofB ? frame + mapBytes : frame, ofB ? frame : frame + mapBytes, job, ofB, keys);
    const bounds = f32x4.pmax(v128.load(keys), proved);
    v128.store(keys, bounds);
    v128.store(keys, order, 16);
    return i32x4.bitmask(f32x4.le(bounds, limit));
  }
  boxDistances(node, box, ofB ? frame + mapBytes : frame, ofB ? frame : frame + mapBytes, job, ofB, keys);
  const bounds = v128.load(keys);
  v128.store(keys, bounds, 16);
  return i32x4.bitmask(f32x4.le(bounds, limit));
}

/** Pushes the children that are open. The one to visit first is pushed last. */
function push4(job: usize, children: usize, open: u32, other: u32, first: u32, size: f32, ofB: bool): void {
  const keys = job + scratchKeys;
  while (open !== 0) {
    let lane = <u32>ctz(open);
    let most = load<f32>(keys + ((<usize>lane) << 2), 16);
    for (let rest = open & (open - 1); rest !== 0; rest &= rest - 1) {
      const key = load<f32>(keys + ((<usize>ctz(rest)) << 2), 16);
      if (key > most) {
        most = key;
        lane = <u32>ctz(rest);
      }
    }
    open &= ~(1 << lane);
    const bound = load<f32>(keys + ((<usize>lane) << 2));
    const box = children + ((<usize>lane) << 2);
    if (ofB) pushEntry(job, other, first + lane, bound, size, movedSize(box, job + distanceFrame));
    else pushEntry(job, first + lane, other, bound, boxSize(box), size);
  }
}
