// Does a ray meet a triangle? Möller and Trumbore's determinants (Fast, Minimum Storage Ray/Triangle Intersection, 1997),
// in single precision for four triangles of a leaf, and in double for one. With T = o − a, E₁ = b − a, E₂ = c − a and
//   D = E₁·(d × E₂),  B = T·(d × E₂),  C = d·(T × E₁),  N = E₂·(T × E₁)
// the line meets the plane at time N/D, with weights B/D of b, C/D of c and (D − B − C)/D of a.
//
// Single precision. If the ray meets the triangle with weights β and γ, then o + s·d = v₀ + β·E₁ + γ·E₂ + η with
// the stored vertices v and ‖η‖∞ ≤ ε = E + 2^-24 (E of ray.as.ts; stored vertices are off by 2^-24). So
//   B = β·D + η·(d × E₂)      and      C = γ·D + d·(η × E₁)
// and |η·(d × E₂)| ≤ 2ε‖E₂‖₁, since ‖d‖∞ ≤ 1. The differences are rounded once, products and sums five times more: each
// determinant is off by at most 8·2^-24 of the sum of the magnitudes of its products, for B less than
// 8·2^-24·‖T‖∞·2·‖E₂‖₁. So a hit needs, with D made positive,
//   B ≥ −m·‖E₂‖₁,  C ≥ −m·‖E₁‖₁,  B + C ≤ D + 1.01·m·(‖E₁‖₁ + ‖E₂‖₁) + 2^-19·‖E₁‖₁·‖E₂‖₁,   m = 2.02·ε + 2^-20·‖T‖∞,
// unless |D| ≤ 2^-20·‖E₁‖₁·‖E₂‖₁, where its sign is not certain.
//
// Double. The same determinants of world doubles; T, E₁ and E₂ are rounded once per coordinate, d not at all. Each is off
// by at most 8·2^-53 of the sum of the magnitudes of its products; 2^-49.8 = 9.2·2^-53 covers the rounding of that sum too,
// and 2^-860 covers underflow: a product of two numbers that underflows is off by 2^-1075, and is then multiplied by at most
// 2^201. (Coordinates are at most 1e60 < 2^200, the largest at least 1e-60, see bodies/snapshot/baked.ts; the largest component of d is between
// 2^-10 and 2^10, see driver.ts.)

import { Leaf } from '../../bvh/cpu/build/layout.as';
import { Ray } from '../../bvh/cpu/walk/ray.as';

/** What `testRay` found out about a certain hit. */
@unmanaged
export class RayTest {
  time: f64;
  second: f64;
  third: f64;
  crossing: i32;
}

/** Results of `testRay`; 0 if doubles cannot tell, or cannot tell well enough. */
export const certainMiss: i32 = 1;
export const certainHit: i32 = 2;

const rounding: f64 = 1.021405182655144e-15; // 9.2·2^-53
const underflow: f64 = 1.3007796349561859e-259; // 2^-860
/** A hit is certain if time (relatively) and weights (absolutely) are off by less than this. */
const precision: f64 = 4.547473508864641e-13; // 2^-41

