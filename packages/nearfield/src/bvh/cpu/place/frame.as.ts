// The frame of a pair of bodies: the affine map from one tree's frame to the other's, in single precision, with its
// error bound. The relative pose is formed in double (place.as.ts defines K, W, e, G, F and shrink). So a pair far from
// the origin loses nothing but the rounding of its world positions.
//
// Let a = (K_A)⁻¹. The exact frame of A maps a world point w to a(w − W_A). With δ = W_B − W_A, a vertex of B has the
// world position w = K_B v + W_B + (at most e_B), so in A's frame it lies at a(K_B v + δ + noise), noise ≤ e_A + e_B.
// With R = G(K_B·shrink) and T = G(δ·shrink):
//   a·y = (I + F)⁻¹ G (y·shrink), so |a·y − G(y·shrink)| ≤ ‖F‖/(1 − ‖F‖) · ‖G(y·shrink)‖∞,
// and the vertex lies at R·v + T, up to an error on axis i of
//   (1) (|G| (e_A + e_B)·shrink)_i                                       double rounding, of poses and of R and T
//   (2) 1.01·‖F‖·max_k(Σ_j |R_kj| h_j + |T_k| + (1)_k)                      the inverse is not exact
//   (3) 2^-24·8·(Σ_j |R_ij| h_j + |T_i|) + 2^-24·Σ_j |R_ij|                 single precision, below
// where |v_j| ≤ h_j. (3): u = 2^-24. R and T are rounded to float (u each), v is stored rounded (2^-25 absolute,
// |v| ≤ 1), a product and three sums follow: 1 + 1 + 3 roundings on the terms of R, 2 on T. The factor 8 leaves a
// margin for compounding of those roundings and for values that are subnormal floats (2^-149 each, far under the next
// term). A's own vertices lie where they are stored, up to 2^-25 (|u| ≤ 1; 2^-24 in the case |u| ≤ 2) and their share
// of e_A, which (1) already contains.
//
// A box of B with centre c and half extent h is transformed to R·c + T and |R|·h. It covers its contents if its half
// extent is enlarged by (1)-(3), since the roundings are the same. Comparing it with a box of A,
// |c_A − c_B| > h_A + h_B, adds two more roundings of values up to 1 + Σ|R| h + |T|. The slack stored for axis i is
// therefore
//   slack_i = (1) + (2) + 2^-24·16·(Σ_j |R_ij| (h_j + 2^-3) + |T_i| + 2).
//
// Triangles need a tighter bound, since they are small. Their corners are transformed in double, from the stored
// floats, and rounded once. So (3) is replaced by 2^-24·(Σ_j |R_ij| h_j + |T_i|) for that rounding and 2^-24·Σ_j |R_ij|
// for v. With A's own 2^-24 the uncertainty of every corner, the largest of the three axes, is
//   δ = max_i [(1) + (2) + 2^-24·(Σ_j |R_ij| (h_j + 1) + |T_i| + 4)].
//
// If F is unknown or a sum exceeds 10^30, the map is 0 and slack and δ are 10^30. Nothing of size ≤ 2 is then found to
// be apart.

import { Body } from './place.as';

/** One direction of a frame: three rows R_i0 R_i1 R_i2 T_i, nine |R|, three slacks; each four equal floats. */
export const mapRows: usize = 0;
export const mapAbs: usize = 192;
export const mapSlack: usize = 336;
/** δ, one float. */
export const mapUncertainty: usize = 384;
/** R and T again as doubles, two equal ones each, in the same layout as the rows. */
export const mapDoubles: usize = 400;
export const mapBytes: usize = 592;

/** Two maps: B into A's frame, then A into B's. */
export const frameBytes: usize = mapBytes * 2;

const single: f64 = 5.9604644775390625e-8; // 2^-24
const unusable: f64 = 1e30;
/** Compensates for a half extent that underflowed: one axis of a mesh may be far smaller than the frame's unit. */
const tiny: f64 = 8.881784197001252e-16; // 2^-50

/**
 * Whether a plane perpendicular to the line between the trees' centres separates two bodies. This needs no frame. Along
 * d = δ = W_B − W_A, as computed, a vertex of B lies beyond one of A by at least
 *   |d|² − Σ_j |d·K_A,j| h_A,j − Σ_j |d·K_B,j| h_B,j − Σ_i |d_i| (e_A + e_B)_i,
 * where e bounds the rounding of W, of δ and of sums of three products with K. 10^-9 of |d|² is far more than the
 * rounding of |d|² and of these sums. Underflow is negligible beside 10^-9·10^-250. Every comparison is false for NaN.
 */
export function centresSeparate(a: Body, b: Body): bool {
  const x = b.wX - a.wX;
  const y = b.wY - a.wY;
  const z = b.wZ - a.wZ;
  const square = x * x + y * y + z * z;
  const noise = abs(x) * (a.eX + b.eX) + abs(y) * (a.eY + b.eY) + abs(z) * (a.eZ + b.eZ);
  return square > 1e-250 && square * 0.999999999 > spreadAlong(a, x, y, z) + spreadAlong(b, x, y, z) + noise;
}

/** Half of a body's extent along a direction, times the direction's length. */
function spreadAlong(body: Body, x: f64, y: f64, z: f64): f64 {
  const k = body.k;
  return (
    abs(load<f64>(k) * x + load<f64>(k, 8) * y + load<f64>(k, 16) * z) * (body.hX + tiny) +
    abs(load<f64>(k, 24) * x + load<f64>(k, 32) * y + load<f64>(k, 40) * z) * (body.hY + tiny) +
    abs(load<f64>(k, 48) * x + load<f64>(k, 56) * y + load<f64>(k, 64) * z) * (body.hZ + tiny)
  );
}

