// How far is a point from the four triangles of a leaf? In single precision, as far as that can rule triangles out. Everything is in the tree's
// frame; q is the point, and `noise` bounds its error (closest.as.ts).
//
// Triangles: let g be the computed nearest point (relative to q). Whatever g is, the triangle is no nearer than
// min(g·a, g·b, g·c)/|g|. Coordinates relative to q are off by noise + 2^-24·(1 + |q|) and their own rounding,
// 2^-24·(|q| + 2); the dot products by 3·2^-24·|g|·√3·(|q| + 2), the square of g's length by a relative 4·2^-24:
//   slack = 1.8·noise + 2^-24·24·(|q| + 3)
// holds all of it. Squares that underflow make a bound smaller, never larger.

import { Leaf } from '../../../bvh/cpu/build/layout.as';

/** Which of a leaf's triangles may be within the limit, a squared distance. Writes their distances to `lanes`. */
export function nearTriangles(leaf: Leaf, x: v128, y: v128, z: v128, limit: f32, lanes: usize): u32 {
  leafDistances(leaf, x, y, z, 0, 0, 0, lanes);
  const along = v128.load(lanes, 16);
  const tooFar = v128.and(
    f32x4.gt(along, f32x4.splat(0)),
    f32x4.gt(f32x4.mul(along, along), f32x4.mul(f32x4.splat(limit), v128.load(lanes))),
  );
  return ~i32x4.bitmask(tooFar) & 15;
}

/**
 * Writes for a leaf's four triangles the square of |g|, where g leads from the point to a computed nearest point of the triangle; then
 * min(g·a, g·b, g·c); then 1, 2 or 3 if the first, second or third corner is certainly what is nearest, else 0. The weights
 * of g are clamped to the triangle.
 *
 * Corner a is nearest if and only if (b − a)·(a − q) ≥ 0 and (c − a)·(a − q) ≥ 0 in the world. In the frame, let |a − q| ≤ R and
 * |b − a| ≤ L. `slack` is that of a task (search-packet.as.ts), and R > slack.
 * - a − q is off by less than slack/2 in length.
 * - Each vertex is off by noise and 2^-24·2 on each axis. So b − a is off by less than δ = 3.5·noise + 2^-24·(7 + L).
 * - The product is off by less than δ·R + (L + δ)·slack/2 < 1.5·δ·R + L·slack/2, its roundings by 3.1·2^-24·R·L.
 * - A frame that stretches by k changes it by less than (k² − 1)·L·R in units of the frame.
 * Together that is error + L·perLength with
 *   error = R·(5.3·noise + 2^-24·10.5),   perLength = R·(2^-24·4.6 + k² − 1) + slack/2.
 * Products with c − b are differences of two: twice the error. All corners are within `reach` = R if the triangle's nearest
 * point is within R less the longest side, which is at most 2·L. L is taken from sums of magnitudes.
 */
