// What the GPU knows of shapes and of the jobs that build their trees.
//
// Stored vertices are integers: Q = round((x − c)·2^(29 − k)) with c the shape's origin and k its size
// exponent, so |Q| ≤ 2^29 and, as q = Q·2^−29, |q| ≤ 1. Their error is half a unit, 2^−30, wherever the mesh
// lies; differences of vertices are exact. The shape's local frame is q.
//
// A tree is the paper's balanced one (Greß and Zachmann, section 4.1): n leaves on the lowest level, depth D =
// ⌈log2 n⌉, n(L) = ⌈n(L + 1)/2⌉ nodes above. Node i of level L is number 2^L + i, the root is 1, the children
// of h are 2h and 2h + 1 as far as they exist, and nothing but boxes is stored.

import { layout } from '../../gpu/layout.ts';

/** Its box is the root's; what else a question needs of a shape is here. */
export const ShapeLayout = layout('Shape', {
  /** 2·|c|·2^−k along each axis, rounded up: with the box, what world positions are rounded from. */
  originReach: 'vec4f',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  /** k: local coordinates times 2^k are the mesh's units. */
  exponent: 'i32',
  /** Where its indices and its positions lie, and how many words a vertex takes there. */
  cornerOffset: 'u32',
  wordOffset: 'u32',
  stride: 'u32',
  /** 1 where the positions are on the GPU alone. */
  held: 'u32',
});

/** One shape of a batch that is built or refitted together. */
export const JobLayout = layout('Job', {
  /** The bits of c, low words then high words. */
  originLow: 'vec4u',
  originHigh: 'vec4u',
  /** First triangle of the shape in the batch, and first vertex. */
  first: 'u32',
  firstVertex: 'u32',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  cornerOffset: 'u32',
  /** Where its positions lie, and how many words a vertex takes there. */
  wordOffset: 'u32',
  stride: 'u32',
  weldOffset: 'u32',
  exponent: 'i32',
  /** 1 for positions in doubles; for vertices numbered by equal position; for positions nobody has checked. */
  doubles: 'u32',
  welded: 'u32',
  unchecked: 'u32',
  /** Number of the shape. */
  shape: 'u32',
  vertexCount: 'u32',
  /** Where new positions and indices came up behind the jobs of small shapes; 0 where they are in their places. */
  positionsAt: 'u32',
  indicesAt: 'u32',
});

export const BatchLayout = layout('Batch', {
  triangleCount: 'u32',
  vertexCount: 'u32',
  jobCount: 'u32',
  /** Bits of a key that name a cell along one axis; the bits above all three name the job. */
  cellBits: 'u32',
});

/**
 * What is wrong with a shape's positions, four words each: the complement of the first vertex that is not finite,
 * whether vertices of one number are apart, and the bits of the largest coordinate of those beyond the frame.
 * Zeros where nothing is.
 */
export const faultWords = 4;

/** Triangles up to which a workgroup builds a shape's tree by itself: as many words as every device gives it. */
export const mostSmall = 4096;

/** Depth of the tree over `leafCount` leaves. */
export const depthOf = (leafCount: number): number => (leafCount <= 1 ? 0 : 32 - Math.clz32(leafCount - 1));

/** Node slots a tree takes: all numbers up to its last leaf's. */
export const nodeSlots = (leafCount: number): number => 2 ** depthOf(leafCount) + leafCount;
