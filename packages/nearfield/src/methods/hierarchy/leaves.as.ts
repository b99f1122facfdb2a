// Four triangles against four: boxes and planes in single precision four at a time, and for what is left the test on
// world doubles (triangles.as.ts).
//
// Planes. In A's frame every vertex is known to within δ = the map's uncertainty on each axis (frame.as.ts), so a
// difference of two of them to within η = 2.01δ, the rounding of the difference included (δ exceeds 2^-24·32, sixteen
// times what rounding does to a difference of values up to 2). Let m bound the edges of a triangle of A per axis and w
// the differences of B's corners to its first corner. det(U, V, W) of three differences known to within η is off by
// at most 6[(m + η)²(w + η) − m²w] = 6[ηm(2w + m) + η²(w + 2m) + η³], and its evaluation by 6 roundings of each of
// its six terms, below 6·7·2^-24·(m + η)²(w + η). So with
//   bound = 6.1·[ηm(2w + m) + η²(w + 2m) + η³ + 8·2^-24·(m + η)²(w + η)]
// (0.1 for the rounding of the bound itself, a dozen operations on positive numbers) |det| > bound fixes the sign for
// the world doubles too. η³ > 2^-63, so nothing subnormal matters. A pair reaches this test only if the boxes of its
// triangles, enlarged by δ, meet in A's frame: then no corner of B is further than w = m + extent of B + 2δ from A's.
// Three corners strictly on one side of the other's plane: certainly apart. The same in B's frame with B's planes.

import {
  leafBytes,
  treeDoubles,
  treeLeaves,
  treeOrder,
  treePositions,
  treeTriangles,
} from '../../bvh/layout.as';
import { mapBytes, mapSlack, mapUncertainty } from './frame.as';
import {
  anyMode,
  emitCertain,
  emitUnsure,
  jobFrame,
  jobLeafScratch,
  jobMode,
  jobTriangleTests,
} from './job.as';
import { bodyPose, bodyTree } from './place.as';
import { meeting, separate, trianglesMeet } from './triangles.as';

// Scratch: a leaf in the other's frame (nine rows, then low x y z and high x y z enlarged by the slack, then extent),
// a leaf in its own frame (low, high, extent), world corners.
const movedB: usize = 0;
const movedA: usize = 256;
const movedLow: usize = 144;
const movedHigh: usize = 192;
const movedExtent: usize = 240;
const ownA: usize = 512;
const ownB: usize = 640;
export const ownHigh: usize = 48;
export const ownExtent: usize = 96;
const normalsB: usize = 768;
const worldA: usize = 896;
const worldB: usize = 1024;

