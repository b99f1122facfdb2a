// Which triangle of a tree is nearest to a point? A walk down the tree with a bound, nearer boxes first. Boxes and
// triangles are tested four at a time in single precision, as far as that can rule them out. The rest is measured in
// double (point-triangle.as.ts).
//
// Bounds. In the tree's frame (bvh/cpu/build/layout.as.ts) stored vertices are off by at most 2^-24, and boxes hold
// them. The point q is known to `noise` (the pose's rounding, in world units through G) and is rounded to float,
// 2^-24·|q| on each axis. A box's distance on one axis, |q − c| − h, takes two roundings of at most |q| + 2. So each
// axis is off by at most
//   noise + 2^-24·(1 + |q| + 2·(|q| + 2)),
// the distance by √3 times that, and the sum of squares by a relative 4·2^-24. With slack = 1.8·noise + 2^-24·8·(|q| +
// 3), a box is too far if its computed squared distance exceeds (best + slack)²·(1 + 2^-20).
//
// Triangles: leaf-distances.as.ts has their bounds.
//
// Beyond |q| = 16 single precision separates boxes poorly, so boxes are measured in double and triangles at once.

import { childMask, laneOf, leafAt, Node, nodeAt } from '../../../bvh/cpu/build/layout.as';
import { Body, worldTriangle } from '../../../bvh/cpu/place/place.as';
import { NodeEntry, nodeEntryBytes, pushNode } from '../../../bvh/cpu/walk/node-entry.as';
import { copyDoubles } from '../triangles/copy.as';
import { Near, nearBytes, pointTriangle } from '../triangles/point-triangle.as';
import { nearTriangles } from './leaf-distances.as';

/** The nearest triangle so far, as pointTriangle writes it. */
@unmanaged
export class Closest extends Near {
  /** Its slot; −1 if there is none. */
  slot: i32;
  /** Candidates: slots whose lower bound was no more than the best upper bound when they were visited. */
  count: u32;

  /** The output of pointTriangle for a triangle, and its corners. */
  get trial(): Near {
    return changetype<Near>(changetype<usize>(this) + trialOffset);
  }

  get corners(): usize {
    return changetype<usize>(this) + cornersOffset;
  }

  /** Four squared distances of boxes, or what `leafDistances` writes. */
  get lanes(): usize {
    return changetype<usize>(this) + lanesOffset;
  }

  /** Room for the point in the tree's frame (world-point.as.ts). */
  get placed(): usize {
    return changetype<usize>(this) + placedOffset;
  }

  get stack(): usize {
    return changetype<usize>(this) + stackOffset;
  }
}

const trialOffset: usize = offsetof<Closest>();
const cornersOffset: usize = trialOffset + nearBytes;
const lanesOffset: usize = cornersOffset + 72;
const placedOffset: usize = lanesOffset + 48;
const stackOffset: usize = placedOffset + 32;
const stackEntries: usize = 64;
export const closestBytes: usize = stackOffset + nodeEntryBytes * stackEntries;

/** A triangle that may be the nearest. */
@unmanaged
export class NearTriangle {
  low: f64;
  slot: u32;

  /** The output of pointTriangle for it. */
  get near(): Near {
    return changetype<Near>(changetype<usize>(this) + 16);
  }

  get corners(): usize {
    return changetype<usize>(this) + 16 + nearBytes;
  }
}

export const candidateBytes: usize = 16 + nearBytes + 72;

export function candidateOf(list: usize, place: u32): NearTriangle {
  return changetype<NearTriangle>(list + <usize>place * candidateBytes);
}

const single: f64 = 5.9604644775390625e-8; // 2^-24
const up: f64 = 1.0000009536743164; // 1 + 2^-20
/** Points with larger coordinates in the tree's frame are measured in double. */
export const far: f64 = 16;

/** How far off computed distances of boxes and triangles may be. */
export function slackOf(noise: f64, reach: f64): f64 {
  return 1.8 * noise + single * 24.0 * (reach + 3.0);
}

