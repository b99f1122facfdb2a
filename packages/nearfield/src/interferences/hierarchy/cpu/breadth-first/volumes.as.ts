// The binary trees of Gress & Zachmann (CG-2004-2, §4.1; G2): all leaves are on the lowest level, one triangle each, and
// level L has ⌈n(L+1)/2⌉ nodes. They lie over the triangles of a body's tree (layout.as.ts), in its frame. The tree's
// order keeps every 2, 8, 32 … groups of four close together, so halves and quarters of its nodes are the nodes of a
// binary tree; only the four triangles of a leaf are paired here.
//
// A volume is a number of slabs, and a slab is the interval of n·u over the volume's points u, for a fixed normal n: three
// of a box, nine of an 18-DOP (Klosowski et al. 1998; G6). The first three are the same: x, y, z.

import { laneOf, leafAt, Tree } from '../../../../bvh/cpu/build/layout.as';

/** A node is numbered as in a heap: the root is 1, and the children of n are 2n and 2n + 1. */
@unmanaged
export class BinaryTree {
  leafCount: u32;
  /** The level of the leaves; the root's is 0. */
  depth: u32;
  /** Slabs of a volume: boxSlabs or dopSlabs. */
  slabCount: u32;
  /** Per leaf, its triangle's slot in the body's tree. */
  slots: usize;

  /** Where the volumes of a level begin, less those of the node numbers before the level: so node n is at n volumes. */
  levelBase(level: u32): usize {
    return load<usize>(changetype<usize>(this) + ((<usize>level) << 2), offsetof<BinaryTree>());
  }

  setLevelBase(level: u32, base: usize): void {
    store<usize>(changetype<usize>(this) + ((<usize>level) << 2), base, offsetof<BinaryTree>());
  }
}

const mostLevels: u32 = 32;
const headerBytes: usize = (offsetof<BinaryTree>() + 4 * <usize>mostLevels + 63) & ~(<usize>63);

export const boxSlabs: u32 = 3;
export const dopSlabs: u32 = 9;

/** Rows of a volume: centres, then half widths, of four slabs each; slabs that do not exist are 0. */
export function rowsOf(slabCount: u32): usize {
  return slabCount === boxSlabs ? 1 : 3;
}

export function volumeBytes(slabCount: u32): usize {
  return rowsOf(slabCount) << 5;
}

export function levelOf(node: u32): u32 {
  return 31 - clz(node);
}

/** The number of nodes of a level. */
export function nodesAt(tree: BinaryTree, level: u32): u32 {
  const below = tree.depth - level;
  return (tree.leafCount + ((<u32>1) << below) - 1) >> below;
}

/** 2, or 1 if the right child would begin past the last leaf. `height` is that of the node, at least 1. */
export function childCount(tree: BinaryTree, node: u32, height: u32): u32 {
  const right = ((node - ((<u32>1) << (tree.depth - height))) << 1) + 1;
  return right << (height - 1) < tree.leafCount ? 2 : 1;
}

export function volumeOf(tree: BinaryTree, node: u32): usize {
  return tree.levelBase(levelOf(node)) + <usize>node * volumeBytes(tree.slabCount);
}

function depthOf(leafCount: u32): u32 {
  return leafCount <= 1 ? 0 : 32 - clz(leafCount - 1);
}

/** Bytes of a binary tree. A double, since it may exceed 32 bits. */
export function binaryTreeBytes(leafCount: u32, slabCount: u32): f64 {
  let total = <f64>leafCount;
  for (let count = leafCount; count > 1; total += <f64>count) count = (count + 1) >> 1;
  return <f64>headerBytes + 128.0 + <f64>leafCount * 4.0 + total * <f64>volumeBytes(slabCount);
}

/**
 * Lays and fits the binary tree at `out`, 64-byte aligned, over a tree that has triangles. `slots` has the slots of the
 * tree in the order that the leaves shall have; if it is 0, they keep the tree's own.
 */
export function buildBinaryTree(out: BinaryTree, tree: Tree, slabCount: u32, slots: usize): void {
  const leafCount = tree.triangleCount;
  const depth = depthOf(leafCount);
  const bytes = volumeBytes(slabCount);
  out.leafCount = leafCount;
  out.depth = depth;
  out.slabCount = slabCount;
  out.slots = changetype<usize>(out) + headerBytes;
  let base = (out.slots + <usize>leafCount * 4 + 63) & ~(<usize>63);
  for (let level: u32 = 0; level <= depth; level++) {
    out.setLevelBase(level, base - ((<usize>1) << level) * bytes);
    base += <usize>nodesAt(out, level) * bytes;
  }
  if (slots !== 0) memory.copy(out.slots, slots, (<usize>leafCount) << 2);
  else for (let first: u32 = 0; first < leafCount; first += 4) pairFour(out, tree, first);
  fitLeaves(out, tree);
  for (let level = depth; level > 0; level--) joinLevel(out, level - 1);
}

