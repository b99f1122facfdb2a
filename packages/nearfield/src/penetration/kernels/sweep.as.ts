// How far must B move along a direction until it is clear of A for good, and how far can it move before it meets A?
// Both take the extreme over all pairs of triangles, by branch and bound over both trees: the first is the last time
// any pair meets (the largest exit), the second the first time (the smallest entry).
//
// Nothing here is trusted: times are off by some 10^-15, and the exact predicates verify what follows from them.

import { boxAt, childMask, Node, nodeAt, nodeBytes, Tree } from '../../bvh/cpu/build/layout.as';
import { firstChild, indexOf, levelOf } from '../../bvh/cpu/walk/node-word.as';
import { boxSlack, loadCorners, Model, modelWork, slotsOfLeaf } from './model.as';
import { sweepTriangles, sweptOf } from './sweep-triangles.as';

/** A triangle seen along the direction, in the frame of the sweep: its corners, then its box. */
@unmanaged
class SeenTriangle {
  x0: f64;
  y0: f64;
  z0: f64;
  x1: f64;
  y1: f64;
  z1: f64;
  x2: f64;
  y2: f64;
  z2: f64;
  lowX: f64;
  lowY: f64;
  lowZ: f64;
  highX: f64;
  highY: f64;
  highZ: f64;
}

/** A leaf's triangles, in a cache by the leaf's number. */
@unmanaged
class SeenLeaf {
  /** Which leaf, one higher, so that 0 means none. */
  number: u32;
  count: u32;

  get triangles(): usize {
    return changetype<usize>(this) + 16;
  }
}

/** A pair of nodes on the stack, and the first or last time at which they may meet. */
@unmanaged
class SweepEntry {
  a: u32;
  b: u32;
  key: f32;
}

const entryBytes: usize = offsetof<SweepEntry>();

// The work area: R, T and direction as floats in four lanes, frame rows, mapped boxes, triangles, stack.
const rowsAt: usize = modelWork;
const absAt: usize = rowsAt + 12 * 16;
const inverseAt: usize = absAt + 9 * 16;
const frameAt: usize = inverseAt + 3 * 16;
const lonelyA: usize = frameAt + 96;
const lonelyB: usize = lonelyA + nodeBytes;
const mappedAt: usize = lonelyB + nodeBytes;
/** Maps B's frame into the sweep's: nine doubles by rows, and the place of B's origin. */
const movedAt: usize = mappedAt + nodeBytes;
const leafSlots: u32 = 128;
const seenLeafBytes: usize = 16 + 4 * offsetof<SeenTriangle>();
const leavesA: usize = movedAt + 96;
const leavesB: usize = leavesA + <usize>leafSlots * seenLeafBytes;
const cornersAt: usize = leavesB + <usize>leafSlots * seenLeafBytes;
const stackAt: usize = cornersAt + 160;

function at(model: Model, offset: usize): usize {
  return changetype<usize>(model) + offset;
}

/**
 * With `out`, the largest exit above `from`, or one above `enough`, whichever is found first. Else the smallest entry
 * from −10^-9 up to `from`. (dx, dy, dz) is a unit vector in A's frame. The stack holds at most 16 pairs per level.
 */
