// How far is a point from a solid's surface, and on which side? The nearest point is found by a walk down the tree,
// nearest boxes first. The side is found by the winding number, counted along a ray parallel to an axis of the tree's
// frame, so that a box is tested by its projection. If the signs do not decide a crossing, the ray is void, and another
// is cast.

import { childMask, Leaf, leafAt, nodeAt, Tree } from '../../bvh/cpu/build/layout.as';
import { NodeEntry, nodeEntryBytes, pushNode } from '../../bvh/cpu/walk/node-entry.as';
import { firstChild, indexOf, levelOf, nodeWord } from '../../bvh/cpu/walk/node-word.as';
import { Near, nearBytes, pointTriangle } from '../../distance/cpu/triangles/point-triangle.as';
import { boxSlack, loadCorners, slotsOfLeaf } from './model.as';

/** The result of a query about a point, and its working memory. */
@unmanaged
export class Found {
  /** Bounds of the distance. */
  low: f64;
  high: f64;
  /** The nearest point, in the tree's frame. */
  x: f64;
  y: f64;
  z: f64;
  slot: i32;

  /** A triangle's corners, and its nearest point. */
  get corners(): usize {
    return changetype<usize>(this) + cornersOffset;
  }

  get near(): Near {
    return changetype<Near>(changetype<usize>(this) + nearOffset);
  }

  get stack(): usize {
    return changetype<usize>(this) + stackOffset;
  }
}

const cornersOffset: usize = (offsetof<Found>() + 7) & ~(<usize>7);
const nearOffset: usize = cornersOffset + 72;
const stackOffset: usize = nearOffset + nearBytes;
export const pointWorkBytes: usize = stackOffset + 8 * 128;

export function foundAt(work: usize): Found {
  return changetype<Found>(work);
}

/** The result if no ray decided. */
export const undecided: i32 = 0x7fffffff;

/**
 * Writes to `found` bounds of the distance of (x, y, z) from the surface of the model, and a point that near. `hint` is
 * the slot of a triangle that is likely near, or −1. Boxes that are not nearer than `share` of the best distance are
 * skipped, and the lower bound is reduced to match. From the middle of a ball everything is equally near, and the last
 * hundredth would require visiting all of it.
 */
export function nearest(tree: Tree, x: f64, y: f64, z: f64, hint: i32, share: f64, found: Found): void {
  found.low = Infinity;
  found.high = Infinity;
  found.slot = -1;
  if (hint >= 0) tryTriangle(tree, <u32>hint, x, y, z, found);
  const levels = tree.levelCount;
  const px = f32x4.splat(<f32>x);
  const py = f32x4.splat(<f32>y);
  const pz = f32x4.splat(<f32>z);
  const reach = max(max(abs(x), abs(y)), max(abs(z), 1.0));
  const slack = f32x4.splat(boxSlack * <f32>reach);
  let bound = squareOf(found.high * share);
  const base = found.stack;
  let top = pushNode(base, 0, 0);
  while (top > base) {
    top -= nodeEntryBytes;
    const entry = changetype<NodeEntry>(top);
    if (entry.key >= bound) continue;
    const level = levelOf(entry.node);
    const index = indexOf(entry.node);
    if (level === levels) {
      // Tests the boxes of the triangles first, in single precision: few are as near as the best.
      const apart = leafGaps(leafAt(tree, index), px, py, pz, slack);
      const near = i32x4.bitmask(f32x4.lt(apart, f32x4.splat(bound)));
      const count = slotsOfLeaf(tree, index);
      for (let i: u32 = 0; i < count; i++) {
        if (near & (1 << i)) tryTriangle(tree, (index << 2) + i, x, y, z, found);
      }
      bound = squareOf(found.high * share);
      continue;
    }
    const node = nodeAt(tree, level, index);
    const zero = f32x4.splat(0);
    const dx = gap(px, node.centreX, node.halfX, slack, zero);
    const dy = gap(py, node.centreY, node.halfY, slack, zero);
    const dz = gap(pz, node.centreZ, node.halfZ, slack, zero);
    const squared = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
    const mask = childMask(tree, level, index) & i32x4.bitmask(f32x4.lt(squared, f32x4.splat(bound)));
    const first = top;
    const child = firstChild(level, index);
    if (mask & 1) top = push(first, top, child, f32x4.extract_lane(squared, 0));
    if (mask & 2) top = push(first, top, child + 1, f32x4.extract_lane(squared, 1));
    if (mask & 4) top = push(first, top, child + 2, f32x4.extract_lane(squared, 2));
    if (mask & 8) top = push(first, top, child + 3, f32x4.extract_lane(squared, 3));
  }
  if (share < 1.0) found.low = min(found.low, found.high * share * 0.999999);
}

/** A bound for squared box distances in single precision: they are computed with eight roundings of 2^-24. */
function squareOf(distance: f64): f32 {
  return <f32>(distance * distance * 1.000001 + 1e-37);
}

