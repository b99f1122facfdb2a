// All pairs of triangles of many pairs of bodies. For each candidate this is a depth-first walk over pairs of nodes
// (the traversal of Gress & Zachmann, CG-2004-2 §4, depth first since there is one thread). It tests the children of
// one node against the children of the other, sixteen boxes at a time (open.as.ts). If one node is much larger than the
// other, or the other is a leaf, only the larger one is opened.
//
// If one pair of triangles is enough, the walk dives for the most promising pair of nodes. After a dive that found
// nothing, it continues with the most promising of all remaining pairs. Surfaces that run side by side look promising
// everywhere but do not meet: continuing where the last dive ended would search all of such a place first.

import { boxAt, childMask, laneOf, nodeAt, Tree } from '../../../bvh/cpu/build/layout.as';
import {
  boxSize,
  centresSeparate,
  mapBytes,
  mapUncertainty,
  moved,
  movedSize,
  reach,
  relate,
} from '../../../bvh/cpu/place/frame.as';
import { Body, bodyAt } from '../../../bvh/cpu/place/place.as';
import { firstChild, indexOf, levelOf } from '../../../bvh/cpu/walk/node-word.as';
import { openBoth, openOne, promisesOfPairs, sizesOfA, sizesOfB } from '../../../bvh/cpu/walk/open.as';
import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { flatUncertainty, openFlat } from './flat.as';
import {
  anyMode,
  bruteForce,
  candidateAt,
  entryAt,
  firstOutside,
  hasRoom,
  isApart,
  Job,
  push,
  secondOutside,
  stackEntryBytes,
} from './job/job.as';
import { leafPair, renewSerial } from './leaves/leaves.as';

/** A node is opened alone if it is this much larger than the other. */
const imbalance: f32 = 2.0;

/**
 * Up to this many stack entries, a dive may begin anywhere. Beyond that the walk is depth first, which needs space for
 * 15 more entries at each of at most 28 levels.
 */
const raisedUpTo: u32 = 512;

/** Works on the candidates until it is done, an output is full, or `budget` node pairs are opened. */
export function traversePairs(job: Job, budget: i32): i32 {
  const table = job.table;
  const count = job.candidateCount;
  let candidate = job.candidate;
  for (; candidate < count; candidate++) {
    job.candidate = candidate;
    const pair = candidateAt(job, candidate);
    const a = bodyAt(table, pair.a);
    const b = bodyAt(table, pair.b);
    if (job.stackCount === 0) startPair(job, a, b);
    while (job.stackCount > 0) {
      if (!hasRoom(job)) return jobFull;
      if (budget <= 0) return jobPaused;
      budget -= stepPair(job, a, b);
    }
  }
  job.candidate = candidate;
  return jobDone;
}

export function startPair(job: Job, a: Body, b: Body): void {
  const treeA = a.tree;
  const treeB = b.tree;
  job.found = 0;
  job.deadEnd = 0;
  if (treeA.triangleCount === 0 || treeB.triangleCount === 0) return;
  const brute = job.traversal === bruteForce;
  if (!brute) {
    // The world boxes meet, but the oriented boxes may not.
    job.boxTests += 1.0;
    if (centresSeparate(a, b)) {
      endApart(job);
      return;
    }
  }
  framePair(job, a, b);
  if (brute) {
    push(job, 0, 0, 0, 0);
    return;
  }
  if (openOne(treeA.root, boxAt(treeB, 0, 0), job.frame, job.frame + mapBytes) === 0) {
    endApart(job);
    return;
  }
  const boxA = boxAt(treeA, 0, 0);
  const boxB = boxAt(treeB, 0, 0);
  let outside: u32 = 0;
  if (reachesOut(boxA, boxB, job.frame)) outside |= firstOutside;
  if (reachesOut(boxB, boxA, job.frame + mapBytes)) outside |= secondOutside;
  store<u32>(job.outside + ((<usize>job.candidate) << 2), outside);
  push(job, 0, 0, boxSize(boxA), movedSize(boxB, job.frame));
}

/** More than the distance from a face of a box to the nearest corner, which is below 2^-20 (see below). */
const faceSlack: f32 = 3.814697265625e-6; // 2^-18

