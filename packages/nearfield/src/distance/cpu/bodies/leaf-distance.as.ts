// Four triangles of A against four of B: which pairs may be nearer than the best known? Planes between them rule out
// most, four at a time in single precision. The rest is measured in double (triangle-pair.as.ts).
//
// For any direction w, B's triangle is no nearer to A's than (min_j w·b_j − max_i w·a_i)/|w|. First w is the difference
// of the triangles' middles, which is nearly the best direction if the triangles are small compared with their
// distance. Then it is the normal of each triangle, which is better if they are large compared with it. In A's frame
// corners are known to within δ on each axis (frame.as.ts, δ holds both bodies' errors). A dot product of coordinates
// up to `reach` is off by at most 3.1·2^-24·√3·reach·|w|; A's coordinates are at most 1 and their dot products are off
// likewise. Together (2√3·δ + 2^-24·(5.4·reach + 5.4))·|w|:
//   slack = 3.6·δ + 2^-24·16·(reach + 2).

import { Leaf, laneOf, leafAt, Tree } from '../../../bvh/cpu/build/layout.as';
import { Body, worldTriangle } from '../../../bvh/cpu/place/place.as';
import { MovedLeaf } from '../../../interferences/hierarchy/cpu/leaves/leaf-cache.as';
import { moveLeaf } from '../../../interferences/hierarchy/cpu/leaves/leaves.as';
import { meeting, separate, trianglesMeet } from '../../../interferences/hierarchy/cpu/leaves/triangles.as';
import { refine } from '../triangles/refine.as';
import { featureCount, takeFeature, trianglePair } from '../triangles/triangle-pair.as';
import { alongAlone, alongNone, liftAlong, provedSquares, reachTriangles, turnAlong } from './along.as';
import {
  compact,
  DistanceJob,
  isBeyond,
  keptBytes,
  keptCount,
  limitDistance,
  PairRecord,
  recordAt,
} from './distance-job.as';

/** What is kept about a leaf of B. */
@unmanaged
class KeptLeaf {
  /** Which leaf it is. */
  tag: u64;

  /** Its triangles in A's frame (`moveLeaf`). */
  get moved(): MovedLeaf {
    return changetype<MovedLeaf>(changetype<usize>(this) + 16);
  }
}

/** A new direction is chosen when the distance has shrunk to this share. */
const turnGain: f64 = 0.98;
/** Double-double bounds are no farther apart than this share of the triangles' size if the features are right. */
const tight: f64 = 8.271806125530277e-25; // 2^-80

/** The lanes of a leaf that hold a triangle. */
function triangleMask(tree: Tree, leaf: u32): u32 {
  const left = tree.triangleCount - (leaf << 2);
  return left >= 4 ? 15 : (1 << left) - 1;
}

export function leafDistances(job: DistanceJob, a: Body, b: Body, la: u32, lb: u32): void {
  const treeA = a.tree;
  const treeB = b.tree;
  const leafA = leafAt(treeA, la);
  const leafB = leafAt(treeB, lb);
  const kept = changetype<KeptLeaf>(job.kept + <usize>(lb & (keptCount - 1)) * keptBytes);
  const tag = ((<u64>job.serial) << 32) | <u64>lb;
  if (kept.tag !== tag) {
    kept.tag = tag;
    moveLeaf(leafB, job.frame, kept.moved);
  }
  const validA = triangleMask(treeA, la);
  const validB = triangleMask(treeB, lb);
  job.triangleTests += <f64>(popcnt(validA) * popcnt(validB));
  const along = job.along;
  const reachB = along !== alongNone ? reachTriangles(job, leafB, true) : f32x4.splat(0);
  if (along !== alongNone) v128.store(job.keys, reachTriangles(job, leafA, false));
  // A better pair may change the direction during the loop, so the lift is read once.
  const lift = liftAlong(job);
  for (let i: u32 = 0; i < 4; i++) {
    if (!((validA >> i) & 1)) break;
    let open = validB;
    if (along !== alongNone) open &= nearAlong(job, i, reachB, lift, along);
    if (open === 0) continue;
    if (along !== alongAlone) open &= nearTriangles(laneOf(leafA, i), kept.moved, job.leafLimit);
    if (open === 0) continue;
    const slotA = (la << 2) + i;
    worldTriangle(a, slotA, job.cornersA);
    for (; open !== 0; open &= open - 1) {
      const slotB = (lb << 2) + <u32>ctz(open);
      worldTriangle(b, slotB, job.cornersB);
      measure(job, slotA, slotB);
      if (job.meets && job.stopAtMeeting) return;
    }
  }
}

/** Which of B's four triangles may be near enough to A's i-th along the direction (along.as.ts). */
function nearAlong(job: DistanceJob, i: u32, reachB: v128, lift: v128, along: u32): u32 {
  const own = v128.load32_splat(job.keys + ((<usize>i) << 2));
  const keys = f32x4.neg(f32x4.add(own, reachB));
  const limit = f32x4.splat(job.limitA);
  return i32x4.bitmask(f32x4.le(along === alongAlone ? keys : provedSquares(keys, lift), limit));
}