export function sweep(model: Model, dx: f64, dy: f64, dz: f64, from: f64, enough: f64, out: bool): void {
  const swept = sweptOf(model);
  swept.time = from;
  swept.found = 0;
  const treeA = model.treeA;
  const treeB = model.treeB;
  prepare(model, dx, dy, dz);
  const levelsA = treeA.levelCount;
  const levelsB = treeB.levelCount;
  const steepX = v128.load(at(model, inverseAt));
  const steepY = v128.load(at(model, inverseAt), 16);
  const steepZ = v128.load(at(model, inverseAt), 32);
  const base = at(model, stackAt);
  let top = push(base, base, 0, 0, out ? <f32>Infinity : <f32>-Infinity, out);
  while (top > base) {
    top -= entryBytes;
    const entry = changetype<SweepEntry>(top);
    const key = <f64>entry.key;
    const best = swept.time;
    if (out ? key <= best : key >= best) continue;
    if (out && best > enough) break;
    const a = entry.a;
    const b = entry.b;
    const levelA = levelOf(a);
    const levelB = levelOf(b);
    const indexA = indexOf(a);
    const indexB = indexOf(b);
    if (levelA === levelsA && levelB === levelsB) {
      sweepLeaves(model, indexA, indexB, out);
      continue;
    }
    // A tree that has reached its leaves keeps its box; the other is opened.
    let nodeA = changetype<Node>(at(model, lonelyA));
    let nodeB = changetype<Node>(at(model, lonelyB));
    let maskA: u32 = 1;
    let maskB: u32 = 1;
    let childA = a;
    let childB = b;
    if (levelA < levelsA) {
      nodeA = nodeAt(treeA, levelA, indexA);
      maskA = childMask(treeA, levelA, indexA);
      childA = firstChild(levelA, indexA);
    } else spread(boxAt(treeA, levelA, indexA), nodeA);
    if (levelB < levelsB) {
      nodeB = nodeAt(treeB, levelB, indexB);
      maskB = childMask(treeB, levelB, indexB);
      childB = firstChild(levelB, indexB);
    } else spread(boxAt(treeB, levelB, indexB), nodeB);
    mapBoxes(model, nodeB);
    const limit = <f32>best;
    const first = top;
    const ax = nodeA.centreX;
    const ay = nodeA.centreY;
    const az = nodeA.centreZ;
    const ahx = nodeA.halfX;
    const ahy = nodeA.halfY;
    const ahz = nodeA.halfZ;
    for (let lane: u32 = 0; lane < 4; lane++) {
      if (!(maskB & (1 << lane))) continue;
      const other = at(model, mappedAt) + ((<usize>lane) << 2);
      // When B's moving box enters each of A's four along an axis, and when it leaves.
      const gapX = f32x4.mul(f32x4.sub(ax, v128.load32_splat(other)), steepX);
      const gapY = f32x4.mul(f32x4.sub(ay, v128.load32_splat(other, 16)), steepY);
      const gapZ = f32x4.mul(f32x4.sub(az, v128.load32_splat(other, 32)), steepZ);
      const reachX = f32x4.mul(f32x4.add(ahx, v128.load32_splat(other, 48)), f32x4.abs(steepX));
      const reachY = f32x4.mul(f32x4.add(ahy, v128.load32_splat(other, 64)), f32x4.abs(steepY));
      const reachZ = f32x4.mul(f32x4.add(ahz, v128.load32_splat(other, 80)), f32x4.abs(steepZ));
      const low = f32x4.pmax(
        f32x4.pmax(f32x4.sub(gapX, reachX), f32x4.sub(gapY, reachY)),
        f32x4.sub(gapZ, reachZ),
      );
      const high = f32x4.pmin(
        f32x4.pmin(f32x4.add(gapX, reachX), f32x4.add(gapY, reachY)),
        f32x4.add(gapZ, reachZ),
      );
      const times = out ? high : low;
      const useful = out
        ? f32x4.gt(high, f32x4.splat(limit))
        : v128.and(f32x4.lt(low, f32x4.splat(limit)), f32x4.ge(high, f32x4.splat(-1e-6)));
      const open = maskA & i32x4.bitmask(v128.and(useful, f32x4.le(low, high)));
      if (open & 1) top = push(first, top, childA, childB + lane, f32x4.extract_lane(times, 0), out);
      if (open & 2) top = push(first, top, childA + 1, childB + lane, f32x4.extract_lane(times, 1), out);
      if (open & 4) top = push(first, top, childA + 2, childB + lane, f32x4.extract_lane(times, 2), out);
      if (open & 8) top = push(first, top, childA + 3, childB + lane, f32x4.extract_lane(times, 3), out);
    }
  }
}

