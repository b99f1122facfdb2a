// The tree of moving triangles, built from their positions in the order of the body's own tree (walk.ts). It is implicit: leaves of four
// triangles, two children per node. A node has a box for time 0 and one for time 1. If they are apart from those of another node
// along an axis, in the same order at both times, then so are all linear paths between: things that move together are told apart
// however far they go. Boxes are in single precision: x, y, z least and greatest, each at both times, the greatest with the
// opposite sign. So the box of several is the least of all numbers.
//
// Nothing is lost by single precision: coordinates have one origin and one power of two as their unit, and subtracting, multiplying
// and rounding never exchange the order of two numbers. If one rounded number is greater than another, so was the number itself.

/** A tree. A box has twelve numbers: least x and y; greatest x and y; least z, greatest z: each at time 0 and at time 1. */
@unmanaged
export class SweptTree {
  /** The number of triangles. */
  count: u32;
  levelCount: u32;
  /** Boxes of triangles, in the tree's order. */
  boxes: usize;
  /** Corners of triangles: nine coordinates, each at time 0 and at time 1. */
  corners: usize;
  /** Three identities of positions per triangle; 0 if triangles of one body are not compared. */
  vertices: usize;
  /** Boxes of nodes, level by level from the leaves up. */
  nodes: usize;
  /** Where each level begins, as a number of nodes, and where the last one ends. */
  levels: usize;
}

export const boxBytes: usize = 48;
export const cornerBytes: usize = 144;
export const leafSize: u32 = 4;

/**
 * Fills the tree's boxes, corners and nodes. `start` and `end` have the positions of all vertices at both times, `indices` three vertices per
 * triangle, `order` the triangles in the tree's order.
 */
export function fillTree(
  tree: SweptTree,
  start: usize,
  end: usize,
  indices: usize,
  order: usize,
  x: f64,
  y: f64,
  z: f64,
  unit: f64,
): void {
  const count = tree.count;
  for (let i: u32 = 0; i < count; i++) {
    const triangle = indices + <usize>load<u32>(order + ((<usize>i) << 2)) * 12;
    const corners = tree.corners + <usize>i * cornerBytes;
    for (let corner: usize = 0; corner < 3; corner++) {
      const from = <usize>load<u32>(triangle + (corner << 2)) * 24;
      const to = corners + 48 * corner;
      for (let k: usize = 0; k < 24; k += 8)
        v128.store(to + 2 * k, f64x2(load<f64>(start + from + k), load<f64>(end + from + k)));
    }
    const box = tree.boxes + <usize>i * boxBytes;
    const lowX = low(corners, 0, x, unit);
    const lowY = low(corners, 16, y, unit);
    const lowZ = low(corners, 32, z, unit);
    const highX = minusHigh(corners, 0, x, unit);
    const highY = minusHigh(corners, 16, y, unit);
    const highZ = minusHigh(corners, 32, z, unit);
    v128.store(box, both(lowX, lowY));
    v128.store(box, both(highX, highY), 16);
    v128.store(box, both(lowZ, highZ), 32);
  }
  const first = load<u32>(tree.levels + 4);
  for (let n: u32 = 0; n < first; n++) {
    const from = leafSize * n;
    unite(tree.boxes, from, min(from + leafSize, count), tree.nodes + <usize>n * boxBytes);
  }
  for (let level: u32 = 1; level < tree.levelCount; level++) {
    const begin = load<u32>(tree.levels + ((<usize>level) << 2));
    const below = load<u32>(tree.levels + ((<usize>level) << 2) - 4);
    const after = load<u32>(tree.levels + ((<usize>level) << 2), 4);
    for (let n = begin; n < after; n++) {
      const from = below + 2 * (n - begin);
      unite(tree.nodes, from, min(from + 2, begin), tree.nodes + <usize>n * boxBytes);
    }
  }
}

/** The least coordinate of three corners along an axis, at both times, as two single numbers and two zeros. */
function low(corners: usize, axis: usize, origin: f64, unit: f64): v128 {
  const least = f64x2.pmin(
    f64x2.pmin(v128.load(corners + axis), v128.load(corners + axis, 48)),
    v128.load(corners + axis, 96),
  );
  return rounded(least, origin, unit);
}

/** The greatest one, with the opposite sign. */
function minusHigh(corners: usize, axis: usize, origin: f64, unit: f64): v128 {
  const most = f64x2.pmax(
    f64x2.pmax(v128.load(corners + axis), v128.load(corners + axis, 48)),
    v128.load(corners + axis, 96),
  );
  return f32x4.neg(rounded(most, origin, unit));
}

function rounded(value: v128, origin: f64, unit: f64): v128 {
  return f32x4.demote_f64x2_zero(f64x2.mul(f64x2.sub(value, f64x2.splat(origin)), f64x2.splat(unit)));
}

function both(first: v128, second: v128): v128 {
  return v128.shuffle<u64>(first, second, 0, 2);
}

/** Writes the box around the boxes from `from` up to `end`. */
function unite(boxes: usize, from: u32, end: u32, out: usize): void {
  const first = boxes + <usize>from * boxBytes;
  let a = v128.load(first);
  let b = v128.load(first, 16);
  let c = v128.load(first, 32);
  for (let i = from + 1; i < end; i++) {
    const box = boxes + <usize>i * boxBytes;
    a = f32x4.min(a, v128.load(box));
    b = f32x4.min(b, v128.load(box, 16));
    c = f32x4.min(c, v128.load(box, 32));
  }
  v128.store(out, a);
  v128.store(out, b, 16);
  v128.store(out, c, 32);
}

/** Whether an axis separates what is in two boxes, in the same order at both times. */
export function areApart(p: usize, q: usize): bool {
  const z = v128.load(q, 32);
  const before = f32x4.gt(v128.load(p), f32x4.neg(v128.load(q, 16)));
  const after = f32x4.gt(v128.load(q), f32x4.neg(v128.load(p, 16)));
  // Least z with the other's greatest, and greatest with least.
  const along = f32x4.gt(v128.load(p, 32), f32x4.neg(v128.shuffle<u64>(z, z, 1, 0)));
  const all = i64x2.splat(-1);
  const found = v128.or(v128.or(i64x2.eq(before, all), i64x2.eq(after, all)), i64x2.eq(along, all));
  return v128.any_true(found);
}
