// Opens pairs of nodes of the tree of bodies, many in a row. Which of their children meet is found without branches,
// and no pair depends on the one before it. So a processor works on several at once.

import { nodeBytes } from '../../bvh/cpu/build/layout.as';
import { WorldBox, worldBoxAt } from '../../bvh/cpu/place/place.as';
import { Broad } from './layout.as';

/**
 * Node pairs are opened a few at a time, and the resulting pairs of children before the next few. So lists stay short,
 * however many pairs are found.
 */
export const openedAtOnce: u32 = 32;

/** The node pairs of a level. */
@unmanaged
export class LevelList {
  count: u32;
  /** The number of pairs already opened. */
  next: u32;

  /** The first nodes of the pairs. The second nodes are `toSecond` bytes further on. */
  get nodes(): usize {
    return changetype<usize>(this) + 16;
  }
}

/** Up to three more nodes may be written than are kept. */
const toSecond: usize = 64 * <usize>openedAtOnce + 16;
const levelListBytes: usize = 16 + 2 * toSecond;
/** Before the lists: for each subset of four lanes, the swizzle that moves the lanes of the subset to the front. */
const listsStart: usize = 256;
const mostLevels: usize = 16;
export const listsBytes: usize = listsStart + mostLevels * levelListBytes;

export function listOf(lists: usize, level: u32): LevelList {
  return changetype<LevelList>(lists + listsStart + <usize>level * levelListBytes);
}

/** Initialises the lists with the pair of the root and itself. */
export function layLists(broad: Broad, lists: usize): void {
  for (let bits: u32 = 0; bits < 16; bits++) {
    let out = lists + ((<usize>bits) << 4);
    for (let lane: u32 = 0; lane < 4; lane++) {
      store<u32>(out, 0x03020100 + 0x04040404 * lane);
      out += ((bits >> lane) & 1) << 2;
    }
  }
  const root = listOf(lists, 0);
  root.count = 1;
  root.next = 0;
  store<u32>(root.nodes, 0);
  store<u32>(root.nodes, 0, toSecond);
  broad.lists = lists;
  broad.level = 0;
}

/**
 * Opens pairs of inner nodes, and appends the pairs of their children that meet to the next level's list, which must be
 * empty.
 */
export function openInner(nodes: usize, compact: usize, list: LevelList, first: u32, count: u32): void {
  const below = changetype<LevelList>(changetype<usize>(list) + levelListBytes);
  const start = below.nodes;
  let out = start;
  let at = list.nodes + ((<usize>first) << 2);
  const end = at + ((<usize>count) << 2);
  for (; at < end; at += 4) {
    const i = load<u32>(at);
    const j = load<u32>(at, toSecond);
    // For a node with itself, take every pair once: those with k + 1, and half of those with k + 2.
    const pairs =
      openNodes(nodes + <usize>i * nodeBytes, nodes + <usize>j * nodeBytes) & select(0x03ff, 0xffff, i === j);
    const children = i32x4.add(i32x4.splat(i << 2), i32x4(0, 1, 2, 3));
    const others = i32x4.splat(j << 2);
    out = listFour(out, compact, pairs & 15, children, i32x4.add(others, i32x4(0, 1, 2, 3)));
    out = listFour(out, compact, (pairs >> 4) & 15, children, i32x4.add(others, i32x4(1, 2, 3, 0)));
    out = listFour(out, compact, (pairs >> 8) & 15, children, i32x4.add(others, i32x4(2, 3, 0, 1)));
    out = listFour(out, compact, pairs >> 12, children, i32x4.add(others, i32x4(3, 0, 1, 2)));
  }
  below.count = <u32>((out - start) >> 2);
  below.next = 0;
}

/** Appends those of four pairs whose bits are set. The rest of what it writes is overwritten later. */
function listFour(out: usize, compact: usize, bits: u32, children: v128, others: v128): usize {
  const kept = v128.load(compact + ((<usize>bits) << 4));
  v128.store(out, v128.swizzle(children, kept));
  v128.store(out, v128.swizzle(others, kept), toSecond);
  return out + ((<usize>popcnt(bits)) << 2);
}