/** Inserts a pair among those since `first`, so that the most promising one is taken next. */
function push(first: usize, top: usize, a: u32, b: u32, key: f32, out: bool): usize {
  let place = top;
  while (place > first) {
    const other = changetype<SweepEntry>(place - entryBytes);
    if (out ? other.key <= key : other.key >= key) break;
    const entry = changetype<SweepEntry>(place);
    entry.a = other.a;
    entry.b = other.b;
    entry.key = other.key;
    place -= entryBytes;
  }
  const entry = changetype<SweepEntry>(place);
  entry.a = a;
  entry.b = b;
  entry.key = key;
  return top + entryBytes;
}

/** Floats of the map and of the direction, and a frame whose third axis is the direction. */
function prepare(model: Model, dx: f64, dy: f64, dz: f64): void {
  for (let i: usize = 0; i < 3; i++) {
    for (let j: usize = 0; j < 3; j++) {
      const r = load<f64>(model.r + ((i * 3 + j) << 3));
      v128.store(at(model, rowsAt) + ((i * 4 + j) << 4), f32x4.splat(<f32>r));
      v128.store(at(model, absAt) + ((i * 3 + j) << 4), f32x4.splat(<f32>abs(r)));
    }
    v128.store(at(model, rowsAt) + ((i * 4 + 3) << 4), f32x4.splat(<f32>load<f64>(model.t + (i << 3))));
    const d = i === 0 ? dx : i === 1 ? dy : dz;
    const steep = abs(d) < 1e-12 ? (d < 0 ? -1e12 : 1e12) : 1.0 / d;
    v128.store(at(model, inverseAt) + (i << 4), f32x4.splat(<f32>steep));
  }
  // The axis least along the direction, made perpendicular to it.
  const ax = abs(dx);
  const ay = abs(dy);
  const az = abs(dz);
  let ux: f64 = ax <= ay && ax <= az ? 1 : 0;
  let uy: f64 = ux === 0 && ay <= az ? 1 : 0;
  let uz: f64 = ux === 0 && uy === 0 ? 1 : 0;
  const along = ux * dx + uy * dy + uz * dz;
  ux -= along * dx;
  uy -= along * dy;
  uz -= along * dz;
  const length = 1.0 / sqrt(ux * ux + uy * uy + uz * uz);
  ux *= length;
  uy *= length;
  uz *= length;
  const frame = at(model, frameAt);
  store<f64>(frame, ux);
  store<f64>(frame, uy, 8);
  store<f64>(frame, uz, 16);
  store<f64>(frame, dy * uz - dz * uy, 24);
  store<f64>(frame, dz * ux - dx * uz, 32);
  store<f64>(frame, dx * uy - dy * ux, 40);
  store<f64>(frame, dx, 48);
  store<f64>(frame, dy, 56);
  store<f64>(frame, dz, 64);
  memory.fill(frame + 72, 0, 24);
  const moved = at(model, movedAt);
  for (let i: usize = 0; i < 3; i++) {
    const row = frame + i * 24;
    for (let j: usize = 0; j < 3; j++) {
      const column = model.r + (j << 3);
      const value =
        load<f64>(row) * load<f64>(column) +
        load<f64>(row, 8) * load<f64>(column, 24) +
        load<f64>(row, 16) * load<f64>(column, 48);
      store<f64>(moved + ((i * 3 + j) << 3), value);
    }
    const place = load<f64>(row) * model.tX + load<f64>(row, 8) * model.tY + load<f64>(row, 16) * model.tZ;
    store<f64>(moved + (i << 3), place, 72);
  }
  for (let leaf: u32 = 0; leaf < leafSlots; leaf++) {
    seenAt(at(model, leavesA), leaf).number = 0;
    seenAt(at(model, leavesB), leaf).number = 0;
  }
}

/** One box in all four lanes. */
function spread(box: usize, node: Node): void {
  const rows = changetype<usize>(node);
  for (let row: usize = 0; row < nodeBytes; row += 16) v128.store(rows + row, v128.load32_splat(box + row));
}

