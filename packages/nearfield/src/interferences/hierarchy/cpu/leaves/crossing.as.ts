// Does one triangle meet four others? Proven in single precision as far as possible: which are certainly apart (by
// planes, then by edges), and which certainly meet. The rest is tested on world doubles (triangles.as.ts).
//
// Every corner is known to within δ on each axis of the frame, so a difference of two corners to within η = 2.01δ. If
// det(U, V, W) has |U| ≤ l, |V| ≤ m, |W| ≤ n on every axis, moving the three by η changes it by at most
//   6[(l + η)(m + η)(n + η) − lmn] = 6[η(lm + mn + nl) + η²(l + m + n) + η³],
// and evaluating it rounds each of its six terms eight times (three differences, two products, one difference, two
// sums): less than 6·8.01·2^-24·(l + η)(m + η)(n + η). The rounding of the bounds themselves, a dozen operations on
// positive numbers, is covered by 6.1 in place of 6. Nothing here is subnormal: η³ > 2^-70.
//
// Planes. With m bounding the edges of A's triangle (U, V) and w the corners of B relative to its first corner:
//   plane = 6.1[ηm(2w + m) + η²(w + 2m) + η³ + 8·2^-24·(m + η)²(w + η)].
// A pair gets here only if the triangles' boxes, enlarged by δ, meet. So w = m + extent of B + η is sufficient.
//
// Edges. Let P_j be B's corners relative to A's first corner a0, U = a1 − a0, V = a2 − a0, d_j = (U × V)·P_j the side
// of A's plane, C_j = P_j × P_(j+1). The line of A's edge i passes B's edge j on the side given by the determinant of
// their four end points; for the edges a0a1, a1a2, a2a0 it is
//   s_0j = U·C_j,   s_1j = (V − U)·C_j + d_(j+1) − d_j,   s_2j = −V·C_j
// (the moments of the first and last about a0 vanish, that of the middle one is U × V). The same bounds give
//   edge = 6.1[ηw(2m + w) + η²(m + 2w) + η³ + 16·2^-24·(m + η)(w + η)²]   for s_0j, s_2j, and   2(edge + plane)   for s_1j,
// whose three further sums are covered by 16 in place of 8 (w ≥ m). Edge i of A meets B iff its ends are not on one
// side of B's plane and s_i0, s_i1, s_i2 do not have different signs. Edge j of B meets A likewise, with d and s_0j,
// s_1j, s_2j. Two triangles meet iff an edge of one meets the other, since the extreme points of their intersection are
// such points. So they certainly meet if some edge has ends with certain, different sides and three certain, equal
// signs. They are certainly apart if for each of the six edges the ends have certain, equal sides, or two of the signs
// are certain and different.
//
// If they certainly meet and neither is degenerate, they cross: their planes differ, and the relative interiors of both have
// a segment in common. Proof: let e be the edge that passes through the other triangle, say an edge of A. It meets B's plane
// in one point, in B's relative interior. In A's plane, A lies on one side of e. So the line in which the planes meet runs from
// that point into the interior of A, and stays within B for some length. The same is proven where doubles decide (triangles.as.ts): then each triangle has corners strictly on
// both sides of the other's plane, and the intervals on the line overlap by more than a point.

import { Leaf } from '../../../../bvh/cpu/build/layout.as';
import { KeptLeaf, MovedLeaf } from './leaf-cache.as';

const eightRoundings: f32 = 4.76837158203125e-7; // 8 · 2^-24
const sixteenRoundings: f32 = 9.5367431640625e-7;

/**
 * The bounds above, with the size t = `twice` of two of the three factors and the size o = `once` of the third:
 * 6.1[ηt(2o + t) + η²(o + 2t) + η³ + roundings·(t + η)²(o + η)].
 */
export function determinantBound(twice: v128, once: v128, eta: v128, roundings: f32): v128 {
  const a = f32x4.add(twice, eta);
  const b = f32x4.add(once, eta);
  const first = f32x4.mul(f32x4.mul(eta, twice), f32x4.add(f32x4.add(once, once), twice));
  const second = f32x4.mul(f32x4.mul(eta, eta), f32x4.add(f32x4.add(b, twice), twice));
  const rounding = f32x4.mul(f32x4.mul(f32x4.mul(a, a), b), f32x4.splat(roundings));
  return f32x4.mul(f32x4.add(f32x4.add(first, second), rounding), f32x4.splat(6.1));
}

