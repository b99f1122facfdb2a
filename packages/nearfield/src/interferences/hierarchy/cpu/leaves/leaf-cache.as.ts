// What is cached per leaf, of the last leaves of either body (leaves.as.ts).

import { Leaf } from '../../../../bvh/cpu/build/layout.as';

/** The triangles of a leaf in the frame of another body. */
@unmanaged
export class MovedLeaf extends Leaf {
  /** Their boxes, enlarged by the slack. */
  lowX: v128;
  lowY: v128;
  lowZ: v128;
  highX: v128;
  highY: v128;
  highZ: v128;
  /** Their largest extent. */
  extent: v128;

  /** The address of the boxes, six rows. */
  get box(): usize {
    return changetype<usize>(this) + offsetof<MovedLeaf>('lowX');
  }
}

/** Bits of `KeptLeaf.ready`: the moved triangles, the normals, and the world corners of triangle 0; those of the next follow. */
export const hasMoved: u32 = 1;
export const hasNormals: u32 = 2;
export const hasWorld: u32 = 16;

/** Rows of four floats, one lane per triangle. */
@unmanaged
export class KeptLeaf {
  /** Which leaf of which pair of bodies. */
  tag: u64;
  /** What has been computed: `hasMoved` and so on. */
  ready: u32;
  /** The triangles' boxes and largest extents in the leaf's own frame. */
  lowX: v128;
  lowY: v128;
  lowZ: v128;
  highX: v128;
  highY: v128;
  highZ: v128;
  extent: v128;
  /** Their normals there. */
  normalX: v128;
  normalY: v128;
  normalZ: v128;

  /** The address of the boxes, six rows. */
  get box(): usize {
    return changetype<usize>(this) + offsetof<KeptLeaf>('lowX');
  }

  get normals(): usize {
    return changetype<usize>(this) + offsetof<KeptLeaf>('normalX');
  }

  get moved(): MovedLeaf {
    return changetype<MovedLeaf>(changetype<usize>(this) + movedOffset);
  }

  /** World corners of the four triangles, nine doubles each. */
  get world(): usize {
    return changetype<usize>(this) + worldOffset;
  }
}

const movedOffset: usize = offsetof<KeptLeaf>();
const worldOffset: usize = movedOffset + offsetof<MovedLeaf>();
export const keptBytes: usize = (worldOffset + 4 * 72 + 63) & ~(<usize>63);
export const keptCount: u32 = 32;
export const leafCacheBytes: usize = 2 * <usize>keptCount * keptBytes;