/** Moves a leaf's triangles by a map; rows, enlarged boxes and extents to `out`. */
function moveLeaf(leaf: usize, map: usize, out: usize): void {
  let extent = f32x4.splat(0);
  const x0 = v128.load(leaf);
  const y0 = v128.load(leaf, 16);
  const z0 = v128.load(leaf, 32);
  const x1 = v128.load(leaf, 48);
  const y1 = v128.load(leaf, 64);
  const z1 = v128.load(leaf, 80);
  const x2 = v128.load(leaf, 96);
  const y2 = v128.load(leaf, 112);
  const z2 = v128.load(leaf, 128);
  for (let row: usize = 0; row < 3; row++) {
    const at = map + (row << 6);
    const rx = v128.load(at);
    const ry = v128.load(at, 16);
    const rz = v128.load(at, 32);
    const t = v128.load(at, 48);
    const c0 = f32x4.add(f32x4.add(f32x4.add(f32x4.mul(rx, x0), f32x4.mul(ry, y0)), f32x4.mul(rz, z0)), t);
    const c1 = f32x4.add(f32x4.add(f32x4.add(f32x4.mul(rx, x1), f32x4.mul(ry, y1)), f32x4.mul(rz, z1)), t);
    const c2 = f32x4.add(f32x4.add(f32x4.add(f32x4.mul(rx, x2), f32x4.mul(ry, y2)), f32x4.mul(rz, z2)), t);
    const slack = v128.load(map + (row << 4), mapSlack);
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

/** Normals (rows x, y, z) of a leaf's triangles and the largest |component| of their edges. */
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

/** The bound of the file's head. */
export function planeBound(m: v128, w: v128, eta: v128): v128 {
  const me = f32x4.add(m, eta);
  const we = f32x4.add(w, eta);
  const spread = f32x4.mul(f32x4.mul(eta, m), f32x4.add(f32x4.add(w, w), m));
  const curl = f32x4.mul(f32x4.mul(eta, eta), f32x4.add(f32x4.add(we, m), m));
  const rounding = f32x4.mul(f32x4.mul(f32x4.mul(me, me), we), f32x4.splat(4.76837158203125e-7));
  return f32x4.mul(f32x4.add(f32x4.add(spread, curl), rounding), f32x4.splat(6.1));
}

/** World doubles of the triangle in `slot`, by the contract: ((m0·x + m4·y) + m8·z) + m12. */
export function worldTriangle(body: usize, slot: u32, out: usize): void {
  const tree = load<usize>(body, bodyTree);
  const corners = load<usize>(tree, treeTriangles) + <usize>slot * 12;
  const positions = load<usize>(tree, treePositions);
  const doubles = load<u32>(tree, treeDoubles);
  const m = body + bodyPose;
  for (let corner: usize = 0; corner < 3; corner++) {
    const vertex = <usize>load<u32>(corners + (corner << 2));
    let x: f64;
    let y: f64;
    let z: f64;
    if (doubles) {
      const p = positions + vertex * 24;
      x = load<f64>(p);
      y = load<f64>(p, 8);
      z = load<f64>(p, 16);
    } else {
      const p = positions + vertex * 12;
      x = <f64>load<f32>(p);
      y = <f64>load<f32>(p, 4);
      z = <f64>load<f32>(p, 8);
    }
    const to = out + corner * 24;
    store<f64>(to, load<f64>(m) * x + load<f64>(m, 32) * y + load<f64>(m, 64) * z + load<f64>(m, 96));
    store<f64>(to, load<f64>(m, 8) * x + load<f64>(m, 40) * y + load<f64>(m, 72) * z + load<f64>(m, 104), 8);
    store<f64>(
      to,
      load<f64>(m, 16) * x + load<f64>(m, 48) * y + load<f64>(m, 80) * z + load<f64>(m, 112),
      16,
    );
  }
}

/** Tests leaf `la` of A against leaf `lb` of B; valid: which of their four triangles exist. */
export function leafPair(job: usize, a: usize, b: usize, la: u32, lb: u32, validA: u32, validB: u32): void {
  const frame = job + jobFrame;
  const scratch = job + jobLeafScratch;
  const leafA = load<usize>(load<usize>(a, bodyTree), treeLeaves) + <usize>la * leafBytes;
  const leafB = load<usize>(load<usize>(b, bodyTree), treeLeaves) + <usize>lb * leafBytes;
  moveLeaf(leafB, frame, scratch + movedB);
  boundLeaf(leafA, scratch + ownA);
  // A's axes, all sixteen pairs.
  let pairs: u32 = 0;
  {
    const lx = v128.load(scratch, movedB + movedLow);
    const ly = v128.load(scratch, movedB + movedLow + 16);
    const lz = v128.load(scratch, movedB + movedLow + 32);
    const hx = v128.load(scratch, movedB + movedHigh);
    const hy = v128.load(scratch, movedB + movedHigh + 16);
    const hz = v128.load(scratch, movedB + movedHigh + 32);
    for (let i: u32 = 0; i < 4; i++) {
      const own = scratch + ((<usize>i) << 2);
      const outside = v128.or(
        v128.or(
          v128.or(
            f32x4.gt(lx, v128.load32_splat(own, ownA + ownHigh)),
            f32x4.lt(hx, v128.load32_splat(own, ownA)),
          ),
          v128.or(
            f32x4.gt(ly, v128.load32_splat(own, ownA + ownHigh + 16)),
            f32x4.lt(hy, v128.load32_splat(own, ownA + 16)),
          ),
        ),
        v128.or(
          f32x4.gt(lz, v128.load32_splat(own, ownA + ownHigh + 32)),
          f32x4.lt(hz, v128.load32_splat(own, ownA + 32)),
        ),
      );
      pairs |= (~i32x4.bitmask(outside) & validB) << (i << 2);
    }
  }
  pairs &= spreadMask(validA);
  if (pairs === 0) return;
  // B's axes.
  moveLeaf(leafA, frame + mapBytes, scratch + movedA);
  boundLeaf(leafB, scratch + ownB);
  {
    const lx = v128.load(scratch, ownB);
    const ly = v128.load(scratch, ownB + 16);
    const lz = v128.load(scratch, ownB + 32);
    const hx = v128.load(scratch, ownB + ownHigh);
    const hy = v128.load(scratch, ownB + ownHigh + 16);
    const hz = v128.load(scratch, ownB + ownHigh + 32);
    let outsides: u32 = 0;
    for (let i: u32 = 0; i < 4; i++) {
      const moved = scratch + movedA + ((<usize>i) << 2);
      const outside = v128.or(
        v128.or(
          v128.or(
            f32x4.gt(lx, v128.load32_splat(moved, movedHigh)),
            f32x4.lt(hx, v128.load32_splat(moved, movedLow)),
          ),
          v128.or(
            f32x4.gt(ly, v128.load32_splat(moved, movedHigh + 16)),
            f32x4.lt(hy, v128.load32_splat(moved, movedLow + 16)),
          ),
        ),
        v128.or(
          f32x4.gt(lz, v128.load32_splat(moved, movedHigh + 32)),
          f32x4.lt(hz, v128.load32_splat(moved, movedLow + 32)),
        ),
      );
      outsides |= (<u32>i32x4.bitmask(outside)) << (i << 2);
    }
    pairs &= ~outsides;
  }
  if (pairs === 0) return;
  store<f64>(job, load<f64>(job, jobTriangleTests) + <f64>popcnt(pairs), jobTriangleTests);
  leafNormals(leafB, scratch + normalsB);
  const etaA = f32x4.splat(load<f32>(frame, mapUncertainty) * 2.01);
  const etaB = f32x4.splat(load<f32>(frame, mapBytes + mapUncertainty) * 2.01);
  let worldReady: u32 = 0;
  for (let i: u32 = 0; i < 4; i++) {
    let row = (pairs >> (i << 2)) & 15;
    if (row === 0) continue;
    const lane = (<usize>i) << 2;
    row &= ~planesOfA(leafA + lane, scratch + movedB, scratch, lane, etaA);
    if (row === 0) continue;
    row &= ~planesOfB(leafB, scratch + movedA + lane, scratch, lane, etaB);
    if (row === 0) continue;
    const slotA = (la << 2) + i;
    worldTriangle(a, slotA, scratch + worldA);
    do {
      const j = <u32>ctz(row);
      row &= row - 1;
      const slotB = (lb << 2) + j;
      const corners = scratch + worldB + <usize>j * 72;
      if (!((worldReady >> j) & 1)) {
        worldTriangle(b, slotB, corners);
        worldReady |= 1 << j;
      }
      const answer = trianglesMeet(scratch + worldA, corners);
      if (answer === separate) continue;
      const ta = load<u32>(load<usize>(load<usize>(a, bodyTree), treeOrder) + ((<usize>slotA) << 2));
      const tb = load<u32>(load<usize>(load<usize>(b, bodyTree), treeOrder) + ((<usize>slotB) << 2));
      if (answer === meeting) {
        emitCertain(job, ta, tb);
        if (load<u32>(job, jobMode) === anyMode) return;
      } else {
        emitUnsure(job, ta, tb);
      }
    } while (row !== 0);
  }
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

/** Which of B's moved triangles lie strictly on one side of the plane of A's triangle at `t` (its lane of a leaf). */
function planesOfA(t: usize, moved: usize, scratch: usize, lane: usize, eta: v128): u32 {
  const ax = v128.load32_splat(t);
  const ay = v128.load32_splat(t, 16);
  const az = v128.load32_splat(t, 32);
  const ux = f32x4.sub(v128.load32_splat(t, 48), ax);
  const uy = f32x4.sub(v128.load32_splat(t, 64), ay);
  const uz = f32x4.sub(v128.load32_splat(t, 80), az);
  const vx = f32x4.sub(v128.load32_splat(t, 96), ax);
  const vy = f32x4.sub(v128.load32_splat(t, 112), ay);
  const vz = f32x4.sub(v128.load32_splat(t, 128), az);
  const nx = f32x4.sub(f32x4.mul(uy, vz), f32x4.mul(uz, vy));
  const ny = f32x4.sub(f32x4.mul(uz, vx), f32x4.mul(ux, vz));
  const nz = f32x4.sub(f32x4.mul(ux, vy), f32x4.mul(uy, vx));
  const m = v128.load32_splat(scratch + lane, ownA + ownExtent);
  const w = f32x4.add(f32x4.add(m, v128.load(moved, movedExtent)), eta);
  const bound = planeBound(m, w, eta);
  const d0 = side(nx, ny, nz, moved, 0, ax, ay, az);
  const d1 = side(nx, ny, nz, moved, 48, ax, ay, az);
  const d2 = side(nx, ny, nz, moved, 96, ax, ay, az);
  const least = f32x4.pmin(f32x4.pmin(d0, d1), d2);
  const most = f32x4.pmax(f32x4.pmax(d0, d1), d2);
  return i32x4.bitmask(v128.or(f32x4.gt(least, bound), f32x4.gt(f32x4.neg(most), bound)));
}

/** n·(corner − a) for four triangles. */
function side(nx: v128, ny: v128, nz: v128, rows: usize, corner: usize, ax: v128, ay: v128, az: v128): v128 {
  const at = rows + corner;
  return f32x4.add(
    f32x4.add(f32x4.mul(nx, f32x4.sub(v128.load(at), ax)), f32x4.mul(ny, f32x4.sub(v128.load(at, 16), ay))),
    f32x4.mul(nz, f32x4.sub(v128.load(at, 32), az)),
  );
}

/** For which of B's triangles A's moved triangle at `t` (its lane) lies strictly on one side of their planes. */
function planesOfB(leafB: usize, t: usize, scratch: usize, lane: usize, eta: v128): u32 {
  const bx = v128.load(leafB);
  const by = v128.load(leafB, 16);
  const bz = v128.load(leafB, 32);
  const nx = v128.load(scratch, normalsB);
  const ny = v128.load(scratch, normalsB + 16);
  const nz = v128.load(scratch, normalsB + 32);
  const m = v128.load(scratch, ownB + ownExtent);
  const w = f32x4.add(f32x4.add(m, v128.load32_splat(scratch + lane, movedA + movedExtent)), eta);
  const bound = planeBound(m, w, eta);
  let least = f32x4.splat(Infinity);
  let most = f32x4.splat(-Infinity);
  for (let corner: usize = 0; corner < 144; corner += 48) {
    const at = t + corner;
    const d = f32x4.add(
      f32x4.add(
        f32x4.mul(nx, f32x4.sub(v128.load32_splat(at), bx)),
        f32x4.mul(ny, f32x4.sub(v128.load32_splat(at, 16), by)),
      ),
      f32x4.mul(nz, f32x4.sub(v128.load32_splat(at, 32), bz)),
    );
    least = f32x4.pmin(least, d);
    most = f32x4.pmax(most, d);
  }
  return i32x4.bitmask(v128.or(f32x4.gt(least, bound), f32x4.gt(f32x4.neg(most), bound)));
}
