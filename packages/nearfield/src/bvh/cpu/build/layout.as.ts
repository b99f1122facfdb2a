// The memory layout of a tree: the balanced tree of Gress & Zachmann (CG-2004-2, §4.1) with four children per node
// instead of two. All leaves are on the lowest level, and level L has ⌈n(L+1)/4⌉ nodes. The children of node i are 4i …
// 4i+3 of the next level, so no pointer is stored. A build is an ordering of the triangles and one reduction per level.
// A refit is the reductions alone.
//
// Boxes are in the tree's own frame: u = (x − centre)·scale, where scale is a power of two. So |u| ≤ 1 whatever the
// units of the mesh, and single precision neither overflows nor vanishes. (|u| ≤ 2 if half the extent exceeds 2^1023.)
// A node has the boxes of its four children as six rows of four floats: centre x, y, z, then half extent x, y, z. A
// leaf has four triangles as nine rows of four floats: x, y, z of the first corners, of the second, of the third. If
// the last leaf is not full, it repeats its last triangle.
//
// Offsets are in bytes. TypeScript reads those it needs as exports of the module, so they are stated once.

export const nodeBytes: usize = 96;
export const leafBytes: usize = 144;
/** Three rows of four position identities, for self-intersection. */
export const weldBytes: usize = 48;

export const treeTriangleCount: usize = 0;
export const treeVertexCount: usize = 4;
export const treeLeafCount: usize = 8;
/** The number of levels of nodes, at least one. The level below the last one is that of the leaves. */
export const treeLevelCount: usize = 12;
/** x, y, z per vertex, as given: f32 or f64. */
export const treePositions: usize = 16;
export const treeDoubles: usize = 20;
/** Three vertex indices per slot; slots are in tree order. */
export const treeTriangles: usize = 24;
/** Per slot, the triangle of the mesh. */
export const treeOrder: usize = 28;
export const treeLeaves: usize = 32;
export const treeNodes: usize = 36;
/** The position identities in leaf order, or 0 if there are none. */
export const treeWeld: usize = 40;
/** Per level, from the root down, the index of its first node. */
export const treeLevelBase: usize = 48;
/** Per level, its number of nodes; after the last, the number of leaves. */
export const treeLevelNodes: usize = 112;
export const treeCentre: usize = 192;
export const treeScale: usize = 216;
export const treeUnscale: usize = 224;
/** The largest |x|, |y|, |z| of any vertex. */
export const treeReach: usize = 232;
/** Half extents in the mesh's units, rounded up. */
export const treeHalf: usize = 256;
/**
 * The sum of the half areas of the leaves' boxes relative to the root's. It measures how good the order of the
 * triangles is.
 */
export const treeSpread: usize = 280;
/** The box of everything, in all four lanes, laid out as a node. */
export const treeRoot: usize = 288;
/** Half extents plus the share of `treeReach` that rounding may add to them (place.as.ts). */
export const treeBound: usize = 384;
export const treeHeaderBytes: usize = 448;

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
export function layTree(tree: usize, triangleCount: u32, vertexCount: u32, doubles: u32): void {
  memory.fill(tree, 0, treeHeaderBytes);
  const leafCount: u32 = (triangleCount + 3) >> 2;
  store<u32>(tree, triangleCount, treeTriangleCount);
  store<u32>(tree, vertexCount, treeVertexCount);
  store<u32>(tree, leafCount, treeLeafCount);
  store<u32>(tree, doubles, treeDoubles);
  let at = align(tree + treeHeaderBytes);
  store<usize>(tree, at, treePositions);
  at = align(at + <usize>vertexCount * (doubles ? 24 : 12));
  store<usize>(tree, at, treeTriangles);
  at = align(at + <usize>triangleCount * 12);
  store<usize>(tree, at, treeOrder);
  at = align(at + <usize>triangleCount * 4);
  store<usize>(tree, at, treeLeaves);
  at = align(at + <usize>leafCount * leafBytes);
  store<usize>(tree, at, treeNodes);
  layLevels(tree, leafCount);
}

/** Fills in the level tables of a tree whose lowest level has `leafCount` entries. */
export function layLevels(tree: usize, leafCount: u32): void {
  let levels: u32 = 0;
  let count = leafCount;
  do {
    count = (count + 3) >> 2;
    levels++;
  } while (count > 1);
  store<u32>(tree, levels, treeLevelCount);
  count = leafCount;
  for (let level = levels; ; level--) {
    store<u32>(tree + ((<usize>level) << 2), count, treeLevelNodes);
    if (level === 0) break;
    count = (count + 3) >> 2;
  }
  let base: u32 = 0;
  for (let level: u32 = 0; level < levels; level++) {
    store<u32>(tree + ((<usize>level) << 2), base, treeLevelBase);
    base += load<u32>(tree + ((<usize>level) << 2), treeLevelNodes);
  }
}

/** Address of node `index` of a level. */
export function nodeAt(tree: usize, level: u32, index: u32): usize {
  const base = load<u32>(tree + ((<usize>level) << 2), treeLevelBase);
  return load<usize>(tree, treeNodes) + <usize>(base + index) * nodeBytes;
}

/** The address of the box of node or leaf `index` of a level: its lane of the node above, or the root's box. */
export function boxAt(tree: usize, level: u32, index: u32): usize {
  if (level === 0) return tree + treeRoot;
  return nodeAt(tree, level - 1, index >> 2) + ((<usize>(index & 3)) << 2);
}

/** Which of the four children of a node exist, as four bits. */
export function childMask(tree: usize, level: u32, index: u32): u32 {
  const left = load<u32>(tree + ((<usize>(level + 1)) << 2), treeLevelNodes) - (index << 2);
  return left >= 4 ? 15 : (1 << left) - 1;
}
