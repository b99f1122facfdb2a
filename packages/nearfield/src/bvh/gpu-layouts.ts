// What the GPU knows of shapes and of the jobs that build their trees.
//
// Stored positions are integers: Q = round((x − c)·2^(29 − k)) with c the shape's origin and k its size
// exponent, so |Q| ≤ 2^29 and, as q = Q·2^−29, |q| ≤ 1. Their error is half a unit, 2^−30, wherever the mesh
// lies; differences of vertices are exact. The shape's local frame is q.
//
// A tree is the paper's balanced one (Greß and Zachmann, section 4.1): n leaves on the lowest level, depth D =
// ⌈log2 n⌉, n(L) = ⌈n(L + 1)/2⌉ nodes above. Node i of level L is number 2^L + i, the root is 1, the children
// of h are 2h and 2h + 1 as far as they exist, and nothing but boxes is stored.

import { layout } from '../gpu/layout.ts';

export const ShapeLayout = layout('Shape', {
  /** Box of the stored positions, in q, outward. */
  low: 'vec4f',
  high: 'vec4f',
  /** (largest |x| + |c|)·2^−k along each axis, rounded up: what world positions are rounded from. */
  reach: 'vec4f',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  /** k: local coordinates times 2^k are the mesh's units. */
  exponent: 'i32',
});

/** One shape of a batch that is built or refitted together. */
export const JobLayout = layout('Job', {
  /** First triangle of the shape in the batch. */
  first: 'u32',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  vertexOffset: 'u32',
  cornerOffset: 'u32',
});

export const BatchLayout = layout('Batch', {
  triangleCount: 'u32',
  jobCount: 'u32',
  /** Bits of a key that name a cell along one axis; the bits above all three name the job. */
  cellBits: 'u32',
});

/** Depth of the tree over `leafCount` leaves. */
export const depthOf = (leafCount: number): number => (leafCount <= 1 ? 0 : 32 - Math.clz32(leafCount - 1));

/** Node slots a tree takes: all numbers up to its last leaf's. */
export const nodeSlots = (leafCount: number): number => 2 ** depthOf(leafCount) + leafCount;
