// Four triangles against four: boxes and planes in single precision, four at a time, then the test on world doubles for
// the rest (triangles.as.ts).
//
// In A's frame every corner is known to within δ, the map's uncertainty, on each axis (frame.as.ts). So if two
// triangles meet, the box of B's moved triangle, enlarged by δ, meets the box of A's triangle. The same holds in B's
// frame. The remaining pairs go to crossing.as.ts.
//
// A leaf takes part in a dozen pairs within a short time. So what was computed for it is kept in a small cache per
// body, indexed by the leaf's number.

import { Leaf, laneOf, leafAt, leafBytes } from '../../../../bvh/cpu/build/layout.as';
import { mapBytes, mapDoubles, mapUncertainty } from '../../../../bvh/cpu/place/frame.as';
import { Body, worldTriangle } from '../../../../bvh/cpu/place/place.as';
import { anyMode, emitCertain, emitUnsure, firstMode, Job } from '../job/job.as';
import { crossRow } from './crossing.as';
import {
  hasMoved,
  hasNormals,
  hasWorld,
  KeptLeaf,
  keptBytes,
  keptCount,
  leafCacheBytes,
  MovedLeaf,
} from './leaf-cache.as';
import { meeting, separate, shareCorner, trianglesMeet } from './triangles.as';

/**
 * A serial number for a new pair of bodies. When all numbers have been used, the cache is cleared and they start again
 * at 1.
 */
export function renewSerial(job: Job): void {
  let serial = job.serial + 1;
  if (serial === 0) {
    memory.fill(job.leafCache, 0, leafCacheBytes);
    serial = 1;
  }
  job.serial = serial;
}

/** The cached data of a leaf, with at least its own bounds. */
export function keep(cache: usize, serial: u32, number: u32, leaf: Leaf): KeptLeaf {
  const kept = changetype<KeptLeaf>(cache + <usize>(number & (keptCount - 1)) * keptBytes);
  const tag = ((<u64>serial) << 32) | <u64>number;
  if (kept.tag !== tag) {
    renew(kept, tag, leaf);
  }
  return kept;
}

function renew(kept: KeptLeaf, tag: u64, leaf: Leaf): void {
  kept.tag = tag;
  kept.ready = 0;
  boundLeaf(leaf, kept);
}

/**
 * Transforms a leaf's triangles by a map, in double precision. Writes rows, boxes enlarged by the uncertainty, and
 * extents to `out`.
 */
export function moveLeaf(leaf: Leaf, map: usize, out: MovedLeaf): void {
  let extent = f32x4.splat(0);
  const slack = v128.load32_splat(map, mapUncertainty);
  for (let row: usize = 0; row < 3; row++) {
    const at = map + mapDoubles + (row << 6);
    const c0 = movedRow(changetype<usize>(leaf), at);
    const c1 = movedRow(changetype<usize>(leaf) + 48, at);
    const c2 = movedRow(changetype<usize>(leaf) + 96, at);
    const low = f32x4.pmin(f32x4.pmin(c0, c1), c2);
    const high = f32x4.pmax(f32x4.pmax(c0, c1), c2);
    extent = f32x4.pmax(extent, f32x4.sub(high, low));
    const to = changetype<usize>(out) + (row << 4);
    v128.store(to, c0);
    v128.store(to, c1, 48);
    v128.store(to, c2, 96);
    v128.store(to, f32x4.sub(low, slack), offsetof<MovedLeaf>('lowX'));
    v128.store(to, f32x4.add(high, slack), offsetof<MovedLeaf>('highX'));
  }
  out.extent = extent;
}

/** For one body against itself, with one frame: stores a leaf's triangles unmoved, without boxes. */
export function keepUnmoved(kept: KeptLeaf, leaf: Leaf): MovedLeaf {
  const ready = kept.ready;
  if (!(ready & hasMoved)) {
    memory.copy(changetype<usize>(kept.moved), changetype<usize>(leaf), leafBytes);
    kept.moved.extent = kept.extent;
    kept.ready = ready | hasMoved;
  }
  return kept.moved;
}

