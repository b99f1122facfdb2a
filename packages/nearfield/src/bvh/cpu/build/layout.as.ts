// The memory layout of a tree: the balanced tree of Gress & Zachmann (CG-2004-2, §4.1) with four children per node
// instead of two. All leaves are on the lowest level, and level L has ⌈n(L+1)/4⌉ nodes. The children of node i are 4i …
// 4i+3 of the next level, so no pointer is stored. A build is an ordering of the triangles and one reduction per level.
// A refit is the reductions alone.
//
// Boxes are in the tree's own frame: u = (x − centre)·scale, where scale is a power of two. So |u| ≤ 1 whatever the
// units of the mesh, and single precision neither overflows nor vanishes. (|u| ≤ 2 if half the extent exceeds 2^1023.)
// A node has the boxes of its four children, a leaf has four triangles: rows of four floats, with one lane per child or
// triangle. If the last leaf is not full, it repeats its last triangle.
//
// TypeScript knows the offsets of the fields from kernels.layout.ts, which scripts/kernels.mjs derives from these
// classes.

/** The boxes of four children, or while they are being fitted (refit.as.ts), least and largest coordinates. */
@unmanaged
export class Node {
  centreX: v128;
  centreY: v128;
  centreZ: v128;
  halfX: v128;
  halfY: v128;
  halfZ: v128;
}

/** The corners of four triangles. */
@unmanaged
export class Leaf {
  x0: v128;
  y0: v128;
  z0: v128;
  x1: v128;
  y1: v128;
  z1: v128;
  x2: v128;
  y2: v128;
  z2: v128;
}

export const nodeBytes: usize = offsetof<Node>();
export const leafBytes: usize = offsetof<Leaf>();
/** Three rows of four position identities, for self-intersection. */
export const weldBytes: usize = 48;

/** The header of a tree. */
@unmanaged
export class Tree {
  triangleCount: u32;
  vertexCount: u32;
  leafCount: u32;
  /** The number of levels of nodes, at least one. The level below the last one is that of the leaves. */
  levelCount: u32;
  /** x, y, z per vertex, as given: f32 or f64. */
  positions: usize;
  /** 1 if positions are f64. */
  doubles: u32;
  /** Three vertex indices per slot; slots are in tree order. */
  triangles: usize;
  /** Per slot, the triangle of the mesh. */
  order: usize;
  leaves: usize;
  nodes: usize;
  /** The position identities in leaf order, or 0 if there are none. */
  weld: usize;
  centreX: f64;
  centreY: f64;
  centreZ: f64;
  scale: f64;
  unscale: f64;
  /** The largest |x|, |y|, |z| of any vertex. */
  reachX: f64;
  reachY: f64;
  reachZ: f64;
  /** Half extents in the mesh's units, rounded up. */
  halfX: f64;
  halfY: f64;
  halfZ: f64;
  /**
   * The sum of the half areas of the leaves' boxes relative to the root's. It measures how good the order of the
   * triangles is.
   */
  spread: f64;
  /** Half extents plus the share of `reach` that rounding may add to them (place.as.ts). */
  boundX: f64;
  boundY: f64;
  boundZ: f64;

  /** The addresses of three doubles each. */
  get centre(): usize {
    return changetype<usize>(this) + offsetof<Tree>('centreX');
  }

  get reach(): usize {
    return changetype<usize>(this) + offsetof<Tree>('reachX');
  }

  get half(): usize {
    return changetype<usize>(this) + offsetof<Tree>('halfX');
  }

  get bound(): usize {
    return changetype<usize>(this) + offsetof<Tree>('boundX');
  }

  /** The box of everything, in all four lanes, laid out as a node. */
  get root(): Node {
    return changetype<Node>(changetype<usize>(this) + rootOffset);
  }

  /** The index of the first node of a level; levels are counted from the root down. */
  levelBase(level: u32): u32 {
    return load<u32>(changetype<usize>(this) + ((<usize>level) << 2), levelBaseOffset);
  }

  /** The number of nodes of a level; for the level after the last, the number of leaves. */
  levelNodes(level: u32): u32 {
    return load<u32>(changetype<usize>(this) + ((<usize>level) << 2), levelNodesOffset);
  }
}

