// Which triangles of one body lie near a ray or a box, by a walk down its tree. The answers contain every triangle that
// qualifies and maybe others.
//
// A box is treated as a second body without triangles: the frame of the pair and its bounds are those of frame.as.ts.
//
// A ray o + s·d is taken into the tree's frame in double: o' = G(o − W)·shrink, d' = G·d·shrink, both then off by no
// more than
//   noise_i = (|G| (e + 2^-48·(|o| + |W|) + slack)·shrink)_i + 1.01·‖F‖·(‖o'‖∞ + noise)     and
//   turn    = (2^-48·max_i(|G|·|d|·shrink)_i + 1.01·‖F‖·‖d'‖∞) / ‖d'‖∞ + 2^-50   per unit of s once d' has ‖d'‖∞ = 1.
// The start is moved along the ray to at most 4 before the point nearest to the tree's centre. Boxes lie within √3·1.01
// of the centre, so no point of a box is lost, and points of the ray in a box have 0 ≤ s ≤ 8 from there. In that
// interval the computed ray is within
// E_i = noise_i + turn·(moved + 8) + 2^-48·(‖o'‖∞ + moved) + 2^-24·16·(‖start‖∞ + 10) of the true one, the last term
// for single precision. If the computed ray misses a box enlarged by E, the true ray misses the box. A half-line and a
// box are apart iff one of the box's axes, or the cross product of one with the direction, separates them.

import { childMask, leafBytes, Node, nodeAt, nodeBytes, Tree } from '../build/layout.as';
import { powerAbove } from '../build/refit.as';
import { frameBytes, mapBytes, relate } from '../place/frame.as';
import { Body, bodyBytes, invertBody, markInverted } from '../place/place.as';
import { openOne } from './open.as';

/** A ray in the tree's frame, and E. */
@unmanaged
class Ray {
  x: f32;
  y: f32;
  z: f32;
  directionX: f32;
  directionY: f32;
  directionZ: f32;
  error: f32;
}

/** Scratch memory for a walk: the other body, the frame, one box or ray, a leaf as a node, a stack. */
const walkFrame: usize = bodyBytes;
const walkBox: usize = bodyBytes + frameBytes;
const walkLeaf: usize = walkBox + nodeBytes;
const walkStack: usize = walkLeaf + nodeBytes;
export const walkBytes: usize = walkStack + 4 * 256;

const noiseFactor: f64 = 3.552713678800501e-15; // 2^-48
const single: f64 = 5.9604644775390625e-8; // 2^-24

/**
 * The number of triangles with a point in the world box of six doubles at `box`. The first `capacity` are written to
 * `out`.
 */
export function walkBoxQuery(body: Body, box: usize, scratch: usize, out: usize, capacity: u32): u32 {
  if (body.tree.triangleCount === 0) return 0;
  memory.fill(scratch, 0, bodyBytes);
  const other = changetype<Body>(scratch);
  let largest: f64 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const low = load<f64>(box + axis);
    const high = load<f64>(box + axis, 24);
    const centre = low * 0.5 + high * 0.5;
    const half = max(high - centre, centre - low) * 1.0000000000000004; // 1 + 2^-51
    if (!(low <= high)) return 0;
    store<f64>(other.w + axis, centre);
    store<f64>(other.h + axis, half);
    store<f64>(other.e + axis, noiseFactor * (abs(centre) + half) + reinterpret<f64>((<u64>1) << 14));
    largest = max(largest, half);
  }
  const unscale = powerAbove(largest);
  const single1 = f32x4.splat(1.0000002384185791);
  for (let axis: usize = 0; axis < 3; axis++) {
    store<f64>(other.k + axis * 32, unscale);
    store<f64>(other.g + axis * 32, 1.0);
    const half = load<f64>(other.h + (axis << 3)) / unscale;
    store<f64>(other.h + (axis << 3), half);
    v128.store(scratch + walkBox + (axis << 4), f32x4.splat(0));
    v128.store(scratch + walkBox + (axis << 4), f32x4.mul(f32x4.splat(<f32>half), single1), 48);
  }
  other.shrink = 1.0 / unscale;
  other.f = noiseFactor;
  markInverted(other);
  relate(body, other, scratch + walkFrame);
  return walk(body, scratch, out, capacity, true);
}