function gap(p: v128, centre: v128, half: v128, slack: v128, zero: v128): v128 {
  const apart = f32x4.abs(f32x4.sub(p, centre));
  return f32x4.pmax(f32x4.sub(f32x4.sub(apart, half), slack), zero);
}

/** Squared distances of the boxes of a leaf's triangles. */
function leafGaps(leaf: Leaf, px: v128, py: v128, pz: v128, slack: v128): v128 {
  const dx = leafGap(leaf.x0, leaf.x1, leaf.x2, px, slack);
  const dy = leafGap(leaf.y0, leaf.y1, leaf.y2, py, slack);
  const dz = leafGap(leaf.z0, leaf.z1, leaf.z2, pz, slack);
  return f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
}

function leafGap(a: v128, b: v128, c: v128, p: v128, slack: v128): v128 {
  const low = f32x4.pmin(f32x4.pmin(a, b), c);
  const high = f32x4.pmax(f32x4.pmax(a, b), c);
  const outside = f32x4.pmax(f32x4.sub(low, p), f32x4.sub(p, high));
  return f32x4.pmax(f32x4.sub(outside, slack), f32x4.splat(0));
}

/** The same along one axis, whose row for the first corners is at `row`. */
function leafGapAlong(row: usize, p: v128, slack: v128): v128 {
  return leafGap(v128.load(row), v128.load(row, 48), v128.load(row, 96), p, slack);
}

/** Inserts an entry among those since `first`, farthest first, so that the nearest is taken next. */
function push(first: usize, top: usize, entry: u32, key: f32): usize {
  let at = top;
  while (at > first && changetype<NodeEntry>(at - nodeEntryBytes).key < key) {
    store<u64>(at, load<u64>(at - nodeEntryBytes));
    at -= nodeEntryBytes;
  }
  pushNode(at, entry, key);
  return top + nodeEntryBytes;
}

function tryTriangle(tree: Tree, slot: u32, x: f64, y: f64, z: f64, found: Found): void {
  loadCorners(tree, slot, found.corners);
  const near = found.near;
  pointTriangle(x, y, z, found.corners, near);
  const low = near.low;
  const high = near.high;
  if (low < found.low) found.low = low;
  if (high >= found.high) return;
  found.high = high;
  found.x = x + near.x;
  found.y = y + near.y;
  found.z = z + near.z;
  found.slot = slot;
}

/**
 * The winding number around (x, y, z), or `undecided`. No surface is nearer than `clear`, so any point within that has
 * the same winding number: rays are cast from several.
 */
export function windingAround(tree: Tree, x: f64, y: f64, z: f64, clear: f64, found: Found): i32 {
  for (let attempt: u32 = 0; attempt < 24; attempt++) {
    // Multiples of irrational numbers, in [−½, ½): off any grid that the mesh was drawn on.
    const k = <f64>attempt;
    const off = attempt === 0 ? 0.0 : clear;
    const ox = off * (fraction(k * 0.7548776662466927) - 0.5);
    const oy = off * (fraction(k * 0.5698402909980532) - 0.5);
    const oz = off * (fraction(k * 0.3180339887498949) - 0.5);
    const winding = countAlong(tree, x + ox, y + oy, z + oz, attempt % 3, found);
    if (winding !== undecided) return winding;
  }
  return undecided;
}

function fraction(v: f64): f64 {
  return v - floor(v);
}

/** The winding number along the ray from the point in the direction of +axis, or `undecided`. */
function countAlong(tree: Tree, x: f64, y: f64, z: f64, axis: usize, found: Found): i32 {
  const levels = tree.levelCount;
  const first: usize = axis === 2 ? 0 : axis + 1;
  const second: usize = axis === 0 ? 2 : axis - 1;
  const along = axis === 0 ? x : axis === 1 ? y : z;
  const across = first === 0 ? x : first === 1 ? y : z;
  const beside = second === 0 ? x : second === 1 ? y : z;
  const reach = max(max(abs(x), abs(y)), max(abs(z), 1.0));
  const slack = f32x4.splat(boxSlack * <f32>reach);
  const pa = f32x4.splat(<f32>along);
  const pu = f32x4.splat(<f32>across);
  const pv = f32x4.splat(<f32>beside);
  const base = found.stack;
  let top = pushNode(base, 0, 0);
  let winding: i32 = 0;
  while (top > base) {
    top -= nodeEntryBytes;
    const entry = changetype<NodeEntry>(top);
    const level = levelOf(entry.node);
    const index = indexOf(entry.node);
    if (level === levels) {
      const leaf = changetype<usize>(leafAt(tree, index));
      const zero = f32x4.splat(0);
      const met = v128.and(
        f32x4.le(leafGapAlong(leaf + (first << 4), pu, slack), zero),
        f32x4.le(leafGapAlong(leaf + (second << 4), pv, slack), zero),
      );
      const open = i32x4.bitmask(met);
      const count = slotsOfLeaf(tree, index);
      for (let i: u32 = 0; i < count; i++) {
        if (!(open & (1 << i))) continue;
        loadCorners(tree, (index << 2) + i, found.corners);
        const crossing = crossingOf(found.corners, along, across, beside, axis, first, second);
        if (crossing === undecided) return undecided;
        winding += crossing;
      }
      continue;
    }
    const rows = changetype<usize>(nodeAt(tree, level, index));
    const inU = within(rows + (first << 4), pu, slack);
    const inV = within(rows + (second << 4), pv, slack);
    const row = rows + (axis << 4);
    const end = f32x4.add(f32x4.add(v128.load(row), v128.load(row, 48)), slack);
    const ahead = f32x4.ge(end, pa);
    let open = childMask(tree, level, index) & i32x4.bitmask(v128.and(v128.and(inU, inV), ahead));
    for (; open !== 0; open &= open - 1) {
      top = pushNode(top, nodeWord(level + 1, (index << 2) + <u32>ctz(open)), 0);
    }
  }
  return winding;
}