export function planeBound(m: v128, w: v128, eta: v128): v128 {
  return determinantBound(m, w, eta, eightRoundings);
}

/**
 * Tests A's triangle at `t` (its lane of a leaf's rows; `keptT` is the same lane of the cached leaf) against the four
 * triangles at `moved` in A's frame. `leafB` and `keptB` are those in their own frame, and `movedT` is the lane of A's
 * triangle there. For the lanes in `row`, returns bits 0-3 for certainly meeting and bits 4-7 for certainly apart.
 */
export function crossRow(
  t: usize,
  keptT: usize,
  moved: MovedLeaf,
  leafB: Leaf,
  keptB: KeptLeaf,
  movedT: usize,
  etaA: v128,
  etaB: v128,
  row: u32,
): u32 {
  const ax = v128.load32_splat(t);
  const ay = v128.load32_splat(t, 16);
  const az = v128.load32_splat(t, 32);
  let nx = v128.load32_splat(keptT, offsetof<KeptLeaf>('normalX'));
  let ny = v128.load32_splat(keptT, offsetof<KeptLeaf>('normalY'));
  let nz = v128.load32_splat(keptT, offsetof<KeptLeaf>('normalZ'));
  const m = v128.load32_splat(keptT, offsetof<KeptLeaf>('extent'));
  const w = f32x4.add(f32x4.add(m, moved.extent), etaA);
  const plane = planeBound(m, w, etaA);
  const p0x = f32x4.sub(moved.x0, ax);
  const p0y = f32x4.sub(moved.y0, ay);
  const p0z = f32x4.sub(moved.z0, az);
  const p1x = f32x4.sub(moved.x1, ax);
  const p1y = f32x4.sub(moved.y1, ay);
  const p1z = f32x4.sub(moved.z1, az);
  const p2x = f32x4.sub(moved.x2, ax);
  const p2y = f32x4.sub(moved.y2, ay);
  const p2z = f32x4.sub(moved.z2, az);
  const d0 = dot(nx, ny, nz, p0x, p0y, p0z);
  const d1 = dot(nx, ny, nz, p1x, p1y, p1z);
  const d2 = dot(nx, ny, nz, p2x, p2y, p2z);
  let away = v128.or(
    f32x4.gt(f32x4.pmin(f32x4.pmin(d0, d1), d2), plane),
    f32x4.lt(f32x4.pmax(f32x4.pmax(d0, d1), d2), f32x4.neg(plane)),
  );
  if ((row & ~i32x4.bitmask(away)) === 0) return row << 4;
  // A's corners and the planes of B's triangles, in B's frame.
  const bx = leafB.x0;
  const by = leafB.y0;
  const bz = leafB.z0;
  nx = keptB.normalX;
  ny = keptB.normalY;
  nz = keptB.normalZ;
  const mB = keptB.extent;
  const wB = f32x4.add(f32x4.add(mB, v128.load32_splat(movedT, offsetof<MovedLeaf>('extent'))), etaB);
  const planeB = planeBound(mB, wB, etaB);
  const c0 = splatSide(nx, ny, nz, movedT, bx, by, bz);
  const c1 = splatSide(nx, ny, nz, movedT + 48, bx, by, bz);
  const c2 = splatSide(nx, ny, nz, movedT + 96, bx, by, bz);
  away = v128.or(
    away,
    v128.or(
      f32x4.gt(f32x4.pmin(f32x4.pmin(c0, c1), c2), planeB),
      f32x4.lt(f32x4.pmax(f32x4.pmax(c0, c1), c2), f32x4.neg(planeB)),
    ),
  );
  const left = row & ~i32x4.bitmask(away);
  if (left === 0) return row << 4;
  const ux = f32x4.sub(v128.load32_splat(t, 48), ax);
  const uy = f32x4.sub(v128.load32_splat(t, 64), ay);
  const uz = f32x4.sub(v128.load32_splat(t, 80), az);
  const vx = f32x4.sub(v128.load32_splat(t, 96), ax);
  const vy = f32x4.sub(v128.load32_splat(t, 112), ay);
  const vz = f32x4.sub(v128.load32_splat(t, 128), az);
  // If corners coincide, no sign of the edges at them is certain. Leave such pairs to world doubles, unless others need
  // the edges, too. A corner on A's plane is rare otherwise, so it is looked for first.
  const least = f32x4.pmin(f32x4.pmin(f32x4.abs(d0), f32x4.abs(d1)), f32x4.abs(d2));
  if ((left & ~i32x4.bitmask(f32x4.le(least, plane))) === 0) {
    const coincide = v128.or(
      atCorner(p0x, p0y, p0z, ux, uy, uz, vx, vy, vz, etaA),
      v128.or(
        atCorner(p1x, p1y, p1z, ux, uy, uz, vx, vy, vz, etaA),
        atCorner(p2x, p2y, p2z, ux, uy, uz, vx, vy, vz, etaA),
      ),
    );
    if ((left & ~i32x4.bitmask(coincide)) === 0) return (row & ~left) << 4;
  }
  // Edges.
  const edge = determinantBound(w, m, etaA, sixteenRoundings);
  const middle = f32x4.add(f32x4.add(edge, plane), f32x4.add(edge, plane));
  const edgeUnder = f32x4.neg(edge);
  const middleUnder = f32x4.neg(middle);
  let x = f32x4.sub(f32x4.mul(p0y, p1z), f32x4.mul(p0z, p1y));
  let y = f32x4.sub(f32x4.mul(p0z, p1x), f32x4.mul(p0x, p1z));
  let z = f32x4.sub(f32x4.mul(p0x, p1y), f32x4.mul(p0y, p1x));
  const s00 = dot(ux, uy, uz, x, y, z);
  const s20 = f32x4.neg(dot(vx, vy, vz, x, y, z));
  const s10 = f32x4.sub(f32x4.sub(f32x4.sub(d1, d0), s00), s20);
  x = f32x4.sub(f32x4.mul(p1y, p2z), f32x4.mul(p1z, p2y));
  y = f32x4.sub(f32x4.mul(p1z, p2x), f32x4.mul(p1x, p2z));
  z = f32x4.sub(f32x4.mul(p1x, p2y), f32x4.mul(p1y, p2x));
  const s01 = dot(ux, uy, uz, x, y, z);
  const s21 = f32x4.neg(dot(vx, vy, vz, x, y, z));
  const s11 = f32x4.sub(f32x4.sub(f32x4.sub(d2, d1), s01), s21);
  x = f32x4.sub(f32x4.mul(p2y, p0z), f32x4.mul(p2z, p0y));
  y = f32x4.sub(f32x4.mul(p2z, p0x), f32x4.mul(p2x, p0z));
  z = f32x4.sub(f32x4.mul(p2x, p0y), f32x4.mul(p2y, p0x));
  const s02 = dot(ux, uy, uz, x, y, z);
  const s22 = f32x4.neg(dot(vx, vy, vz, x, y, z));
  const s12 = f32x4.sub(f32x4.sub(f32x4.sub(d0, d2), s02), s22);
  // Certain signs of the ends.
  const planeUnder = f32x4.neg(plane);
  const d0p = f32x4.gt(d0, plane);
  const d1p = f32x4.gt(d1, plane);
  const d2p = f32x4.gt(d2, plane);
  const d0n = f32x4.lt(d0, planeUnder);
  const d1n = f32x4.lt(d1, planeUnder);
  const d2n = f32x4.lt(d2, planeUnder);
  const planeBUnder = f32x4.neg(planeB);
  const c0p = f32x4.gt(c0, planeB);
  const c1p = f32x4.gt(c1, planeB);
  const c2p = f32x4.gt(c2, planeB);
  const c0n = f32x4.lt(c0, planeBUnder);
  const c1n = f32x4.lt(c1, planeBUnder);
  const c2n = f32x4.lt(c2, planeBUnder);
  // Edges of A, three signs each: compare their minimum and maximum with the bound.
  let least0 = f32x4.pmin(f32x4.pmin(s00, s01), s02);
  let most0 = f32x4.pmax(f32x4.pmax(s00, s01), s02);
  let least1 = f32x4.pmin(f32x4.pmin(s10, s11), s12);
  let most1 = f32x4.pmax(f32x4.pmax(s10, s11), s12);
  let least2 = f32x4.pmin(f32x4.pmin(s20, s21), s22);
  let most2 = f32x4.pmax(f32x4.pmax(s20, s21), s22);
  let meet = v128.and(opposite(c0p, c0n, c1p, c1n), outsideOf(least0, most0, edge, edgeUnder));
  meet = v128.or(meet, v128.and(opposite(c1p, c1n, c2p, c2n), outsideOf(least1, most1, middle, middleUnder)));
  meet = v128.or(meet, v128.and(opposite(c2p, c2n, c0p, c0n), outsideOf(least2, most2, edge, edgeUnder)));
  let apart = v128.or(
    equal(c0p, c0n, c1p, c1n),
    v128.and(f32x4.gt(most0, edge), f32x4.lt(least0, edgeUnder)),
  );
  apart = v128.and(
    apart,
    v128.or(equal(c1p, c1n, c2p, c2n), v128.and(f32x4.gt(most1, middle), f32x4.lt(least1, middleUnder))),
  );
  apart = v128.and(
    apart,
    v128.or(equal(c2p, c2n, c0p, c0n), v128.and(f32x4.gt(most2, edge), f32x4.lt(least2, edgeUnder))),
  );
  // Edges of B: the middle edge of A has the wider bound, so signs are compared with that.
  least0 = f32x4.pmin(f32x4.pmin(s00, s10), s20);
  most0 = f32x4.pmax(f32x4.pmax(s00, s10), s20);
  least1 = f32x4.pmin(f32x4.pmin(s01, s11), s21);
  most1 = f32x4.pmax(f32x4.pmax(s01, s11), s21);
  least2 = f32x4.pmin(f32x4.pmin(s02, s12), s22);
  most2 = f32x4.pmax(f32x4.pmax(s02, s12), s22);
  meet = v128.or(meet, v128.and(opposite(d0p, d0n, d1p, d1n), outsideOf(least0, most0, middle, middleUnder)));
  meet = v128.or(meet, v128.and(opposite(d1p, d1n, d2p, d2n), outsideOf(least1, most1, middle, middleUnder)));
  meet = v128.or(meet, v128.and(opposite(d2p, d2n, d0p, d0n), outsideOf(least2, most2, middle, middleUnder)));
  apart = v128.and(
    apart,
    v128.or(equal(d0p, d0n, d1p, d1n), v128.and(f32x4.gt(most0, middle), f32x4.lt(least0, middleUnder))),
  );
  apart = v128.and(
    apart,
    v128.or(equal(d1p, d1n, d2p, d2n), v128.and(f32x4.gt(most1, middle), f32x4.lt(least1, middleUnder))),
  );
  apart = v128.and(
    apart,
    v128.or(equal(d2p, d2n, d0p, d0n), v128.and(f32x4.gt(most2, middle), f32x4.lt(least2, middleUnder))),
  );
  return (i32x4.bitmask(meet) & left) | ((row & ~left) << 4) | ((i32x4.bitmask(apart) & left) << 4);
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** Lanes whose p may be 0, u or v. */
function atCorner(
  px: v128,
  py: v128,
  pz: v128,
  ux: v128,
  uy: v128,
  uz: v128,
  vx: v128,
  vy: v128,
  vz: v128,
  eta: v128,
): v128 {
  const fromU = mostOf(f32x4.sub(px, ux), f32x4.sub(py, uy), f32x4.sub(pz, uz));
  const fromV = mostOf(f32x4.sub(px, vx), f32x4.sub(py, vy), f32x4.sub(pz, vz));
  return f32x4.le(f32x4.pmin(f32x4.pmin(mostOf(px, py, pz), fromU), fromV), eta);
}

function mostOf(a: v128, b: v128, c: v128): v128 {
  return f32x4.pmax(f32x4.pmax(f32x4.abs(a), f32x4.abs(b)), f32x4.abs(c));
}

/** n·(corner − b) for one corner and four planes. */
function splatSide(nx: v128, ny: v128, nz: v128, corner: usize, bx: v128, by: v128, bz: v128): v128 {
  return dot(
    nx,
    ny,
    nz,
    f32x4.sub(v128.load32_splat(corner), bx),
    f32x4.sub(v128.load32_splat(corner, 16), by),
    f32x4.sub(v128.load32_splat(corner, 32), bz),
  );
}

/** Lanes whose two values are certainly on different sides. */
function opposite(ap: v128, an: v128, bp: v128, bn: v128): v128 {
  return v128.or(v128.and(ap, bn), v128.and(an, bp));
}

/** Lanes whose two values are certainly on the same side. */
function equal(ap: v128, an: v128, bp: v128, bn: v128): v128 {
  return v128.or(v128.and(ap, bp), v128.and(an, bn));
}

/** Lanes in which all values are certain and have the same sign. */
function outsideOf(least: v128, most: v128, bound: v128, under: v128): v128 {
  return v128.or(f32x4.gt(least, bound), f32x4.lt(most, under));
}
