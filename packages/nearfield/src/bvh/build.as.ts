// Builds a tree: orders the triangles by median splits of their centres, then fits the boxes.

import { treeOrder, treeTriangleCount, treeTriangles, treeVertexCount } from './layout.as';
import { fitBoxes, frameVertices } from './refit.as';
import { pointBytes, sampleBytes, splitPoints } from './split.as';

/** Bytes of `scratch` for a build: framed vertices, and a point a triangle. */
export function buildScratchBytes(triangleCount: u32, vertexCount: u32): f64 {
  return <f64>vertexCount * 16.0 + <f64>triangleCount * <f64>pointBytes + <f64>sampleBytes + 256.0;
}

/** Builds the tree over the triangles whose vertex indices lie at `indices`, three words each, in mesh order. */
export function buildTree(tree: usize, indices: usize, scratch: usize): void {
  const count = load<u32>(tree, treeTriangleCount);
  frameVertices(tree, scratch);
  const points = (scratch + <usize>load<u32>(tree, treeVertexCount) * 16 + 63) & ~(<usize>63);
  for (let i: u32 = 0; i < count; i++) {
    const t = indices + <usize>i * 12;
    const a = v128.load(scratch + ((<usize>load<u32>(t)) << 4));
    const b = v128.load(scratch + ((<usize>load<u32>(t, 4)) << 4));
    const c = v128.load(scratch + ((<usize>load<u32>(t, 8)) << 4));
    const low = f32x4.pmin(f32x4.pmin(a, b), c);
    const high = f32x4.pmax(f32x4.pmax(a, b), c);
    v128.store(points + ((<usize>i) << 4), i32x4.replace_lane(f32x4.add(low, high), 3, i));
  }
  splitPoints(points, count);
  const order = load<usize>(tree, treeOrder);
  const triangles = load<usize>(tree, treeTriangles);
  for (let slot: usize = 0; slot < count; slot++) {
    const triangle = load<u32>(points + (slot << 4), 12);
    store<u32>(order + (slot << 2), triangle);
    const source = indices + <usize>triangle * 12;
    const target = triangles + slot * 12;
    store<u64>(target, load<u64>(source));
    store<u32>(target, load<u32>(source, 8), 8);
  }
  fitBoxes(tree, scratch);
}

/** 30-bit Morton key of a point given as twice its coordinates in [−1, 1] (larger ones are clamped). */
export function mortonKey(doubled: v128): u32 {
  const cell = i32x4.trunc_sat_f32x4_s(
    f32x4.min(
      f32x4.max(f32x4.add(f32x4.mul(doubled, f32x4.splat(256)), f32x4.splat(512)), f32x4.splat(0)),
      f32x4.splat(1023),
    ),
  );
  return (
    (spread(i32x4.extract_lane(cell, 0)) << 2) |
    (spread(i32x4.extract_lane(cell, 1)) << 1) |
    spread(i32x4.extract_lane(cell, 2))
  );
}

/** Ten bits with two zeros put between each. */
function spread(v: u32): u32 {
  v = (v | (v << 16)) & 0x030000ff;
  v = (v | (v << 8)) & 0x0300f00f;
  v = (v | (v << 4)) & 0x030c30c3;
  v = (v | (v << 2)) & 0x09249249;
  return v;
}
