// Which bodies may meet: pairs whose world boxes share a point. A tree over the bodies (the same balanced tree,
// boxes in place of leaves) walked against itself; its single-precision boxes only propose, the double boxes decide.

import {
  childMask,
  layLevels,
  nodeAt,
  nodeBytes,
  treeHeaderBytes,
  treeLevelCount,
  treeLevelNodes,
  treeNodes,
} from '../../bvh/layout.as';
import { centreNodes, halfArea, highOf, lowOf, padLanes, powerAbove, putBox } from '../../bvh/refit.as';
import { pointBytes, sampleBytes, splitPoints } from '../../bvh/split.as';
import { jobDone, jobFull } from './job.as';
import { worldBoxBytes } from './place.as';

export const broadBoxes: usize = 0;
export const broadBodyCount: usize = 4;
export const broadStack: usize = 8;
export const broadStackCount: usize = 12;
/** Pairs of body indices, two words each, the lower first. */
export const broadPairs: usize = 16;
export const broadPairCount: usize = 20;
export const broadPairCapacity: usize = 24;
/** Order of the bodies in the tree, one word a slot. */
const broadOrder: usize = 28;
export const broadBoxTests: usize = 32;
/** How many bodies the order is of, 0 for none, and how well it fitted them (`fitBodies`). */
export const broadOrderCount: usize = 40;
const broadOrderSpread: usize = 48;
const broadTree: usize = 64;
export const broadBytes: usize = 64 + treeHeaderBytes;

/** Up to this many bodies every pair is tested at once. */
export const fewBodies: u32 = 48;

/** Rounding of boxes in [−1, 1] to float, of their centres and half extents and of comparing them: far below this. */
const broadSlack: f32 = 1e-6;

/** Bodies are ordered anew when their order fits this much worse than when it was made. */
const reorderGrowth: f64 = 1.25;

/** Bytes of `scratch` for the tree of bodies, which must be kept with the broad phase: order, points, nodes. */
export function broadScratchBytes(bodyCount: u32): f64 {
  const entries = <f64>bodyCount * (4.0 + <f64>pointBytes + 32.0 + 2.0);
  return entries + <f64>sampleBytes + <f64>nodeBytes * 40.0 + 256.0;
}

/**
 * Starts: fits the tree to the bodies' boxes, in last time's order if that still serves (bodies move little from one
 * question to the next), or decides there are too few bodies for one.
 */
export function startBroad(broad: usize, scratch: usize): void {
  const boxes = load<usize>(broad, broadBoxes);
  const count = load<u32>(broad, broadBodyCount);
  store<u32>(broad, 0, broadPairCount);
  store<f64>(broad, 0, broadBoxTests);
  store<u32>(broad, 0, broadStackCount);
  if (count <= fewBodies) return;
  let lowXy = f64x2.splat(Infinity);
  let highXy = f64x2.splat(-Infinity);
  let lowZ = Infinity;
  let highZ = -Infinity;
  let used: u32 = 0;
  const end = boxes + <usize>count * worldBoxBytes;
  for (let box = boxes; box < end; box += worldBoxBytes) {
    lowXy = f64x2.pmin(lowXy, v128.load(box));
    highXy = f64x2.pmax(highXy, v128.load(box, 24));
    lowZ = min(lowZ, load<f64>(box, 16));
    highZ = max(highZ, load<f64>(box, 40));
    used += <u32>(load<f64>(box) <= load<f64>(box, 24)); // not a body without triangles
  }
  if (used < 2) {
    store<u32>(broad, 0, broadBodyCount);
    return;
  }
  const half = f64x2.splat(0.5);
  const centre = f64x2.add(f64x2.mul(lowXy, half), f64x2.mul(highXy, half));
  const extent = f64x2.sub(f64x2.mul(highXy, half), f64x2.mul(lowXy, half));
  const centreZ = lowZ * 0.5 + highZ * 0.5;
  const reach = max(
    max(f64x2.extract_lane(extent, 0), f64x2.extract_lane(extent, 1)),
    highZ * 0.5 - lowZ * 0.5,
  );
  const scale = 1.0 / powerAbove(reach);
  const order = (scratch + 63) & ~(<usize>63);
  const points = (order + <usize>count * 4 + 63) & ~(<usize>63);
  const nodes = (points + <usize>count * pointBytes + sampleBytes + 63) & ~(<usize>63);
  store<usize>(broad, order, broadOrder);
  const tree = broad + broadTree;
  layLevels(tree, used);
  store<usize>(tree, nodes, treeNodes);
  if (load<u32>(broad, broadOrderCount) === used) {
    const spread = fitBodies(boxes, tree, order, used, centre, centreZ, scale);
    if (spread <= load<f64>(broad, broadOrderSpread) * reorderGrowth) {
      pushSelf(broad + broadStack, 0, 0);
      return;
    }
  }
  let point = points;
  for (let i: u32 = 0; i < count; i++) {
    const box = boxes + <usize>i * worldBoxBytes;
    if (load<f64>(box) > load<f64>(box, 24)) continue;
    v128.store(
      point,
      f32x4.add(framed(box, centre, centreZ, scale), framed(box + 24, centre, centreZ, scale)),
    );
    store<u32>(point, i, 12);
    point += pointBytes;
  }
  splitPoints(points, used);
  for (let slot: usize = 0; slot < used; slot++) {
    store<u32>(order + (slot << 2), load<u32>(points + slot * pointBytes, 12));
  }
  store<f64>(broad, fitBodies(boxes, tree, order, used, centre, centreZ, scale), broadOrderSpread);
  store<u32>(broad, used, broadOrderCount);
  pushSelf(broad + broadStack, 0, 0);
}

