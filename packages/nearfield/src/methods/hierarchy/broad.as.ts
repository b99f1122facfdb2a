// Which bodies may meet: pairs whose world boxes share a point. A balanced tree over the bodies, four boxes a node, walked
// against itself; its single-precision boxes only propose, the double boxes decide.
//
// The tree keeps its order of bodies from question to question, since bodies move little in between. An order that has
// grown stale shows in the pairs of nodes opened: when those beyond what it took when new have cost as much as making
// another, another is made, so that keeping it never costs more than twice the best there is.

import {
  layLevels,
  nodeAt,
  nodeBytes,
  treeHeaderBytes,
  treeLevelCount,
  treeNodes,
} from '../../bvh/layout.as';
import { powerAbove } from '../../bvh/refit.as';
import { pointBytes, sampleBytes, splitPoints } from '../../bvh/split.as';
import { jobDone, jobFull } from './job.as';
import { worldBoxBytes } from './place.as';

export const broadBoxes: usize = 0;
export const broadBodyCount: usize = 4;
/** Two words an entry: level << 28 | node, other node. */
export const broadStack: usize = 8;
const broadStackCount: usize = 12;
/** Pairs of body indices, two words each, the lower first. */
export const broadPairs: usize = 16;
export const broadPairCount: usize = 20;
export const broadPairCapacity: usize = 24;
/** Order of the bodies in the tree, one word a slot. */
const broadOrder: usize = 28;
/** How many bodies have triangles; how many the order is of, 0 for none. */
export const broadUsedCount: usize = 32;
export const broadOrderCount: usize = 36;
/** Pairs of nodes opened: in this question, in the first one after the order was made, in excess of that since. */
export const broadOpened: usize = 40;
const broadFreshOpened: usize = 44;
const broadExcess: usize = 48;
/** Nodes with bodies outside the frame when it was made; 0xffffffff before they were counted. */
const broadOutside: usize = 52;
/** The tree's frame: its centre x, y, z and its scale, doubles. */
const broadCentre: usize = 64;
const broadScale: usize = 88;
const broadTree: usize = 96;
export const broadBytes: usize = 96 + treeHeaderBytes;

/** Up to this many bodies every pair is tested at once. */
export const fewBodies: u32 = 48;

/**
 * Added to boxes on every side. In the frame coordinates are up to 2: rounding to float costs 2^-23, so does adding this.
 */
const broadSlack: f32 = 1e-6;

/** What making an order costs, in pairs of nodes opened, for each body: 0.65 ms and 17 ns for 10,000 of them. */
const orderCost: u32 = 4;

/** A box as floats: low x, y, z and 0, high x, y, z and 0. */
const floatBoxBytes: usize = 32;

/** Bytes of `scratch` for the tree of bodies, which must be kept with the broad phase: order, points or boxes, nodes. */
export function broadScratchBytes(bodyCount: u32): f64 {
  const entries = <f64>bodyCount * (4.0 + <f64>max(pointBytes, floatBoxBytes) + 32.0 + 2.0);
  return entries + <f64>sampleBytes + <f64>nodeBytes * 40.0 + 256.0;
}

