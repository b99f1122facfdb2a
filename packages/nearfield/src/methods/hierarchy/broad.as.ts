// Which bodies may meet: pairs whose world boxes share a point. A tree over the bodies (the same balanced tree,
// boxes in place of leaves) walked against itself; its single-precision boxes only propose, the double boxes decide.

import { mortonKey } from '../../bvh/build.as';
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
import { centreNodes, highOf, lowOf, padLanes, powerAbove, putBox } from '../../bvh/refit.as';
import { counterBytes, sortEntries } from '../../bvh/sort.as';
import { jobDone, jobFull } from './job.as';
import { bodyBox, bodyBytes } from './place.as';

export const broadTable: usize = 0;
export const broadBodyCount: usize = 4;
export const broadStack: usize = 8;
export const broadStackCount: usize = 12;
/** Pairs of body indices, two words each, the lower first. */
export const broadPairs: usize = 16;
export const broadPairCount: usize = 20;
export const broadPairCapacity: usize = 24;
/** Where the sorted entries (key, body) of the bodies lie. */
const broadOrder: usize = 28;
export const broadBoxTests: usize = 32;
const broadTree: usize = 64;
export const broadBytes: usize = 64 + treeHeaderBytes;

/** Up to this many bodies every pair is tested at once. */
const fewBodies: u32 = 48;

/** Rounding of boxes in [−1, 1] to float, of their centres and half extents and of comparing them: far below this. */
const broadSlack: f32 = 1e-6;

/** Bytes of scratch for the tree of bodies: entries twice, counters, nodes. */
export function broadScratchBytes(bodyCount: u32): f64 {
  return <f64>bodyCount * (16.0 + 32.0 * 1.5) + <f64>counterBytes + <f64>nodeBytes * 40.0 + 256.0;
}

