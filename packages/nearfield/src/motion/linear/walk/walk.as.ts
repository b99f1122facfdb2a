// Pairs of triangles that may meet while they move: a walk through two trees at once, then separating directions. The trees are those
// of swept-tree.as.ts. A vector register holds one number at time 0 and at time 1. What separates at both times, in the same order,
// separates at all times between, since everything is linear in time.
//
// Separating directions n: n · (b − a) > 0 for all corners a of A and b of B at both times. Corners are taken relative to the first
// corner of A at the same time, in doubles. Their products with n pass through 4 roundings, so they are off by less than
// 2^-50·Σ|nₖ|·mₖ, where m has the greatest magnitudes at that time. Any n will do, exact or not. If anything overflows, so does
// the bound, or it is not a number, and nothing exceeds it. 2^-1000 covers underflow.

import { jobDone, jobFull, jobPaused } from '../../../cpu/states.as';
import { areApart, boxBytes, cornerBytes, leafSize, SweptTree } from './swept-tree.as';

@unmanaged
export class Walk {
  a: SweptTree;
  b: SweptTree;
  /** `WalkEntry`s. */
  stack: usize;
  top: u32;
  /** `WalkPair`s. */
  out: usize;
  capacity: u32;
  found: u32;
}

/** A pair of nodes to open: their levels, and their indices there. */
@unmanaged
class WalkEntry {
  levelA: u32;
  indexA: u32;
  levelB: u32;
  indexB: u32;
}

/** The places of two triangles in the orders of their trees. */
@unmanaged
class WalkPair {
  a: u32;
  b: u32;
}

/** An entry is replaced by three at most, each a level lower on one side, and a tree has fewer than 32 levels. */
export const stackBytes: usize = offsetof<WalkEntry>() * 3 * 64;

function entryAt(walk: Walk, place: u32): WalkEntry {
  return changetype<WalkEntry>(walk.stack + <usize>place * offsetof<WalkEntry>());
}

const roundings: f64 = 8.881784197001252e-16; // 2^-50
const underflow: f64 = 9.332636185032189e-302; // 2^-1000

/** Continues the walk for `budget` entries: done, paused, or full if there may be no space for the pairs of two leaves. */
export function walkPairs(walk: Walk, budget: u32): i32 {
  const a = walk.a;
  const b = walk.b;
  const isSelf = a === b;
  while (walk.top > 0) {
    if (budget-- === 0) return jobPaused;
    if (walk.capacity - walk.found < leafSize * leafSize) return jobFull;
    walk.top--;
    const entry = entryAt(walk, walk.top);
    const levelA = entry.levelA;
    const i = entry.indexA;
    const levelB = entry.levelB;
    const j = entry.indexB;
    if (levelA === 0 && levelB === 0) {
      compareLeaves(walk, i, j);
    } else if (isSelf && levelA === levelB && i === j) {
      // A node with itself opens into three.
      push(walk, levelA - 1, 2 * i + 1, levelA - 1, 2 * i + 1);
      push(walk, levelA - 1, 2 * i, levelA - 1, 2 * i + 1);
      push(walk, levelA - 1, 2 * i, levelA - 1, 2 * i);
    } else if (levelA >= levelB) {
      push(walk, levelA - 1, 2 * i + 1, levelB, j);
      push(walk, levelA - 1, 2 * i, levelB, j);
    } else {
      push(walk, levelA, i, levelB - 1, 2 * j + 1);
      push(walk, levelA, i, levelB - 1, 2 * j);
    }
  }
  return jobDone;
}

/** Adds a pair of nodes if both exist and no axis separates them. */
function push(walk: Walk, levelA: u32, i: u32, levelB: u32, j: u32): void {
  const a = load<u32>(walk.a.levels + ((<usize>levelA) << 2)) + i;
  const b = load<u32>(walk.b.levels + ((<usize>levelB) << 2)) + j;
  if (a >= load<u32>(walk.a.levels + ((<usize>levelA) << 2), 4)) return;
  if (b >= load<u32>(walk.b.levels + ((<usize>levelB) << 2), 4)) return;
  if (areApart(walk.a.nodes + <usize>a * boxBytes, walk.b.nodes + <usize>b * boxBytes)) return;
  const entry = entryAt(walk, walk.top);
  entry.levelA = levelA;
  entry.indexA = i;
  entry.levelB = levelB;
  entry.indexB = j;
  walk.top++;
}

/** Compares the triangles of two leaves: first each with the other leaf, then those that are left with each other. */
function compareLeaves(walk: Walk, i: u32, j: u32): void {
  const a = walk.a;
  const b = walk.b;
  const isSelf = a === b;
  const isSame = isSelf && i === j;
  const firstB = leafSize * j;
  const endA = min(leafSize * i + leafSize, a.count);
  const endB = min(firstB + leafSize, b.count);
  const leafA = a.nodes + <usize>i * boxBytes;
  const leafB = b.nodes + <usize>j * boxBytes;
  let left: u32 = 0;
  for (let t = firstB; t < endB; t++) {
    if (!areApart(leafA, b.boxes + <usize>t * boxBytes)) left |= 1 << (t - firstB);
  }
  if (left === 0) return;
  for (let s = leafSize * i; s < endA; s++) {
    const box = a.boxes + <usize>s * boxBytes;
    if (!isSame && areApart(box, leafB)) continue;
    for (let t = isSame ? s + 1 : firstB; t < endB; t++) {
      if ((left & (1 << (t - firstB))) === 0) continue;
      if (areApart(box, b.boxes + <usize>t * boxBytes)) continue;
      if (isSelf && shareVertex(a.vertices + <usize>s * 12, a.vertices + <usize>t * 12)) continue;
      if (areSeparate(a.corners + <usize>s * cornerBytes, b.corners + <usize>t * cornerBytes)) continue;
      const pair = changetype<WalkPair>(walk.out + <usize>walk.found * offsetof<WalkPair>());
      pair.a = s;
      pair.b = t;
      walk.found++;
    }
  }
}

