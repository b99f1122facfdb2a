// Flat fans: positions of a mesh around which no two triangles share more than their common corners. They are found for
// a whole mesh in one pass. Nearly all pairs of triangles whose boxes meet are neighbours in such a fan, and self.as.ts
// skips them.
//
// The claim. Let v be a position at which every edge has as many triangle sides leaving v as arriving (balanced). Let
// all triangles at v, projected along one axis of the tree's frame, have the same orientation, say counter-clockwise.
// Each then covers a sector of directions from v, less than half a turn. Let c(θ) be the number of sectors that contain
// the direction θ. At the direction of an edge as many sectors end as start, so c is constant. If c = 1 the sectors
// tile the full turn. In the projection, two triangles at v then share only v, or a ray on which one sector ends and
// the other starts. That ray contains the edge v w of the first triangle, and its one partner can only be the second.
// So the edge is their common edge, and it is all that either has on the ray. Since no triangle projects to a segment,
// the points themselves are shared only there. So two triangles with v in common share no point outside the hull of
// their common positions, and do not have all three positions in common. The clockwise case is the mirror image.
//
// Counting. A direction is above if it is not less than v in the second projected coordinate, else below. A
// counter-clockwise sector with its first edge below and its last edge above contains the direction of the first
// coordinate, θ = 0. No other sector does, since a sector is less than half a turn. So c is the number of triangles
// with p below and q above, for corners (v, p, q) in the order of the triangle. For clockwise triangles the same count
// is that of the opposite direction.
//
// Uncertainty. The stored corners are off by at most δ on every axis (self.as.ts), differences by η = 2.01δ. With |U|,
// |V| ≤ m the component U_i V_j − U_j V_i of the normal moves by at most 2[(m + η)² − m²] = 4mη + 2η², and its
// evaluation rounds each product four times: 2·4.01·2^-24·(m + η)². If it exceeds
//   4.1·mη + 2.1·η² + 8.1·2^-24·(m + η)²
// (which covers its own roundings), the triangle has the same orientation for all corners between the stored and the
// true ones. Then, as the corners move from the stored to the true positions, no edge opposite v ever passes through v
// in the projection. So the number of turns that these edges make about v, which is c, does not change. Therefore c may
// be counted on the stored corners, whose comparisons are exact.
//
// δ is fixed here as fanUncertainty, four times what storing alone needs. So the fans belong to the tree, and serve
// every pose with no more uncertainty than that.

import { Leaf, leafBytes, Tree, weldBytes } from '../../../../bvh/cpu/build/layout.as';
import { leafNormals } from '../leaves/leaves.as';

/** 2^-20. */
export const fanUncertainty: f32 = 9.5367431640625e-7;
/** The bit in a position's identity, in the leaves' weld rows, that marks a flat fan. */
export const flatFan: u32 = 0x80000000;

const eta: f32 = 1.916885376e-6; // 2.01 · 2^-20
const fourRoundings: f32 = 4.827976226806641e-7; // 8.1 · 2^-24

// One word per position. Bits 0-2: some triangle is not certainly counter-clockwise, projected along x, y, z. Bits 3-5:
// not certainly clockwise. Bits 6-8: the direction was covered once. Bits 9-11: twice or more.
const covered: u32 = 0x1c0;

/**
 * Marks the positions with flat fans in the weld rows. `words` has one word per vertex: 0, or 63 at positions that are
 * not balanced. `scratch` is three rows of four floats.
 */
export function markFans(tree: Tree, words: usize, scratch: usize): void {
  const triangleCount = tree.triangleCount;
  const leafCount = tree.leafCount;
  let leaf = tree.leaves;
  let weld = tree.weld;
  for (let i: u32 = 0; i < leafCount; i++, leaf += leafBytes, weld += weldBytes) {
    const turns = turnsOf(leaf, scratch);
    const present = min<u32>(4, triangleCount - (i << 2));
    for (let corner: usize = 0; corner < 3; corner++) {
      const next: usize = corner === 2 ? 0 : corner + 1;
      const last: usize = corner === 0 ? 2 : corner - 1;
      const x = coveredAlong(leaf + 32, corner, next, last, 0x40);
      const y = coveredAlong(leaf, corner, next, last, 0x80);
      const z = coveredAlong(leaf + 16, corner, next, last, 0x100);
      const bits = v128.or(v128.or(turns, x), v128.or(y, z));
      const identities = weld + (corner << 4);
      note(words, identities, i32x4.extract_lane(bits, 0));
      if (present > 1) note(words, identities + 4, i32x4.extract_lane(bits, 1));
      if (present > 2) note(words, identities + 8, i32x4.extract_lane(bits, 2));
      if (present > 3) note(words, identities + 12, i32x4.extract_lane(bits, 3));
    }
  }
  const end = tree.weld + <usize>leafCount * weldBytes;
  for (let at = tree.weld; at < end; at += 4) {
    const identity = load<u32>(at) & ~flatFan;
    store<u32>(at, liesFlat(load<u32>(words + ((<usize>identity) << 2))) ? identity | flatFan : identity);
  }
}

/** Bits 0-5 per triangle of a leaf. */
function turnsOf(leaf: usize, scratch: usize): v128 {
  let m = f32x4.splat(0);
  for (let row: usize = 0; row < 48; row += 16) {
    const a = v128.load(leaf + row);
    const b = v128.load(leaf + row, 48);
    const c = v128.load(leaf + row, 96);
    const extent = f32x4.sub(f32x4.pmax(f32x4.pmax(a, b), c), f32x4.pmin(f32x4.pmin(a, b), c));
    m = f32x4.pmax(m, extent);
  }
  leafNormals(changetype<Leaf>(leaf), scratch);
  const wide = f32x4.add(m, f32x4.splat(eta));
  const bound = f32x4.add(
    f32x4.add(f32x4.mul(m, f32x4.splat(4.1 * eta)), f32x4.splat(2.1 * eta * eta)),
    f32x4.mul(f32x4.mul(wide, wide), f32x4.splat(fourRoundings)),
  );
  const under = f32x4.neg(bound);
  let bits = i32x4.splat(0);
  for (let row: usize = 0; row < 3; row++) {
    const normal = v128.load(scratch + (row << 4));
    bits = v128.or(bits, v128.andnot(i32x4.splat(1 << (<i32>row)), f32x4.gt(normal, bound)));
    bits = v128.or(bits, v128.andnot(i32x4.splat(8 << (<i32>row)), f32x4.lt(normal, under)));
  }
  return bits;
}

/**
 * `bit` for each triangle of a leaf whose corner `next` is below its corner `corner` and `last` is not, in the
 * coordinate whose row for the first corners is at `row`.
 */
function coveredAlong(row: usize, corner: usize, next: usize, last: usize, bit: i32): v128 {
  const v = v128.load(row + corner * 48);
  const p = v128.load(row + next * 48);
  const q = v128.load(row + last * 48);
  return v128.and(v128.and(f32x4.lt(p, v), f32x4.ge(q, v)), i32x4.splat(bit));
}

function note(words: usize, identity: usize, bits: u32): void {
  const at = words + ((<usize>(load<u32>(identity) & ~flatFan)) << 2);
  const known = load<u32>(at);
  store<u32>(at, known | bits | ((known & bits & covered) << 3));
}

/**
 * Whether, for some axis along which all triangles have one orientation, the direction is covered once and not twice.
 */
function liesFlat(word: u32): bool {
  const onOneSide = ~(word & (word >> 3)) & 7;
  return ((word >> 6) & ~(word >> 9) & onOneSide) !== 0;
}