/** Starts: fits the tree to the bodies' boxes, in last time's order if that still serves. */
export function startBroad(broad: usize, scratch: usize): void {
  const boxes = load<usize>(broad, broadBoxes);
  const count = load<u32>(broad, broadBodyCount);
  const used = load<u32>(broad, broadUsedCount);
  store<u32>(broad, 0, broadPairCount);
  store<u32>(broad, 0, broadOpened);
  store<u32>(broad, 0, broadStackCount);
  if (count <= fewBodies || used < 2) return;
  const order = (scratch + 63) & ~(<usize>63);
  const points = (order + <usize>count * 4 + 63) & ~(<usize>63);
  const nodes = (points + <usize>count * max(pointBytes, floatBoxBytes) + sampleBytes + 63) & ~(<usize>63);
  store<usize>(broad, order, broadOrder);
  const tree = broad + broadTree;
  const fits = load<u32>(broad, broadOrderCount) === used;
  layLevels(tree, used);
  store<usize>(tree, nodes, treeNodes);
  if (fits && load<u32>(broad, broadExcess) <= orderCost * used) {
    let fitted = fitBodies(broad, used, points);
    if (!fitted) {
      frameBodies(broad, points);
      fitted = fitBodies(broad, used, points);
    }
    if (fitted) {
      pushRoot(broad);
      return;
    }
  }
  frameBodies(broad, points);
  let point = points;
  for (let i: u32 = 0; i < count; i++) {
    const box = boxes + <usize>i * worldBoxBytes;
    if (load<f64>(box) > load<f64>(box, 24)) continue;
    v128.store(point, f32x4.add(framed(broad, box), framed(broad, box + 24)));
    store<u32>(point, i, 12);
    point += pointBytes;
  }
  splitPoints(points, used);
  for (let slot: usize = 0; slot < used; slot++) {
    store<u32>(order + (slot << 2), load<u32>(points + slot * pointBytes, 12));
  }
  store<u32>(broad, used, broadOrderCount);
  store<u32>(broad, 0, broadFreshOpened);
  store<u32>(broad, 0, broadExcess);
  fitBodies(broad, used, points);
  pushRoot(broad);
}

function pushRoot(broad: usize): void {
  store<u64>(load<usize>(broad, broadStack), 0);
  store<u32>(broad, 1, broadStackCount);
}

/** Bodies that the frame is found from. */
const samples: u32 = 64;

/**
 * Finds a frame in which three quarters of the bodies, those in the middle along each axis, lie in [−½, ½]. Others, which
 * may be very far out, do not cost them their precision: coordinates are cut off at 2, which keeps boxes that meet
 * meeting. `sorted` has room for the samples.
 */
function frameBodies(broad: usize, sorted: usize): void {
  const boxes = load<usize>(broad, broadBoxes);
  const count = load<u32>(broad, broadBodyCount);
  let reach: f64 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    let taken: usize = 0;
    let extent: f64 = 0;
    for (let k: u32 = 0; k < samples; k++) {
      const box = boxes + <usize>((<u64>k * <u64>count) / <u64>samples) * worldBoxBytes + axis;
      const low = load<f64>(box);
      const high = load<f64>(box, 24);
      if (low > high) continue;
      extent += (high * 0.5 - low * 0.5) / <f64>samples;
      const middle = low * 0.5 + high * 0.5;
      let at = sorted + (taken++ << 3);
      for (; at > sorted && load<f64>(at - 8) > middle; at -= 8) store<f64>(at, load<f64>(at - 8));
      store<f64>(at, middle);
    }
    if (taken === 0) continue;
    const low = load<f64>(sorted + ((taken >> 3) << 3));
    const high = load<f64>(sorted + ((taken - 1 - (taken >> 3)) << 3));
    store<f64>(broad + axis, low * 0.5 + high * 0.5, broadCentre);
    reach = max(reach, high * 0.5 - low * 0.5 + extent);
  }
  store<f64>(broad, 0.5 / powerAbove(reach), broadScale);
  store<u32>(broad, 0xffffffff, broadOutside);
}

/** Three doubles of a box in the tree's frame, as floats, cut off at 2. */
function framed(broad: usize, corner: usize): v128 {
  const scale = load<f64>(broad, broadScale);
  const xy = f64x2.mul(f64x2.sub(v128.load(corner), v128.load(broad, broadCentre)), f64x2.splat(scale));
  const z = (load<f64>(corner, 16) - load<f64>(broad, broadCentre + 16)) * scale;
  const all = f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z);
  return f32x4.pmin(f32x4.pmax(all, f32x4.splat(-2)), f32x4.splat(2));
}