function shareVertex(p: usize, q: usize): bool {
  const q0 = load<u32>(q);
  const q1 = load<u32>(q, 4);
  const q2 = load<u32>(q, 8);
  for (let k: usize = 0; k < 12; k += 4) {
    const vertex = load<u32>(p + k);
    if (vertex === q0 || vertex === q1 || vertex === q2) return true;
  }
  return false;
}

/**
 * Whether the normal of a triangle at time 0, or a direction across an edge within its plane, certainly separates the two. Directions
 * along the axes have been tried with the boxes.
 */
function areSeparate(p: usize, q: usize): bool {
  const x = v128.load(p);
  const y = v128.load(p, 16);
  const z = v128.load(p, 32);
  const a1x = f64x2.sub(v128.load(p, 48), x);
  const a1y = f64x2.sub(v128.load(p, 64), y);
  const a1z = f64x2.sub(v128.load(p, 80), z);
  const a2x = f64x2.sub(v128.load(p, 96), x);
  const a2y = f64x2.sub(v128.load(p, 112), y);
  const a2z = f64x2.sub(v128.load(p, 128), z);
  const b0x = f64x2.sub(v128.load(q), x);
  const b0y = f64x2.sub(v128.load(q, 16), y);
  const b0z = f64x2.sub(v128.load(q, 32), z);
  const b1x = f64x2.sub(v128.load(q, 48), x);
  const b1y = f64x2.sub(v128.load(q, 64), y);
  const b1z = f64x2.sub(v128.load(q, 80), z);
  const b2x = f64x2.sub(v128.load(q, 96), x);
  const b2y = f64x2.sub(v128.load(q, 112), y);
  const b2z = f64x2.sub(v128.load(q, 128), z);
  const sizeX = largest(a1x, a2x, b0x, b1x, b2x);
  const sizeY = largest(a1y, a2y, b0y, b1y, b2y);
  const sizeZ = largest(a1z, a2z, b0z, b1z, b2z);
  for (let body = 0; body < 2; body++) {
    let ux: f64, uy: f64, uz: f64, vx: f64, vy: f64, vz: f64;
    if (body === 0) {
      ux = f64x2.extract_lane(a1x, 0);
      uy = f64x2.extract_lane(a1y, 0);
      uz = f64x2.extract_lane(a1z, 0);
      vx = f64x2.extract_lane(a2x, 0);
      vy = f64x2.extract_lane(a2y, 0);
      vz = f64x2.extract_lane(a2z, 0);
    } else {
      ux = f64x2.extract_lane(f64x2.sub(b1x, b0x), 0);
      uy = f64x2.extract_lane(f64x2.sub(b1y, b0y), 0);
      uz = f64x2.extract_lane(f64x2.sub(b1z, b0z), 0);
      vx = f64x2.extract_lane(f64x2.sub(b2x, b0x), 0);
      vy = f64x2.extract_lane(f64x2.sub(b2y, b0y), 0);
      vz = f64x2.extract_lane(f64x2.sub(b2z, b0z), 0);
    }
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    for (let direction = 0; direction < 4; direction++) {
      let dx = nx;
      let dy = ny;
      let dz = nz;
      if (direction > 0) {
        // Across u, v and the third edge.
        const ex = direction === 1 ? ux : direction === 2 ? vx : vx - ux;
        const ey = direction === 1 ? uy : direction === 2 ? vy : vy - uy;
        const ez = direction === 1 ? uz : direction === 2 ? vz : vz - uz;
        dx = ny * ez - nz * ey;
        dy = nz * ex - nx * ez;
        dz = nx * ey - ny * ex;
      }
      const sx = f64x2.splat(dx);
      const sy = f64x2.splat(dy);
      const sz = f64x2.splat(dz);
      const size = along(f64x2.abs(sx), f64x2.abs(sy), f64x2.abs(sz), sizeX, sizeY, sizeZ);
      // Twice the bound: a difference of two products.
      const bound = f64x2.add(f64x2.mul(size, f64x2.splat(2 * roundings)), f64x2.splat(underflow));
      const zero = f64x2.splat(0);
      const a1 = along(sx, sy, sz, a1x, a1y, a1z);
      const a2 = along(sx, sy, sz, a2x, a2y, a2z);
      const b0 = along(sx, sy, sz, b0x, b0y, b0z);
      const b1 = along(sx, sy, sz, b1x, b1y, b1z);
      const b2 = along(sx, sy, sz, b2x, b2y, b2z);
      const highA = f64x2.pmax(f64x2.pmax(a1, a2), zero);
      const lowB = f64x2.pmin(f64x2.pmin(b0, b1), b2);
      if (i64x2.all_true(f64x2.gt(f64x2.sub(lowB, highA), bound))) return true;
      const lowA = f64x2.pmin(f64x2.pmin(a1, a2), zero);
      const highB = f64x2.pmax(f64x2.pmax(b0, b1), b2);
      if (i64x2.all_true(f64x2.gt(f64x2.sub(lowA, highB), bound))) return true;
    }
  }
  return false;
}

function along(nx: v128, ny: v128, nz: v128, x: v128, y: v128, z: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(nx, x), f64x2.mul(ny, y)), f64x2.mul(nz, z));
}

function largest(p: v128, q: v128, r: v128, s: v128, t: v128): v128 {
  const first = f64x2.pmax(f64x2.abs(p), f64x2.abs(q));
  return f64x2.pmax(f64x2.pmax(first, f64x2.abs(r)), f64x2.pmax(f64x2.abs(s), f64x2.abs(t)));
}