/** The four boxes of a node of B in A's frame. */
function mapBoxes(model: Model, node: Node): void {
  const x = node.centreX;
  const y = node.centreY;
  const z = node.centreZ;
  const hx = node.halfX;
  const hy = node.halfY;
  const hz = node.halfZ;
  const slack = f32x4.splat(boxSlack * 4);
  for (let i: usize = 0; i < 3; i++) {
    const row = at(model, rowsAt) + (i << 6);
    const size = at(model, absAt) + i * 48;
    const place = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(row), x), f32x4.mul(v128.load(row, 16), y)),
      f32x4.add(f32x4.mul(v128.load(row, 32), z), v128.load(row, 48)),
    );
    const half = f32x4.add(
      f32x4.add(f32x4.mul(v128.load(size), hx), f32x4.mul(v128.load(size, 16), hy)),
      f32x4.mul(v128.load(size, 32), hz),
    );
    // Far from A the sum's rounding grows with the place.
    const rounding = f32x4.mul(f32x4.abs(place), f32x4.splat(boxSlack));
    const out = at(model, mappedAt) + (i << 4);
    v128.store(out, place);
    v128.store(out, f32x4.add(f32x4.add(half, slack), rounding), 48);
  }
}

function seenAt(leaves: usize, place: u32): SeenLeaf {
  return changetype<SeenLeaf>(leaves + <usize>place * seenLeafBytes);
}

function triangleOf(seen: SeenLeaf, place: u32): SeenTriangle {
  return changetype<SeenTriangle>(seen.triangles + <usize>place * offsetof<SeenTriangle>());
}

function sweepLeaves(model: Model, leafA: u32, leafB: u32, out: bool): void {
  const seenA = seeLeaf(model, model.treeA, leafA, at(model, leavesA), at(model, frameAt));
  const seenB = seeLeaf(model, model.treeB, leafB, at(model, leavesB), at(model, movedAt));
  const swept = sweptOf(model);
  for (let j: u32 = 0; j < seenB.count; j++) {
    const b = triangleOf(seenB, j);
    for (let i: u32 = 0; i < seenA.count; i++) {
      const a = triangleOf(seenA, i);
      if (a.lowX > b.highX || b.lowX > a.highX) continue;
      if (a.lowY > b.highY || b.lowY > a.highY) continue;
      if (out) {
        if (a.highZ - b.lowZ <= swept.time) continue;
      } else {
        if (a.lowZ - b.highZ >= swept.time) continue;
        if (a.highZ - b.lowZ < -1e-6) continue;
      }
      sweepTriangles(model, at(model, frameAt), changetype<usize>(a), changetype<usize>(b), out);
    }
  }
}

/** The triangles of a leaf in the frame of the sweep, with their boxes there. */
function seeLeaf(model: Model, tree: Tree, leaf: u32, leaves: usize, map: usize): SeenLeaf {
  const seen = seenAt(leaves, leaf % leafSlots);
  if (seen.number === leaf + 1) return seen;
  const count = slotsOfLeaf(tree, leaf);
  seen.number = leaf + 1;
  seen.count = count;
  const corners = at(model, cornersAt);
  for (let i: u32 = 0; i < count; i++) {
    loadCorners(tree, (leaf << 2) + i, corners);
    look(corners, map, changetype<usize>(triangleOf(seen, i)));
  }
  return seen;
}

function look(corners: usize, map: usize, out: usize): void {
  for (let axis: usize = 0; axis < 3; axis++) {
    const row = map + axis * 24;
    const rx = load<f64>(row);
    const ry = load<f64>(row, 8);
    const rz = load<f64>(row, 16);
    const place = load<f64>(map + (axis << 3), 72);
    const p = rx * load<f64>(corners) + ry * load<f64>(corners, 8) + rz * load<f64>(corners, 16) + place;
    const q = rx * load<f64>(corners, 24) + ry * load<f64>(corners, 32) + rz * load<f64>(corners, 40) + place;
    const r = rx * load<f64>(corners, 48) + ry * load<f64>(corners, 56) + rz * load<f64>(corners, 64) + place;
    const to = out + (axis << 3);
    store<f64>(to, p);
    store<f64>(to, q, 24);
    store<f64>(to, r, 48);
    store<f64>(to, min(min(p, q), r), 72);
    store<f64>(to, max(max(p, q), r), 96);
  }
}
