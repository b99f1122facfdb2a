// Two solids as the penetration kernels see them: each in the frame of its own tree, u = (x − centre)·scale, in double.
// A similarity u ↦ R·u + T maps the second into the first's frame.
//
// Corners are made of the given positions, not of the tree's floats: fl(fl(x − centre)·scale) is the same double for
// every triangle that shares the position. So these doubles are a closed mesh too, the model, and all that the kernels
// find is exact for the model up to the rounding they state. Boxes of the tree hold its floats, which are off by 2^-25:
// every box is enlarged by `boxSlack`.

import {
  treeCentre,
  treeDoubles,
  treePositions,
  treeScale,
  treeTriangleCount,
  treeTriangles,
} from '../../bvh/cpu/build/layout.as';

/** 2^-22: the tree's floats (2^-25), the point's or map's rounding to float, and some operations on numbers up to 2. */
export const boxSlack: f32 = 2.384185791015625e-7;

/** A pair of solids: trees, the similarity from the second's frame to the first's, its inverse, how much it stretches. */
export const modelTreeA: usize = 0;
export const modelTreeB: usize = 4;
/** Nine doubles, row by row. */
export const modelR: usize = 8;
export const modelT: usize = 80;
/** x_B = Inverse·(x_A − T). */
export const modelInverse: usize = 104;
/** A length in B's frame is at least this many times as long in A's. */
export const modelStretch: usize = 176;
/** The output of a kernel, in doubles. */
export const modelOut: usize = 192;
/** Memory for the kernels' own lists. */
export const modelWork: usize = 512;
export const modelBytes: usize = modelWork + 262144;

/** Corners of the triangle in a slot of the tree, nine doubles at `out`, in the tree's frame. */
export function loadCorners(tree: usize, slot: u32, out: usize): void {
  const scale = load<f64>(tree, treeScale);
  const cx = load<f64>(tree, treeCentre);
  const cy = load<f64>(tree, treeCentre + 8);
  const cz = load<f64>(tree, treeCentre + 16);
  const positions = load<usize>(tree, treePositions);
  const indices = load<usize>(tree, treeTriangles) + <usize>slot * 12;
  if (load<u32>(tree, treeDoubles)) {
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
export function slotsOfLeaf(tree: usize, leaf: u32): u32 {
  return min<u32>(4, load<u32>(tree, treeTriangleCount) - (leaf << 2));
}