/**
 * Fits the tree to the bodies in their order. False where that cannot be: one of them has no triangles, then the order was
 * made for other bodies, or they are no longer where the frame is.
 */
function fitBodies(broad: usize, used: u32, levelBoxes: usize): bool {
  const boxes = load<usize>(broad, broadBoxes);
  const order = load<usize>(broad, broadOrder);
  const tree = broad + broadTree;
  const levels = load<u32>(tree, treeLevelCount);
  const slack = f32x4.splat(broadSlack);
  const nothingLow = f32x4.splat(Infinity);
  const nothingHigh = f32x4.splat(-Infinity);
  const end = order + ((<usize>used) << 2);
  let node = nodeAt(tree, levels - 1, 0);
  let out = levelBoxes;
  let empty = f32x4.splat(0);
  let outside: u32 = 0;
  for (let slot = order; slot < end; slot += 16, node += nodeBytes, out += floatBoxBytes) {
    const box0 = boxes + <usize>load<u32>(slot) * worldBoxBytes;
    const low0 = f32x4.sub(framed(broad, box0), slack);
    const high0 = f32x4.add(framed(broad, box0 + 24), slack);
    let low1 = nothingLow;
    let low2 = nothingLow;
    let low3 = nothingLow;
    let high1 = nothingHigh;
    let high2 = nothingHigh;
    let high3 = nothingHigh;
    if (slot + 4 < end) {
      const box1 = boxes + <usize>load<u32>(slot, 4) * worldBoxBytes;
      low1 = f32x4.sub(framed(broad, box1), slack);
      high1 = f32x4.add(framed(broad, box1 + 24), slack);
      empty = v128.or(empty, f32x4.gt(low1, high1));
    }
    if (slot + 8 < end) {
      const box2 = boxes + <usize>load<u32>(slot, 8) * worldBoxBytes;
      low2 = f32x4.sub(framed(broad, box2), slack);
      high2 = f32x4.add(framed(broad, box2 + 24), slack);
      empty = v128.or(empty, f32x4.gt(low2, high2));
    }
    if (slot + 12 < end) {
      const box3 = boxes + <usize>load<u32>(slot, 12) * worldBoxBytes;
      low3 = f32x4.sub(framed(broad, box3), slack);
      high3 = f32x4.add(framed(broad, box3 + 24), slack);
      empty = v128.or(empty, f32x4.gt(low3, high3));
    }
    empty = v128.or(empty, f32x4.gt(low0, high0));
    putFour(node, low0, low1, low2, low3);
    putFour(node + 48, high0, high1, high2, high3);
    const low = f32x4.pmin(f32x4.pmin(low0, low1), f32x4.pmin(low2, low3));
    const high = f32x4.pmax(f32x4.pmax(high0, high1), f32x4.pmax(high2, high3));
    v128.store(out, low);
    v128.store(out, high, 16);
    // Nodes at the edge stand for the bodies in them.
    outside += <u32>v128.any_true(f32x4.ge(f32x4.pmax(f32x4.neg(low), high), f32x4.splat(2)));
  }
  let count = <u32>((out - levelBoxes) / floatBoxBytes);
  for (let level = levels - 1; level > 0; level--) {
    count = fitLevel(nodeAt(tree, level - 1, 0), levelBoxes, count);
  }
  if (v128.any_true(empty)) return false;
  // In a frame just made, those outside are as they are; later more of them show that the bulk has moved away.
  const before = load<u32>(broad, broadOutside);
  if (before === 0xffffffff) store<u32>(broad, outside, broadOutside);
  else if (outside > before + (used >> 7)) return false;
  return true;
}

