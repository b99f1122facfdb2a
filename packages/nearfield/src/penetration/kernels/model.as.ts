// Two solids as the penetration kernels see them: each in the frame of its own tree, u = (x − centre)·scale, in double.
// A similarity u ↦ R·u + T maps the second into the first's frame.
//
// Corners are made of the given positions, not of the tree's floats: fl(fl(x − centre)·scale) is the same double for
// every triangle that shares the position. So these doubles are a closed mesh too, the model, and all that the kernels
// find is exact for the model up to the rounding they state. Boxes of the tree hold its floats, which are off by 2^-25:
// every box is enlarged by `boxSlack`.

import { Tree } from '../../bvh/cpu/build/layout.as';

/** 2^-22: the tree's floats (2^-25), the point's or map's rounding to float, and some operations on numbers up to 2. */
export const boxSlack: f32 = 2.384185791015625e-7;

/** A pair of solids. */
@unmanaged
export class Model {
  treeA: Tree;
  treeB: Tree;
  /** T. */
  tX: f64;
  tY: f64;
  tZ: f64;
  /** A length in B's frame is at least this many times as long in A's. */
  stretch: f64;

  /** The addresses of T, and of R and its inverse, nine doubles each, row by row: x_B = inverse·(x_A − T). */
  get t(): usize {
    return changetype<usize>(this) + offsetof<Model>('tX');
  }

  get r(): usize {
    return changetype<usize>(this) + modelR;
  }

  get inverse(): usize {
    return changetype<usize>(this) + modelInverse;
  }

  /** The output of a kernel. */
  get out(): usize {
    return changetype<usize>(this) + modelOut;
  }

  /** Memory for the kernels' own lists. */
  get work(): usize {
    return changetype<usize>(this) + modelWork;
  }
}

export const modelR: usize = offsetof<Model>();
export const modelInverse: usize = modelR + 72;
export const modelOut: usize = 192;
export const modelWork: usize = 512;
export const modelBytes: usize = modelWork + 262144;

/** Corners of the triangle in a slot of the tree, nine doubles at `out`, in the tree's frame. */
export function loadCorners(tree: Tree, slot: u32, out: usize): void {
  const scale = tree.scale;
  const cx = tree.centreX;
  const cy = tree.centreY;
  const cz = tree.centreZ;
  const positions = tree.positions;
  const indices = tree.triangles + <usize>slot * 12;
  if (tree.doubles) {
    for (let corner: usize = 0; corner < 3; corner++) {
      const from = positions + <usize>load<u32>(indices + (corner << 2)) * 24;
      const to = out + corner * 24;
      store<f64>(to, (load<f64>(from) - cx) * scale);
      store<f64>(to, (load<f64>(from, 8) - cy) * scale, 8);
      store<f64>(to, (load<f64>(from, 16) - cz) * scale, 16);
    }
  } else {
    for (let corner: usize = 0; corner < 3; corner++) {
      const from = positions + <usize>load<u32>(indices + (corner << 2)) * 12;
      const to = out + corner * 24;
      store<f64>(to, (<f64>load<f32>(from) - cx) * scale);
      store<f64>(to, (<f64>load<f32>(from, 4) - cy) * scale, 8);
      store<f64>(to, (<f64>load<f32>(from, 8) - cz) * scale, 16);
    }
  }
}

/** How many slots of a leaf hold triangles. The last leaf repeats its last triangle. */
export function slotsOfLeaf(tree: Tree, leaf: u32): u32 {
  return min<u32>(4, tree.triangleCount - (leaf << 2));
}