/** The same for triangles within `slack` of the ray, six doubles at `ray`: origin, direction. */
export function walkRayQuery(
  body: Body,
  ray: usize,
  slack: f64,
  scratch: usize,
  out: usize,
  capacity: u32,
): u32 {
  const tree = body.tree;
  if (tree.triangleCount === 0) return 0;
  invertBody(body);
  const shrink = body.shrink;
  const f = body.f;
  const dw0 = load<f64>(ray, 24);
  const dw1 = load<f64>(ray, 32);
  const dw2 = load<f64>(ray, 40);
  const unit = 1.0 / powerAbove(max(abs(dw0), max(abs(dw1), abs(dw2))));
  let o0: f64 = 0;
  let o1: f64 = 0;
  let o2: f64 = 0;
  let d0: f64 = 0;
  let d1: f64 = 0;
  let d2: f64 = 0;
  let noise: f64 = 0;
  let spread: f64 = 0;
  for (let row: usize = 0; row < 3; row++) {
    let o: f64 = 0;
    let d: f64 = 0;
    let here: f64 = 0;
    let turned: f64 = 0;
    for (let axis: usize = 0; axis < 3; axis++) {
      const g = load<f64>(body.g + ((row + 3 * axis) << 3));
      const from = load<f64>(ray + (axis << 3));
      const w = load<f64>(body.w + (axis << 3));
      const e = load<f64>(body.e + (axis << 3));
      o += g * ((from - w) * shrink);
      here += abs(g) * ((e + noiseFactor * (abs(from) + abs(w)) + slack) * shrink);
      const direction = load<f64>(ray + (axis << 3), 24) * unit;
      d += g * direction;
      turned += abs(g * direction);
    }
    noise = max(noise, here);
    spread = max(spread, turned);
    if (row === 0) {
      o0 = o;
      d0 = d;
    } else if (row === 1) {
      o1 = o;
      d1 = d;
    } else {
      o2 = o;
      d2 = d;
    }
  }
  const length = max(abs(d0), max(abs(d1), abs(d2)));
  const size = max(abs(o0), max(abs(o1), abs(o2)));
  d0 /= length;
  d1 /= length;
  d2 /= length;
  noise = noise * 1.01 + 1.01 * f * (size + noise);
  const turn = (noiseFactor * spread + 1.01 * f * length) / length + 8.881784197001252e-16;
  const nearest = max<f64>(0, -(o0 * d0 + o1 * d1 + o2 * d2) / (d0 * d0 + d1 * d1 + d2 * d2));
  const skip = nearest - min<f64>(nearest, 4);
  o0 += skip * d0;
  o1 += skip * d1;
  o2 += skip * d2;
  const start = max(abs(o0), max(abs(o1), abs(o2)));
  const error = noise + turn * (skip + 8.0) + noiseFactor * (size + skip) + single * 16.0 * (start + 10.0);
  // Written so that NaN counts as too large: if a ray cannot be placed, all triangles are returned.
  if (!(error < 1e12)) return everything(tree, out, capacity);
  if (start - error > 16.0) return 0;
  const placed = changetype<Ray>(scratch + walkBox);
  placed.x = <f32>o0;
  placed.y = <f32>o1;
  placed.z = <f32>o2;
  placed.directionX = <f32>d0;
  placed.directionY = <f32>d1;
  placed.directionZ = <f32>d2;
  placed.error = <f32>(error * 1.000001);
  return walk(body, scratch, out, capacity, false);
}

function everything(tree: Tree, out: usize, capacity: u32): u32 {
  const count = tree.triangleCount;
  if (count <= capacity) for (let i: u32 = 0; i < count; i++) store<u32>(out + ((<usize>i) << 2), i);
  return count;
}