/** Fits a level to the boxes of the one below, which make room for its own; returns how many those are. */
function fitLevel(nodes: usize, levelBoxes: usize, count: u32): u32 {
  const end = levelBoxes + <usize>count * floatBoxBytes;
  // Lanes without a child are empty: they meet nothing.
  for (let lane: usize = 0; lane < 3; lane++) {
    v128.store(end + lane * floatBoxBytes, f32x4.splat(Infinity));
    v128.store(end + lane * floatBoxBytes, f32x4.splat(-Infinity), 16);
  }
  let node = nodes;
  let out = levelBoxes;
  for (let box = levelBoxes; box < end; box += 4 * floatBoxBytes, node += nodeBytes, out += floatBoxBytes) {
    const low0 = v128.load(box);
    const low1 = v128.load(box, 32);
    const low2 = v128.load(box, 64);
    const low3 = v128.load(box, 96);
    const high0 = v128.load(box, 16);
    const high1 = v128.load(box, 48);
    const high2 = v128.load(box, 80);
    const high3 = v128.load(box, 112);
    putFour(node, low0, low1, low2, low3);
    putFour(node + 48, high0, high1, high2, high3);
    v128.store(out, f32x4.pmin(f32x4.pmin(low0, low1), f32x4.pmin(low2, low3)));
    v128.store(out, f32x4.pmax(f32x4.pmax(high0, high1), f32x4.pmax(high2, high3)), 16);
  }
  return <u32>((out - levelBoxes) / floatBoxBytes);
}

/** Four points become three rows: x, y, z of each. */
function putFour(at: usize, p: v128, q: v128, r: v128, s: v128): void {
  const pq = v128.shuffle<f32>(p, q, 0, 4, 1, 5);
  const rs = v128.shuffle<f32>(r, s, 0, 4, 1, 5);
  v128.store(at, v128.shuffle<f32>(pq, rs, 0, 1, 4, 5));
  v128.store(at, v128.shuffle<f32>(pq, rs, 2, 3, 6, 7), 16);
  v128.store(
    at,
    v128.shuffle<f32>(v128.shuffle<f32>(p, q, 2, 6, 2, 6), v128.shuffle<f32>(r, s, 2, 6, 2, 6), 0, 1, 4, 5),
    32,
  );
}

/** Finds the candidate pairs; jobFull asks for a larger list and to be called again. */
export function runBroad(broad: usize): i32 {
  const boxes = load<usize>(broad, broadBoxes);
  const count = load<u32>(broad, broadBodyCount);
  if (count <= fewBodies) {
    for (let i: u32 = 0; i < count; i++) {
      for (let j: u32 = i + 1; j < count; j++) {
        if (!boxesMeet(boxes + <usize>i * worldBoxBytes, boxes + <usize>j * worldBoxBytes)) continue;
        if (load<u32>(broad, broadPairCount) >= load<u32>(broad, broadPairCapacity)) return jobFull;
        emit(broad, i, j);
      }
    }
    return jobDone;
  }
  const tree = broad + broadTree;
  const lowest = load<u32>(tree, treeLevelCount) - 1;
  const order = load<usize>(broad, broadOrder);
  const capacity = load<u32>(broad, broadPairCapacity);
  const stack = load<usize>(broad, broadStack);
  let top = stack + ((<usize>load<u32>(broad, broadStackCount)) << 3);
  let opened = load<u32>(broad, broadOpened);
  while (top > stack) {
    if (load<u32>(broad, broadPairCount) + 16 > capacity) {
      store<u32>(broad, <u32>((top - stack) >> 3), broadStackCount);
      store<u32>(broad, opened, broadOpened);
      return jobFull;
    }
    top -= 8;
    const first = load<u32>(top);
    const level = first >> 28;
    const i = first & 0xfffffff;
    const j = load<u32>(top, 4);
    let pairs = openNodes(nodeAt(tree, level, i), nodeAt(tree, level, j));
    opened++;
    if (level < lowest) {
      // Of a node with itself, the pairs k ≤ l only: bits 4k + l.
      if (i === j) pairs &= 0x8cef;
      for (; pairs !== 0; pairs &= pairs - 1) {
        const pick = <u32>ctz(pairs);
        store<u32>(top, ((level + 1) << 28) | ((i << 2) + (pick >> 2)));
        store<u32>(top, (j << 2) + (pick & 3), 4);
        top += 8;
      }
      continue;
    }
    if (i === j) pairs &= 0x08ce;
    for (; pairs !== 0; pairs &= pairs - 1) {
      const pick = <u32>ctz(pairs);
      const a = load<u32>(order + ((<usize>((i << 2) + (pick >> 2))) << 2));
      const b = load<u32>(order + ((<usize>((j << 2) + (pick & 3))) << 2));
      if (!boxesMeet(boxes + <usize>a * worldBoxBytes, boxes + <usize>b * worldBoxBytes)) continue;
      emit(broad, min(a, b), max(a, b));
    }
  }
  store<u32>(broad, 0, broadStackCount);
  store<u32>(broad, opened, broadOpened);
  const fresh = load<u32>(broad, broadFreshOpened);
  if (fresh === 0) store<u32>(broad, opened, broadFreshOpened);
  else if (opened > fresh) store<u32>(broad, load<u32>(broad, broadExcess) + opened - fresh, broadExcess);
  return jobDone;
}