/** Starts a search: nothing found yet, and nothing wanted beyond the bound. */
export function startClosest(scratch: Closest, bound: f64): void {
  scratch.low = bound;
  scratch.high = bound;
  scratch.slot = -1;
  scratch.count = 0;
}

/**
 * Measures one triangle and keeps it if it is the nearest so far. If a list is given, every triangle that may be the
 * nearest is added to it.
 */
export function tryTriangle(
  body: Body,
  slot: u32,
  x: f64,
  y: f64,
  z: f64,
  scratch: Closest,
  list: usize,
  capacity: u32,
): void {
  const corners = scratch.corners;
  const trial = scratch.trial;
  worldTriangle(body, slot, corners);
  pointTriangle(x, y, z, corners, trial);
  trial.certain = 0;
  const low = trial.low;
  const high = trial.high;
  const best = scratch.high;
  if (low > best) return;
  if (list !== 0) {
    let count = scratch.count;
    if (high < best) count = dropFarther(list, min(count, capacity), count, high);
    if (count < capacity) {
      const candidate = candidateOf(list, count);
      candidate.low = low;
      candidate.slot = slot;
      copyDoubles(changetype<usize>(candidate.near), changetype<usize>(trial), nearBytes);
      copyDoubles(candidate.corners, corners, 72);
    }
    scratch.count = count + 1;
  }
  const least = min(low, scratch.low);
  if (high < best || scratch.slot < 0) {
    copyDoubles(changetype<usize>(scratch), changetype<usize>(trial), nearBytes);
    scratch.slot = <i32>slot;
  }
  scratch.low = least;
}

/**
 * Drops candidates that are certainly farther than `high`. A list that has overflowed is left as it is, because it is
 * made again.
 */
function dropFarther(list: usize, kept: u32, count: u32, high: f64): u32 {
  if (kept < count) return count;
  let to = list;
  const end = list + <usize>count * candidateBytes;
  for (let at = list; at < end; at += candidateBytes) {
    if (changetype<NearTriangle>(at).low > high) continue;
    if (to !== at) copyDoubles(to, at, candidateBytes);
    to += candidateBytes;
  }
  return <u32>((to - list) / candidateBytes);
}

/**
 * The walk. (x, y, z) is the point in the space of the corners, (qx, qy, qz) in the tree's frame. `unit` times a
 * distance of the first space is no less than the distance in the second. `noise` bounds the error of the frame's
 * coordinates. The slot `tried` is skipped; −1 for none.
 */
