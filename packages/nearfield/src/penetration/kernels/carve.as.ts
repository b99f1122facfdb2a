// A convex piece of a solid around a point inside it: half-spaces that exclude the whole surface. Starting from all of
// space, the nearest point of the surface within what is left is cut off by the plane through it that faces the seed,
// until no triangle reaches inside (after Deits and Tedrake, Computing large convex regions of obstacle-free space,
// 2014, with balls for ellipsoids). What is left holds no surface and contains the seed, so it lies entirely within the
// solid.
//
// A curved surface would be cut again and again beside the last cut. A triangle that faces the seed nearly as an
// earlier plane does moves that plane inward instead.
//
// Triangles and boxes are visited in order of distance from the seed. One is dropped for good when it lies beyond a
// plane, give or take `tolerance`: planes only move inward, and the caller moves all of them inward by more than that
// at the end.

import { childMask, nodeAt, Tree } from '../../bvh/cpu/build/layout.as';
import { firstChild, indexOf, levelOf, nodeWord } from '../../bvh/cpu/walk/node-word.as';
import { Near, nearBytes, pointTriangle } from '../../distance/cpu/triangles/point-triangle.as';
import { boxSlack, loadCorners, Model, slotsOfLeaf } from './model.as';

const tolerance: f64 = 1e-12;
export const carveMostPlanes: u32 = 72;

/** A plane: a unit normal and its height along it. */
@unmanaged
class Plane {
  x: f64;
  y: f64;
  z: f64;
  height: f64;
}

/** The part of a triangle within all planes: its nearest point minus the seed, and the number of its corners. */
@unmanaged
class Part {
  x: f64;
  y: f64;
  z: f64;
  corners: u32;
}

/** An entry of the heap: a squared distance, and a node, a leaf or a triangle. */
@unmanaged
class HeapEntry {
  key: f32;
  entry: u32;
}

// What lies in the model's work area: the planes, a polygon of up to 96 corners and another, and so on.
const polygonOffset: usize = <usize>carveMostPlanes * offsetof<Plane>();
const polygonBytes: usize = 24 * 96;
const otherOffset: usize = polygonOffset + polygonBytes;
const fanOffset: usize = otherOffset + polygonBytes;
const nearOffset: usize = fanOffset + 72;
const partOffset: usize = nearOffset + nearBytes;
const heapOffset: usize = partOffset + 64;
const heapLimit: u32 = 24000;

function planeAt(model: Model, place: u32): Plane {
  return changetype<Plane>(model.work + <usize>place * offsetof<Plane>());
}

function partOf(model: Model): Part {
  return changetype<Part>(model.work + partOffset);
}

function heapAt(heap: usize, place: u32): HeapEntry {
  return changetype<HeapEntry>(heap + ((<usize>place) << 3));
}

/** With `count` planes, normals that differ by less than the angle of this cosine count as one. */
function likeness(count: u32): f64 {
  if (count < 30) return 0.985;
  if (count < 46) return 0.95;
  if (count < 60) return 0.85;
  return 0.5;
}

/** The number of planes around the seed (in A's frame); 0 if there are too many or the heap is full. */
export function carve(model: Model, x: f64, y: f64, z: f64): u32 {
  const tree = model.treeA;
  const levels = tree.levelCount;
  const heap = model.work + heapOffset;
  let count: u32 = 0;
  for (let axis: usize = 0; axis < 3; axis++) {
    const half = load<f64>(tree.half + (axis << 3)) * tree.scale;
    for (let side: usize = 0; side < 2; side++) {
      const plane = planeAt(model, count++);
      plane.x = 0;
      plane.y = 0;
      plane.z = 0;
      store<f64>(changetype<usize>(plane) + (axis << 3), side ? -1.0 : 1.0);
      plane.height = half + 1e-9;
    }
  }
  let size = insert(heap, 0, 0, 0);
  while (size > 0) {
    const key = heapAt(heap, 0).key;
    const entry = heapAt(heap, 0).entry;
    size = removeFirst(heap, size);
    const level = levelOf(entry);
    const index = indexOf(entry);
    if (level < levels) {
      if (size + 4 > heapLimit) return 0;
      size = openNode(model, tree, level, index, count, x, y, z, heap, size);
      continue;
    }
    if (level === levels) {
      const slots = slotsOfLeaf(tree, index);
      if (size + 4 > heapLimit) return 0;
      for (let i: u32 = 0; i < slots; i++) {
        const distance = reach(model, tree, (index << 2) + i, count, x, y, z);
        if (distance < Infinity)
          size = insert(heap, size, <f32>(distance * distance), nodeWord(levels + 1, (index << 2) + i));
      }
      continue;
    }
    const distance = reach(model, tree, index, count, x, y, z);
    if (distance === Infinity) continue;
    const squared = <f32>(distance * distance);
    if (squared > key && size > 0 && squared > heapAt(heap, 0).key) {
      size = insert(heap, size, squared, entry);
      continue;
    }
    if (!(distance > 1e-9)) return 0;
    const part = partOf(model);
    const nx = part.x / distance;
    const ny = part.y / distance;
    const nz = part.z / distance;
    if (moveLikePlane(model, count, nx, ny, nz, x, y, z)) continue;
    if (count === carveMostPlanes) return 0;
    const plane = planeAt(model, count++);
    const length = 1.0 / sqrt(nx * nx + ny * ny + nz * nz);
    plane.x = nx * length;
    plane.y = ny * length;
    plane.z = nz * length;
    plane.height = lowest(model, plane);
  }
  return count;
}

