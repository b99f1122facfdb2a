// Self-intersection of one body: walks its tree against itself, every pair of triangles once. Triangles that share
// positions (by welded identity) naturally meet there, and are reported only if they share more. Nearly all of them lie
// in flat fans and are skipped (fans.as.ts). The planes decide most of the others (neighbours.as.ts).
//
// Equal identities mean equal positions, and hence equal world doubles. Unequal identities may still have equal world
// doubles (rounding far from the origin, or a deformation that folds). Then some determinant is exactly 0, its sign is
// not certain, and the pair is unsure. It is never decided here by the wrong rule.
//
// Uncertainty. All vertices are in one frame. A vertex is stored rounded (2^-25, or 2^-24 if |u| ≤ 2), and its world
// double is K·u + W up to an error e, that is (I + F)⁻¹G·e·shrink in the tree's frame, with ‖F‖ < 2^-10. So
//   δ = 2^-22 + 1.02·max_i (|G| e·shrink)_i
// covers both, with a margin for the rounding of differences. The plane bounds are those of leaves.as.ts with
// η = 2.01δ.

import { laneOf, leafAt, Tree, weldBytes } from '../../../../bvh/cpu/build/layout.as';
import { Body, bodyAt } from '../../../../bvh/cpu/place/place.as';
import { indexOf, levelOf, nodeWord } from '../../../../bvh/cpu/walk/node-word.as';
import { jobDone, jobFull, jobPaused } from '../../../../cpu/states.as';
import { emitCertain, emitUnsure, hasRoom, Job } from '../job/job.as';
import { crossRow } from '../leaves/crossing.as';
import { keptBytes, keptCount } from '../leaves/leaf-cache.as';
import { keep, keepNormals, keepUnmoved, keptWorldOf, renewSerial } from '../leaves/leaves.as';
import {
  edgeNeighboursMeet,
  meeting,
  separate,
  trianglesMeet,
  unsure,
  vertexNeighboursMeet,
} from '../leaves/triangles.as';
import { openSelf, pushSelf, selfEntryAt } from '../open-self.as';
import { triangleMask } from '../pairs.as';
import { fanUncertainty, flatFan } from './fans.as';
import { planesSeparate } from './neighbours.as';

/** Starts the job with the one body of its table. */
export function startSelf(job: Job): void {
  const body = bodyAt(job.table, 0);
  job.stackCount = 0;
  if (body.tree.triangleCount === 0) return;
  let noise: f64 = 0;
  const shrink = body.shrink;
  for (let row: usize = 0; row < 24; row += 8) {
    const here =
      abs(load<f64>(body.g + row)) * (body.eX * shrink) +
      abs(load<f64>(body.g + row, 24)) * (body.eY * shrink) +
      abs(load<f64>(body.g + row, 48)) * (body.eZ * shrink);
    noise = max(noise, here * 1.02);
  }
  if (!(body.f < 1.0) || !(noise < 1e30)) noise = 1e30;
  const delta = <f32>((noise + 2.384185791015625e-7) * 1.000001);
  job.selfUncertainty = delta;
  job.flatFans = delta <= fanUncertainty ? flatFan : 0;
  renewSerial(job);
  pushSelf(job, 0, 0);
}

export function traverseSelf(job: Job, budget: i32): i32 {
  const body = bodyAt(job.table, 0);
  const tree = body.tree;
  while (job.stackCount > 0) {
    if (!hasRoom(job)) return jobFull;
    if (budget <= 0) return jobPaused;
    budget -= stepSelf(job, body, tree);
  }
  return jobDone;
}

/** Pops one pair of nodes and opens it. Returns how much work that was, in pairs of nodes or leaves. */
export function stepSelf(job: Job, body: Body, tree: Tree): i32 {
  const top = job.stackCount - 1;
  job.stackCount = top;
  const entry = selfEntryAt(job, top);
  const level = levelOf(entry.first);
  const i = indexOf(entry.first);
  const j = entry.second;
  // The uncertainty of two vertices, plus the roundings of comparing their boxes.
  const slack = f32x4.splat(job.selfUncertainty * 2.5);
  let pairs = openSelf(tree, level, i, j, slack);
  job.boxTests += 16.0;
  if (level + 1 === tree.levelCount) {
    const work = 1 + popcnt(pairs);
    for (; pairs !== 0; pairs &= pairs - 1) {
      const pick = <u32>ctz(pairs);
      leafSelf(job, body, tree, (i << 2) + (pick >> 2), (j << 2) + (pick & 3), slack);
    }
    return work;
  }
  for (; pairs !== 0; pairs &= pairs - 1) {
    const pick = <u32>ctz(pairs);
    pushSelf(job, nodeWord(level + 1, (i << 2) + (pick >> 2)), (j << 2) + (pick & 3));
  }
  return 1;
}

