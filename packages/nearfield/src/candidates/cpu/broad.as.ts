// The broad phase: pairs of bodies whose world boxes share a point. A balanced tree over the bodies, with four boxes
// per node, is walked against itself. Its single-precision boxes only propose pairs; the double boxes decide.
//
// The tree keeps its order of bodies between questions, since bodies move little in between. A stale order shows in the
// number of node pairs opened. When the excess over a fresh order has cost as much as making a new order, a new one is
// made. So keeping it never costs more than twice the optimum.

import { layLevels, nodeBytes, nodesOf } from '../../bvh/cpu/build/layout.as';
import { pointBytes, SplitPoint, sampleBytes, splitPoints } from '../../bvh/cpu/build/split.as';
import { worldBoxAt } from '../../bvh/cpu/place/place.as';
import { jobDone, jobFull } from '../../cpu/states.as';
import { fitBodies, floatBoxBytes, frameBodies, framed } from './fit.as';
import { Broad } from './layout.as';
import { boxesMeet, layLists, listOf, listsBytes, openedAtOnce, openInner, openLowest } from './open.as';

/** Up to this many bodies, every pair is tested directly. */
export const fewBodies: u32 = 48;

/** The cost of making an order, in node pairs opened per body: 0.65 ms for 10,000 bodies, at 11 ns per node pair. */
const orderCost: u32 = 6;

/**
 * Bytes of scratch memory for the tree of bodies: order, points or boxes, nodes. It must be kept with the broad phase.
 */
export function broadScratchBytes(bodyCount: u32): f64 {
  const entries = <f64>bodyCount * (4.0 + <f64>max(pointBytes, floatBoxBytes) + 32.0 + 2.0);
  return entries + <f64>sampleBytes + <f64>listsBytes + <f64>nodeBytes * 40.0 + 256.0;
}

/** Starts the broad phase: fits the tree to the bodies' boxes, in the last order if that is still good. */
export function startBroad(broad: Broad, scratch: usize): void {
  const boxes = broad.boxes;
  const count = broad.bodyCount;
  const used = broad.usedCount;
  broad.pairCount = 0;
  broad.opened = 0;
  if (count <= fewBodies || used < 2) return;
  const lists = (scratch + 63) & ~(<usize>63);
  layLists(broad, lists);
  const order = (lists + listsBytes + 63) & ~(<usize>63);
  const points = (order + <usize>count * 4 + 63) & ~(<usize>63);
  const nodes = (points + <usize>count * max(pointBytes, floatBoxBytes) + sampleBytes + 63) & ~(<usize>63);
  broad.order = order;
  const tree = broad.tree;
  const fits = broad.orderCount === used;
  layLevels(tree, used);
  tree.nodes = nodes;
  if (fits && broad.excess <= orderCost * used) {
    let fitted = fitBodies(broad, used, points);
    if (!fitted) {
      frameBodies(broad, points);
      fitted = fitBodies(broad, used, points);
    }
    if (fitted) return;
  }
  frameBodies(broad, points);
  let point = points;
  for (let i: u32 = 0; i < count; i++) {
    const box = worldBoxAt(boxes, i);
    if (box.lowX > box.highX) continue;
    v128.store(point, f32x4.add(framed(broad, box.low), framed(broad, box.high)));
    changetype<SplitPoint>(point).value = i;
    point += pointBytes;
  }
  splitPoints(points, used);
  for (let slot: usize = 0; slot < used; slot++) {
    store<u32>(order + (slot << 2), changetype<SplitPoint>(points + slot * pointBytes).value);
  }
  broad.orderCount = used;
  broad.freshOpened = 0;
  broad.excess = 0;
  fitBodies(broad, used, points);
}

/** Finds the candidate pairs. Returns jobFull if the list is full: enlarge it and call again. */
export function runBroad(broad: Broad): i32 {
  const boxes = broad.boxes;
  const count = broad.bodyCount;
  if (count <= fewBodies) {
    for (let i: u32 = 0; i < count; i++) {
      for (let j: u32 = i + 1; j < count; j++) {
        if (!boxesMeet(worldBoxAt(boxes, i), worldBoxAt(boxes, j))) continue;
        if (broad.pairCount >= broad.pairCapacity) return jobFull;
        emit(broad, i, j);
      }
    }
    return jobDone;
  }
  if (broad.usedCount < 2) return jobDone;
  const tree = broad.tree;
  const lowest = tree.levelCount - 1;
  const lists = broad.lists;
  let level = broad.level;
  for (;;) {
    const list = listOf(lists, level);
    const next = list.next;
    const left = list.count - next;
    if (left === 0) {
      if (level === 0) break;
      level--;
      continue;
    }
    let taken = min(left, openedAtOnce);
    if (level < lowest) {
      openInner(nodesOf(tree, level), lists, list, next, taken);
    } else {
      // Each may yield sixteen pairs.
      const room = broad.pairCapacity - broad.pairCount;
      taken = min(left, room >> 4);
      openLowest(broad, nodesOf(tree, level), list, next, taken);
    }
    list.next = next + taken;
    broad.opened += taken;
    if (taken === 0) {
      broad.level = level;
      return jobFull;
    }
    if (level < lowest) level++;
  }
  const opened = broad.opened;
  const fresh = broad.freshOpened;
  if (fresh === 0) broad.freshOpened = opened;
  else if (opened > fresh) broad.excess += opened - fresh;
  return jobDone;
}

/** Keeps those of the given candidates whose boxes meet, in place. Returns their number. */
export function keepMeeting(boxes: usize, pairs: usize, count: u32): u32 {
  let kept = pairs;
  const end = pairs + ((<usize>count) << 3);
  for (let p = pairs; p < end; p += 8) {
    const a = load<u32>(p);
    const b = load<u32>(p, 4);
    if (!boxesMeet(worldBoxAt(boxes, a), worldBoxAt(boxes, b))) continue;
    store<u32>(kept, a);
    store<u32>(kept, b, 4);
    kept += 8;
  }
  return <u32>((kept - pairs) >> 3);
}

function emit(broad: Broad, a: u32, b: u32): void {
  const count = broad.pairCount;
  const at = broad.pairs + ((<usize>count) << 3);
  store<u32>(at, a);
  store<u32>(at, b, 4);
  broad.pairCount = count + 1;
}
