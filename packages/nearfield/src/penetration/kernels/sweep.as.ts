// How far must B move along a direction until it is clear of A for good, and how far can it move before it meets A?
// Both take the extreme over all pairs of triangles, by branch and bound over both trees: the first is the last time
// any pair meets (the largest exit), the second the first time (the smallest entry).
//
// Nothing here is trusted: times are off by some 10^-15, and the exact predicates verify what follows from them.

import { boxAt, childMask, nodeAt, nodeBytes, treeLevelCount } from '../../bvh/cpu/build/layout.as';
import {
  boxSlack,
  loadCorners,
  modelR,
  modelT,
  modelTreeA,
  modelTreeB,
  modelWork,
  slotsOfLeaf,
} from './model.as';
import { sweepFound, sweepTime, sweepTriangles } from './sweep-triangles.as';

/** Offsets in the work area: R, T and direction as floats in four lanes, frame rows, mapped boxes, triangles, stack. */
const rowsAt: usize = modelWork;
const absAt: usize = rowsAt + 12 * 16;
const inverseAt: usize = absAt + 9 * 16;
const frameAt: usize = inverseAt + 3 * 16;
const lonelyA: usize = frameAt + 96;
const lonelyB: usize = lonelyA + nodeBytes;
const mappedAt: usize = lonelyB + nodeBytes;
/** Maps B's frame into the sweep's: nine doubles by rows, and the place of B's origin. */
const movedAt: usize = mappedAt + nodeBytes;
/** A triangle seen along the direction: nine doubles, then its box there, low and high. */
const seenBytes: usize = 120;
/** A cache of leaves' triangles, by the leaf's number: which leaf, how many, then the triangles. */
const leafSlots: u32 = 128;
const seenLeafBytes: usize = 16 + 4 * seenBytes;
const leavesA: usize = movedAt + 96;
const leavesB: usize = leavesA + <usize>leafSlots * seenLeafBytes;
const cornersAt: usize = leavesB + <usize>leafSlots * seenLeafBytes;
const stackAt: usize = cornersAt + 160;

/**
 * With `out`, the largest exit above `from`, or one above `enough`, whichever is found first. Else the smallest entry
 * from −10^-9 up to `from`. (dx, dy, dz) is a unit vector in A's frame. The stack holds at most 16 pairs per level.
 */