/** Three doubles of a box in the tree's frame, as floats. */
function framed(corner: usize, centre: v128, centreZ: f64, scale: f64): v128 {
  const xy = f64x2.mul(f64x2.sub(v128.load(corner), centre), f64x2.splat(scale));
  const z = (load<f64>(corner, 16) - centreZ) * scale;
  return f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z);
}

/**
 * Fits the tree to the bodies in their order; returns the sum of the lowest nodes' half areas relative to the root's. NaN
 * where one of them has no triangles: then the order was made for other bodies, and one that has some is not in it.
 */
function fitBodies(
  boxes: usize,
  tree: usize,
  order: usize,
  used: u32,
  centre: v128,
  centreZ: f64,
  scale: f64,
): f64 {
  const levels = load<u32>(tree, treeLevelCount);
  const lowest = nodeAt(tree, levels - 1, 0);
  for (let slot: u32 = 0; slot < used; slot++) {
    const box = boxes + <usize>load<u32>(order + ((<usize>slot) << 2)) * worldBoxBytes;
    if (load<f64>(box) > load<f64>(box, 24)) return NaN;
    putBox(lowest, slot, framed(box, centre, centreZ, scale), framed(box + 24, centre, centreZ, scale));
  }
  padLanes(lowest, used);
  let areas: f64 = 0;
  for (let level = levels - 1; level > 0; level--) {
    const nodeCount = load<u32>(tree + ((<usize>level) << 2), treeLevelNodes);
    const above = nodeAt(tree, level - 1, 0);
    let node = nodeAt(tree, level, 0);
    for (let i: u32 = 0; i < nodeCount; i++, node += nodeBytes) {
      const low = lowOf(node);
      const high = highOf(node);
      putBox(above, i, low, high);
      if (level === levels - 1) areas += halfArea(low, high);
    }
    padLanes(above, nodeCount);
  }
  const nodes = load<usize>(tree, treeNodes);
  const whole = halfArea(lowOf(nodes), highOf(nodes));
  const last = load<u32>(tree + ((<usize>(levels - 1)) << 2), treeLevelNodes);
  centreNodes(nodes, nodeAt(tree, levels - 1, last));
  return areas / whole;
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
  const slack = f32x4.splat(broadSlack);
  while (load<u32>(broad, broadStackCount) > 0) {
    if (load<u32>(broad, broadPairCount) + 16 > load<u32>(broad, broadPairCapacity)) return jobFull;
    const top = load<u32>(broad, broadStackCount) - 1;
    store<u32>(broad, top, broadStackCount);
    const entry = load<usize>(broad, broadStack) + ((<usize>top) << 3);
    const first = load<u32>(entry);
    const level = first >> 28;
    const i = first & 0xfffffff;
    const j = load<u32>(entry, 4);
    let pairs = openSelf(tree, level, i, j, slack);
    store<f64>(broad, load<f64>(broad, broadBoxTests) + 16.0, broadBoxTests);
    for (; pairs !== 0; pairs &= pairs - 1) {
      const pick = <u32>ctz(pairs);
      const p = (i << 2) + (pick >> 2);
      const q = (j << 2) + (pick & 3);
      if (level < lowest) {
        pushSelf(broad + broadStack, ((level + 1) << 28) | p, q);
        continue;
      }
      if (p === q) continue;
      const a = load<u32>(order + ((<usize>p) << 2));
      const b = load<u32>(order + ((<usize>q) << 2));
      if (!boxesMeet(boxes + <usize>a * worldBoxBytes, boxes + <usize>b * worldBoxBytes)) continue;
      emit(broad, min(a, b), max(a, b));
    }
  }
  return jobDone;
}

/** Two words: where the stack lies, and how many entries it has. An entry is level << 28 | node, other node. */
export function pushSelf(stack: usize, first: u32, second: u32): void {
  const count = load<u32>(stack, 4);
  const entry = load<usize>(stack) + ((<usize>count) << 3);
  store<u32>(entry, first);
  store<u32>(entry, second, 4);
  store<u32>(stack, count + 1, 4);
}

/** Pairs of children of nodes i ≤ j of one level whose boxes, enlarged by the slack, meet; each pair once, k = l too. */
export function openSelf(tree: usize, level: u32, i: u32, j: u32, slack: v128): u32 {
  const a = nodeAt(tree, level, i);
  const b = nodeAt(tree, level, j);
  const cx = v128.load(b);
  const cy = v128.load(b, 16);
  const cz = v128.load(b, 32);
  const hx = f32x4.add(v128.load(b, 48), slack);
  const hy = f32x4.add(v128.load(b, 64), slack);
  const hz = f32x4.add(v128.load(b, 80), slack);
  const mask = childMask(tree, level, j);
  let pairs: u32 = 0;
  for (let k: usize = 0; k < 4; k++) {
    const own = a + (k << 2);
    const outside = v128.or(
      v128.or(
        f32x4.gt(f32x4.abs(f32x4.sub(cx, v128.load32_splat(own))), f32x4.add(hx, v128.load32_splat(own, 48))),
        f32x4.gt(
          f32x4.abs(f32x4.sub(cy, v128.load32_splat(own, 16))),
          f32x4.add(hy, v128.load32_splat(own, 64)),
        ),
      ),
      f32x4.gt(
        f32x4.abs(f32x4.sub(cz, v128.load32_splat(own, 32))),
        f32x4.add(hz, v128.load32_splat(own, 80)),
      ),
    );
    pairs |= (~i32x4.bitmask(outside) & mask) << ((<u32>k) << 2);
  }
  // Of a node with itself, the pairs k ≤ l only: bits 4k + l.
  if (i === j) pairs &= 0x8cef;
  const maskA = childMask(tree, level, i);
  if (maskA !== 15) pairs &= (1 << (popcnt(maskA) << 2)) - 1;
  return pairs;
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
