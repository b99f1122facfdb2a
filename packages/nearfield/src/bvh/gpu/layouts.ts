// The layouts by which the GPU knows shapes, and builds their trees.
//
// Stored vertices are integers: Q = round((x − c)·2^(29 − k)) with c the shape's origin and k its size
// exponent, so |Q| ≤ 2^29 and, as q = Q·2^−29, |q| ≤ 1. Their error is half a unit, 2^−30, wherever the mesh
// lies; differences of vertices are exact. The shape's local frame is q.
//
// A tree is the paper's balanced one (Greß and Zachmann, section 4.1): n leaves on the lowest level, depth D =
// ⌈log2 n⌉, n(L) = ⌈n(L + 1)/2⌉ nodes above. Node i of level L is number 2^L + i, the root is 1, the children
// of h are 2h and 2h + 1 as far as they exist, and nothing but boxes is stored.

import { layout } from '../../gpu/layout.ts';

/** The facts about a shape that questions need. Its box is the root's. */
export const ShapeLayout = layout('Shape', {
  /**
   * 2·|c|·2^−k along each axis, rounded up. With the box, it bounds the numbers that world positions are rounded from.
   */
  originReach: 'vec4f',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  /** k: local coordinates times 2^k are the mesh's units. */
  exponent: 'i32',
  /** The offsets of its indices and of its positions, and the number of words per vertex. */
  cornerOffset: 'u32',
  wordOffset: 'u32',
  stride: 'u32',
  /** 1 if the positions are only on the GPU. */
  onGpu: 'u32',
});

/** One shape of a batch that is built or refitted together. */
export const TreeBuildLayout = layout('TreeBuild', {
  /** The bits of c, low words then high words. */
  originLow: 'vec4u',
  originHigh: 'vec4u',
  /** First triangle and first vertex of the shape in the batch. */
  first: 'u32',
  firstVertex: 'u32',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  cornerOffset: 'u32',
  /** The offset of its positions, and the number of words per vertex. */
  wordOffset: 'u32',
  stride: 'u32',
  weldOffset: 'u32',
  exponent: 'i32',
  /** Flags, 1 if set: positions are doubles; vertices are numbered by equal position; positions are unchecked. */
  doubles: 'u32',
  welded: 'u32',
  unchecked: 'u32',
  /** Number of the shape. */
  shape: 'u32',
  vertexCount: 'u32',
  /**
   * The offsets of newly uploaded positions and indices, after the records of small shapes; 0 if these are in their
   * places already.
   */
  positionsAt: 'u32',
  indicesAt: 'u32',
});

export const BatchLayout = layout('Batch', {
  triangleCount: 'u32',
  vertexCount: 'u32',
  buildCount: 'u32',
  /** Bits of a key that name a cell along one axis; the bits above all three name the tree. */
  cellBits: 'u32',
});

/**
 * Words per shape in which the GPU reports faults of its positions. Zeros mean none.
 * Word 0: the bitwise complement of the first vertex that is not finite.
 * Word 1: 1 if welded vertices have been deformed apart.
 * Word 2: the bits of the largest coordinate beyond the frame.
 * Word 3: unused.
 */
export const faultWords = 4;

/**
 * The maximum number of triangles of a tree built by one workgroup. It needs as many words as every device gives a
 * workgroup.
 */
export const mostSmall = 4096;

/** Triangles of a shape without a tree that one workgroup stores. */
export const chunkTriangles = 1024;

/** Depth of the tree over `leafCount` leaves. */
export const depthOf = (leafCount: number): number => (leafCount <= 1 ? 0 : 32 - Math.clz32(leafCount - 1));

/** Node slots of a tree: all numbers up to its last leaf's. */
export const nodeSlots = (leafCount: number): number => 2 ** depthOf(leafCount) + leafCount;

/** Node slots of a shape without a tree: its box at number 1, as a root, then the boxes of its chunks. */
export const storedSlots = (leafCount: number): number => 2 + Math.ceil(leafCount / chunkTriangles);
