// Four triangles against four: boxes and planes in single precision, four at a time, then the test on world doubles for
// the rest (triangles.as.ts).
//
// In A's frame every corner is known to within δ, the map's uncertainty, on each axis (frame.as.ts). So if two
// triangles meet, the box of B's moved triangle, enlarged by δ, meets the box of A's triangle. The same holds in B's
// frame. The remaining pairs go to crossing.as.ts.
//
// A leaf takes part in a dozen pairs within a short time. So what was computed for it is kept in a small cache per
// body, indexed by the leaf's number.

import { leafBytes } from '../../../../bvh/cpu/build/layout.as';
import { mapBytes, mapDoubles, mapUncertainty } from '../../../../bvh/cpu/place/frame.as';
import { Body, worldTriangle } from '../../../../bvh/cpu/place/place.as';
import { anyMode, emitCertain, emitUnsure, firstMode, Job } from '../job/job.as';
import { crossRow } from './crossing.as';
import { keptBytes, keptCount, leafCacheBytes } from './leaf-cache.as';
import { meeting, separate, shareCorner, trianglesMeet } from './triangles.as';

// What is cached per leaf: low and high x y z and the largest extent of its triangles in its own frame; its triangles
// in the other body's frame, their low and high enlarged by the slack, and their largest extent; normals in its own
// frame; world corners. Rows of four floats, one lane per triangle; the world corners are doubles.
const keptTag: usize = 0;
/** What has been computed. Bit 0: the moved triangles; bit 1: normals; bits 4 to 7: world corners per triangle. */
export const keptReady: usize = 8;
export const keptOwn: usize = 16;
export const ownHigh: usize = 48;
export const ownExtent: usize = 96;
const keptMoved: usize = 128;
const movedLow: usize = 144;
const movedHigh: usize = 192;
export const movedExtent: usize = 240;
export const keptNormals: usize = 384;
const keptWorld: usize = 432;

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
export function keep(cache: usize, serial: u32, number: u32, leaf: usize): usize {
  const kept = cache + <usize>(number & (keptCount - 1)) * keptBytes;
  const tag = ((<u64>serial) << 32) | <u64>number;
  if (load<u64>(kept, keptTag) !== tag) {
    renew(kept, tag, leaf);
  }
  return kept;
}

function renew(kept: usize, tag: u64, leaf: usize): void {
  store<u64>(kept, tag, keptTag);
  store<u32>(kept, 0, keptReady);
  boundLeaf(leaf, kept + keptOwn);
}

/**
 * Transforms a leaf's triangles by a map, in double precision. Writes rows, boxes enlarged by the uncertainty, and
 * extents to `out`.
 */
export function moveLeaf(leaf: usize, map: usize, out: usize): void {
  let extent = f32x4.splat(0);
  const slack = v128.load32_splat(map, mapUncertainty);
  for (let row: usize = 0; row < 3; row++) {
    const at = map + mapDoubles + (row << 6);
    const c0 = movedRow(leaf, at);
    const c1 = movedRow(leaf + 48, at);
    const c2 = movedRow(leaf + 96, at);
    const low = f32x4.pmin(f32x4.pmin(c0, c1), c2);
    const high = f32x4.pmax(f32x4.pmax(c0, c1), c2);
    extent = f32x4.pmax(extent, f32x4.sub(high, low));
    const to = out + (row << 4);
    v128.store(to, c0);
    v128.store(to, c1, 48);
    v128.store(to, c2, 96);
    v128.store(to, f32x4.sub(low, slack), movedLow);
    v128.store(to, f32x4.add(high, slack), movedHigh);
  }
  v128.store(out, extent, movedExtent);
}

