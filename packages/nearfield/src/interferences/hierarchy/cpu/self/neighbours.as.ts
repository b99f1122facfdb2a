// Triangles of one mesh with common corners, in single precision, one against four: do the planes show that they share
// no more than those corners, or that they do? If every corner of B is either shared or strictly on one side of A's
// plane, B touches that plane only in the hull of the shared corners.

import { Leaf } from '../../../../bvh/cpu/build/layout.as';
import { planeBound } from '../leaves/crossing.as';
import { KeptLeaf } from '../leaves/leaf-cache.as';

/**
 * Decides the lanes in `row` by the planes. Bits 0-3: these triangles of leaf B share no more with A's triangle (its
 * lane) than their common corners. Bits 4-7: these share one corner and certainly more.
 */
export function planesSeparate(
  t: usize,
  leafB: Leaf,
  weldT: usize,
  weldB: usize,
  keptT: usize,
  keptB: KeptLeaf,
  eta: v128,
  row: u32,
): u32 {
  const s0 = v128.load32_splat(weldT);
  const s1 = v128.load32_splat(weldT, 16);
  const s2 = v128.load32_splat(weldT, 32);
  const r0 = v128.load(weldB);
  const r1 = v128.load(weldB, 16);
  const r2 = v128.load(weldB, 32);
  const e00 = i32x4.eq(s0, r0);
  const e01 = i32x4.eq(s0, r1);
  const e02 = i32x4.eq(s0, r2);
  const e10 = i32x4.eq(s1, r0);
  const e11 = i32x4.eq(s1, r1);
  const e12 = i32x4.eq(s1, r2);
  const e20 = i32x4.eq(s2, r0);
  const e21 = i32x4.eq(s2, r1);
  const e22 = i32x4.eq(s2, r2);
  const b0 = v128.or(v128.or(e00, e10), e20);
  const b1 = v128.or(v128.or(e01, e11), e21);
  const b2 = v128.or(v128.or(e02, e12), e22);
  const all = v128.and(v128.and(b0, b1), b2);
  const ax = v128.load32_splat(t);
  const ay = v128.load32_splat(t, 16);
  const az = v128.load32_splat(t, 32);
  const mA = v128.load32_splat(keptT, offsetof<KeptLeaf>('extent'));
  const mB = keptB.extent;
  const far = f32x4.add(f32x4.add(mA, mB), f32x4.add(eta, eta));
  const infinity = f32x4.splat(Infinity);
  let nx = v128.load32_splat(keptT, offsetof<KeptLeaf>('normalX'));
  let ny = v128.load32_splat(keptT, offsetof<KeptLeaf>('normalY'));
  let nz = v128.load32_splat(keptT, offsetof<KeptLeaf>('normalZ'));
  let bound = planeBound(mA, far, eta);
  let d0 = f32x4.add(
    f32x4.add(f32x4.mul(nx, f32x4.sub(leafB.x0, ax)), f32x4.mul(ny, f32x4.sub(leafB.y0, ay))),
    f32x4.mul(nz, f32x4.sub(leafB.z0, az)),
  );
  let d1 = f32x4.add(
    f32x4.add(f32x4.mul(nx, f32x4.sub(leafB.x1, ax)), f32x4.mul(ny, f32x4.sub(leafB.y1, ay))),
    f32x4.mul(nz, f32x4.sub(leafB.z1, az)),
  );
  let d2 = f32x4.add(
    f32x4.add(f32x4.mul(nx, f32x4.sub(leafB.x2, ax)), f32x4.mul(ny, f32x4.sub(leafB.y2, ay))),
    f32x4.mul(nz, f32x4.sub(leafB.z2, az)),
  );
  // A shared corner counts for either side: it is +∞ in the minimum and −∞ in the maximum (computed as the minimum of
  // the negatives).
  const above = f32x4.pmin(
    f32x4.pmin(v128.bitselect(infinity, d0, b0), v128.bitselect(infinity, d1, b1)),
    v128.bitselect(infinity, d2, b2),
  );
  const below = f32x4.pmin(
    f32x4.pmin(v128.bitselect(infinity, f32x4.neg(d0), b0), v128.bitselect(infinity, f32x4.neg(d1), b1)),
    v128.bitselect(infinity, f32x4.neg(d2), b2),
  );
  let apart = v128.andnot(v128.or(f32x4.gt(above, bound), f32x4.gt(below, bound)), all);
  const early = i32x4.bitmask(apart);
  if ((row & ~early) === 0) return early;
  const dp0 = f32x4.gt(d0, bound);
  const dp1 = f32x4.gt(d1, bound);
  const dp2 = f32x4.gt(d2, bound);
  bound = f32x4.neg(bound);
  const dn0 = f32x4.lt(d0, bound);
  const dn1 = f32x4.lt(d1, bound);
  const dn2 = f32x4.lt(d2, bound);
  // The same with B's planes.
  const a0 = v128.or(v128.or(e00, e01), e02);
  const a1 = v128.or(v128.or(e10, e11), e12);
  const a2 = v128.or(v128.or(e20, e21), e22);
  const bx = leafB.x0;
  const by = leafB.y0;
  const bz = leafB.z0;
  nx = keptB.normalX;
  ny = keptB.normalY;
  nz = keptB.normalZ;
  bound = planeBound(mB, far, eta);
  d0 = f32x4.add(
    f32x4.add(f32x4.mul(nx, f32x4.sub(ax, bx)), f32x4.mul(ny, f32x4.sub(ay, by))),
    f32x4.mul(nz, f32x4.sub(az, bz)),
  );
  d1 = f32x4.add(
    f32x4.add(
      f32x4.mul(nx, f32x4.sub(v128.load32_splat(t, 48), bx)),
      f32x4.mul(ny, f32x4.sub(v128.load32_splat(t, 64), by)),
    ),
    f32x4.mul(nz, f32x4.sub(v128.load32_splat(t, 80), bz)),
  );
  d2 = f32x4.add(
    f32x4.add(
      f32x4.mul(nx, f32x4.sub(v128.load32_splat(t, 96), bx)),
      f32x4.mul(ny, f32x4.sub(v128.load32_splat(t, 112), by)),
    ),
    f32x4.mul(nz, f32x4.sub(v128.load32_splat(t, 128), bz)),
  );
  const aboveA = f32x4.pmin(
    f32x4.pmin(v128.bitselect(infinity, d0, a0), v128.bitselect(infinity, d1, a1)),
    v128.bitselect(infinity, d2, a2),
  );
  const belowA = f32x4.pmin(
    f32x4.pmin(v128.bitselect(infinity, f32x4.neg(d0), a0), v128.bitselect(infinity, f32x4.neg(d1), a1)),
    v128.bitselect(infinity, f32x4.neg(d2), a2),
  );
  // If every corner of one is a corner of the other, planes decide nothing.
  const allA = v128.and(v128.and(a0, a1), a2);
  apart = v128.or(
    apart,
    v128.andnot(v128.or(f32x4.gt(aboveA, bound), f32x4.gt(belowA, bound)), v128.or(all, allA)),
  );
  const late = i32x4.bitmask(apart);
  if ((row & ~late) === 0) return late;
  // One common corner, and both triangles cross the other's plane: apply the rule of vertexNeighboursMeet
  // (triangles.as.ts) to these signs. α1, α2 are the sides of A's next two corners after the common one, β1, β2 those
  // of B's. Corners are matched by bits, since a lane has only one common corner.
  const under = f32x4.neg(bound);
  const cp0 = f32x4.gt(d0, bound);
  const cp1 = f32x4.gt(d1, bound);
  const cp2 = f32x4.gt(d2, bound);
  const cn0 = f32x4.lt(d0, under);
  const cn1 = f32x4.lt(d1, under);
  const cn2 = f32x4.lt(d2, under);
  const alpha1p = pick(a0, cp1, a1, cp2, a2, cp0);
  const alpha1n = pick(a0, cn1, a1, cn2, a2, cn0);
  const alpha2p = pick(a0, cp2, a1, cp0, a2, cp1);
  const alpha2n = pick(a0, cn2, a1, cn0, a2, cn1);
  const beta1p = pick(b0, dp1, b1, dp2, b2, dp0);
  const beta1n = pick(b0, dn1, b1, dn2, b2, dn0);
  const beta2p = pick(b0, dp2, b1, dp0, b2, dp1);
  const beta2n = pick(b0, dn2, b1, dn0, b2, dn1);
  const single = v128.andnot(
    v128.and(v128.or(v128.or(a0, a1), a2), v128.or(v128.or(b0, b1), b2)),
    v128.or(moreThanOne(a0, a1, a2), moreThanOne(b0, b1, b2)),
  );
  const alphaUp = v128.and(alpha1p, alpha2n);
  const alphaDown = v128.and(alpha1n, alpha2p);
  const betaUp = v128.and(beta1p, beta2n);
  const betaDown = v128.and(beta1n, beta2p);
  const opposed = v128.and(single, v128.or(v128.and(alphaUp, betaUp), v128.and(alphaDown, betaDown)));
  const along = v128.and(single, v128.or(v128.and(alphaUp, betaDown), v128.and(alphaDown, betaUp)));
  return late | i32x4.bitmask(opposed) | (i32x4.bitmask(along) << 4);
}

function pick(m0: v128, v0: v128, m1: v128, v1: v128, m2: v128, v2: v128): v128 {
  return v128.or(v128.or(v128.and(m0, v0), v128.and(m1, v1)), v128.and(m2, v2));
}

function moreThanOne(m0: v128, m1: v128, m2: v128): v128 {
  return v128.or(v128.or(v128.and(m0, m1), v128.and(m1, m2)), v128.and(m2, m0));
}