/** Tests the triangles of leaf i against those of leaf j, i ≤ j. */
function leafSelf(job: Job, body: Body, tree: Tree, i: u32, j: u32, slack: v128): void {
  const serial = job.serial;
  const leafA = leafAt(tree, i);
  const leafB = leafAt(tree, j);
  const keptA = keep(job.leafCache, serial, i, leafA);
  const keptB = keep(job.leafCache + <usize>keptCount * keptBytes, serial, j, leafB);
  let pairs: u32 = 0;
  {
    const lx = f32x4.sub(keptB.lowX, slack);
    const ly = f32x4.sub(keptB.lowY, slack);
    const lz = f32x4.sub(keptB.lowZ, slack);
    const hx = f32x4.add(keptB.highX, slack);
    const hy = f32x4.add(keptB.highY, slack);
    const hz = f32x4.add(keptB.highZ, slack);
    const validB = triangleMask(tree, j);
    for (let k: u32 = 0; k < 4; k++) {
      const own = keptA.box + ((<usize>k) << 2);
      const outside = v128.or(
        v128.or(
          v128.or(f32x4.gt(lx, v128.load32_splat(own, 48)), f32x4.lt(hx, v128.load32_splat(own))),
          v128.or(f32x4.gt(ly, v128.load32_splat(own, 64)), f32x4.lt(hy, v128.load32_splat(own, 16))),
        ),
        v128.or(f32x4.gt(lz, v128.load32_splat(own, 80)), f32x4.lt(hz, v128.load32_splat(own, 32))),
      );
      pairs |= (~i32x4.bitmask(outside) & validB) << (k << 2);
    }
  }
  // Within a leaf, keep only the pairs k < l (bit 4k + l).
  if (i === j) pairs &= 0x08ce;
  const validA = triangleMask(tree, i);
  if (validA !== 15) pairs &= (1 << (popcnt(validA) << 2)) - 1;
  if (pairs === 0) return;
  job.triangleTests += <f64>popcnt(pairs);
  const weldA = tree.weld + <usize>i * weldBytes;
  const weldB = tree.weld + <usize>j * weldBytes;
  pairs &= ~inFlatFans(weldA, weldB, job.flatFans);
  if (pairs === 0) return;
  keepNormals(leafA, keptA);
  keepNormals(leafB, keptB);
  const eta = f32x4.splat(job.selfUncertainty * 2.01);
  // Boxes that meet here are up to 2.5δ and a rounding apart. crossing.as.ts assumes at most η.
  const wideEta = f32x4.splat(job.selfUncertainty * 2.6);
  for (let k: u32 = 0; k < 4; k++) {
    let row = (pairs >> (k << 2)) & 15;
    if (row === 0) continue;
    const lane = (<usize>k) << 2;
    let decided = planesSeparate(
      laneOf(leafA, k),
      leafB,
      weldA + lane,
      weldB,
      laneOf(keptA, k),
      keptB,
      eta,
      row,
    );
    row &= ~decided;
    if (row === 0) continue;
    let certain = (decided >> 4) & row;
    if (certain !== row) {
      decided = crossRow(
        laneOf(leafA, k),
        laneOf(keptA, k),
        keepUnmoved(keptB, leafB),
        leafB,
        keptB,
        laneOf(keepUnmoved(keptA, leafA), k),
        wideEta,
        wideEta,
        row & ~certain,
      );
      certain |= decided & 15;
      row &= ~(decided >> 4);
    }
    const slotA = (i << 2) + k;
    for (; row !== 0; row &= row - 1) {
      const l = <u32>ctz(row);
      const slotB = (j << 2) + l;
      let answer = meeting;
      if (!((certain >> l) & 1)) {
        answer = neighboursMeet(
          keptWorldOf(keptA, body, slotA, k),
          keptWorldOf(keptB, body, slotB, l),
          weldA + lane,
          weldB + ((<usize>l) << 2),
        );
      }
      if (answer === separate) continue;
      const order = tree.order;
      const ta = load<u32>(order + ((<usize>slotA) << 2));
      const tb = load<u32>(order + ((<usize>slotB) << 2));
      if (answer === meeting) emitCertain(job, min(ta, tb), max(ta, tb), false);
      else emitUnsure(job, min(ta, tb), max(ta, tb));
    }
  }
}