/** For one body against itself, with one frame: stores a leaf's triangles unmoved, without boxes. */
export function keepUnmoved(kept: usize, leaf: usize): usize {
  const ready = load<u32>(kept, keptReady);
  if (!(ready & 1)) {
    memory.copy(kept + keptMoved, leaf, leafBytes);
    v128.store(kept, v128.load(kept, keptOwn + ownExtent), keptMoved + movedExtent);
    store<u32>(kept, ready | 1, keptReady);
  }
  return kept + keptMoved;
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

export function boundLeaf(leaf: usize, out: usize): void {
  let extent = f32x4.splat(0);
  for (let row: usize = 0; row < 48; row += 16) {
    const a = v128.load(leaf + row);
    const b = v128.load(leaf + row, 48);
    const c = v128.load(leaf + row, 96);
    const low = f32x4.pmin(f32x4.pmin(a, b), c);
    const high = f32x4.pmax(f32x4.pmax(a, b), c);
    v128.store(out + row, low);
    v128.store(out + row, high, ownHigh);
    extent = f32x4.pmax(extent, f32x4.sub(high, low));
  }
  v128.store(out, extent, ownExtent);
}

/** Normals (rows x, y, z) of a leaf's triangles. */
export function leafNormals(leaf: usize, out: usize): void {
  const x = v128.load(leaf);
  const y = v128.load(leaf, 16);
  const z = v128.load(leaf, 32);
  const ux = f32x4.sub(v128.load(leaf, 48), x);
  const uy = f32x4.sub(v128.load(leaf, 64), y);
  const uz = f32x4.sub(v128.load(leaf, 80), z);
  const vx = f32x4.sub(v128.load(leaf, 96), x);
  const vy = f32x4.sub(v128.load(leaf, 112), y);
  const vz = f32x4.sub(v128.load(leaf, 128), z);
  v128.store(out, f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy)));
  v128.store(out, f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz)), 16);
  v128.store(out, f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx)), 32);
}

/** Tests leaf `la` of A against leaf `lb` of B. The valid masks say which of their four triangles exist. */
export function leafPair(job: Job, a: Body, b: Body, la: u32, lb: u32, validA: u32, validB: u32): void {
  const frame = job.frame;
  const serial = job.serial;
  const leafA = a.tree.leaves + <usize>la * leafBytes;
  const leafB = b.tree.leaves + <usize>lb * leafBytes;
  const keptA = keep(job.leafCache, serial, la, leafA);
  const keptB = keep(job.leafCache + <usize>keptCount * keptBytes, serial, lb, leafB);
  if (!(load<u32>(keptB, keptReady) & 1)) {
    moveLeaf(leafB, frame, keptB + keptMoved);
    store<u32>(keptB, load<u32>(keptB, keptReady) | 1, keptReady);
  }
  // A's axes, all sixteen pairs: bit 4i + j.
  let pairs = boxPairs(keptB + keptMoved + movedLow, keptA + keptOwn);
  pairs &= spreadMask(validA) & (validB * 0x1111);
  if (pairs === 0) return;
  // B's axes.
  if (!(load<u32>(keptA, keptReady) & 1)) {
    moveLeaf(leafA, frame + mapBytes, keptA + keptMoved);
    store<u32>(keptA, load<u32>(keptA, keptReady) | 1, keptReady);
  }
  pairs &= boxPairs(keptB + keptOwn, keptA + keptMoved + movedLow);
  if (pairs === 0) return;
  job.triangleTests += <f64>popcnt(pairs);
  if (!(load<u32>(keptA, keptReady) & 2)) {
    leafNormals(leafA, keptA + keptNormals);
    store<u32>(keptA, load<u32>(keptA, keptReady) | 2, keptReady);
  }
  if (!(load<u32>(keptB, keptReady) & 2)) {
    leafNormals(leafB, keptB + keptNormals);
    store<u32>(keptB, load<u32>(keptB, keptReady) | 2, keptReady);
  }
  const etaA = f32x4.splat(load<f32>(frame, mapUncertainty) * 2.01);
  const etaB = f32x4.splat(load<f32>(frame, mapBytes + mapUncertainty) * 2.01);
  for (let i: u32 = 0; i < 4; i++) {
    let row = (pairs >> (i << 2)) & 15;
    if (row === 0) continue;
    const lane = (<usize>i) << 2;
    const decided = crossRow(
      leafA + lane,
      keptA + lane,
      keptB + keptMoved,
      leafB,
      keptB,
      keptA + keptMoved + lane,
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
      if (!((decided >> j) & 1)) {
        const cornersA = keptWorldOf(keptA, a, slotA, i);
        const cornersB = keptWorldOf(keptB, b, slotB, j);
        if (!shareCorner(cornersA, cornersB)) answer = trianglesMeet(cornersA, cornersB);
        if (answer === separate) continue;
      }
      const ta = load<u32>(a.tree.order + ((<usize>slotA) << 2));
      const tb = load<u32>(b.tree.order + ((<usize>slotB) << 2));
      if (answer === meeting) {
        emitCertain(job, ta, tb);
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
export function keptWorldOf(kept: usize, body: Body, slot: u32, lane: u32): usize {
  const corners = kept + keptWorld + <usize>lane * 72;
  const ready = load<u32>(kept, keptReady);
  if (!((ready >> (lane + 4)) & 1)) {
    worldTriangle(body, slot, corners);
    store<u32>(kept, ready | (16 << lane), keptReady);
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
