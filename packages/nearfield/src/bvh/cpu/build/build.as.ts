// Builds a tree: orders the triangles by median splits of their centres, then fits the boxes. In steps (tree-steps.ts):
// `frameVertices`, then `placeCentres`, `splitCentres` and `takeOrder` for ranges of triangles, `fitLeaves` for ranges of
// leaves, and `fitLevels`.

import { Tree } from './layout.as';
import { pointBytes, SplitPoint, sampleBytes, splitStep } from './split.as';

/** Bytes of scratch memory for a build: framed vertices, and one point per triangle. */
export function buildScratchBytes(triangleCount: u32, vertexCount: u32): f64 {
  return <f64>vertexCount * 16.0 + <f64>triangleCount * <f64>pointBytes + <f64>sampleBytes + 256.0;
}

/** The address of the points, behind the framed vertices. */
function pointsOf(tree: Tree, scratch: usize): usize {
  return (scratch + <usize>tree.vertexCount * 16 + 63) & ~(<usize>63);
}

/** Writes the doubled box centres of triangles [first, end) as the points to split. */
export function placeCentres(tree: Tree, indices: usize, scratch: usize, first: u32, end: u32): void {
  const points = pointsOf(tree, scratch);
  for (let i = first; i < end; i++) {
    const t = indices + <usize>i * 12;
    const a = v128.load(scratch + ((<usize>load<u32>(t)) << 4));
    const b = v128.load(scratch + ((<usize>load<u32>(t, 4)) << 4));
    const c = v128.load(scratch + ((<usize>load<u32>(t, 8)) << 4));
    const low = f32x4.pmin(f32x4.pmin(a, b), c);
    const high = f32x4.pmax(f32x4.pmax(a, b), c);
    v128.store(points + <usize>i * pointBytes, i32x4.replace_lane(f32x4.add(low, high), 3, i));
  }
}

/**
 * Splits one node's points, `count` from `first` on, among children of `capacity` points each; with `deep` down to the
 * leaves.
 */
export function splitCentres(
  tree: Tree,
  scratch: usize,
  first: u32,
  count: u32,
  capacity: u32,
  deep: bool,
): void {
  const points = pointsOf(tree, scratch);
  const sample = points + <usize>tree.triangleCount * pointBytes;
  splitStep(points + <usize>first * pointBytes, count, capacity, sample, deep);
}

/** Stores the triangles of slots [first, end) in the order of the points. */
export function takeOrder(tree: Tree, indices: usize, scratch: usize, first: u32, end: u32): void {
  const points = pointsOf(tree, scratch);
  const order = tree.order;
  const triangles = tree.triangles;
  for (let slot = <usize>first; slot < <usize>end; slot++) {
    const triangle = changetype<SplitPoint>(points + slot * pointBytes).value;
    store<u32>(order + (slot << 2), triangle);
    const source = indices + <usize>triangle * 12;
    const target = triangles + slot * 12;
    store<u64>(target, load<u64>(source));
    store<u32>(target, load<u32>(source, 8), 8);
  }
}
