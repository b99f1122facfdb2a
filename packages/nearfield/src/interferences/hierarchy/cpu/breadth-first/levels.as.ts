// All pairs of triangles of a pair of bodies, level by level: the simultaneous breadth-first traversal of Gress & Zachmann
// (CG-2004-2, §4.2 to §4.4; G2, G4), as on the GPU (breadth-first.wgsl). The pairs of nodes of a level are tested, and each
// gets its overlap count: how many pairs of children it has if its volumes meet, else 0. The counts are summed up, and
// every pair writes its children where the sum before it says: this is the list of the next level. A tree with fewer levels
// waits at its root until both have equally many left, as if it were padded at the top. Pairs of leaves whose volumes meet
// are tested as triangles, on world doubles (triangles.as.ts).
//
// The first list is the pair of roots, all pairs of a lower level, or the front that an earlier question stopped at (§5;
// G5). A front is every pair of nodes that the traversal went no further from: together they cover all pairs of leaves
// exactly once, wherever the bodies are now. So a front that is out of date costs tests and never an answer.

import { centresSeparate, mapBytes, mapUncertainty, relate } from '../../../../bvh/cpu/place/frame.as';
import { Body, bodyAt, worldTriangle } from '../../../../bvh/cpu/place/place.as';
import { jobDone, jobFull, jobPaused } from '../../../../cpu/states.as';
import { flatUncertainty, worldBox, worldBoxesApart } from '../flat.as';
import { anyMode, candidateAt, emitCertain, emitUnsure, hasRoom, isApart, Job } from '../job/job.as';
import { meeting, separate, shareCorner, trianglesMeet } from '../leaves/triangles.as';
import { mostWeightsBytes, prepareWeights, volumesApart } from './slabs.as';
import { BinaryTree, childCount, levelOf, nodesAt, rowsOf, volumeOf } from './volumes.as';

/** The state of one pair of bodies. Its lists belong to TypeScript (levels.ts), which makes them larger. */
@unmanaged
export class Levels {
  treeA: BinaryTree;
  treeB: BinaryTree;
  /** This level's pairs of nodes, the next level's, and overlap counts: room for `capacity` each, and one count more. */
  pairs: usize;
  next: usize;
  overlaps: usize;
  capacity: u32;
  pairCount: u32;
  nextCount: u32;
  /** testing or writing, and how many pairs of this level that is done for. */
  stage: u32;
  done: u32;
  /** 1 until the first list has been tested: then how many of its pairs overlapped. */
  isFirst: u32;
  overlapped: u32;
  /** The front, if it is wanted: pairs that were not opened. */
  wantsFront: u32;
  front: usize;
  frontCount: u32;
  frontCapacity: u32;
  /** 1 if the pair's frame is not useful and boxes are compared in the world. */
  flat: u32;

  get weights(): usize {
    return changetype<usize>(this) + weightsOffset;
  }

  get scratch(): usize {
    return changetype<usize>(this) + scratchOffset;
  }
}

const weightsOffset: usize = (offsetof<Levels>() + 15) & ~(<usize>15);
const scratchOffset: usize = weightsOffset + mostWeightsBytes;
/** Two triangles of nine doubles, or two boxes of six. */
export const levelsBytes: usize = scratchOffset + 144;

/** A pair of nodes in a list. */
@unmanaged
class NodePair {
  a: u32;
  b: u32;
}

export const nodePairBytes: usize = offsetof<NodePair>();

const testing: u32 = 0;
const writing: u32 = 1;

/** Marks, in a front, the node of A of a pair of leaves that overlap: it cannot be replaced by its parent. */
const overlapMark: u32 = 0x80000000;

function pairAt(list: usize, index: u32): NodePair {
  return changetype<NodePair>(list + <usize>index * nodePairBytes);
}