/**
 * Whether a corner of a body certainly lies outside the hull of another one's corners. The box of all triangles has a corner on
 * every face (fitLevels), but for its rounding (centreNode): with coordinates up to 2, the centre is off by 2^-24, so one half of
 * the box may be 2^-23 shorter than the other, and the half extent is too large by less than 3·2^-22. `map` moves the other body's
 * box into this frame. Enlarged by its slack, it contains all corners of the other body, with room for the error of a corner of
 * this one (frame.as.ts), and for the three sums here, of numbers up to Σ|R| h + |T| + 4. So a face beyond that box decides.
 */
function reachesOut(box: usize, other: usize, map: usize): bool {
  const x = v128.load32_splat(other);
  const y = v128.load32_splat(other, 16);
  const z = v128.load32_splat(other, 32);
  const hx = v128.load32_splat(other, 48);
  const hy = v128.load32_splat(other, 64);
  const hz = v128.load32_splat(other, 80);
  for (let row: usize = 0; row < 3; row++) {
    const centre = v128.load32_splat(box + (row << 4));
    const half = v128.load32_splat(box + (row << 4), 48);
    const face = f32x4.add(f32x4.abs(f32x4.sub(moved(map, row, x, y, z), centre)), half);
    if (v128.any_true(f32x4.gt(f32x4.sub(face, f32x4.splat(faceSlack)), reach(map, row, hx, hy, hz))))
      return true;
  }
  return false;
}

/** Computes the frame of a pair. */
export function framePair(job: Job, a: Body, b: Body): void {
  relate(a, b, job.frame);
  renewSerial(job);
  const uncertainty = min(
    load<f32>(job.frame, mapUncertainty),
    load<f32>(job.frame + mapBytes, mapUncertainty),
  );
  job.flat = uncertainty > flatUncertainty ? 1 : 0;
}

/** Ends a candidate whose bodies share no point, and of which neither contains a part of the other. */
function endApart(job: Job): void {
  store<u32>(job.known + ((<usize>job.candidate) << 2), isApart);
}

/** Pops one pair of nodes and opens it. Returns how much work that was, in pairs of nodes or leaves. */
export function stepPair(job: Job, a: Body, b: Body): i32 {
  const top = job.stackCount - 1;
  if (job.deadEnd) raiseBest(job, top);
  const entry = entryAt(job.stack, top);
  job.stackCount = top;
  const nodeA = entry.a;
  const nodeB = entry.b;
  if (job.traversal === bruteForce) {
    bruteForceStep(job, a, b, nodeA, nodeB);
    return 1;
  }
  const work = openPair(job, a, b, nodeA, nodeB, entry.sizeA, entry.sizeB);
  const any = job.mode >= anyMode;
  job.deadEnd = any && job.stackCount <= top ? 1 : 0;
  return work;
}

/** Moves the most promising entry to the top of the stack, unless the stack is long. */
function raiseBest(job: Job, top: u32): void {
  if (top > raisedUpTo) return;
  const promises = job.promises;
  const end = promises + ((<usize>top) << 2);
  // Four at a time; what lies behind the last entry gets a promise of −1.
  v128.store(end + 4, f32x4.splat(-1));
  let high = v128.load(promises);
  for (let at = promises + 16; at <= end; at += 16) high = f32x4.pmax(high, v128.load(at));
  const two = f32x4.pmax(high, v128.shuffle<f32>(high, high, 2, 3, 0, 1));
  const most = max(f32x4.extract_lane(two, 0), f32x4.extract_lane(two, 1));
  let best = end;
  while (best > promises && load<f32>(best) < most) best -= 4;
  if (best === end) return;
  store<f32>(best, load<f32>(end));
  store<f32>(end, most);
  const stack = job.stack;
  const from = stack + ((best - promises) >> 2) * stackEntryBytes;
  const to = stack + <usize>top * stackEntryBytes;
  const entry = v128.load(from);
  v128.store(from, v128.load(to));
  v128.store(to, entry);
}

/** Whether stack entries have promises: if one pair is enough. */
function hasPromises(job: Job): bool {
  return job.mode >= anyMode;
}