/** One coordinate of four corners (rows x, y, z) through a row of a map. */
function movedRow(corners: usize, map: usize): v128 {
  const rx = v128.load(map);
  const ry = v128.load(map, 16);
  const rz = v128.load(map, 32);
  const t = v128.load(map, 48);
  const first = movedTwo(corners, rx, ry, rz, t);
  const second = movedTwo(corners + 8, rx, ry, rz, t);
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(first), f32x4.demote_f64x2_zero(second), 0, 1, 4, 5);
}

function movedTwo(corners: usize, rx: v128, ry: v128, rz: v128, t: v128): v128 {
  const x = f64x2.promote_low_f32x4(v128.load64_zero(corners));
  const y = f64x2.promote_low_f32x4(v128.load64_zero(corners, 16));
  const z = f64x2.promote_low_f32x4(v128.load64_zero(corners, 32));
  return f64x2.add(f64x2.add(f64x2.add(f64x2.mul(rx, x), f64x2.mul(ry, y)), f64x2.mul(rz, z)), t);
}

function boundLeaf(leaf: Leaf, out: KeptLeaf): void {
  let extent = f32x4.splat(0);
  for (let row: usize = 0; row < 48; row += 16) {
    const corners = changetype<usize>(leaf) + row;
    const a = v128.load(corners);
    const b = v128.load(corners, 48);
    const c = v128.load(corners, 96);
    const low = f32x4.pmin(f32x4.pmin(a, b), c);
    const high = f32x4.pmax(f32x4.pmax(a, b), c);
    v128.store(out.box + row, low);
    v128.store(out.box + row, high, 48);
    extent = f32x4.pmax(extent, f32x4.sub(high, low));
  }
  out.extent = extent;
}

/** Normals (rows x, y, z) of a leaf's triangles. */
export function leafNormals(leaf: Leaf, out: usize): void {
  const x = leaf.x0;
  const y = leaf.y0;
  const z = leaf.z0;
  const ux = f32x4.sub(leaf.x1, x);
  const uy = f32x4.sub(leaf.y1, y);
  const uz = f32x4.sub(leaf.z1, z);
  const vx = f32x4.sub(leaf.x2, x);
  const vy = f32x4.sub(leaf.y2, y);
  const vz = f32x4.sub(leaf.z2, z);
  v128.store(out, f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy)));
  v128.store(out, f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz)), 16);
  v128.store(out, f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx)), 32);
}

/** Computes the normals of a kept leaf, unless it has them. */
export function keepNormals(leaf: Leaf, kept: KeptLeaf): void {
  if (kept.ready & hasNormals) return;
  leafNormals(leaf, kept.normals);
  kept.ready |= hasNormals;
}