function walk(body: Body, scratch: usize, out: usize, capacity: u32, boxes: bool): u32 {
  const tree = body.tree;
  const count = tree.triangleCount;
  if (count === 0) return 0;
  const levels = tree.levelCount;
  const leaves = tree.leaves;
  const order = tree.order;
  let found: u32 = 0;
  let top = scratch + walkStack;
  store<u32>(top, 0);
  top += 4;
  while (top > scratch + walkStack) {
    top -= 4;
    const entry = load<u32>(top);
    const level = entry >> 28;
    const index = entry & 0xfffffff;
    if (level === levels) {
      leafAsNode(leaves + <usize>index * leafBytes, scratch + walkLeaf);
      let open = test(changetype<Node>(scratch + walkLeaf), scratch, boxes);
      for (; open !== 0; open &= open - 1) {
        const slot = (index << 2) + <u32>ctz(open);
        if (slot >= count) break;
        if (found < capacity)
          store<u32>(out + ((<usize>found) << 2), load<u32>(order + ((<usize>slot) << 2)));
        found++;
      }
      continue;
    }
    let open = test(nodeAt(tree, level, index), scratch, boxes) & childMask(tree, level, index);
    for (; open !== 0; open &= open - 1) {
      store<u32>(top, ((level + 1) << 28) | ((index << 2) + <u32>ctz(open)));
      top += 4;
    }
  }
  return found;
}

function test(node: Node, scratch: usize, boxes: bool): u32 {
  return boxes
    ? openOne(node, scratch + walkBox, scratch + walkFrame, scratch + walkFrame + mapBytes)
    : openRay(node, changetype<Ray>(scratch + walkBox));
}

/** The boxes of a leaf's triangles, laid out as a node, rounded outward as in refit.as.ts. */
function leafAsNode(leaf: usize, out: usize): void {
  const up = f32x4.splat(1.0000002384185791);
  for (let row: usize = 0; row < 48; row += 16) {
    const a = v128.load(leaf + row);
    const b = v128.load(leaf + row, 48);
    const c = v128.load(leaf + row, 96);
    const low = f32x4.pmin(f32x4.pmin(a, b), c);
    const high = f32x4.pmax(f32x4.pmax(a, b), c);
    const centre = f32x4.mul(f32x4.add(low, high), f32x4.splat(0.5));
    v128.store(out + row, centre);
    v128.store(out + row, f32x4.mul(f32x4.pmax(f32x4.sub(high, centre), f32x4.sub(centre, low)), up), 48);
  }
}

function openRay(node: Node, ray: Ray): u32 {
  const error = f32x4.splat(ray.error);
  const rx = f32x4.sub(node.centreX, f32x4.splat(ray.x));
  const ry = f32x4.sub(node.centreY, f32x4.splat(ray.y));
  const rz = f32x4.sub(node.centreZ, f32x4.splat(ray.z));
  const hx = f32x4.add(node.halfX, error);
  const hy = f32x4.add(node.halfY, error);
  const hz = f32x4.add(node.halfZ, error);
  const dx = f32x4.splat(ray.directionX);
  const dy = f32x4.splat(ray.directionY);
  const dz = f32x4.splat(ray.directionZ);
  const ax = f32x4.abs(dx);
  const ay = f32x4.abs(dy);
  const az = f32x4.abs(dz);
  let outside = behind(rx, hx, dx);
  outside = v128.or(outside, behind(ry, hy, dy));
  outside = v128.or(outside, behind(rz, hz, dz));
  outside = v128.or(outside, besides(ry, rz, hy, hz, dy, dz, ay, az));
  outside = v128.or(outside, besides(rz, rx, hz, hx, dz, dx, az, ax));
  outside = v128.or(outside, besides(rx, ry, hx, hy, dx, dy, ax, ay));
  return ~i32x4.bitmask(outside) & 15;
}

/** Lanes whose box lies entirely behind the start on this axis, opposite to the direction. */
function behind(r: v128, h: v128, d: v128): v128 {
  const zero = f32x4.splat(0);
  const forward = f32x4.add(r, h);
  const backward = f32x4.sub(h, r);
  const onward = v128.and(f32x4.lt(forward, zero), f32x4.ge(d, zero));
  return v128.or(onward, v128.and(f32x4.lt(backward, zero), f32x4.le(d, zero)));
}

function besides(r: v128, s: v128, h: v128, k: v128, d: v128, e: v128, ad: v128, ae: v128): v128 {
  return f32x4.gt(
    f32x4.abs(f32x4.sub(f32x4.mul(r, e), f32x4.mul(s, d))),
    f32x4.add(f32x4.mul(h, ae), f32x4.mul(k, ad)),
  );
}
