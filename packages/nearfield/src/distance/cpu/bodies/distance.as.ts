// How far apart are two bodies, and which triangles are nearest? Branch and bound over pairs of nodes of both trees
// (Larsen, Gottschalk, Lin, Manocha, Fast Proximity Queries with Swept Sphere Volumes, 1999), nearest pair first
// (queue.as.ts). It starts from a good bound: the nearest point of one body to a point of the other, in turns, until
// they no longer come nearer. Triangle pairs that remain at the leaves are measured in double (leaf-distance.as.ts).
// Pairs that may be the nearest are listed for the exact stage, which decides.

import { boxAt, childMask, laneOf, Node, nodeAt } from '../../../bvh/cpu/build/layout.as';
import {
  boxSize,
  mapAbs,
  mapBytes,
  mapUncertainty,
  movedSize,
  relate,
} from '../../../bvh/cpu/place/frame.as';
import { Body } from '../../../bvh/cpu/place/place.as';
import { firstChild, indexOf, levelOf } from '../../../bvh/cpu/walk/node-word.as';
import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { startClosest } from '../points/closest.as';
import { frameUnit, walkBody } from '../points/world-point.as';
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
import { compact, DistanceJob, limitDistance } from './distance-job.as';
import { leafDistances, nameTriangles, refineList } from './leaf-distance.as';
import { popEntry, pushEntry, startQueue } from './queue.as';
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
/**
 * If the search ends at a smaller share of A's size than this, most bodies are farther apart. A first bound would not
 * help them, but the direction from one centre to the other often proves that. Bodies with more triangle pairs than
 * `largePair` get the bound, which takes little of their search.
 */
const nearLimit: f64 = 0.25;
const largePair: f64 = 1048576;
/** A node is opened alone if it is this many times larger than the other. */
const imbalance: f32 = 2.0;

/** Works on the pair of bodies until done, out of room or past `budget` node pairs. */
export function runDistance(job: DistanceJob, budget: i32): i32 {
  const a = job.a;
  const b = job.b;
  if (!job.started) {
    job.started = 1;
    start(job, a, b);
  }
  // If all pairs within the limit are asked for, the limit stays as it is, and nothing is settled.
  const listAll = job.listAll;
  while (job.open > 0) {
    if (listAll ? job.listCount + 16 > job.listCapacity : !dropFarther(job, a, b)) return jobFull;
    if (--budget < 0) return jobPaused;
    step(job, a, b);
    if (!listAll && !job.queued && job.best < job.polished * polishGain) polish(job, a, b);
  }
  job.settled = !listAll && settleFew(job, a, b) ? 1 : 0;
  nameTriangles(job, a, b);
  return jobDone;
}

/** Drops listed pairs that are too far apart, if there are many or no room for more. Returns whether there is room now. */
function dropFarther(job: DistanceJob, a: Body, b: Body): bool {
  if (job.refining === 0 && job.listCount > manyPairs) {
    compact(job);
    if (job.listCount * 2 > manyPairs) refineList(job, a, b);
  }
  if (job.listCount + 16 <= job.listCapacity) return true;
  compact(job);
  if (job.listCount * 2 > job.listCapacity) refineList(job, a, b);
  return job.listCount * 2 <= job.listCapacity;
}

/** Settles the question if few pairs are left (settle.as.ts). Returns false if the answer is not certain. */
function settleFew(job: DistanceJob, a: Body, b: Body): bool {
  compact(job);
  if (job.listCount > fewPairs) refineList(job, a, b);
  return job.listCount <= fewPairs && settle(job, a, b);
}

function start(job: DistanceJob, a: Body, b: Body): void {
  const treeA = a.tree;
  const treeB = b.tree;
  startQueue(job);
  job.listCount = 0;
  job.meets = 0;
  job.refining = 0;
  job.bestLow = 0;
  if (treeA.triangleCount === 0 || treeB.triangleCount === 0) return;
  const frame = job.frame;
  relate(a, b, frame);
  job.serial += 1;
  job.unitA = frameUnit(a);
  job.unitB = frameUnit(b);
  let reach: f64 = 0;
  for (let row: usize = 0; row < 3; row++) {
    let sum = <f64>abs(load<f32>(frame + (row << 6), 48));
    for (let k: usize = 0; k < 3; k++) {
      sum += <f64>load<f32>(frame + row * 48 + (k << 4), mapAbs) * load<f64>(b.h + (k << 3));
    }
    reach = max(reach, sum);
  }
  const uncertainty = <f64>load<f32>(frame, mapUncertainty);
  job.leafSlack = 3.6 * uncertainty + single * 16.0 * (reach + 2.0);
  startAlong(job, a, b, reach);
  job.alongBest = Infinity;
  for (let axis: usize = 0; axis < 24; axis += 8) store<f64>(job.from + axis, load<f64>(b.w + axis));
  limitDistance(job);
  if (!(nearBoxes(job, treeA.root, boxAt(treeB, 0, 0), false) & 1)) return;
  const triangles = <f64>treeA.triangleCount * <f64>treeB.triangleCount;
  if (job.best * job.unitA < nearLimit && triangles < largePair && !job.listAll) {
    job.polished = job.best;
    const from = a.w;
    const to = b.w;
    turnAlong(
      job,
      a,
      b,
      load<f64>(to) - load<f64>(from),
      load<f64>(to, 8) - load<f64>(from, 8),
      load<f64>(to, 16) - load<f64>(from, 16),
    );
    if (!(nearBoxes(job, treeA.root, boxAt(treeB, 0, 0), false) & 1)) return;
  } else if (triangles > smallPair && !job.listAll) polish(job, a, b);
  else job.polished = 0;
  pushEntry(job, 0, 0, -Infinity, boxSize(boxAt(treeA, 0, 0)), movedSize(boxAt(treeB, 0, 0), frame));
}