export function sweep(model: usize, dx: f64, dy: f64, dz: f64, from: f64, enough: f64, out: bool): void {
  store<f64>(model, from, sweepTime);
  store<f64>(model, 0, sweepFound);
  const treeA = load<usize>(model, modelTreeA);
  const treeB = load<usize>(model, modelTreeB);
  prepare(model, dx, dy, dz);
  const levelsA = load<u32>(treeA, treeLevelCount);
  const levelsB = load<u32>(treeB, treeLevelCount);
  const steepX = v128.load(model, inverseAt);
  const steepY = v128.load(model, inverseAt + 16);
  const steepZ = v128.load(model, inverseAt + 32);
  const base = model + stackAt;
  let top = base;
  store<u32>(top, 0);
  store<u32>(top, 0, 4);
  store<f32>(top, out ? <f32>Infinity : <f32>-Infinity, 8);
  top += 12;
  while (top > base) {
    top -= 12;
    const key = <f64>load<f32>(top, 8);
    const best = load<f64>(model, sweepTime);
    if (out ? key <= best : key >= best) continue;
    if (out && best > enough) break;
    const a = load<u32>(top);
    const b = load<u32>(top, 4);
    const levelA = a >> 28;
    const levelB = b >> 28;
    const indexA = a & 0xfffffff;
    const indexB = b & 0xfffffff;
    if (levelA === levelsA && levelB === levelsB) {
      sweepLeaves(model, indexA, indexB, out);
      continue;
    }
    // A tree that has reached its leaves keeps its box; the other is opened.
    let nodeA = model + lonelyA;
    let nodeB = model + lonelyB;
    let maskA: u32 = 1;
    let maskB: u32 = 1;
    let childA = a;
    let childB = b;
    if (levelA < levelsA) {
      nodeA = nodeAt(treeA, levelA, indexA);
      maskA = childMask(treeA, levelA, indexA);
      childA = ((levelA + 1) << 28) | (indexA << 2);
    } else spread(boxAt(treeA, levelA, indexA), nodeA);
    if (levelB < levelsB) {
      nodeB = nodeAt(treeB, levelB, indexB);
      maskB = childMask(treeB, levelB, indexB);
      childB = ((levelB + 1) << 28) | (indexB << 2);
    } else spread(boxAt(treeB, levelB, indexB), nodeB);
    mapBoxes(model, nodeB);
    const limit = <f32>best;
    const first = top;
    const ax = v128.load(nodeA);
    const ay = v128.load(nodeA, 16);
    const az = v128.load(nodeA, 32);
    const ahx = v128.load(nodeA, 48);
    const ahy = v128.load(nodeA, 64);
    const ahz = v128.load(nodeA, 80);
    for (let lane: u32 = 0; lane < 4; lane++) {
      if (!(maskB & (1 << lane))) continue;
      const other = model + mappedAt + ((<usize>lane) << 2);
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
  let at = top;
  while (at > first) {
    const other = load<f32>(at - 12, 8);
    if (out ? other <= key : other >= key) break;
    store<u64>(at, load<u64>(at - 12));
    store<u32>(at, load<u32>(at - 12, 8), 8);
    at -= 12;
  }
  store<u32>(at, a);
  store<u32>(at, b, 4);
  store<f32>(at, key, 8);
  return top + 12;
}

/** Floats of the map and of the direction, and a frame whose third axis is the direction. */
function prepare(model: usize, dx: f64, dy: f64, dz: f64): void {
  for (let i: usize = 0; i < 3; i++) {
    for (let j: usize = 0; j < 3; j++) {
      const r = load<f64>(model + ((i * 3 + j) << 3), modelR);
      v128.store(model + rowsAt + ((i * 4 + j) << 4), f32x4.splat(<f32>r));
      v128.store(model + absAt + ((i * 3 + j) << 4), f32x4.splat(<f32>abs(r)));
    }
    v128.store(model + rowsAt + ((i * 4 + 3) << 4), f32x4.splat(<f32>load<f64>(model + (i << 3), modelT)));
    const d = i === 0 ? dx : i === 1 ? dy : dz;
    const steep = abs(d) < 1e-12 ? (d < 0 ? -1e12 : 1e12) : 1.0 / d;
    v128.store(model + inverseAt + (i << 4), f32x4.splat(<f32>steep));
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
  const frame = model + frameAt;
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
  const moved = model + movedAt;
  for (let i: usize = 0; i < 3; i++) {
    const row = frame + i * 24;
    for (let j: usize = 0; j < 3; j++) {
      const column = model + modelR + (j << 3);
      const value =
        load<f64>(row) * load<f64>(column) +
        load<f64>(row, 8) * load<f64>(column, 24) +
        load<f64>(row, 16) * load<f64>(column, 48);
      store<f64>(moved + ((i * 3 + j) << 3), value);
    }
    const place =
      load<f64>(row) * load<f64>(model, modelT) +
      load<f64>(row, 8) * load<f64>(model, modelT + 8) +
      load<f64>(row, 16) * load<f64>(model, modelT + 16);
    store<f64>(moved + (i << 3), place, 72);
  }
  for (let slot: usize = 0; slot < <usize>leafSlots; slot++) {
    store<u32>(model + leavesA + slot * seenLeafBytes, 0);
    store<u32>(model + leavesB + slot * seenLeafBytes, 0);
  }
}

/** One box in all four lanes. */
function spread(box: usize, node: usize): void {
  for (let row: usize = 0; row < 96; row += 16) v128.store(node + row, v128.load32_splat(box + row));
}

/** The four boxes of a node of B in A's frame. */
function mapBoxes(model: usize, node: usize): void {
  const x = v128.load(node);
  const y = v128.load(node, 16);
  const z = v128.load(node, 32);
  const hx = v128.load(node, 48);
  const hy = v128.load(node, 64);
  const hz = v128.load(node, 80);
  const slack = f32x4.splat(boxSlack * 4);
  for (let i: usize = 0; i < 3; i++) {
    const row = model + rowsAt + (i << 6);
    const size = model + absAt + i * 48;
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
    const out = model + mappedAt + (i << 4);
    v128.store(out, place);
    v128.store(out, f32x4.add(f32x4.add(half, slack), rounding), 48);
  }
}

function sweepLeaves(model: usize, leafA: u32, leafB: u32, out: bool): void {
  const seenA = seeLeaf(model, load<usize>(model, modelTreeA), leafA, model + leavesA, model + frameAt);
  const seenB = seeLeaf(model, load<usize>(model, modelTreeB), leafB, model + leavesB, model + movedAt);
  const endA = seenA + 16 + <usize>load<u32>(seenA, 4) * seenBytes;
  const endB = seenB + 16 + <usize>load<u32>(seenB, 4) * seenBytes;
  for (let b = seenB + 16; b < endB; b += seenBytes) {
    for (let a = seenA + 16; a < endA; a += seenBytes) {
      if (load<f64>(a, 72) > load<f64>(b, 96) || load<f64>(b, 72) > load<f64>(a, 96)) continue;
      if (load<f64>(a, 80) > load<f64>(b, 104) || load<f64>(b, 80) > load<f64>(a, 104)) continue;
      const best = load<f64>(model, sweepTime);
      if (out) {
        if (load<f64>(a, 112) - load<f64>(b, 88) <= best) continue;
      } else {
        if (load<f64>(a, 88) - load<f64>(b, 112) >= best) continue;
        if (load<f64>(a, 112) - load<f64>(b, 88) < -1e-6) continue;
      }
      sweepTriangles(model, model + frameAt, a, b, out);
    }
  }
}

/** The triangles of a leaf in the frame of the sweep, with their boxes there. */
function seeLeaf(model: usize, tree: usize, leaf: u32, leaves: usize, map: usize): usize {
  const seen = leaves + <usize>(leaf % leafSlots) * seenLeafBytes;
  // Stored numbers are one higher, so that 0 means no leaf.
  if (load<u32>(seen) === leaf + 1) return seen;
  const count = slotsOfLeaf(tree, leaf);
  store<u32>(seen, leaf + 1);
  store<u32>(seen, count, 4);
  const corners = model + cornersAt;
  for (let i: u32 = 0; i < count; i++) {
    loadCorners(tree, (leaf << 2) + i, corners);
    look(corners, map, seen + 16 + <usize>i * seenBytes);
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