/** Which of four moved triangles may be within the limit, a squared distance, of the one at `t`, a lane of a leaf. */
function nearTriangles(t: usize, moved: Leaf, limit: f32): u32 {
  const ax = v128.load32_splat(t);
  const ay = v128.load32_splat(t, 16);
  const az = v128.load32_splat(t, 32);
  const bx = v128.load32_splat(t, 48);
  const by = v128.load32_splat(t, 64);
  const bz = v128.load32_splat(t, 80);
  const cx = v128.load32_splat(t, 96);
  const cy = v128.load32_splat(t, 112);
  const cz = v128.load32_splat(t, 128);
  const px = moved.x0;
  const py = moved.y0;
  const pz = moved.z0;
  const qx = moved.x1;
  const qy = moved.y1;
  const qz = moved.z1;
  const rx = moved.x2;
  const ry = moved.y2;
  const rz = moved.z2;
  const wx = f32x4.sub(f32x4.add(f32x4.add(px, qx), rx), f32x4.add(f32x4.add(ax, bx), cx));
  const wy = f32x4.sub(f32x4.add(f32x4.add(py, qy), ry), f32x4.add(f32x4.add(ay, by), cy));
  const wz = f32x4.sub(f32x4.add(f32x4.add(pz, qz), rz), f32x4.add(f32x4.add(az, bz), cz));
  let near = within(wx, wy, wz, t, moved, limit);
  if (near === 0) return 0;
  // The normals of A and of B, each turned to point from A to B.
  let ux = f32x4.sub(bx, ax);
  let uy = f32x4.sub(by, ay);
  let uz = f32x4.sub(bz, az);
  let vx = f32x4.sub(cx, ax);
  let vy = f32x4.sub(cy, ay);
  let vz = f32x4.sub(cz, az);
  near &= withinNormal(ux, uy, uz, vx, vy, vz, wx, wy, wz, t, moved, limit);
  if (near === 0) return 0;
  ux = f32x4.sub(qx, px);
  uy = f32x4.sub(qy, py);
  uz = f32x4.sub(qz, pz);
  vx = f32x4.sub(rx, px);
  vy = f32x4.sub(ry, py);
  vz = f32x4.sub(rz, pz);
  return near & withinNormal(ux, uy, uz, vx, vy, vz, wx, wy, wz, t, moved, limit);
}

/** A squared length. Normals of very small triangles are shorter and prove nothing. */
const shortest: f32 = 1e-20;

/** Tests the direction u × v, turned to the side of w. */
function withinNormal(
  ux: v128,
  uy: v128,
  uz: v128,
  vx: v128,
  vy: v128,
  vz: v128,
  wx: v128,
  wy: v128,
  wz: v128,
  t: usize,
  moved: Leaf,
  limit: f32,
): u32 {
  const nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
  const ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
  const nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
  const turned = v128.and(dot(nx, ny, nz, wx, wy, wz), i32x4.splat(<i32>0x80000000));
  return within(v128.xor(nx, turned), v128.xor(ny, turned), v128.xor(nz, turned), t, moved, limit);
}

/**
 * Which of the four triangles may be within the limit of A's, as far as planes normal to the direction (wx, wy, wz)
 * tell. The limit is never below the slack's square, 10^-12: with a direction no shorter than `shortest`, no product
 * loses digits.
 */