/** Tests leaf `la` of A against leaf `lb` of B. The valid masks say which of their four triangles exist. */
export function leafPair(job: Job, a: Body, b: Body, la: u32, lb: u32, validA: u32, validB: u32): void {
  const frame = job.frame;
  const serial = job.serial;
  const leafA = leafAt(a.tree, la);
  const leafB = leafAt(b.tree, lb);
  const keptA = keep(job.leafCache, serial, la, leafA);
  const keptB = keep(job.leafCache + <usize>keptCount * keptBytes, serial, lb, leafB);
  if (!(keptB.ready & hasMoved)) {
    moveLeaf(leafB, frame, keptB.moved);
    keptB.ready |= hasMoved;
  }
  // A's axes, all sixteen pairs: bit 4i + j.
  let pairs = boxPairs(keptB.moved.box, keptA.box);
  pairs &= spreadMask(validA) & (validB * 0x1111);
  if (pairs === 0) return;
  // B's axes.
  if (!(keptA.ready & hasMoved)) {
    moveLeaf(leafA, frame + mapBytes, keptA.moved);
    keptA.ready |= hasMoved;
  }
  pairs &= boxPairs(keptB.box, keptA.moved.box);
  if (pairs === 0) return;
  job.triangleTests += <f64>popcnt(pairs);
  keepNormals(leafA, keptA);
  keepNormals(leafB, keptB);
  const etaA = f32x4.splat(load<f32>(frame, mapUncertainty) * 2.01);
  const etaB = f32x4.splat(load<f32>(frame, mapBytes + mapUncertainty) * 2.01);
  for (let i: u32 = 0; i < 4; i++) {
    let row = (pairs >> (i << 2)) & 15;
    if (row === 0) continue;
    const decided = crossRow(
      laneOf(leafA, i),
      laneOf(keptA, i),
      keptB.moved,
      leafB,
      keptB,
      laneOf(keptA.moved, i),
      etaA,
      etaB,
      row,
    );
    row &= ~(decided >> 4);
    const slotA = (la << 2) + i;
    for (; row !== 0; row &= row - 1) {
      const j = <u32>ctz(row);
      const slotB = (lb << 2) + j;
      let answer = meeting;
      let areJoined = false;
      if (!((decided >> j) & 1)) {
        const cornersA = keptWorldOf(keptA, a, slotA, i);
        const cornersB = keptWorldOf(keptB, b, slotB, j);
        areJoined = shareCorner(cornersA, cornersB);
        if (!areJoined) answer = trianglesMeet(cornersA, cornersB);
        if (answer === separate) continue;
      }
      const ta = load<u32>(a.tree.order + ((<usize>slotA) << 2));
      const tb = load<u32>(b.tree.order + ((<usize>slotB) << 2));
      if (answer === meeting) {
        // Unless they share a corner or one is degenerate, they cross (crossing.as.ts). A star-shaped solid has no
        // degenerate triangles.
        emitCertain(job, ta, tb, !areJoined);
        if (job.mode >= anyMode) return;
      } else {
        emitUnsure(job, ta, tb);
        if (job.mode === firstMode) return;
      }
    }
  }
}

/** Which of four boxes (rows: low x y z, high x y z) meet which of four others: bit 4·other + lane. */
function boxPairs(boxes: usize, others: usize): u32 {
  const lx = v128.load(boxes);
  const ly = v128.load(boxes, 16);
  const lz = v128.load(boxes, 32);
  const hx = v128.load(boxes, 48);
  const hy = v128.load(boxes, 64);
  const hz = v128.load(boxes, 80);
  return (
    boxRow(lx, ly, lz, hx, hy, hz, others) |
    (boxRow(lx, ly, lz, hx, hy, hz, others + 4) << 4) |
    (boxRow(lx, ly, lz, hx, hy, hz, others + 8) << 8) |
    (boxRow(lx, ly, lz, hx, hy, hz, others + 12) << 12)
  );
}

function boxRow(lx: v128, ly: v128, lz: v128, hx: v128, hy: v128, hz: v128, other: usize): u32 {
  const inside = v128.and(
    v128.and(
      v128.and(f32x4.le(lx, v128.load32_splat(other, 48)), f32x4.ge(hx, v128.load32_splat(other))),
      v128.and(f32x4.le(ly, v128.load32_splat(other, 64)), f32x4.ge(hy, v128.load32_splat(other, 16))),
    ),
    v128.and(f32x4.le(lz, v128.load32_splat(other, 80)), f32x4.ge(hz, v128.load32_splat(other, 32))),
  );
  return i32x4.bitmask(inside);
}

/** World corners of a cached leaf's triangle. */
export function keptWorldOf(kept: KeptLeaf, body: Body, slot: u32, lane: u32): usize {
  const corners = kept.world + <usize>lane * 72;
  const ready = kept.ready;
  if (!(ready & (hasWorld << lane))) {
    worldTriangle(body, slot, corners);
    kept.ready = ready | (hasWorld << lane);
  }
  return corners;
}

/** Bit i of a four-bit mask to bits 4i … 4i+3. */
function spreadMask(mask: u32): u32 {
  let rows: u32 = 0;
  if (mask & 1) rows |= 0xf;
  if (mask & 2) rows |= 0xf0;
  if (mask & 4) rows |= 0xf00;
  if (mask & 8) rows |= 0xf000;
  return rows;
}