/** The least height of the clipped polygon along a plane's normal. */
function lowest(model: Model, plane: Plane): f64 {
  const corners = partOf(model).corners;
  let low = Infinity;
  for (let i: u32 = 0; i < corners; i++) {
    const p = model.work + polygonOffset + <usize>i * 24;
    low = min(low, height(plane, p));
  }
  return low;
}

function height(plane: Plane, p: usize): f64 {
  return plane.x * load<f64>(p) + plane.y * load<f64>(p, 8) + plane.z * load<f64>(p, 16);
}

/** Moves the plane most like the cut inward past the clipped polygon, if it stays well away from the seed. */
function moveLikePlane(model: Model, count: u32, nx: f64, ny: f64, nz: f64, x: f64, y: f64, z: f64): bool {
  let like = likeness(count);
  let found: Plane | null = null;
  for (let k: u32 = 6; k < count; k++) {
    const plane = planeAt(model, k);
    const cosine = plane.x * nx + plane.y * ny + plane.z * nz;
    if (cosine > like) {
      like = cosine;
      found = plane;
    }
  }
  if (found === null) return false;
  const seed = found.x * x + found.y * y + found.z * z;
  const low = lowest(model, found);
  if (low - seed < 0.8 * likeness(count) * (found.height - seed)) return false;
  found.height = low;
  return true;
}

/** Pushes the children of a node that no plane excludes onto the heap. */
function openNode(
  model: Model,
  tree: Tree,
  level: u32,
  index: u32,
  count: u32,
  x: f64,
  y: f64,
  z: f64,
  heap: usize,
  size: u32,
): u32 {
  const node = nodeAt(tree, level, index);
  const cx = node.centreX;
  const cy = node.centreY;
  const cz = node.centreZ;
  const slack = f32x4.splat(boxSlack * 4);
  const hx = f32x4.add(node.halfX, slack);
  const hy = f32x4.add(node.halfY, slack);
  const hz = f32x4.add(node.halfZ, slack);
  let open = childMask(tree, level, index);
  for (let k: u32 = 0; k < count; k++) {
    const plane = planeAt(model, k);
    const nx = f32x4.splat(<f32>plane.x);
    const ny = f32x4.splat(<f32>plane.y);
    const nz = f32x4.splat(<f32>plane.z);
    const middle = f32x4.add(f32x4.add(f32x4.mul(nx, cx), f32x4.mul(ny, cy)), f32x4.mul(nz, cz));
    const half = f32x4.add(
      f32x4.add(f32x4.mul(f32x4.abs(nx), hx), f32x4.mul(f32x4.abs(ny), hy)),
      f32x4.mul(f32x4.abs(nz), hz),
    );
    // Boxes are larger than their contents by the slack, so `not less` drops nothing that reaches inside.
    const inside = f32x4.lt(f32x4.sub(middle, half), f32x4.splat(<f32>plane.height));
    open &= i32x4.bitmask(inside);
    if (open === 0) return size;
  }
  const zero = f32x4.splat(0);
  const dx = f32x4.pmax(f32x4.sub(f32x4.abs(f32x4.sub(f32x4.splat(<f32>x), cx)), hx), zero);
  const dy = f32x4.pmax(f32x4.sub(f32x4.abs(f32x4.sub(f32x4.splat(<f32>y), cy)), hy), zero);
  const dz = f32x4.pmax(f32x4.sub(f32x4.abs(f32x4.sub(f32x4.splat(<f32>z), cz)), hz), zero);
  const squared = f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
  const child = firstChild(level, index);
  if (open & 1) size = insert(heap, size, f32x4.extract_lane(squared, 0), child);
  if (open & 2) size = insert(heap, size, f32x4.extract_lane(squared, 1), child + 1);
  if (open & 4) size = insert(heap, size, f32x4.extract_lane(squared, 2), child + 2);
  if (open & 8) size = insert(heap, size, f32x4.extract_lane(squared, 3), child + 3);
  return size;
}