export function relate(a: Body, b: Body, frame: usize): void {
  relateOneWay(a, b, frame);
  relateOneWay(b, a, frame + mapBytes);
}

/** Maps the frame of `from` into that of `into`. */
function relateOneWay(into: Body, from: Body, out: usize): void {
  const shrink = into.shrink;
  const k0 = from.wX - into.wX;
  const k1 = from.wY - into.wY;
  const k2 = from.wZ - into.wZ;
  const d0 = k0 * shrink;
  const d1 = k1 * shrink;
  const d2 = k2 * shrink;
  const e0 = (from.eX + into.eX) * shrink;
  const e1 = (from.eY + into.eY) * shrink;
  const e2 = (from.eZ + into.eZ) * shrink;
  const h0 = from.hX;
  const h1 = from.hY;
  const h2 = from.hZ;
  let worst: f64 = 0;
  let spread: f64 = 0;
  for (let row: usize = 0; row < 3; row++) {
    const g = into.g + (row << 3);
    const g0 = load<f64>(g);
    const g1 = load<f64>(g, 24);
    const g2 = load<f64>(g, 48);
    const r0 = entry(g0, g1, g2, from, 0, shrink);
    const r1 = entry(g0, g1, g2, from, 24, shrink);
    const r2 = entry(g0, g1, g2, from, 48, shrink);
    const t = g0 * d0 + g1 * d1 + g2 * d2;
    const noise = (abs(g0) * e0 + abs(g1) * e1 + abs(g2) * e2) * 1.01;
    const size = abs(r0) * h0 + abs(r1) * h1 + abs(r2) * h2 + abs(t);
    const extra = (abs(r0) + abs(r1) + abs(r2)) * 0.125 + 2.0;
    worst = max(worst, size + noise);
    // max(worst, NaN) may drop the NaN, and a NaN must not count as small.
    if (!(size + noise + extra < unusable)) worst = Infinity;
    spread = max(spread, noise + single * (size + (abs(r0) + abs(r1) + abs(r2)) + 4.0));
    const at = out + (row << 6);
    put(at, r0);
    put(at + 16, r1);
    put(at + 32, r2);
    put(at + 48, t);
    v128.store(at, f64x2.splat(r0), mapDoubles);
    v128.store(at, f64x2.splat(r1), mapDoubles + 16);
    v128.store(at, f64x2.splat(r2), mapDoubles + 32);
    v128.store(at, f64x2.splat(t), mapDoubles + 48);
    const absolute = out + mapAbs + row * 48;
    put(absolute, abs(r0));
    put(absolute + 16, abs(r1));
    put(absolute + 32, abs(r2));
    // Stored as a double in the slack's place until ‖F‖'s contribution is known.
    store<f64>(out + (row << 4), noise + 16.0 * single * (size + extra), mapSlack);
  }
  const f = into.f;
  const inverseError = 1.01 * f * worst;
  let uncertainty = <f32>unusable;
  if (inverseError < unusable) {
    for (let row: usize = 0; row < 3; row++) {
      // Rounding to float may round down; the factor compensates for it.
      const slack = <f32>((load<f64>(out + (row << 4), mapSlack) + inverseError) * 1.000001);
      v128.store(out + (row << 4), f32x4.splat(slack), mapSlack);
    }
    uncertainty = <f32>((spread + inverseError) * 1.000001);
  } else {
    memory.fill(out, 0, mapBytes);
    for (let row: usize = 0; row < 3; row++)
      v128.store(out + (row << 4), f32x4.splat(<f32>unusable), mapSlack);
  }
  store<f32>(out, uncertainty, mapUncertainty);
}

function entry(g0: f64, g1: f64, g2: f64, from: Body, column: usize, shrink: f64): f64 {
  const k = from.k + column;
  return g0 * (load<f64>(k) * shrink) + g1 * (load<f64>(k, 8) * shrink) + g2 * (load<f64>(k, 16) * shrink);
}

function put(at: usize, value: f64): void {
  v128.store(at, f32x4.splat(<f32>value));
}

/** One coordinate of four points through a map. */
export function moved(map: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  const at = map + (row << 6);
  return f32x4.add(
    f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at), x), f32x4.mul(v128.load(at, 16), y)),
      f32x4.mul(v128.load(at, 32), z),
    ),
    v128.load(at, 48),
  );
}

/** One half extent of four boxes through a map, with its slack. */
export function reach(map: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  const at = map + row * 48;
  return f32x4.add(
    f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at, mapAbs), x), f32x4.mul(v128.load(at, mapAbs + 16), y)),
      f32x4.mul(v128.load(at, mapAbs + 32), z),
    ),
    v128.load(map + (row << 4), mapSlack),
  );
}

/** The half extents of a box, added up: what decides which of two nodes is opened. */
export function boxSize(box: usize): f32 {
  return load<f32>(box, 48) + load<f32>(box, 64) + load<f32>(box, 80);
}

/** The same of a box moved by a map. */
export function movedSize(box: usize, map: usize): f32 {
  let size: f32 = 0;
  for (let row: usize = 0; row < 144; row += 48) {
    size +=
      load<f32>(map + row, mapAbs) * load<f32>(box, 48) +
      load<f32>(map + row, mapAbs + 16) * load<f32>(box, 64) +
      load<f32>(map + row, mapAbs + 32) * load<f32>(box, 80);
  }
  return size;
}
