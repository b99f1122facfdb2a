// Which triangles of one body lie near a ray or a box, by a walk down its tree. The answers contain every triangle that
// qualifies and maybe others.
//
// A box is treated as a second body without triangles: the frame of the pair and its bounds are those of frame.as.ts.
// A ray is placed in the tree's frame by ray.as.ts.

import { childMask, leafBytes, Node, nodeAt, nodeBytes, Tree } from '../build/layout.as';
import { powerAbove } from '../build/refit.as';
import { frameBytes, mapBytes, relate } from '../place/frame.as';
import { Body, bodyBytes } from '../place/place.as';
import { indexOf, levelOf, nodeWord } from './node-word.as';
import { openOne } from './open.as';
import { openRay, placeRay, Ray, rayMisses, rayUnplaced } from './ray.as';

/** Scratch memory for a walk: the other body, the frame, one box or ray, a leaf as a node, four numbers, a stack. */
const walkFrame: usize = bodyBytes;
const walkBox: usize = bodyBytes + frameBytes;
const walkLeaf: usize = walkBox + nodeBytes;
const walkLanes: usize = walkLeaf + nodeBytes;
const walkStack: usize = walkLanes + 16;
export const walkBytes: usize = walkStack + 4 * 256;

const noiseFactor: f64 = 3.552713678800501e-15; // 2^-48

/**
 * The number of triangles with a point in the world box of six doubles at `box`. The first `capacity` are written to
 * `out`.
 */
export function walkBoxQuery(body: Body, box: usize, scratch: usize, out: usize, capacity: u32): u32 {
  if (body.tree.triangleCount === 0) return 0;
  for (let axis: usize = 0; axis < 24; axis += 8)
    if (!(load<f64>(box + axis) <= load<f64>(box + axis, 24))) return 0;
  relateBox(body, box, changetype<Body>(scratch), scratch + walkBox, scratch + walkFrame);
  return walk(body, scratch, out, capacity, true);
}

/**
 * Makes the world box of six doubles at `box` the body `other`, writes its box in its own frame to `rows`, laid out as a node, and
 * the frame of the pair to `frame`. The box must not be empty.
 */
export function relateBox(body: Body, box: usize, other: Body, rows: usize, frame: usize): void {
  memory.fill(changetype<usize>(other), 0, bodyBytes);
  let largest: f64 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const low = load<f64>(box + axis);
    const high = load<f64>(box + axis, 24);
    const centre = low * 0.5 + high * 0.5;
    const half = max(high - centre, centre - low) * 1.0000000000000004; // 1 + 2^-51
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
    v128.store(rows + (axis << 4), f32x4.splat(0));
    v128.store(rows + (axis << 4), f32x4.mul(f32x4.splat(<f32>half), single1), 48);
  }
  other.shrink = 1.0 / unscale;
  other.f = noiseFactor;
  relate(body, other, frame);
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
  const placed = changetype<Ray>(scratch + walkBox);
  const state = placeRay(body, ray, slack, placed);
  if (state === rayMisses) return 0;
  return state === rayUnplaced ? everything(tree, out, capacity) : walk(body, scratch, out, capacity, false);
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
    const level = levelOf(entry);
    const index = indexOf(entry);
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
      store<u32>(top, nodeWord(level + 1, (index << 2) + <u32>ctz(open)));
      top += 4;
    }
  }
  return found;
}

function test(node: Node, scratch: usize, boxes: bool): u32 {
  return boxes
    ? openOne(node, scratch + walkBox, scratch + walkFrame, scratch + walkFrame + mapBytes)
    : openRay(node, changetype<Ray>(scratch + walkBox), <f32>Infinity, scratch + walkLanes);
}

/** The boxes of a leaf's triangles, laid out as a node, rounded outward as in refit.as.ts. */
export function leafAsNode(leaf: usize, out: usize): void {
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
