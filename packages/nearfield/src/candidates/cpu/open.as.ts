// Opens pairs of nodes of the tree of bodies, many in a row. Which of their children meet is found without branches,
// and no pair depends on the one before it. So a processor works on several at once.

import { nodeBytes } from '../../bvh/cpu/build/layout.as';
import { worldBoxBytes } from '../../bvh/cpu/place/place.as';
import { broadBoxes, broadLevel, broadLists, broadOrder, broadPairCount, broadPairs } from './layout.as';

/**
 * Node pairs are opened a few at a time, and the resulting pairs of children before the next few. So lists stay short,
 * however many pairs are found. A list has its length, the number of pairs already opened, the first node of each pair,
 * and the second nodes. Up to three more of each may be written than are kept.
 */
export const openedAtOnce: u32 = 32;
export const listCount: usize = 0;
export const listNext: usize = 4;
const listFirst: usize = 16;
const listSecond: usize = listFirst + 64 * <usize>openedAtOnce + 16;
export const levelListBytes: usize = listSecond + 64 * <usize>openedAtOnce + 16;
/** Before the lists: for each subset of four lanes, the swizzle that moves the lanes of the subset to the front. */
export const listsStart: usize = 256;
const mostLevels: usize = 16;
export const listsBytes: usize = listsStart + mostLevels * levelListBytes;

/** Initialises the lists with the pair of the root and itself. */
export function layLists(broad: usize, lists: usize): void {
  for (let bits: u32 = 0; bits < 16; bits++) {
    let out = lists + ((<usize>bits) << 4);
    for (let lane: u32 = 0; lane < 4; lane++) {
      store<u32>(out, 0x03020100 + 0x04040404 * lane);
      out += ((bits >> lane) & 1) << 2;
    }
  }
  const root = lists + listsStart;
  store<u32>(root, 1, listCount);
  store<u32>(root, 0, listNext);
  store<u32>(root, 0, listFirst);
  store<u32>(root, 0, listSecond);
  store<usize>(broad, lists, broadLists);
  store<u32>(broad, 0, broadLevel);
}

/**
 * Opens pairs of inner nodes, and appends the pairs of their children that meet to the next level's list, which must be
 * empty.
 */
export function openInner(nodes: usize, compact: usize, list: usize, first: u32, count: u32): void {
  const below = list + levelListBytes;
  const start = below + listFirst;
  let out = start;
  let at = list + listFirst + ((<usize>first) << 2);
  const end = at + ((<usize>count) << 2);
  for (; at < end; at += 4) {
    const i = load<u32>(at);
    const j = load<u32>(at, listSecond - listFirst);
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
  store<u32>(below, <u32>((out - start) >> 2), listCount);
  store<u32>(below, 0, listNext);
}

/** Appends those of four pairs whose bits are set. The rest of what it writes is overwritten later. */
function listFour(out: usize, compact: usize, bits: u32, children: v128, others: v128): usize {
  const kept = v128.load(compact + ((<usize>bits) << 4));
  v128.store(out, v128.swizzle(children, kept));
  v128.store(out, v128.swizzle(others, kept), listSecond - listFirst);
  return out + ((<usize>popcnt(bits)) << 2);
}

/** Opens pairs of nodes of the lowest level. Few of them have bodies that meet. */
export function openLowest(broad: usize, nodes: usize, list: usize, first: u32, count: u32): void {
  const boxes = load<usize>(broad, broadBoxes);
  const order = load<usize>(broad, broadOrder);
  const found = load<usize>(broad, broadPairs);
  let out = found + ((<usize>load<u32>(broad, broadPairCount)) << 3);
  let at = list + listFirst + ((<usize>first) << 2);
  const end = at + ((<usize>count) << 2);
  for (; at < end; at += 4) {
    const i = load<u32>(at);
    const j = load<u32>(at, listSecond - listFirst);
    let pairs =
      openNodes(nodes + <usize>i * nodeBytes, nodes + <usize>j * nodeBytes) & select(0x03f0, 0xffff, i === j);
    for (; pairs !== 0; pairs &= pairs - 1) {
      const pick = <u32>ctz(pairs);
      const a = load<u32>(order + ((<usize>((i << 2) + (pick & 3))) << 2));
      const b = load<u32>(order + ((<usize>((j << 2) + ((pick + (pick >> 2)) & 3))) << 2));
      store<u32>(out, min(a, b));
      store<u32>(out, max(a, b), 4);
      out += (<usize>boxesMeet(boxes + <usize>a * worldBoxBytes, boxes + <usize>b * worldBoxBytes)) << 3;
    }
  }
  store<u32>(broad, <u32>((out - found) >> 3), broadPairCount);
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
export function boxesMeet(a: usize, b: usize): bool {
  const xy = v128.and(f64x2.le(v128.load(a), v128.load(b, 24)), f64x2.le(v128.load(b), v128.load(a, 24)));
  const z = <u32>(load<f64>(a, 16) <= load<f64>(b, 40)) & <u32>(load<f64>(b, 16) <= load<f64>(a, 40));
  return <bool>(<u32>i64x2.all_true(xy) & z);
}