/** Begins a candidate of a job. Returns false if the two are apart, or one has no triangles. */
export function startLevels(levels: Levels, job: Job): bool {
  const candidate = candidateAt(job, job.candidate);
  const a = bodyAt(job.table, candidate.a);
  const b = bodyAt(job.table, candidate.b);
  job.found = 0;
  levels.pairCount = levels.nextCount = levels.frontCount = 0;
  levels.stage = testing;
  levels.done = 0;
  levels.isFirst = 1;
  levels.overlapped = 0;
  if (a.tree.triangleCount === 0 || b.tree.triangleCount === 0) return false;
  job.boxTests += 1.0;
  if (centresSeparate(a, b)) {
    store<u32>(job.known + ((<usize>job.candidate) << 2), isApart);
    return false;
  }
  const frame = job.frame;
  relate(a, b, frame);
  const uncertainty = min(load<f32>(frame, mapUncertainty), load<f32>(frame, mapBytes + mapUncertainty));
  levels.flat = uncertainty > flatUncertainty ? 1 : 0;
  prepareWeights(frame, levels.treeA.slabCount, levels.weights);
  return true;
}

/** The level of one tree at a level of the pair. The shallower tree is padded at the top. */
function ownLevel(level: u32, depth: u32, otherDepth: u32): u32 {
  const padding = max(depth, otherDepth) - depth;
  return max(level, padding) - padding;
}

/** How many pairs of nodes a level of the pair has. A double, since it may exceed 32 bits. */
export function entriesAt(a: BinaryTree, b: BinaryTree, level: u32): f64 {
  return (
    <f64>nodesAt(a, ownLevel(level, a.depth, b.depth)) * <f64>nodesAt(b, ownLevel(level, b.depth, a.depth))
  );
}

/** Lists all pairs of nodes of a level: the roots for level 0. There must be room for them. */
export function enterLevel(levels: Levels, level: u32): void {
  const levelA = ownLevel(level, levels.treeA.depth, levels.treeB.depth);
  const levelB = ownLevel(level, levels.treeB.depth, levels.treeA.depth);
  const countA = nodesAt(levels.treeA, levelA);
  const countB = nodesAt(levels.treeB, levelB);
  let count: u32 = 0;
  for (let i: u32 = 0; i < countA; i++) {
    for (let j: u32 = 0; j < countB; j++) {
      const pair = pairAt(levels.pairs, count++);
      pair.a = ((<u32>1) << levelA) + i;
      pair.b = ((<u32>1) << levelB) + j;
    }
  }
  levels.pairCount = count;
}

/** Takes the pairs that were put into the list, as the front that an earlier question stopped at. */
export function enterFront(levels: Levels, count: u32): void {
  for (let i: u32 = 0; i < count; i++) pairAt(levels.pairs, i).a &= ~overlapMark;
  levels.pairCount = count;
}

/**
 * Works on the candidate until it is done, an output is full (records, the next level's list or the front), or `budget`
 * pairs are dealt with.
 */
export function traverseLevels(levels: Levels, job: Job, budget: i32): i32 {
  const candidate = candidateAt(job, job.candidate);
  const a = bodyAt(job.table, candidate.a);
  const b = bodyAt(job.table, candidate.b);
  while (levels.pairCount > 0) {
    if (levels.stage === testing) {
      const state = testLevel(levels, job, a, b, budget);
      if (state !== jobDone) return state;
      budget -= levels.pairCount;
      levels.nextCount = sumCounts(levels);
      levels.stage = writing;
      levels.done = 0;
      levels.isFirst = 0;
    }
    if (levels.nextCount > levels.capacity) return jobFull;
    if (budget <= 0) return jobPaused;
    writeNext(levels);
    budget -= levels.nextCount;
    const list = levels.pairs;
    levels.pairs = levels.next;
    levels.next = list;
    levels.pairCount = levels.nextCount;
    levels.nextCount = 0;
    levels.stage = testing;
    levels.done = 0;
  }
  return jobDone;
}