function within(wx: v128, wy: v128, wz: v128, t: usize, moved: Leaf, limit: f32): u32 {
  const most = f32x4.pmax(
    f32x4.pmax(
      dot(wx, wy, wz, v128.load32_splat(t), v128.load32_splat(t, 16), v128.load32_splat(t, 32)),
      dot(wx, wy, wz, v128.load32_splat(t, 48), v128.load32_splat(t, 64), v128.load32_splat(t, 80)),
    ),
    dot(wx, wy, wz, v128.load32_splat(t, 96), v128.load32_splat(t, 112), v128.load32_splat(t, 128)),
  );
  const least = f32x4.pmin(
    f32x4.pmin(dot(wx, wy, wz, moved.x0, moved.y0, moved.z0), dot(wx, wy, wz, moved.x1, moved.y1, moved.z1)),
    dot(wx, wy, wz, moved.x2, moved.y2, moved.z2),
  );
  const apart = f32x4.sub(least, most);
  const squared = dot(wx, wy, wz, wx, wy, wz);
  const tooFar = v128.and(
    v128.and(f32x4.gt(apart, f32x4.splat(0)), f32x4.gt(squared, f32x4.splat(shortest))),
    f32x4.gt(f32x4.mul(apart, apart), f32x4.mul(f32x4.splat(limit), squared)),
  );
  return ~i32x4.bitmask(tooFar) & 15;
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** Measures two triangles whose world corners are in the scratch, and lists them if they may be the nearest. */
function measure(job: DistanceJob, slotA: u32, slotB: u32): void {
  const best = job.best;
  const pair = job.pair;
  trianglePair(job.cornersA, job.cornersB, best, pair);
  const low = pair.low;
  if (low > best) return;
  if (!(low > 0)) {
    const answer = trianglesMeet(job.cornersA, job.cornersB);
    if (answer !== separate) {
      job.meets = max<u32>(job.meets, answer === meeting ? 2 : 1);
    }
  }
  const count = job.listCount;
  const record = recordAt(job, count);
  record.low = low;
  record.lowRest = 0;
  record.a = slotA;
  record.b = slotB;
  if (job.listAll) {
    job.listCount = count + 1;
    return;
  }
  if (job.refining === 1) {
    if (!refineRecord(job, record)) return;
  } else {
    takeBest(job, pair.high, 0);
  }
  job.listCount = count + 1;
}

/** Takes an upper bound if it is the least so far. */
function takeBest(job: DistanceJob, high: f64, low: f64): void {
  const best = job.best;
  if (high > best || (high === best && low >= job.bestLow)) return;
  job.best = high;
  job.bestLow = low;
  memory.copy(job.from, job.cornersA, 24);
  if (high < job.alongBest * turnGain) {
    job.alongBest = high;
    const pair = job.pair;
    turnAlong(job, job.a, job.b, pair.x, pair.y, pair.z);
  }
  limitDistance(job);
}

/**
 * Measures the pair of a record again; its corners are in the scratch. Returns false if it is then certainly farther
 * than the best.
 */
function refineRecord(job: DistanceJob, record: PairRecord): bool {
  const refined = job.refined;
  const pair = job.pair;
  const best = job.best;
  const bestLow = job.bestLow;
  if (!refine(job.cornersA, job.cornersB, pair, best, bestLow, refined)) {
    takeBest(job, pair.high, 0);
    return true;
  }
  const high = refined.low;
  const low = refined.lowRest;
  // The features may have been guessed wrong; then the bounds in double are better.
  const known = pair.low;
  record.low = max(high, known);
  record.lowRest = high >= known ? low : 0;
  if (refined.high < pair.high) takeBest(job, refined.high, refined.highRest);
  else takeBest(job, pair.high, 0);
  if (isBeyond(job, record.low, record.lowRest)) return false;
  return areTight(job) || sharpen(job, record);
}

/** Tells whether the refined bounds are as close as they get. */
function areTight(job: DistanceJob): bool {
  const refined = job.refined;
  const apart = refined.high - refined.low + (refined.highRest - refined.lowRest);
  return apart < tight * job.pair.size;
}

/**
 * For triangles that are parallel except for rounding. Double precision cannot tell which of their features are
 * nearest, and bounds from other features are no better than double precision. So all features are tried.
 */
function sharpen(job: DistanceJob, record: PairRecord): bool {
  const refined = job.refined;
  const pair = job.pair;
  const a = job.cornersA;
  const b = job.cornersB;
  for (let k: u32 = 0; k < featureCount; k++) {
    takeFeature(a, b, k, pair);
    if (!refine(a, b, pair, job.best, job.bestLow, refined)) continue;
    const high = refined.low;
    const low = refined.lowRest;
    if (high > record.low || (high === record.low && low > record.lowRest)) {
      record.low = high;
      record.lowRest = low;
    }
    takeBest(job, refined.high, refined.highRest);
    if (isBeyond(job, record.low, record.lowRest)) return false;
    if (areTight(job)) return true;
  }
  return true;
}

/**
 * Measures all listed pairs in double-double, once, and drops those that are farther. If that drops some, later pairs
 * are measured in double-double at once.
 */
export function refineList(job: DistanceJob, a: Body, b: Body): void {
  if (job.refining !== 0) return;
  const before = job.listCount;
  for (let i: u32 = 0; i < before; i++) {
    const record = recordAt(job, i);
    worldTriangle(a, record.a, job.cornersA);
    worldTriangle(b, record.b, job.cornersB);
    trianglePair(job.cornersA, job.cornersB, Infinity, job.pair);
    refineRecord(job, record);
  }
  compact(job);
  job.refining = job.listCount * 10 < before * 9 ? 1 : 2;
}

/** Replaces the slots of the list by triangles. */
export function nameTriangles(job: DistanceJob, a: Body, b: Body): void {
  const orderA = a.tree.order;
  const orderB = b.tree.order;
  for (let i: u32 = 0; i < job.listCount; i++) {
    const record = recordAt(job, i);
    record.a = load<u32>(orderA + ((<usize>record.a) << 2));
    record.b = load<u32>(orderB + ((<usize>record.b) << 2));
  }
}