export function walkClosest(
  body: Body,
  x: f64,
  y: f64,
  z: f64,
  qx: f64,
  qy: f64,
  qz: f64,
  unit: f64,
  noise: f64,
  scratch: Closest,
  list: usize,
  capacity: u32,
  tried: i32,
): void {
  const reach = max(abs(qx), max(abs(qy), abs(qz)));
  const doubles = !(reach <= far);
  const boxSlack = doubles
    ? 1.8 * noise + 2.384185791015625e-7 + 1e-14 * reach
    : 1.8 * noise + single * 8.0 * (reach + 3.0);
  const leafSlack = slackOf(noise, reach);
  const px = f32x4.splat(<f32>qx);
  const py = f32x4.splat(<f32>qy);
  const pz = f32x4.splat(<f32>qz);
  const tree = body.tree;
  const levels = tree.levelCount;
  const count = tree.triangleCount;
  const lanes = scratch.lanes;
  const bottom = scratch.stack;
  let best = scratch.high;
  let limit = limitOf(best, unit, boxSlack);
  let top = bottom;
  let entry: u32 = 0;
  for (;;) {
    const level = entry >> 28;
    const index = entry & 0xfffffff;
    if (level === levels) {
      let open: u32 = 15;
      const leaf = leafAt(tree, index);
      const left = count - (index << 2);
      if (left < 4) open = (1 << left) - 1;
      if (tried >> 2 === <i32>index) open &= ~(1 << (tried & 3));
      if (!doubles) open &= nearTriangles(leaf, px, py, pz, limitOf(best, unit, leafSlack), lanes);
      while (open !== 0) {
        // The one that seems nearest goes first: it may rule out the others.
        let lane = <u32>ctz(open);
        if (!doubles) {
          let least = load<f32>(lanes + ((<usize>lane) << 2));
          for (let rest = open & (open - 1); rest !== 0; rest &= rest - 1) {
            const other = load<f32>(lanes + ((<usize>ctz(rest)) << 2));
            if (other < least) {
              least = other;
              lane = <u32>ctz(rest);
            }
          }
        }
        open &= ~(1 << lane);
        tryTriangle(body, (index << 2) + lane, x, y, z, scratch, list, capacity);
        const now = scratch.high;
        if (now < best) {
          best = now;
          limit = limitOf(best, unit, boxSlack);
          if (!doubles && open !== 0)
            open &= nearTriangles(leaf, px, py, pz, limitOf(best, unit, leafSlack), lanes);
        }
      }
    } else {
      const node = nodeAt(tree, level, index);
      const distances = doubles ? farBoxes(node, qx, qy, qz) : nearBoxes(node, px, py, pz);
      let open: u32 = i32x4.bitmask(f32x4.le(distances, f32x4.splat(limit))) & childMask(tree, level, index);
      v128.store(lanes, distances);
      const first = ((level + 1) << 28) | (index << 2);
      // Pushes the farthest first.
      while (open !== 0) {
        let lane = <u32>ctz(open);
        let most = load<f32>(lanes + ((<usize>lane) << 2));
        for (let rest = open & (open - 1); rest !== 0; rest &= rest - 1) {
          const other = load<f32>(lanes + ((<usize>ctz(rest)) << 2));
          if (other > most) {
            most = other;
            lane = <u32>ctz(rest);
          }
        }
        open &= ~(1 << lane);
        top = pushNode(top, first + lane, most);
      }
    }
    for (;;) {
      if (top === bottom) return;
      top -= nodeEntryBytes;
      if (changetype<NodeEntry>(top).key <= limit) break;
    }
    entry = changetype<NodeEntry>(top).node;
  }
}

/**
 * (distance·unit + slack)² in single precision, rounded up. Infinite if it does not fit or is NaN, as for a body whose
 * pose is so nearly flat that its inverse overflows: then no box is ruled out.
 */
function limitOf(distance: f64, unit: f64, slack: f64): f32 {
  const reach = distance * unit + slack;
  return reach < Infinity ? <f32>(reach * reach * up) : <f32>Infinity;
}

/** Squared distances of a node's four boxes. */
export function nearBoxes(node: Node, x: v128, y: v128, z: v128): v128 {
  const zero = f32x4.splat(0);
  const dx = f32x4.pmax(zero, f32x4.sub(f32x4.abs(f32x4.sub(x, node.centreX)), node.halfX));
  const dy = f32x4.pmax(zero, f32x4.sub(f32x4.abs(f32x4.sub(y, node.centreY)), node.halfY));
  const dz = f32x4.pmax(zero, f32x4.sub(f32x4.abs(f32x4.sub(z, node.centreZ)), node.halfZ));
  return f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
}

/** The same in double, rounded to float at the end: a relative 2^-24, which the factor 1 + 2^-20 of the limit holds. */
function farBoxes(node: Node, x: f64, y: f64, z: f64): v128 {
  const low = farTwo(laneOf(node, 0), x, y, z);
  const high = farTwo(laneOf(node, 2), x, y, z);
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

function farTwo(box: usize, x: f64, y: f64, z: f64): v128 {
  const dx = farAxis(box, x);
  const dy = farAxis(box + 16, y);
  const dz = farAxis(box + 32, z);
  return f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
}

function farAxis(row: usize, x: f64): v128 {
  const centre = f64x2.promote_low_f32x4(v128.load64_zero(row));
  const half = f64x2.promote_low_f32x4(v128.load64_zero(row, 48));
  return f64x2.pmax(f64x2.splat(0), f64x2.sub(f64x2.abs(f64x2.sub(f64x2.splat(x), centre)), half));
}
