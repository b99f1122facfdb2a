// Finds the farthest vertex of a solid in a direction, and tests whether the solid is convex: no vertex lies beyond any
// face's plane.

import { childMask, leafAt, nodeAt, Tree } from '../../bvh/cpu/build/layout.as';
import { NodeEntry, nodeEntryBytes, pushNode } from '../../bvh/cpu/walk/node-entry.as';
import { firstChild, indexOf, levelOf } from '../../bvh/cpu/walk/node-word.as';
import { boxSlack, loadCorners, slotsOfLeaf } from './model.as';

/** Work: the vertex found, a triangle's corners, a stack. */
const workCorners: usize = 32;
const workStack: usize = workCorners + 72;

/**
 * The largest product of a vertex with a unit direction if it exceeds `beyond`, else `beyond`. The vertex is at `work`,
 * in the tree's frame.
 */
export function support(tree: Tree, dx: f64, dy: f64, dz: f64, beyond: f64, work: usize): f64 {
  const levels = tree.levelCount;
  const x = f32x4.splat(<f32>dx);
  const y = f32x4.splat(<f32>dy);
  const z = f32x4.splat(<f32>dz);
  const ax = f32x4.abs(x);
  const ay = f32x4.abs(y);
  const az = f32x4.abs(z);
  const slack = f32x4.splat(boxSlack * 4);
  const corners = work + workCorners;
  let best = beyond;
  const base = work + workStack;
  let top = pushNode(base, 0, <f32>Infinity);
  while (top > base) {
    top -= nodeEntryBytes;
    const entry = changetype<NodeEntry>(top);
    if (<f64>entry.key <= best) continue;
    const level = levelOf(entry.node);
    const index = indexOf(entry.node);
    if (level === levels) {
      // Single precision first: most visited leaves do not reach beyond the best.
      const leaf = leafAt(tree, index);
      const reach = f32x4.pmax(
        f32x4.pmax(along(leaf.x0, leaf.y0, leaf.z0, x, y, z), along(leaf.x1, leaf.y1, leaf.z1, x, y, z)),
        along(leaf.x2, leaf.y2, leaf.z2, x, y, z),
      );
      const open = i32x4.bitmask(f32x4.gt(f32x4.add(reach, slack), f32x4.splat(<f32>best)));
      const count = slotsOfLeaf(tree, index);
      for (let i: u32 = 0; i < count; i++) {
        if (!(open & (1 << i))) continue;
        loadCorners(tree, (index << 2) + i, corners);
        for (let at = corners; at < corners + 72; at += 24) {
          const value = load<f64>(at) * dx + load<f64>(at, 8) * dy + load<f64>(at, 16) * dz;
          if (value <= best) continue;
          best = value;
          store<f64>(work, load<f64>(at));
          store<f64>(work, load<f64>(at, 8), 8);
          store<f64>(work, load<f64>(at, 16), 16);
        }
      }
      continue;
    }
    const node = nodeAt(tree, level, index);
    const middle = along(node.centreX, node.centreY, node.centreZ, x, y, z);
    const half = along(node.halfX, node.halfY, node.halfZ, ax, ay, az);
    const far = f32x4.add(f32x4.add(middle, half), slack);
    const mask = childMask(tree, level, index) & i32x4.bitmask(f32x4.gt(far, f32x4.splat(<f32>best)));
    const first = top;
    const child = firstChild(level, index);
    if (mask & 1) top = push(first, top, child, f32x4.extract_lane(far, 0));
    if (mask & 2) top = push(first, top, child + 1, f32x4.extract_lane(far, 1));
    if (mask & 4) top = push(first, top, child + 2, f32x4.extract_lane(far, 2));
    if (mask & 8) top = push(first, top, child + 3, f32x4.extract_lane(far, 3));
  }
  return best;
}

function along(px: v128, py: v128, pz: v128, x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(px, x), f32x4.mul(py, y)), f32x4.mul(pz, z));
}

/** Inserts an entry among those since `first`, so that the farthest along is taken next. */
function push(first: usize, top: usize, entry: u32, key: f32): usize {
  let at = top;
  while (at > first && changetype<NodeEntry>(at - nodeEntryBytes).key > key) {
    store<u64>(at, load<u64>(at - nodeEntryBytes));
    at -= nodeEntryBytes;
  }
  pushNode(at, entry, key);
  return top + nodeEntryBytes;
}

/**
 * How far the vertices of the solid reach beyond the planes of its faces at most, in the tree's frame; Infinity if that
 * is more than `tolerance`, or if a face has no plane. `sign` is 1 if faces point outward, −1 if inward. A face's plane
 * goes through its corner least far along the computed normal, whatever that is: no point of the face lies inside it,
 * so the region inside all planes holds no surface.
 */
export function convexExcess(tree: Tree, sign: f64, tolerance: f64, from: u32, count: u32, work: usize): f64 {
  const to = min(from + count, tree.triangleCount);
  const corners = work + workCorners;
  let excess: f64 = 0;
  for (let slot = from; slot < to; slot++) {
    loadCorners(tree, slot, corners);
    const ux = load<f64>(corners, 24) - load<f64>(corners);
    const uy = load<f64>(corners, 32) - load<f64>(corners, 8);
    const uz = load<f64>(corners, 40) - load<f64>(corners, 16);
    const vx = load<f64>(corners, 48) - load<f64>(corners);
    const vy = load<f64>(corners, 56) - load<f64>(corners, 8);
    const vz = load<f64>(corners, 64) - load<f64>(corners, 16);
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const length = sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 1e-300)) return Infinity;
    const inverse = sign / length;
    nx *= inverse;
    ny *= inverse;
    nz *= inverse;
    let height = Infinity;
    for (let at = corners; at < corners + 72; at += 24)
      height = min(height, nx * load<f64>(at) + ny * load<f64>(at, 8) + nz * load<f64>(at, 16));
    const reach = support(tree, nx, ny, nz, height + excess, work);
    excess = max(excess, reach - height);
    if (excess > tolerance) return Infinity;
  }
  return excess;
}