/**
 * The distance from the seed to the part of a triangle within all planes; Infinity if there is none. The part's corners
 * are left in the polygon.
 */
function reach(model: Model, tree: Tree, slot: u32, count: u32, x: f64, y: f64, z: f64): f64 {
  const polygon = model.work + polygonOffset;
  loadCorners(tree, slot, polygon);
  let corners: u32 = 3;
  for (let k: u32 = 0; k < count; k++) {
    corners = clip(model, planeAt(model, k), corners);
    if (corners === 0) return Infinity;
  }
  const part = partOf(model);
  const fan = model.work + fanOffset;
  const near = changetype<Near>(model.work + nearOffset);
  let least = Infinity;
  memory.copy(fan, polygon, 24);
  for (let i: usize = 1; i + 1 < <usize>corners; i++) {
    memory.copy(fan + 24, polygon + i * 24, 48);
    pointTriangle(x, y, z, fan, near);
    const distance = near.high;
    if (distance >= least) continue;
    least = distance;
    part.x = near.x;
    part.y = near.y;
    part.z = near.z;
  }
  part.corners = corners;
  return least;
}

/** Clips the polygon to the inside of a plane. Nothing remains if no corner is inside by more than the tolerance. */
function clip(model: Model, plane: Plane, corners: u32): u32 {
  const polygon = model.work + polygonOffset;
  const h = plane.height;
  let inside: u32 = 0;
  let outside: u32 = 0;
  for (let i: u32 = 0; i < corners; i++) {
    const over = height(plane, polygon + <usize>i * 24) - h;
    if (over < -tolerance) inside++;
    if (over > 0) outside++;
  }
  if (inside === 0) return 0;
  if (outside === 0) return corners;
  const other = model.work + otherOffset;
  let count: usize = 0;
  let before = polygon + <usize>(corners - 1) * 24;
  let overBefore = height(plane, before) - h;
  for (let i: u32 = 0; i < corners; i++) {
    const p = polygon + <usize>i * 24;
    const over = height(plane, p) - h;
    if ((over > 0 && overBefore < 0) || (over < 0 && overBefore > 0)) {
      const share = overBefore / (overBefore - over);
      const to = other + count++ * 24;
      for (let axis: usize = 0; axis < 24; axis += 8) {
        const from = load<f64>(before + axis);
        store<f64>(to + axis, from + share * (load<f64>(p + axis) - from));
      }
    }
    if (over <= 0) memory.copy(other + count++ * 24, p, 24);
    before = p;
    overBefore = over;
  }
  memory.copy(polygon, other, count * 24);
  return <u32>count;
}

function insert(heap: usize, size: u32, key: f32, entry: u32): u32 {
  let at = size;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heapAt(heap, parent).key <= key) break;
    moveEntry(heap, at, parent);
    at = parent;
  }
  const to = heapAt(heap, at);
  to.key = key;
  to.entry = entry;
  return size + 1;
}

function moveEntry(heap: usize, to: u32, from: u32): void {
  store<u64>(heap + ((<usize>to) << 3), load<u64>(heap + ((<usize>from) << 3)));
}

function removeFirst(heap: usize, size: u32): u32 {
  const last = size - 1;
  const key = heapAt(heap, last).key;
  let at: u32 = 0;
  for (;;) {
    let child: u32 = 2 * at + 1;
    if (child >= last) break;
    const right: u32 = child + 1;
    if (right < last && heapAt(heap, right).key < heapAt(heap, child).key) child = right;
    if (heapAt(heap, child).key >= key) break;
    moveEntry(heap, at, child);
    at = child;
  }
  moveEntry(heap, at, last);
  return last;
}