/** Tests the pairs of a level that are left. */
function testLevel(levels: Levels, job: Job, a: Body, b: Body, budget: i32): i32 {
  const count = levels.pairCount;
  const wantsFront = levels.wantsFront;
  const treeA = levels.treeA;
  const treeB = levels.treeB;
  const slabCount = treeA.slabCount;
  const depthA = treeA.depth;
  const depthB = treeB.depth;
  const weights = levels.weights;
  if (wantsFront && levels.frontCount + (count - levels.done) > levels.frontCapacity) return jobFull;
  let at = levels.done;
  const end = min(count, at + <u32>max(0, budget));
  const began = at;
  for (; at < end; at++) {
    const pair = pairAt(levels.pairs, at);
    const nodeA = pair.a;
    const nodeB = pair.b;
    let overlaps: u32 = 0;
    let mark: u32 = 0;
    const apart = levels.flat
      ? flatApart(levels, a, b, volumeOf(treeA, nodeA), volumeOf(treeB, nodeB))
      : volumesApart(volumeOf(treeA, nodeA), volumeOf(treeB, nodeB), weights, slabCount);
    if (!apart) {
      const heightA = depthA - levelOf(nodeA);
      const heightB = depthB - levelOf(nodeB);
      if (heightA === 0 && heightB === 0) {
        if (!hasRoom(job)) {
          levels.done = at;
          job.boxTests += <f64>(at - began);
          return jobFull;
        }
        mark = overlapMark;
        testTriangles(levels, job, a, b, nodeA - ((<u32>1) << depthA), nodeB - ((<u32>1) << depthB));
        if (job.mode >= anyMode && job.found) {
          // One pair is enough.
          job.boxTests += <f64>(at + 1 - began);
          levels.done = at = count;
          levels.overlapped++;
          memory.fill(levels.overlaps, 0, ((<usize>count) << 2) + 4);
          return jobDone;
        }
      } else {
        overlaps = childPairs(treeA, treeB, nodeA, nodeB, heightA, heightB);
      }
      if (levels.isFirst) levels.overlapped++;
    }
    store<u32>(levels.overlaps + ((<usize>at) << 2), overlaps);
    if (wantsFront && overlaps === 0) {
      const kept = pairAt(levels.front, levels.frontCount++);
      kept.a = nodeA | mark;
      kept.b = nodeB;
    }
  }
  job.boxTests += <f64>(at - began);
  levels.done = at;
  if (at < count) return jobPaused;
  // Nothing at the top: the oriented boxes around the bodies are apart.
  if (
    levels.isFirst &&
    levels.overlapped === 0 &&
    pairAt(levels.pairs, 0).a === 1 &&
    pairAt(levels.pairs, 0).b === 1
  ) {
    store<u32>(job.known + ((<usize>job.candidate) << 2), isApart);
  }
  return jobDone;
}

/** How many pairs of children a pair of nodes has. The higher node is opened, or both. */
function childPairs(a: BinaryTree, b: BinaryTree, nodeA: u32, nodeB: u32, heightA: u32, heightB: u32): u32 {
  const countA: u32 = heightA >= heightB ? childCount(a, nodeA, heightA) : 1;
  const countB: u32 = heightB >= heightA ? childCount(b, nodeB, heightB) : 1;
  return countA * countB;
}

/** Turns counts into sums: where each pair's children begin. Returns the sum of all. */
function sumCounts(levels: Levels): u32 {
  const end = levels.overlaps + ((<usize>levels.pairCount) << 2);
  let sum: u32 = 0;
  for (let at = levels.overlaps; at < end; at += 4) {
    const count = load<u32>(at);
    store<u32>(at, sum);
    sum += count;
  }
  store<u32>(end, sum);
  return sum;
}

/** Writes the children of the pairs that overlap. */
function writeNext(levels: Levels): void {
  const treeA = levels.treeA;
  const treeB = levels.treeB;
  for (let i: u32 = 0; i < levels.pairCount; i++) {
    const sums = levels.overlaps + ((<usize>i) << 2);
    let place = load<u32>(sums);
    const end = load<u32>(sums, 4);
    if (place === end) continue;
    const pair = pairAt(levels.pairs, i);
    const heightA = treeA.depth - levelOf(pair.a);
    const heightB = treeB.depth - levelOf(pair.b);
    const firstA = heightA >= heightB ? pair.a << 1 : pair.a;
    const firstB = heightB >= heightA ? pair.b << 1 : pair.b;
    const countB: u32 = heightB >= heightA ? childCount(treeB, pair.b, heightB) : 1;
    for (let k: u32 = 0; place < end; place++) {
      const child = pairAt(levels.next, place);
      child.a = firstA + k / countB;
      child.b = firstB + (k % countB);
      k++;
    }
  }
}