/** Pairs of triangles of two leaves with a common position that has a flat fan: bit 4k + l. */
function inFlatFans(weldA: usize, weldB: usize, flat: u32): u32 {
  if (flat === 0) return 0;
  const r0 = v128.load(weldB);
  const r1 = v128.load(weldB, 16);
  const r2 = v128.load(weldB, 32);
  return (
    inFlatFan(weldA, r0, r1, r2) |
    (inFlatFan(weldA + 4, r0, r1, r2) << 4) |
    (inFlatFan(weldA + 8, r0, r1, r2) << 8) |
    (inFlatFan(weldA + 12, r0, r1, r2) << 12)
  );
}

/** The mark is the identity's highest bit, which is the bit that a SIMD bitmask extracts. */
function inFlatFan(identities: usize, r0: v128, r1: v128, r2: v128): u32 {
  const s0 = v128.load32_splat(identities);
  const s1 = v128.load32_splat(identities, 16);
  const s2 = v128.load32_splat(identities, 32);
  const first = v128.or(v128.or(i32x4.eq(s0, r0), i32x4.eq(s0, r1)), i32x4.eq(s0, r2));
  const second = v128.or(v128.or(i32x4.eq(s1, r0), i32x4.eq(s1, r1)), i32x4.eq(s1, r2));
  const third = v128.or(v128.or(i32x4.eq(s2, r0), i32x4.eq(s2, r1)), i32x4.eq(s2, r2));
  return i32x4.bitmask(v128.or(v128.or(v128.and(first, s0), v128.and(second, s1)), v128.and(third, s2)));
}

/** The test on world doubles, by the number of common positions. */
function neighboursMeet(a: usize, b: usize, weldA: usize, weldB: usize): i32 {
  const s0 = load<u32>(weldA);
  const s1 = load<u32>(weldA, 16);
  const s2 = load<u32>(weldA, 32);
  const r0 = load<u32>(weldB);
  const r1 = load<u32>(weldB, 16);
  const r2 = load<u32>(weldB, 32);
  if (s0 === s1 || s1 === s2 || s2 === s0 || r0 === r1 || r1 === r2 || r2 === r0) return unsure;
  // Per corner of A, the corner of B that equals it, or 3.
  const m0: usize = s0 === r0 ? 0 : s0 === r1 ? 1 : s0 === r2 ? 2 : 3;
  const m1: usize = s1 === r0 ? 0 : s1 === r1 ? 1 : s1 === r2 ? 2 : 3;
  const m2: usize = s2 === r0 ? 0 : s2 === r1 ? 1 : s2 === r2 ? 2 : 3;
  const common = (m0 < 3 ? 1 : 0) + (m1 < 3 ? 1 : 0) + (m2 < 3 ? 1 : 0);
  if (common === 0) return trianglesMeet(a, b);
  if (common === 3) return meeting;
  if (common === 1) {
    const i: usize = m0 < 3 ? 0 : m1 < 3 ? 1 : 2;
    const j: usize = m0 < 3 ? m0 : m1 < 3 ? m1 : m2;
    return vertexNeighboursMeet(
      a + i * 24,
      a + turn(i, 1) * 24,
      a + turn(i, 2) * 24,
      b + turn(j, 1) * 24,
      b + turn(j, 2) * 24,
    );
  }
  const i: usize = m0 === 3 ? 0 : m1 === 3 ? 1 : 2;
  const used = (m0 < 3 ? m0 : 0) + (m1 < 3 ? m1 : 0) + (m2 < 3 ? m2 : 0);
  return edgeNeighboursMeet(a + turn(i, 1) * 24, a + turn(i, 2) * 24, a + i * 24, b + (3 - used) * 24);
}

function turn(corner: usize, by: usize): usize {
  const next = corner + by;
  return next >= 3 ? next - 3 : next;
}