export function leafDistances(
  leaf: Leaf,
  x: v128,
  y: v128,
  z: v128,
  reach: f32,
  error: f32,
  perLength: f32,
  lanes: usize,
): void {
  const zero = f32x4.splat(0);
  const one = f32x4.splat(1);
  const ax = f32x4.sub(leaf.x0, x);
  const ay = f32x4.sub(leaf.y0, y);
  const az = f32x4.sub(leaf.z0, z);
  const bx = f32x4.sub(leaf.x1, x);
  const by = f32x4.sub(leaf.y1, y);
  const bz = f32x4.sub(leaf.z1, z);
  const cx = f32x4.sub(leaf.x2, x);
  const cy = f32x4.sub(leaf.y2, y);
  const cz = f32x4.sub(leaf.z2, z);
  const ux = f32x4.sub(leaf.x1, leaf.x0);
  const uy = f32x4.sub(leaf.y1, leaf.y0);
  const uz = f32x4.sub(leaf.z1, leaf.z0);
  const vx = f32x4.sub(leaf.x2, leaf.x0);
  const vy = f32x4.sub(leaf.y2, leaf.y0);
  const vz = f32x4.sub(leaf.z2, leaf.z0);
  // The negatives of d1 … d6 of point-triangle.as.ts.
  const e1 = dot(ux, uy, uz, ax, ay, az);
  const e2 = dot(vx, vy, vz, ax, ay, az);
  const e3 = dot(ux, uy, uz, bx, by, bz);
  const e4 = dot(vx, vy, vz, bx, by, bz);
  const e5 = dot(ux, uy, uz, cx, cy, cz);
  const e6 = dot(vx, vy, vz, cx, cy, cz);
  const sideAb = f32x4.sub(f32x4.mul(e1, e4), f32x4.mul(e3, e2));
  const sideCa = f32x4.sub(f32x4.mul(e5, e2), f32x4.mul(e1, e6));
  const sideBc = f32x4.sub(f32x4.mul(e3, e6), f32x4.mul(e5, e4));
  // Weights of the edges from a (v along ab, w along ac) for the face; then the edges, then the corners over it.
  const sum = f32x4.add(f32x4.add(sideAb, sideBc), sideCa);
  let v = f32x4.div(sideCa, sum);
  let w = f32x4.div(sideAb, sum);
  const toB = f32x4.sub(e3, e4);
  const toC = f32x4.sub(e6, e5);
  let mask = v128.and(f32x4.le(sideBc, zero), v128.and(f32x4.ge(toB, zero), f32x4.ge(toC, zero)));
  const t = f32x4.div(toB, f32x4.add(toB, toC));
  v = v128.bitselect(f32x4.sub(one, t), v, mask);
  w = v128.bitselect(t, w, mask);
  mask = v128.and(f32x4.le(sideCa, zero), v128.and(f32x4.le(e2, zero), f32x4.ge(e6, zero)));
  v = v128.bitselect(zero, v, mask);
  w = v128.bitselect(f32x4.div(e2, f32x4.sub(e2, e6)), w, mask);
  mask = v128.and(f32x4.le(sideAb, zero), v128.and(f32x4.le(e1, zero), f32x4.ge(e3, zero)));
  v = v128.bitselect(f32x4.div(e1, f32x4.sub(e1, e3)), v, mask);
  w = v128.bitselect(zero, w, mask);
  mask = v128.and(f32x4.le(e6, zero), f32x4.ge(e5, e6));
  v = v128.bitselect(zero, v, mask);
  w = v128.bitselect(one, w, mask);
  mask = v128.and(f32x4.le(e3, zero), f32x4.ge(e4, e3));
  v = v128.bitselect(one, v, mask);
  w = v128.bitselect(zero, w, mask);
  mask = v128.and(f32x4.ge(e1, zero), f32x4.ge(e2, zero));
  v = v128.bitselect(zero, v, mask);
  w = v128.bitselect(zero, w, mask);
  // Weights of 0/0 become 0.
  v = f32x4.pmin(one, f32x4.pmax(zero, v));
  w = f32x4.pmin(f32x4.sub(one, v), f32x4.pmax(zero, w));
  const gx = f32x4.add(ax, f32x4.add(f32x4.mul(v, ux), f32x4.mul(w, vx)));
  const gy = f32x4.add(ay, f32x4.add(f32x4.mul(v, uy), f32x4.mul(w, vy)));
  const gz = f32x4.add(az, f32x4.add(f32x4.mul(v, uz), f32x4.mul(w, vz)));
  const squared = dot(gx, gy, gz, gx, gy, gz);
  v128.store(lanes, squared);
  const along = f32x4.pmin(
    dot(gx, gy, gz, ax, ay, az),
    f32x4.pmin(dot(gx, gy, gz, bx, by, bz), dot(gx, gy, gz, cx, cy, cz)),
  );
  v128.store(lanes, along, 16);
  const length = f32x4.pmax(magnitude(ux, uy, uz), magnitude(vx, vy, vz));
  const least = f32x4.add(f32x4.splat(error), f32x4.mul(f32x4.splat(perLength), length));
  const twice = f32x4.add(least, least);
  const isA = f32x4.gt(f32x4.pmin(e1, e2), least);
  const isB = v128.and(f32x4.lt(f32x4.add(e3, least), zero), f32x4.gt(f32x4.sub(e4, e3), twice));
  const isC = v128.and(f32x4.lt(f32x4.add(e6, least), zero), f32x4.gt(f32x4.sub(e5, e6), twice));
  const left = f32x4.pmax(zero, f32x4.sub(f32x4.splat(reach), f32x4.add(length, length)));
  const isWithin = f32x4.lt(squared, f32x4.mul(left, left));
  const corners = v128.or(
    v128.and(isA, i32x4.splat(1)),
    v128.or(v128.and(isB, i32x4.splat(2)), v128.and(isC, i32x4.splat(3))),
  );
  v128.store(lanes, v128.and(corners, isWithin), 32);
}

/** The sum of the magnitudes of a vector's components: no less than its length. */
function magnitude(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.abs(x), f32x4.abs(y)), f32x4.abs(z));
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}