/** Sets the promise of the entry pushed last. */
function setPromise(job: Job, value: f32): void {
  store<f32>(job.promises + ((<usize>(job.stackCount - 1)) << 2), value);
}

/** Opens one pair of nodes, or tests one pair of leaves, and pushes what to open next. */
function openPair(job: Job, a: Body, b: Body, nodeA: u32, nodeB: u32, sizeA: f32, sizeB: f32): i32 {
  const treeA = a.tree;
  const treeB = b.tree;
  // Levels below each node; 0 for a leaf.
  const belowA = treeA.levelCount - levelOf(nodeA);
  const belowB = treeB.levelCount - levelOf(nodeB);
  if (belowA === 0 && belowB === 0) {
    testLeaves(job, a, b, treeA, treeB, nodeA, nodeB);
    return 1;
  }
  if (job.flat) {
    let count = job.stackCount;
    openFlat(job, a, b, nodeA, nodeB, belowA === 0, belowB === 0);
    if (hasPromises(job)) {
      const end = job.stackCount;
      for (; count < end; count++) store<f32>(job.promises + ((<usize>count) << 2), 0);
    }
    return 1;
  }
  if (belowA === 0 || (belowB > 0 && sizeB > sizeA * imbalance)) {
    return openB(job, a, b, nodeA, nodeB, sizeA, belowA === 0 && belowB === 1);
  }
  if (belowB === 0 || sizeA > sizeB * imbalance) {
    return openA(job, a, b, nodeA, nodeB, sizeB, belowA === 1 && belowB === 0);
  }
  const scratch = job.leafScratch;
  const any = job.mode >= anyMode;
  let pairs = openBoth(treeA, treeB, nodeA, nodeB, job.frame, scratch, any);
  job.boxTests += 16.0;
  const firstA = childOf(nodeA);
  const firstB = childOf(nodeB);
  // Leaves are tested at once.
  if (belowA === 1 && belowB === 1) {
    const work = 1 + popcnt(pairs);
    while (pairs !== 0) {
      // If one pair is enough, the most promising first; otherwise in order.
      const pick = any ? mostPromising(pairs, scratch + promisesOfPairs) : <u32>ctz(pairs);
      pairs &= ~(1 << pick);
      if (testLeaves(job, a, b, treeA, treeB, firstA + (pick >> 2), firstB + (pick & 3))) break;
    }
    return work;
  }
  if (!any) {
    for (; pairs !== 0; pairs &= pairs - 1) pushChildren(job, firstA, firstB, <u32>ctz(pairs), scratch);
    return 1;
  }
  // The most promising pair is pushed last, so it is opened first.
  const promises = scratch + promisesOfPairs;
  while (pairs !== 0) {
    const pick = leastPromising(pairs, promises);
    pairs &= ~(1 << pick);
    pushChildren(job, firstA, firstB, pick, scratch);
    setPromise(job, load<f32>(promises + ((<usize>pick) << 2)));
  }
  return 1;
}

function pushChildren(job: Job, firstA: u32, firstB: u32, pick: u32, scratch: usize): void {
  const i = pick >> 2;
  const j = pick & 3;
  push(
    job,
    firstA + i,
    firstB + j,
    load<f32>(scratch + ((<usize>i) << 2), sizesOfA),
    load<f32>(scratch + ((<usize>j) << 2), sizesOfB),
  );
}

/** A node's first child. */
function childOf(node: u32): u32 {
  return firstChild(levelOf(node), indexOf(node));
}

function mostPromising(pairs: u32, promises: usize): u32 {
  let pick = <u32>ctz(pairs);
  let most = load<f32>(promises + ((<usize>pick) << 2));
  for (let rest = pairs & (pairs - 1); rest !== 0; rest &= rest - 1) {
    const next = <u32>ctz(rest);
    const promise = load<f32>(promises + ((<usize>next) << 2));
    if (promise > most) {
      most = promise;
      pick = next;
    }
  }
  return pick;
}