/** Opens pairs of nodes of the lowest level. Few of them have bodies that meet. */
export function openLowest(broad: Broad, nodes: usize, list: LevelList, first: u32, count: u32): void {
  const boxes = broad.boxes;
  const order = broad.order;
  const found = broad.pairs;
  let out = found + ((<usize>broad.pairCount) << 3);
  let at = list.nodes + ((<usize>first) << 2);
  const end = at + ((<usize>count) << 2);
  for (; at < end; at += 4) {
    const i = load<u32>(at);
    const j = load<u32>(at, toSecond);
    let pairs =
      openNodes(nodes + <usize>i * nodeBytes, nodes + <usize>j * nodeBytes) & select(0x03f0, 0xffff, i === j);
    for (; pairs !== 0; pairs &= pairs - 1) {
      const pick = <u32>ctz(pairs);
      const a = load<u32>(order + ((<usize>((i << 2) + (pick & 3))) << 2));
      const b = load<u32>(order + ((<usize>((j << 2) + ((pick + (pick >> 2)) & 3))) << 2));
      store<u32>(out, min(a, b));
      store<u32>(out, max(a, b), 4);
      out += (<usize>boxesMeet(worldBoxAt(boxes, a), worldBoxAt(boxes, b))) << 3;
    }
  }
  broad.pairCount = <u32>((out - found) >> 3);
}

/**
 * Which boxes of one node meet which of another: bit 4r + k for box k of the first and box (k + r) mod 4 of the second.
 * Rotating the second's lanes takes fewer loads than broadcasting each of the first's boxes to four lanes. A chain of
 * comparisons takes fewer registers than a tree of them, because V8 computes first what is furthest from the result.
 */
function openNodes(a: usize, b: usize): u32 {
  const lowX = v128.load(a);
  const lowY = v128.load(a, 16);
  const lowZ = v128.load(a, 32);
  const highX = v128.load(a, 48);
  const highY = v128.load(a, 64);
  const highZ = v128.load(a, 80);
  const otherLowX = v128.load(b);
  const otherLowY = v128.load(b, 16);
  const otherLowZ = v128.load(b, 32);
  const otherHighX = v128.load(b, 48);
  const otherHighY = v128.load(b, 64);
  const otherHighZ = v128.load(b, 80);
  let straight = f32x4.le(lowX, otherHighX);
  let once = f32x4.le(lowX, turned1(otherHighX));
  let twice = f32x4.le(lowX, turned2(otherHighX));
  let thrice = f32x4.le(lowX, turned3(otherHighX));
  straight = v128.and(straight, f32x4.le(otherLowX, highX));
  once = v128.and(once, f32x4.le(turned1(otherLowX), highX));
  twice = v128.and(twice, f32x4.le(turned2(otherLowX), highX));
  thrice = v128.and(thrice, f32x4.le(turned3(otherLowX), highX));
  straight = v128.and(straight, f32x4.le(lowY, otherHighY));
  once = v128.and(once, f32x4.le(lowY, turned1(otherHighY)));
  twice = v128.and(twice, f32x4.le(lowY, turned2(otherHighY)));
  thrice = v128.and(thrice, f32x4.le(lowY, turned3(otherHighY)));
  straight = v128.and(straight, f32x4.le(otherLowY, highY));
  once = v128.and(once, f32x4.le(turned1(otherLowY), highY));
  twice = v128.and(twice, f32x4.le(turned2(otherLowY), highY));
  thrice = v128.and(thrice, f32x4.le(turned3(otherLowY), highY));
  straight = v128.and(straight, f32x4.le(lowZ, otherHighZ));
  once = v128.and(once, f32x4.le(lowZ, turned1(otherHighZ)));
  twice = v128.and(twice, f32x4.le(lowZ, turned2(otherHighZ)));
  thrice = v128.and(thrice, f32x4.le(lowZ, turned3(otherHighZ)));
  straight = v128.and(straight, f32x4.le(otherLowZ, highZ));
  once = v128.and(once, f32x4.le(turned1(otherLowZ), highZ));
  twice = v128.and(twice, f32x4.le(turned2(otherLowZ), highZ));
  thrice = v128.and(thrice, f32x4.le(turned3(otherLowZ), highZ));
  return (
    i32x4.bitmask(straight) |
    (i32x4.bitmask(once) << 4) |
    (i32x4.bitmask(twice) << 8) |
    (i32x4.bitmask(thrice) << 12)
  );
}

function turned1(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 1, 2, 3, 0);
}

function turned2(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 2, 3, 0, 1);
}

function turned3(v: v128): v128 {
  return v128.shuffle<f32>(v, v, 3, 0, 1, 2);
}

/** Whether two boxes share a point. There are no branches, since nearly always all axes have to be tested. */
export function boxesMeet(a: WorldBox, b: WorldBox): bool {
  const lowA = v128.load(a.low);
  const lowB = v128.load(b.low);
  const xy = v128.and(f64x2.le(lowA, v128.load(b.high)), f64x2.le(lowB, v128.load(a.high)));
  const z = <u32>(a.lowZ <= b.highZ) & <u32>(b.lowZ <= a.highZ);
  return <bool>(<u32>i64x2.all_true(xy) & z);
}