/** Starts: builds the tree, or decides there are too few bodies for one. */
export function startBroad(broad: usize, scratch: usize): void {
  const table = load<usize>(broad, broadTable);
  const count = load<u32>(broad, broadBodyCount);
  store<u32>(broad, 0, broadPairCount);
  store<f64>(broad, 0, broadBoxTests);
  if (count <= fewBodies) {
    store<u32>(broad, 0, broadStackCount);
    return;
  }
  let x0 = Infinity;
  let y0 = Infinity;
  let z0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  let z1 = -Infinity;
  const end = table + <usize>count * bodyBytes;
  for (let body = table; body < end; body += bodyBytes) {
    x0 = min(x0, load<f64>(body, bodyBox));
    y0 = min(y0, load<f64>(body, bodyBox + 8));
    z0 = min(z0, load<f64>(body, bodyBox + 16));
    x1 = max(x1, load<f64>(body, bodyBox + 24));
    y1 = max(y1, load<f64>(body, bodyBox + 32));
    z1 = max(z1, load<f64>(body, bodyBox + 40));
  }
  const cx = x0 * 0.5 + x1 * 0.5;
  const cy = y0 * 0.5 + y1 * 0.5;
  const cz = z0 * 0.5 + z1 * 0.5;
  const scale = 1.0 / powerAbove(max(x1 * 0.5 - x0 * 0.5, max(y1 * 0.5 - y0 * 0.5, z1 * 0.5 - z0 * 0.5)));
  const entries = (scratch + 63) & ~(<usize>63);
  const other = entries + <usize>count * 8;
  const counters = other + <usize>count * 8;
  const nodes = (counters + counterBytes + 63) & ~(<usize>63);
  let used: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const body = table + <usize>i * bodyBytes;
    const lx = load<f64>(body, bodyBox);
    const hx = load<f64>(body, bodyBox + 24);
    if (lx > hx) continue; // a body without triangles
    const x = <f32>((lx - cx) * scale + (hx - cx) * scale);
    const y = <f32>(
      ((load<f64>(body, bodyBox + 8) - cy) * scale + (load<f64>(body, bodyBox + 32) - cy) * scale)
    );
    const z = <f32>(
      ((load<f64>(body, bodyBox + 16) - cz) * scale + (load<f64>(body, bodyBox + 40) - cz) * scale)
    );
    const key = mortonKey(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(x), 1, y), 2, z));
    store<u64>(entries + ((<usize>used) << 3), ((<u64>key) << 32) | <u64>i);
    used++;
  }
  if (used < 2) {
    store<u32>(broad, 0, broadStackCount);
    store<u32>(broad, 0, broadBodyCount);
    return;
  }
  const sorted = sortEntries(entries, other, counters, used, 4, 30);
  store<usize>(broad, sorted, broadOrder);
  const tree = broad + broadTree;
  layLevels(tree, used);
  store<usize>(tree, nodes, treeNodes);
  const levels = load<u32>(tree, treeLevelCount);
  const lowest = nodeAt(tree, levels - 1, 0);
  for (let slot: u32 = 0; slot < used; slot++) {
    const body = table + <usize>load<u32>(sorted + ((<usize>slot) << 3)) * bodyBytes;
    const low = f32x4.replace_lane(
      f32x4.replace_lane(
        f32x4.splat(<f32>((load<f64>(body, bodyBox) - cx) * scale)),
        1,
        <f32>((load<f64>(body, bodyBox + 8) - cy) * scale),
      ),
      2,
      <f32>((load<f64>(body, bodyBox + 16) - cz) * scale),
    );
    const high = f32x4.replace_lane(
      f32x4.replace_lane(
        f32x4.splat(<f32>((load<f64>(body, bodyBox + 24) - cx) * scale)),
        1,
        <f32>((load<f64>(body, bodyBox + 32) - cy) * scale),
      ),
      2,
      <f32>((load<f64>(body, bodyBox + 40) - cz) * scale),
    );
    putBox(lowest, slot, low, high);
  }
  padLanes(lowest, used);
  for (let level = levels - 1; level > 0; level--) {
    const nodeCount = load<u32>(tree + ((<usize>level) << 2), treeLevelNodes);
    const above = nodeAt(tree, level - 1, 0);
    let node = nodeAt(tree, level, 0);
    for (let i: u32 = 0; i < nodeCount; i++, node += nodeBytes) putBox(above, i, lowOf(node), highOf(node));
    padLanes(above, nodeCount);
  }
  centreNodes(
    nodes,
    nodeAt(tree, levels - 1, load<u32>(tree + ((<usize>(levels - 1)) << 2), treeLevelNodes)),
  );
  pushSelf(broad + broadStack, 0, 0);
}

/** Finds the candidate pairs; jobFull asks for a larger list and to be called again. */
export function runBroad(broad: usize): i32 {
  const table = load<usize>(broad, broadTable);
  const count = load<u32>(broad, broadBodyCount);
  if (count <= fewBodies) {
    for (let i: u32 = 0; i < count; i++) {
      for (let j: u32 = i + 1; j < count; j++) {
        if (!boxesMeet(table + <usize>i * bodyBytes, table + <usize>j * bodyBytes)) continue;
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
      const a = load<u32>(order + ((<usize>p) << 3));
      const b = load<u32>(order + ((<usize>q) << 3));
      if (!boxesMeet(table + <usize>a * bodyBytes, table + <usize>b * bodyBytes)) continue;
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
    if (!(load<f64>(a + axis, bodyBox) <= load<f64>(b + axis, bodyBox + 24))) return false;
    if (!(load<f64>(b + axis, bodyBox) <= load<f64>(a + axis, bodyBox + 24))) return false;
  }
  return true;
}

/** Keeps of the given candidates, in place, those whose boxes meet; returns how many. */
export function keepMeeting(table: usize, pairs: usize, count: u32): u32 {
  let kept = pairs;
  const end = pairs + ((<usize>count) << 3);
  for (let p = pairs; p < end; p += 8) {
    const a = load<u32>(p);
    const b = load<u32>(p, 4);
    if (!boxesMeet(table + <usize>a * bodyBytes, table + <usize>b * bodyBytes)) continue;
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
