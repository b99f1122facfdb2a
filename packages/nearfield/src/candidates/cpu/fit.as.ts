// Fits a balanced tree to the boxes of bodies, in single precision: it chooses a frame in which most of them are near
// the origin, slightly enlarges the boxes in it, and makes one reduction per level.

import { nodeBytes, nodesOf } from '../../bvh/cpu/build/layout.as';
import { powerAbove } from '../../bvh/cpu/build/refit.as';
import { worldBoxAt } from '../../bvh/cpu/place/place.as';
import { Broad } from './layout.as';

/**
 * Added to boxes on every side. In the frame, coordinates are up to 2. Rounding to float costs 2^-23, and so does
 * adding this.
 */
const broadSlack: f32 = 1e-6;

/** A box as floats: low x, y, z and 0, high x, y, z and 0. */
export const floatBoxBytes: usize = 32;

/** The number of bodies from which the frame is determined. */
const samples: u32 = 64;

/**
 * Finds a frame in which, along each axis, the middle three quarters of the bodies lie in [−½, ½]. Bodies very far out
 * do not reduce the precision of the others: coordinates are clamped at 2, and boxes that meet still meet after that.
 * `sorted` is memory for the samples.
 */
export function frameBodies(broad: Broad, sorted: usize): void {
  const boxes = broad.boxes;
  const count = broad.bodyCount;
  let reach: f64 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    let taken: usize = 0;
    let extent: f64 = 0;
    for (let k: u32 = 0; k < samples; k++) {
      const box = worldBoxAt(boxes, <u32>((<u64>k * <u64>count) / <u64>samples));
      const low = load<f64>(box.low + axis);
      const high = load<f64>(box.high + axis);
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
    store<f64>(broad.centre + axis, low * 0.5 + high * 0.5);
    reach = max(reach, high * 0.5 - low * 0.5 + extent);
  }
  broad.scale = 0.5 / powerAbove(reach);
  broad.outside = 0xffffffff;
}

/** Three doubles of a box in the tree's frame, as floats, clamped at 2. */
export function framed(broad: Broad, corner: usize): v128 {
  const scale = broad.scale;
  const xy = f64x2.mul(f64x2.sub(v128.load(corner), v128.load(broad.centre)), f64x2.splat(scale));
  const z = (load<f64>(corner, 16) - broad.centreZ) * scale;
  const all = f32x4.replace_lane(f32x4.demote_f64x2_zero(xy), 2, <f32>z);
  return f32x4.pmin(f32x4.pmax(all, f32x4.splat(-2)), f32x4.splat(2));
}

/**
 * Fits the tree to the bodies in their order. False if the order or the frame is not usable: a body in the order has no
 * triangles, so the order was made for other bodies; or the bodies have moved away from the frame.
 */
export function fitBodies(broad: Broad, used: u32, levelBoxes: usize): bool {
  const boxes = broad.boxes;
  const order = broad.order;
  const tree = broad.tree;
  const levels = tree.levelCount;
  const slack = f32x4.splat(broadSlack);
  const nothingLow = f32x4.splat(Infinity);
  const nothingHigh = f32x4.splat(-Infinity);
  const end = order + ((<usize>used) << 2);
  let node = nodesOf(tree, levels - 1);
  let out = levelBoxes;
  let empty = f32x4.splat(0);
  let outside: u32 = 0;
  for (let slot = order; slot < end; slot += 16, node += nodeBytes, out += floatBoxBytes) {
    const box0 = worldBoxAt(boxes, load<u32>(slot));
    const low0 = f32x4.sub(framed(broad, box0.low), slack);
    const high0 = f32x4.add(framed(broad, box0.high), slack);
    let low1 = nothingLow;
    let low2 = nothingLow;
    let low3 = nothingLow;
    let high1 = nothingHigh;
    let high2 = nothingHigh;
    let high3 = nothingHigh;
    if (slot + 4 < end) {
      const box1 = worldBoxAt(boxes, load<u32>(slot, 4));
      low1 = f32x4.sub(framed(broad, box1.low), slack);
      high1 = f32x4.add(framed(broad, box1.high), slack);
      empty = v128.or(empty, f32x4.gt(low1, high1));
    }
    if (slot + 8 < end) {
      const box2 = worldBoxAt(boxes, load<u32>(slot, 8));
      low2 = f32x4.sub(framed(broad, box2.low), slack);
      high2 = f32x4.add(framed(broad, box2.high), slack);
      empty = v128.or(empty, f32x4.gt(low2, high2));
    }
    if (slot + 12 < end) {
      const box3 = worldBoxAt(boxes, load<u32>(slot, 12));
      low3 = f32x4.sub(framed(broad, box3.low), slack);
      high3 = f32x4.add(framed(broad, box3.high), slack);
      empty = v128.or(empty, f32x4.gt(low3, high3));
    }
    empty = v128.or(empty, f32x4.gt(low0, high0));
    putFour(node, low0, low1, low2, low3);
    putFour(node + 48, high0, high1, high2, high3);
    const low = f32x4.pmin(f32x4.pmin(low0, low1), f32x4.pmin(low2, low3));
    const high = f32x4.pmax(f32x4.pmax(high0, high1), f32x4.pmax(high2, high3));
    v128.store(out, low);
    v128.store(out, high, 16);
    // Counts nodes that reach the edge of the frame, in place of their bodies.
    outside += <u32>v128.any_true(f32x4.ge(f32x4.pmax(f32x4.neg(low), high), f32x4.splat(2)));
  }
  let count = <u32>((out - levelBoxes) / floatBoxBytes);
  for (let level = levels - 1; level > 0; level--) {
    count = fitLevel(nodesOf(tree, level - 1), levelBoxes, count);
  }
  if (v128.any_true(empty)) return false;
  // In a new frame, some nodes are outside anyway. If there are more later, the bulk of the bodies has moved away.
  const before = broad.outside;
  if (before === 0xffffffff) broad.outside = outside;
  else if (outside > before + (used >> 7)) return false;
  return true;
}

/** Fits a level to the boxes of the level below and replaces those by its own boxes. Returns their number. */
function fitLevel(nodes: usize, levelBoxes: usize, count: u32): u32 {
  const end = levelBoxes + <usize>count * floatBoxBytes;
  // Lanes without a child get empty boxes, which meet nothing.
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

/** Transposes four points into three rows of x, y and z. */
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
