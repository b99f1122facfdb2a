// A world point and the tree of a placed body: the point in the tree's frame, how far off it may be, and how distances
// in the world compare with distances there (fields and bounds: bvh/cpu/place/place.as.ts).

import { Body } from '../../../bvh/cpu/place/place.as';
import { Closest, walkClosest } from './closest.as';

const noiseFactor: f64 = 3.552713678800501e-15; // 2^-48

/**
 * A factor that takes world distances to no less than distances in the tree's frame, a·y for y: the least singular value of
 * M = K·shrink is at least √(min_i(m_ii − Σ_j |m_ij|)) with m = MᵀM (Gershgorin), tight for rotations and uniform scales;
 * ‖G‖ bounds it for any pose (the inverse is within 1.01 of G, frame.as.ts).
 */
export function frameUnit(body: Body): f64 {
  const shrink = body.shrink;
  let least = Infinity;
  let frobenius: f64 = 0;
  for (let i: usize = 0; i < 3; i++) {
    least = min(least, 2.0 * gram(body, i, i) - gramRow(body, i) - 1e-14);
    for (let j: usize = 0; j < 3; j++) {
      const g = load<f64>(body.g + i * 24 + (j << 3));
      frobenius += g * g;
    }
  }
  const general = 1.02 * sqrt(frobenius);
  // If the inverse is useless, this is NaN: then every distance in the frame is unbounded, and nothing is ruled out.
  if (!(body.f < 1)) return Infinity;
  const turned = least > 0 ? 1.0000000000001 / sqrt(least) : Infinity;
  return min(general, turned) * shrink;
}

/** A factor that takes distances in the tree's frame to no less than world distances: the largest singular value of M is at most √(max_i Σ_j |m_ij|). */
export function frameLength(body: Body): f64 {
  let most: f64 = 0;
  for (let i: usize = 0; i < 3; i++) most = max(most, gramRow(body, i) + 1e-14);
  return (sqrt(most) * 1.0000000000001) / body.shrink;
}

/** By how much more than another a distance of the tree's frame may be lengthened in the world. */
export function frameStretch(body: Body): f64 {
  return frameUnit(body) * frameLength(body);
}

/** An entry of MᵀM. */
function gram(body: Body, i: usize, j: usize): f64 {
  const shrink = body.shrink;
  let sum: f64 = 0;
  for (let k: usize = 0; k < 24; k += 8) {
    sum += load<f64>(body.k + i * 24 + k) * shrink * (load<f64>(body.k + j * 24 + k) * shrink);
  }
  return sum;
}

/** The sum of the magnitudes of a row of MᵀM. */
function gramRow(body: Body, i: usize): f64 {
  return abs(gram(body, i, 0)) + abs(gram(body, i, 1)) + abs(gram(body, i, 2));
}

/** A world point in the tree's frame, and a bound for the error of each coordinate. */
@unmanaged
export class FramePoint {
  x: f64;
  y: f64;
  z: f64;
  noise: f64;
}

/**
 * Places a world point in the frame of a body's tree. As for a ray (bvh/cpu/walk/ray.as.ts), the point is
 * off by no more than noise = (|G|(e + 2^-48·(|p| + |W|))·shrink) + 1.01·‖F‖·(‖q‖∞ + that).
 */
export function placePoint(body: Body, x: f64, y: f64, z: f64, out: FramePoint): void {
  const shrink = body.shrink;
  const dx = (x - body.wX) * shrink;
  const dy = (y - body.wY) * shrink;
  const dz = (z - body.wZ) * shrink;
  const ex = (body.eX + noiseFactor * (abs(x) + abs(body.wX))) * shrink;
  const ey = (body.eY + noiseFactor * (abs(y) + abs(body.wY))) * shrink;
  const ez = (body.eZ + noiseFactor * (abs(z) + abs(body.wZ))) * shrink;
  const g = body.g;
  const qx = load<f64>(g) * dx + load<f64>(g, 24) * dy + load<f64>(g, 48) * dz;
  const qy = load<f64>(g, 8) * dx + load<f64>(g, 32) * dy + load<f64>(g, 56) * dz;
  const qz = load<f64>(g, 16) * dx + load<f64>(g, 40) * dy + load<f64>(g, 64) * dz;
  const nx = abs(load<f64>(g)) * ex + abs(load<f64>(g, 24)) * ey + abs(load<f64>(g, 48)) * ez;
  const ny = abs(load<f64>(g, 8)) * ex + abs(load<f64>(g, 32)) * ey + abs(load<f64>(g, 56)) * ez;
  const nz = abs(load<f64>(g, 16)) * ex + abs(load<f64>(g, 40)) * ey + abs(load<f64>(g, 64)) * ez;
  const most = max(nx, max(ny, nz)) * 1.01;
  out.noise = most + 1.01 * body.f * (max(abs(qx), max(abs(qy), abs(qz))) + most);
  out.x = qx;
  out.y = qy;
  out.z = qz;
}

/** Walks down a body's tree from a world point (closest.as.ts). */
export function walkBody(
  body: Body,
  x: f64,
  y: f64,
  z: f64,
  unit: f64,
  scratch: Closest,
  list: usize,
  capacity: u32,
  tried: i32,
): void {
  const placed = changetype<FramePoint>(scratch.placed);
  placePoint(body, x, y, z, placed);
  walkClosest(
    body,
    x,
    y,
    z,
    placed.x,
    placed.y,
    placed.z,
    unit,
    placed.noise,
    scratch,
    list,
    capacity,
    tried,
  );
}