/** Orders the four triangles of a leaf by the axis along which their centres lie farthest apart. */
function pairFour(out: BinaryTree, tree: Tree, first: u32): void {
  const count = min(4, out.leafCount - first);
  const leaf = leafAt(tree, first >> 2);
  const slots = out.slots + ((<usize>first) << 2);
  for (let i: u32 = 0; i < count; i++) store<u32>(slots + ((<usize>i) << 2), first + i);
  if (count < 3) return;
  let axis: usize = 0;
  let widest: f32 = -1;
  for (let row: usize = 0; row < 3; row++) {
    let low: f32 = Infinity;
    let high: f32 = -Infinity;
    for (let i: u32 = 0; i < count; i++) {
      const centre = centreOf(laneOf(leaf, i), row);
      low = min(low, centre);
      high = max(high, centre);
    }
    if (high - low > widest) {
      widest = high - low;
      axis = row;
    }
  }
  for (let i: u32 = 1; i < count; i++) {
    const slot = load<u32>(slots + ((<usize>i) << 2));
    const key = centreOf(laneOf(leaf, slot - first), axis);
    let at = i;
    for (; at > 0; at--) {
      const before = load<u32>(slots + ((<usize>(at - 1)) << 2));
      if (centreOf(laneOf(leaf, before - first), axis) <= key) break;
      store<u32>(slots + ((<usize>at) << 2), before);
    }
    store<u32>(slots + ((<usize>at) << 2), slot);
  }
}

/** Three times the mean of a triangle's corners along an axis; the corners are in a lane of a leaf. */
function centreOf(lane: usize, axis: usize): f32 {
  const at = lane + (axis << 4);
  return load<f32>(at) + load<f32>(at, 48) + load<f32>(at, 96);
}

function fitLeaves(out: BinaryTree, tree: Tree): void {
  const slabCount = out.slabCount;
  const bytes = volumeBytes(slabCount);
  let volume = volumeOf(out, (<u32>1) << out.depth);
  memory.fill(volume, 0, <usize>out.leafCount * bytes);
  for (let i: u32 = 0; i < out.leafCount; i++, volume += bytes) {
    const slot = load<u32>(out.slots + ((<usize>i) << 2));
    const corners = laneOf(leafAt(tree, slot >> 2), slot & 3);
    for (let slab: u32 = 0; slab < slabCount; slab++) {
      const a = project(slab, corners);
      const b = project(slab, corners + 48);
      const c = project(slab, corners + 96);
      setSlab(volume, slabCount, slab, min(min(a, b), c), max(max(a, b), c));
    }
  }
}

/** Fits the volumes of a level to those of the level below. */
function joinLevel(out: BinaryTree, level: u32): void {
  const slabCount = out.slabCount;
  const bytes = volumeBytes(slabCount);
  const halves = rowsOf(slabCount) << 4;
  const count = nodesAt(out, level);
  const below = nodesAt(out, level + 1);
  let volume = volumeOf(out, (<u32>1) << level);
  let child = volumeOf(out, (<u32>2) << level);
  memory.fill(volume, 0, <usize>count * bytes);
  for (let i: u32 = 0; i < count; i++, volume += bytes, child += 2 * bytes) {
    const other = (i << 1) + 1 < below ? child + bytes : child;
    for (let slab: u32 = 0; slab < slabCount; slab++) {
      const at = (<usize>slab) << 2;
      const c = <f64>load<f32>(child + at);
      const h = <f64>load<f32>(child + at + halves);
      const d = <f64>load<f32>(other + at);
      const g = <f64>load<f32>(other + at + halves);
      setSlab(volume, slabCount, slab, min(c - h, d - g), max(c + h, d + g));
    }
  }
}

/** n·u of a corner, whose coordinates lie 16 bytes apart. Normals: x, y, z, x+y, x−y, x+z, x−z, y+z, y−z. */
function project(slab: u32, corner: usize): f64 {
  const x = <f64>load<f32>(corner);
  const y = <f64>load<f32>(corner, 16);
  const z = <f64>load<f32>(corner, 32);
  if (slab === 0) return x;
  if (slab === 1) return y;
  if (slab === 2) return z;
  const first = slab < 7 ? x : y;
  const second = slab < 5 ? y : z;
  return slab & 1 ? first + second : first - second;
}

// Stores an interval as centre and half width, rounded outward. The centre may be any float c; the half width that covers
// the interval is max(high − c, c − low). Both ends come from one rounded sum of doubles, as do the differences: at most
// 2^-52 of 4, the largest |n·u| (|u| ≤ 2), so 2^-50 each way and 2^-49 in all. Rounding to single loses at most 2^-24 of
// the result, which 1 + 2^-22 makes up for.
const outward: f64 = 1.0000002384185791;
const rounding: f64 = 1.7763568394002505e-15; // 2^-49

function setSlab(volume: usize, slabCount: u32, slab: u32, low: f64, high: f64): void {
  const centre = <f32>(0.5 * (low + high));
  const half = max(high - <f64>centre, <f64>centre - low);
  const at = volume + ((<usize>slab) << 2);
  store<f32>(at, centre);
  store<f32>(at + (rowsOf(slabCount) << 4), <f32>(half * outward + rounding));
}