/**
 * An upper bound by alternating nearest points: the point of A nearest to some point, the point of B nearest to that
 * one, and so on. It starts from the middle of B's box, and later from a corner of the best pair whenever the search
 * has found a much better one. A point found is off its body by the rounding of its own coordinates and of those that
 * gave it: less than 2^-50 of the largest world coordinate, which e (2^-48 of it) more than covers.
 */
function polish(job: DistanceJob, a: Body, b: Body): void {
  let x = job.fromX;
  let y = job.fromY;
  let z = job.fromZ;
  const scratch = job.closest;
  let best = Infinity;
  let gx: f64 = 0;
  let gy: f64 = 0;
  let gz: f64 = 0;
  for (let turn: u32 = 0; turn < 12; turn++) {
    const to = turn & 1 ? b : a;
    startClosest(scratch, Infinity);
    const unit = turn & 1 ? job.unitB : job.unitA;
    walkBody(to, x, y, z, unit, scratch, 0, 0, -1);
    if (scratch.slot < 0) return;
    x += scratch.x;
    y += scratch.y;
    z += scratch.z;
    if (turn === 0) continue;
    const sign: f64 = turn & 1 ? 1.0 : -1.0;
    gx = sign * scratch.x;
    gy = sign * scratch.y;
    gz = sign * scratch.z;
    const high = scratch.high;
    const gained = best - high;
    best = min(best, high);
    if (!(gained > 0.01 * high)) break;
  }
  for (let axis: usize = 0; axis < 24; axis += 8) best += load<f64>(a.e + axis) + load<f64>(b.e + axis);
  if (best < job.best) {
    job.best = best;
    job.bestLow = 0;
    job.alongBest = best;
  }
  turnAlong(job, a, b, gx, gy, gz);
  limitDistance(job);
  job.polished = job.best;
}

/** Takes the next pair of nodes from the queue and opens it. */
function step(job: DistanceJob, a: Body, b: Body): void {
  const entry = popEntry(job);
  if (entry.bound > job.limitA) {
    // The queue's first entry is too far, so all others are too.
    if (job.queued) job.open = 0;
    return;
  }
  const nodeA = entry.a;
  const nodeB = entry.b;
  const sizeA = entry.sizeA;
  const sizeB = entry.sizeB;
  const treeA = a.tree;
  const treeB = b.tree;
  const levelA = levelOf(nodeA);
  const levelB = levelOf(nodeB);
  const indexA = indexOf(nodeA);
  const indexB = indexOf(nodeB);
  const leafA = levelA === treeA.levelCount;
  const leafB = levelB === treeB.levelCount;
  if (leafA && leafB) {
    leafDistances(job, a, b, indexA, indexB);
    if (job.meets && job.stopAtMeeting) job.open = 0;
    return;
  }
  const openB = leafA || (!leafB && sizeB > sizeA * imbalance);
  job.boxTests += 4.0;
  if (openB) {
    const children = nodeAt(treeB, levelB, indexB);
    const open =
      nearBoxes(job, children, boxAt(treeA, levelA, indexA), true) & childMask(treeB, levelB, indexB);
    if (open !== 0) push4(job, children, open, nodeA, firstChild(levelB, indexB), sizeA, true);
  } else {
    const children = nodeAt(treeA, levelA, indexA);
    const open =
      nearBoxes(job, children, boxAt(treeB, levelB, indexB), false) & childMask(treeA, levelA, indexA);
    if (open !== 0) push4(job, children, open, nodeB, firstChild(levelA, indexA), sizeB, false);
  }
}

/**
 * Which of the four boxes of a node may be within the limit of one box of the other tree. Writes to the scratch: bounds
 * to compare with the limit, then keys for the order in which to visit them.
 */
function nearBoxes(job: DistanceJob, node: Node, box: usize, ofB: bool): u32 {
  const frame = job.frame;
  const keys = job.keys;
  const limit = f32x4.splat(job.limitA);
  const along = job.along;
  if (along === alongAlone) {
    const order = alongBoxes(job, node, box, ofB);
    v128.store(keys, order);
    v128.store(keys, order, 16);
    return i32x4.bitmask(f32x4.le(order, limit));
  }
  const order = along === alongBeside ? alongBoxes(job, node, box, ofB) : f32x4.splat(0);
  const proved = along === alongBeside ? provedSquares(order, liftAlong(job)) : order;
  const open = i32x4.bitmask(f32x4.le(proved, limit));
  if (open === 0) return 0;
  const here = ofB ? frame + mapBytes : frame;
  const there = ofB ? frame : frame + mapBytes;
  if (!boxDistances(node, box, here, there, job, ofB, open, keys)) return 0;
  const bounds = f32x4.pmax(v128.load(keys), proved);
  v128.store(keys, bounds);
  v128.store(keys, along === alongBeside ? order : bounds, 16);
  return i32x4.bitmask(f32x4.le(bounds, limit));
}

/** Pushes the children that are open. The one to visit first is pushed last. */
function push4(
  job: DistanceJob,
  children: Node,
  open: u32,
  other: u32,
  first: u32,
  size: f32,
  ofB: bool,
): void {
  const keys = job.keys;
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
    const box = laneOf(children, lane);
    if (ofB) pushEntry(job, other, first + lane, bound, size, movedSize(box, job.frame));
    else pushEntry(job, first + lane, other, bound, boxSize(box), size);
  }
}
