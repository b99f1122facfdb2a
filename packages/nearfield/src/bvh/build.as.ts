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