/** Tests two triangles on their world doubles (triangles.as.ts). */
function testTriangles(levels: Levels, job: Job, a: Body, b: Body, leafA: u32, leafB: u32): void {
  const slotA = load<u32>(levels.treeA.slots + ((<usize>leafA) << 2));
  const slotB = load<u32>(levels.treeB.slots + ((<usize>leafB) << 2));
  const cornersA = levels.scratch;
  const cornersB = cornersA + 72;
  worldTriangle(a, slotA, cornersA);
  worldTriangle(b, slotB, cornersB);
  job.triangleTests += 1.0;
  const answer = shareCorner(cornersA, cornersB) ? meeting : trianglesMeet(cornersA, cornersB);
  if (answer === separate) return;
  const triangleA = load<u32>(a.tree.order + ((<usize>slotA) << 2));
  const triangleB = load<u32>(b.tree.order + ((<usize>slotB) << 2));
  if (answer === meeting) emitCertain(job, triangleA, triangleB, false);
  else emitUnsure(job, triangleA, triangleB);
}

/** Compares the boxes of two volumes in the world (flat.as.ts), for a pair without a useful frame. */
function flatApart(levels: Levels, a: Body, b: Body, volumeA: usize, volumeB: usize): bool {
  const scratch = levels.scratch;
  const halves = rowsOf(levels.treeA.slabCount) << 4;
  worldBox(a, volumeA, volumeA + halves, 4, scratch);
  worldBox(b, volumeB, volumeB + halves, 4, scratch + 48);
  return worldBoxesApart(scratch, scratch + 48);
}

/**
 * Shortens a front: where all children of a pair are in it and none overlaps, tests the pair itself, and puts it in their
 * place if it does not overlap either. Tries every fourth such group, another one in each `round`: most of them have to
 * stay, and testing all would take most of what a front saves.
 */
export function shortenFront(levels: Levels, job: Job, round: u32): void {
  if (levels.flat) return;
  const treeA = levels.treeA;
  const treeB = levels.treeB;
  const front = levels.front;
  const count = levels.frontCount;
  let kept: u32 = 0;
  let group = round;
  for (let i: u32 = 0; i < count; ) {
    const pair = pairAt(front, i);
    const parentA = max<u32>(1, pair.a >> 1);
    const parentB = max<u32>(1, pair.b >> 1);
    let end = i + 1;
    if (!(pair.a & overlapMark) && pair.a + pair.b > 2) {
      const heightA = treeA.depth - levelOf(parentA);
      const heightB = treeB.depth - levelOf(parentB);
      const whole = childPairs(treeA, treeB, parentA, parentB, heightA, heightB);
      while (end < count && end - i < whole) {
        const next = pairAt(front, end);
        if (
          next.a & overlapMark ||
          max<u32>(1, next.a >> 1) !== parentA ||
          max<u32>(1, next.b >> 1) !== parentB
        )
          break;
        end++;
      }
      if (end - i === whole && (group++ & 3) === 0) {
        job.boxTests += 1.0;
        const slabCount = treeA.slabCount;
        if (volumesApart(volumeOf(treeA, parentA), volumeOf(treeB, parentB), levels.weights, slabCount)) {
          const parent = pairAt(front, kept++);
          parent.a = parentA;
          parent.b = parentB;
          i = end;
          continue;
        }
      }
    }
    for (; i < end; i++, kept++) {
      const from = pairAt(front, i);
      const to = pairAt(front, kept);
      to.a = from.a;
      to.b = from.b;
    }
  }
  levels.frontCount = kept;
}