function within(row: usize, p: v128, slack: v128): v128 {
  return f32x4.le(f32x4.abs(f32x4.sub(p, v128.load(row))), f32x4.add(v128.load(row, 48), slack));
}

/**
 * The sign of (a − p) × (b − p) in two coordinates, or 2 if rounding could change it: 4·2^-53 of the products' sizes.
 */
function turn(a: usize, b: usize, p: f64, q: f64, first: usize, second: usize): i32 {
  const left = (load<f64>(a + first) - p) * (load<f64>(b + second) - q);
  const right = (load<f64>(a + second) - q) * (load<f64>(b + first) - p);
  const bound = 4.440892098500626e-16 * (abs(left) + abs(right));
  const value = left - right;
  return value > bound ? 1 : value < -bound ? -1 : 2;
}

/** +1 if the ray leaves through the triangle, −1 if it enters, 0 if it misses. */
function crossingOf(
  corners: usize,
  along: f64,
  across: f64,
  beside: f64,
  axis: usize,
  first: usize,
  second: usize,
): i32 {
  const u = first << 3;
  const v = second << 3;
  const w = axis << 3;
  const a = corners;
  const b = corners + 24;
  const c = corners + 48;
  const p = across;
  // Beside the triangle's box: exact comparisons.
  if (load<f64>(a + u) > p && load<f64>(b + u) > p && load<f64>(c + u) > p) return 0;
  if (load<f64>(a + u) < p && load<f64>(b + u) < p && load<f64>(c + u) < p) return 0;
  if (load<f64>(a + v) > beside && load<f64>(b + v) > beside && load<f64>(c + v) > beside) return 0;
  if (load<f64>(a + v) < beside && load<f64>(b + v) < beside && load<f64>(c + v) < beside) return 0;
  if (load<f64>(a + w) < along && load<f64>(b + w) < along && load<f64>(c + w) < along) return 0;
  const ab = turn(a, b, p, beside, u, v);
  const bc = turn(b, c, p, beside, u, v);
  const ca = turn(c, a, p, beside, u, v);
  const some = (ab === 1 ? 1 : 0) | (bc === 1 ? 1 : 0) | (ca === 1 ? 1 : 0);
  const other = (ab === -1 ? 1 : 0) | (bc === -1 ? 1 : 0) | (ca === -1 ? 1 : 0);
  if (some && other) return 0;
  if (ab === 2 || bc === 2 || ca === 2) return undecided;
  // Entirely ahead: the side of the plane need not be computed.
  const sign: i32 = some ? 1 : -1;
  if (load<f64>(a + w) > along && load<f64>(b + w) > along && load<f64>(c + w) > along) return sign;
  const ax = load<f64>(a + w) - along;
  const bx = load<f64>(b + w) - along;
  const cx = load<f64>(c + w) - along;
  const ay = load<f64>(a + u) - p;
  const by = load<f64>(b + u) - p;
  const cy = load<f64>(c + u) - p;
  const az = load<f64>(a + v) - beside;
  const bz = load<f64>(b + v) - beside;
  const cz = load<f64>(c + v) - beside;
  const d1 = by * cz;
  const d2 = bz * cy;
  const d3 = cy * az;
  const d4 = cz * ay;
  const d5 = ay * bz;
  const d6 = az * by;
  const volume = ax * (d1 - d2) + bx * (d3 - d4) + cx * (d5 - d6);
  const size = abs(ax) * (abs(d1) + abs(d2)) + abs(bx) * (abs(d3) + abs(d4)) + abs(cx) * (abs(d5) + abs(d6));
  const bound = 1.7763568394002505e-15 * size;
  if (!(abs(volume) > bound)) return undecided;
  // The determinant of a − p, b − p, c − p is the height at which the ray meets the plane, times a number of known
  // sign.
  return volume > 0 === sign > 0 ? sign : 0;
}