// What follows the fields: the root's box, then two tables with a word per level, of at most 16 levels of nodes.
const rootOffset: usize = (offsetof<Tree>() + 15) & ~(<usize>15);
const levelBaseOffset: usize = rootOffset + nodeBytes;
const levelNodesOffset: usize = levelBaseOffset + 4 * 16;
export const treeHeaderBytes: usize = (levelNodesOffset + 4 * 17 + 63) & ~(<usize>63);

function align(bytes: usize): usize {
  return (bytes + 63) & ~(<usize>63);
}

function nodeTotal(leafCount: u32): u32 {
  let count = leafCount;
  let total: u32 = 0;
  do {
    count = (count + 3) >> 2;
    total += count;
  } while (count > 1);
  return total;
}

/** Bytes of a tree with all its sections. A double, since it may exceed 32 bits. */
export function treeBytes(triangleCount: u32, vertexCount: u32, doubles: u32): f64 {
  const leafCount: u32 = (triangleCount + 3) >> 2;
  return (
    <f64>treeHeaderBytes +
    64.0 * 6.0 +
    <f64>vertexCount * (doubles ? 24.0 : 12.0) +
    <f64>triangleCount * 16.0 +
    <f64>leafCount * <f64>leafBytes +
    <f64>nodeTotal(leafCount) * <f64>nodeBytes
  );
}

/** Writes the header of a tree at `tree`, 64-byte aligned: counts, sections, levels. */
export function layTree(tree: Tree, triangleCount: u32, vertexCount: u32, doubles: u32): void {
  memory.fill(changetype<usize>(tree), 0, treeHeaderBytes);
  const leafCount: u32 = (triangleCount + 3) >> 2;
  tree.triangleCount = triangleCount;
  tree.vertexCount = vertexCount;
  tree.leafCount = leafCount;
  tree.doubles = doubles;
  tree.positions = align(changetype<usize>(tree) + treeHeaderBytes);
  tree.triangles = align(tree.positions + <usize>vertexCount * (doubles ? 24 : 12));
  tree.order = align(tree.triangles + <usize>triangleCount * 12);
  tree.leaves = align(tree.order + <usize>triangleCount * 4);
  tree.nodes = align(tree.leaves + <usize>leafCount * leafBytes);
  layLevels(tree, leafCount);
}

/** Fills in the level tables of a tree whose lowest level has `leafCount` entries. */
export function layLevels(tree: Tree, leafCount: u32): void {
  let levels: u32 = 0;
  let count = leafCount;
  do {
    count = (count + 3) >> 2;
    levels++;
  } while (count > 1);
  tree.levelCount = levels;
  count = leafCount;
  const tables = changetype<usize>(tree);
  for (let level = levels; ; level--) {
    store<u32>(tables + ((<usize>level) << 2), count, levelNodesOffset);
    if (level === 0) break;
    count = (count + 3) >> 2;
  }
  let base: u32 = 0;
  for (let level: u32 = 0; level < levels; level++) {
    store<u32>(tables + ((<usize>level) << 2), base, levelBaseOffset);
    base += tree.levelNodes(level);
  }
}

/** Node `index` of a level. */
export function nodeAt(tree: Tree, level: u32, index: u32): Node {
  return changetype<Node>(tree.nodes + <usize>(tree.levelBase(level) + index) * nodeBytes);
}

/** The address of a level's nodes. */
export function nodesOf(tree: Tree, level: u32): usize {
  return tree.nodes + <usize>tree.levelBase(level) * nodeBytes;
}

export function leafAt(tree: Tree, index: u32): Leaf {
  return changetype<Leaf>(tree.leaves + <usize>index * leafBytes);
}

/** The address of a lane of rows. Its other rows follow 16 bytes apart. */
export function laneOf<Rows>(rows: Rows, lane: u32): usize {
  return changetype<usize>(rows) + ((<usize>lane) << 2);
}

/** The address of the box of node or leaf `index` of a level: its lane of the node above, or the root's box. */
export function boxAt(tree: Tree, level: u32, index: u32): usize {
  if (level === 0) return changetype<usize>(tree.root);
  return laneOf(nodeAt(tree, level - 1, index >> 2), index & 3);
}

/** Which of the four children of a node exist, as four bits. */
export function childMask(tree: Tree, level: u32, index: u32): u32 {
  const left = tree.levelNodes(level + 1) - (index << 2);
  return left >= 4 ? 15 : (1 << left) - 1;
}