/** Which of a leaf's triangles the ray may meet. */
export function mayMeet(leaf: Leaf, ray: Ray): u32 {
  const zero = f32x4.splat(0);
  const dx = f32x4.splat(ray.directionX);
  const dy = f32x4.splat(ray.directionY);
  const dz = f32x4.splat(ray.directionZ);
  const tx = f32x4.sub(f32x4.splat(ray.x), leaf.x0);
  const ty = f32x4.sub(f32x4.splat(ray.y), leaf.y0);
  const tz = f32x4.sub(f32x4.splat(ray.z), leaf.z0);
  const ux = f32x4.sub(leaf.x1, leaf.x0);
  const uy = f32x4.sub(leaf.y1, leaf.y0);
  const uz = f32x4.sub(leaf.z1, leaf.z0);
  const vx = f32x4.sub(leaf.x2, leaf.x0);
  const vy = f32x4.sub(leaf.y2, leaf.y0);
  const vz = f32x4.sub(leaf.z2, leaf.z0);
  const px = f32x4.sub(f32x4.mul(dy, vz), f32x4.mul(dz, vy));
  const py = f32x4.sub(f32x4.mul(dz, vx), f32x4.mul(dx, vz));
  const pz = f32x4.sub(f32x4.mul(dx, vy), f32x4.mul(dy, vx));
  const d = dot(ux, uy, uz, px, py, pz);
  let b = dot(tx, ty, tz, px, py, pz);
  let c = dot(
    dx,
    dy,
    dz,
    f32x4.sub(f32x4.mul(ty, uz), f32x4.mul(tz, uy)),
    f32x4.sub(f32x4.mul(tz, ux), f32x4.mul(tx, uz)),
    f32x4.sub(f32x4.mul(tx, uy), f32x4.mul(ty, ux)),
  );
  const negative = f32x4.lt(d, zero);
  b = v128.bitselect(f32x4.neg(b), b, negative);
  c = v128.bitselect(f32x4.neg(c), c, negative);
  const size = f32x4.abs(d);
  const u1 = f32x4.add(f32x4.add(f32x4.abs(ux), f32x4.abs(uy)), f32x4.abs(uz));
  const v1 = f32x4.add(f32x4.add(f32x4.abs(vx), f32x4.abs(vy)), f32x4.abs(vz));
  // ‖T‖∞ is at most that of the start plus 1.1. The last term covers products that underflow.
  const m = f32x4.splat(<f32>(2.03 * (<f64>ray.error + 6e-8) + 9.6e-7 * (<f64>ray.start + 1.1)));
  const tiny = f32x4.splat(<f32>1e-30);
  const slackB = f32x4.add(f32x4.mul(m, v1), tiny);
  const slackC = f32x4.add(f32x4.mul(m, u1), tiny);
  const area = f32x4.mul(u1, v1);
  const slackA = f32x4.add(
    f32x4.mul(f32x4.splat(<f32>1.01), f32x4.add(slackB, slackC)),
    f32x4.mul(f32x4.splat(<f32>2e-6), area),
  );
  let missed = f32x4.lt(f32x4.add(b, slackB), zero);
  missed = v128.or(missed, f32x4.lt(f32x4.add(c, slackC), zero));
  missed = v128.or(missed, f32x4.gt(f32x4.add(b, c), f32x4.add(size, slackA)));
  missed = v128.and(missed, f32x4.gt(size, f32x4.add(f32x4.mul(f32x4.splat(<f32>1e-6), area), tiny)));
  return ~i32x4.bitmask(missed) & 15;
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** Tests the ray of six doubles at `ray` against the triangle of nine doubles at `p`. */
export function testRay(ray: usize, p: usize, out: RayTest): i32 {
  const dx = load<f64>(ray, 24);
  const dy = load<f64>(ray, 32);
  const dz = load<f64>(ray, 40);
  const ax = load<f64>(p);
  const ay = load<f64>(p, 8);
  const az = load<f64>(p, 16);
  const tx = load<f64>(ray) - ax;
  const ty = load<f64>(ray, 8) - ay;
  const tz = load<f64>(ray, 16) - az;
  const ux = load<f64>(p, 24) - ax;
  const uy = load<f64>(p, 32) - ay;
  const uz = load<f64>(p, 40) - az;
  const vx = load<f64>(p, 48) - ax;
  const vy = load<f64>(p, 56) - ay;
  const vz = load<f64>(p, 64) - az;
  const x1 = dy * vz;
  const x2 = dz * vy;
  const y1 = dz * vx;
  const y2 = dx * vz;
  const z1 = dx * vy;
  const z2 = dy * vx;
  const px = x1 - x2;
  const py = y1 - y2;
  const pz = z1 - z2;
  const wx = abs(x1) + abs(x2);
  const wy = abs(y1) + abs(y2);
  const wz = abs(z1) + abs(z2);
  let d = ux * px + uy * py + uz * pz;
  const errorD = rounding * (abs(ux) * wx + abs(uy) * wy + abs(uz) * wz) + underflow;
  if (!(abs(d) > errorD)) return 0;
  const sign: f64 = d < 0 ? -1 : 1;
  d *= sign;
  const b = sign * (tx * px + ty * py + tz * pz);
  const errorB = rounding * (abs(tx) * wx + abs(ty) * wy + abs(tz) * wz) + underflow;
  if (b < -errorB) return certainMiss;
  const x3 = ty * uz;
  const x4 = tz * uy;
  const y3 = tz * ux;
  const y4 = tx * uz;
  const z3 = tx * uy;
  const z4 = ty * ux;
  const qx = x3 - x4;
  const qy = y3 - y4;
  const qz = z3 - z4;
  const c = sign * (dx * qx + dy * qy + dz * qz);
  const kx = abs(x3) + abs(x4);
  const ky = abs(y3) + abs(y4);
  const kz = abs(z3) + abs(z4);
  const errorC = rounding * (abs(dx) * kx + abs(dy) * ky + abs(dz) * kz) + underflow;
  if (c < -errorC) return certainMiss;
  const a = d - b - c;
  const errorA = 1.01 * (errorB + errorC + errorD) + 4.5e-16 * (d + abs(b) + abs(c));
  if (a < -errorA) return certainMiss;
  const n = sign * (vx * qx + vy * qy + vz * qz);
  const errorN = rounding * (abs(vx) * kx + abs(vy) * ky + abs(vz) * kz) + underflow;
  if (n < -errorN) return certainMiss;
  if (!(a > errorA && b > errorB && c > errorC && n > errorN)) return 0;
  // B and C are at most D here, so each weight is off by at most (error + error of D) / D.
  // By quotients: products of small numbers would be 0 on both sides.
  if (!(errorN / n + errorD / d <= precision)) return 0;
  if (!(max(errorB, errorC) + errorD <= precision * d)) return 0;
  out.time = n / d;
  out.second = b / d;
  out.third = c / d;
  out.crossing = sign < 0 ? 1 : -1;
  return certainHit;
}