/** Pairs of the four boxes of one node and the four of another that meet: bit 4k + l. */
function openNodes(a: usize, b: usize): u32 {
  const lowX = v128.load(b);
  const lowY = v128.load(b, 16);
  const lowZ = v128.load(b, 32);
  const highX = v128.load(b, 48);
  const highY = v128.load(b, 64);
  const highZ = v128.load(b, 80);
  return (
    meeting(a, lowX, lowY, lowZ, highX, highY, highZ) |
    (meeting(a + 4, lowX, lowY, lowZ, highX, highY, highZ) << 4) |
    (meeting(a + 8, lowX, lowY, lowZ, highX, highY, highZ) << 8) |
    (meeting(a + 12, lowX, lowY, lowZ, highX, highY, highZ) << 12)
  );
}

/** Which of four boxes meet one box of a node. */
function meeting(box: usize, lowX: v128, lowY: v128, lowZ: v128, highX: v128, highY: v128, highZ: v128): u32 {
  const x = v128.and(f32x4.le(lowX, v128.load32_splat(box, 48)), f32x4.ge(highX, v128.load32_splat(box)));
  const y = v128.and(f32x4.le(lowY, v128.load32_splat(box, 64)), f32x4.ge(highY, v128.load32_splat(box, 16)));
  const z = v128.and(f32x4.le(lowZ, v128.load32_splat(box, 80)), f32x4.ge(highZ, v128.load32_splat(box, 32)));
  return i32x4.bitmask(v128.and(v128.and(x, y), z));
}

function boxesMeet(a: usize, b: usize): bool {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    if (!(load<f64>(a + axis) <= load<f64>(b + axis, 24))) return false;
    if (!(load<f64>(b + axis) <= load<f64>(a + axis, 24))) return false;
  }
  return true;
}

/** Keeps of the given candidates, in place, those whose boxes meet; returns how many. */
export function keepMeeting(boxes: usize, pairs: usize, count: u32): u32 {
  let kept = pairs;
  const end = pairs + ((<usize>count) << 3);
  for (let p = pairs; p < end; p += 8) {
    const a = load<u32>(p);
    const b = load<u32>(p, 4);
    if (!boxesMeet(boxes + <usize>a * worldBoxBytes, boxes + <usize>b * worldBoxBytes)) continue;
    store<u32>(kept, a);
    store<u32>(kept, b, 4);
    kept += 8;
  }
  return <u32>((kept - pairs) >> 3);
}

function emit(broad: usize, a: u32, b: u32): void {
  const count = load<u32>(broad, broadPairCount);
  const at = load<usize>(broad, broadPairs) + ((<usize>count) << 3);
  store<u32>(at, a);
  store<u32>(at, b, 4);
  store<u32>(broad, count + 1, broadPairCount);
}