function leastPromising(pairs: u32, promises: usize): u32 {
  let pick = <u32>ctz(pairs);
  let least = load<f32>(promises + ((<usize>pick) << 2));
  for (let rest = pairs & (pairs - 1); rest !== 0; rest &= rest - 1) {
    const next = <u32>ctz(rest);
    const promise = load<f32>(promises + ((<usize>next) << 2));
    if (promise < least) {
      least = promise;
      pick = next;
    }
  }
  return pick;
}

/** Opens only the node of B. `leaves` says that this gives pairs of leaves, which are tested at once. */
function openB(job: Job, a: Body, b: Body, nodeA: u32, nodeB: u32, sizeA: f32, leaves: bool): i32 {
  const treeA = a.tree;
  const treeB = b.tree;
  const frame = job.frame;
  const children = nodeAt(treeB, levelOf(nodeB), indexOf(nodeB));
  let open = openOne(children, boxAt(treeA, levelOf(nodeA), indexOf(nodeA)), frame + mapBytes, frame);
  open &= childMask(treeB, levelOf(nodeB), indexOf(nodeB));
  job.boxTests += 4.0;
  const ranked = hasPromises(job);
  const parent = load<f32>(job.promises + ((<usize>job.stackCount) << 2));
  const first = childOf(nodeB);
  const work = leaves ? 1 + popcnt(open) : 1;
  for (; open !== 0; open &= open - 1) {
    const lane = <u32>ctz(open);
    if (!leaves) {
      push(job, nodeA, first + lane, sizeA, movedSize(laneOf(children, lane), frame));
      if (ranked) setPromise(job, parent);
    } else if (testLeaves(job, a, b, treeA, treeB, nodeA, first + lane)) break;
  }
  return work;
}

/** The same for A. */
function openA(job: Job, a: Body, b: Body, nodeA: u32, nodeB: u32, sizeB: f32, leaves: bool): i32 {
  const treeA = a.tree;
  const treeB = b.tree;
  const frame = job.frame;
  const children = nodeAt(treeA, levelOf(nodeA), indexOf(nodeA));
  let open = openOne(children, boxAt(treeB, levelOf(nodeB), indexOf(nodeB)), frame, frame + mapBytes);
  open &= childMask(treeA, levelOf(nodeA), indexOf(nodeA));
  job.boxTests += 4.0;
  const ranked = hasPromises(job);
  const parent = load<f32>(job.promises + ((<usize>job.stackCount) << 2));
  const first = childOf(nodeA);
  const work = leaves ? 1 + popcnt(open) : 1;
  for (; open !== 0; open &= open - 1) {
    const lane = <u32>ctz(open);
    if (!leaves) {
      push(job, first + lane, nodeB, boxSize(laneOf(children, lane)), sizeB);
      if (ranked) setPromise(job, parent);
    } else if (testLeaves(job, a, b, treeA, treeB, first + lane, nodeB)) break;
  }
  return work;
}

/** Tests a pair of leaves. True if the result answers the question; then nothing is left to open. */
function testLeaves(job: Job, a: Body, b: Body, treeA: Tree, treeB: Tree, nodeA: u32, nodeB: u32): bool {
  const leafA = indexOf(nodeA);
  const leafB = indexOf(nodeB);
  leafPair(job, a, b, leafA, leafB, triangleMask(treeA, leafA), triangleMask(treeB, leafB));
  if (job.mode < anyMode || !job.found) return false;
  job.stackCount = 0;
  return true;
}

/** Which triangles of a leaf exist. */
export function triangleMask(tree: Tree, leaf: u32): u32 {
  const left = tree.triangleCount - (leaf << 2);
  return left >= 4 ? 15 : (1 << left) - 1;
}

/** Tests every pair of leaves without boxes. The stack entry has the next pair. */
function bruteForceStep(job: Job, a: Body, b: Body, leafA: u32, leafB: u32): void {
  const treeA = a.tree;
  const treeB = b.tree;
  leafPair(job, a, b, leafA, leafB, triangleMask(treeA, leafA), triangleMask(treeB, leafB));
  if (job.mode >= anyMode && job.found) return;
  if (leafB + 1 < treeB.leafCount) push(job, leafA, leafB + 1, 0, 0);
  else if (leafA + 1 < treeA.leafCount) push(job, leafA + 1, 0, 0, 0);
}
