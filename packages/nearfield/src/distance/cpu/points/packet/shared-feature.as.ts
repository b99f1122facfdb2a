// Settles most of a point's near triangles by the feature that they share with the first of them, its candidate: a
// corner, an edge or the face.
//
// Let g lead from the point to its nearest point on the first candidate, and let F be the feature (face, edge or
// corner) whose interior holds that point. F's vertices v have g·v = |g|². If another triangle's vertices outside of
// F all have g·v > |g|², the whole triangle has g·x ≥ |g|², and is farther than |g| except where x = g: only if it
// has all of F. So it is either strictly farther, or equally near by the same feature.
//
// In double: pointTriangle gives g' and bounds low ≤ |g| ≤ high, and g' is within 20·u·S of a point p of the triangle
// with |p| ≤ high. By convexity |p − g|² ≤ |p|² − |g|². The bounds are at least 20·u·S apart: each has 32·u·S to
// spare, of which roundings take less than 20. So
//   |g' − g| ≤ δ = √((high − low)·(high + low)) + (high − low).
// g·(v − g) differs from g'·(v − g') by at most δ·(|v| + |g| + |g'|), and the computed one by less than
// 16·u·high·(|v| + 2·high) more:
//   g'·(v − g') > (δ + 2^-48·high)·(|v|₁ + 2·high)·(1 + 2^-40)
// is certain.

import { Tree } from '../../../../bvh/cpu/build/layout.as';
import { Body, worldTriangle, worldVertex } from '../../../../bvh/cpu/place/place.as';
import { decideFeature } from '../../triangles/point-feature.as';
import { candidateOf } from '../closest.as';
import { noTriangle, PointsJob } from '../points-job.as';

const roundings: f64 = 3.552713678800501e-15; // 2^-48
const up: f64 = 1.0000000000009095; // 1 + 2^-40

/** Decides the feature of the only candidate and writes its vertices. Returns false if it is not certain. */
export function takeFeature(job: PointsJob, tree: Tree, x: f64, y: f64, z: f64): bool {
  const candidate = candidateOf(job.candidates, 0);
  const near = candidate.near;
  decideFeature(x, y, z, candidate.corners, near, job.work);
  if (near.certain === 0) return false;
  const feature = near.feature;
  const corners = tree.triangles + <usize>candidate.slot * 12;
  const shared = job.shared;
  shared.slot = candidate.slot;
  shared.lowest = candidate.slot;
  const first: u32 = feature === 0 ? 0 : (feature - 1) % 3;
  const size: u32 = feature === 0 ? 3 : feature < 4 ? 2 : 1;
  shared.all = (1 << size) - 1;
  for (let k: u32 = 0; k < 3; k++)
    shared.setVertex(k, k < size ? load<u32>(corners + ((<usize>((first + k) % 3)) << 2)) : noTriangle);
  const high = near.high;
  const apart = high - near.low;
  shared.x = near.x;
  shared.y = near.y;
  shared.z = near.z;
  shared.high = high;
  shared.margin = (sqrt(apart * (high + near.low)) + apart + roundings * high) * up;
  return true;
}

/**
 * Whether a triangle is certainly farther than the first candidate, or equally near by its feature. Then the lower of
 * the two is noted. A triangle that is farther than an edge or a face is measured all the same: nearly equal
 * distances are left to the exact stage, whose nearest point may have other last digits, and every search for the
 * same points has to leave the same ones.
 */
export function isBeyond(job: PointsJob, body: Body, slot: u32, x: f64, y: f64, z: f64): bool {
  const tree = body.tree;
  const shared = job.shared;
  const corners = tree.triangles + <usize>slot * 12;
  const world = job.closest.corners;
  const gx = shared.x;
  const gy = shared.y;
  const gz = shared.z;
  let has: u32 = 0;
  let beyond: u32 = 0;
  for (let corner: usize = 0; corner < 12; corner += 4) {
    const vertex = load<u32>(corners + corner);
    const which = shared.which(vertex);
    has |= which;
    if (which !== 0) continue;
    beyond++;
    worldVertex(body, vertex, world);
    const vx = load<f64>(world) - x;
    const vy = load<f64>(world, 8) - y;
    const vz = load<f64>(world, 16) - z;
    const along = gx * (vx - gx) + gy * (vy - gy) + gz * (vz - gz);
    if (!(along > shared.margin * (abs(vx) + abs(vy) + abs(vz) + 2.0 * shared.high))) return false;
  }
  const isCorner = shared.all === 1;
  if (has !== shared.all) return isCorner;
  // A triangle that degenerates to the edge, or the same triangle twice.
  if (!isCorner && beyond === 0) return false;
  const order = tree.order;
  const lowest = shared.lowest;
  if (load<u32>(order + ((<usize>slot) << 2)) < load<u32>(order + ((<usize>lowest) << 2)))
    shared.lowest = slot;
  return true;
}

/** Replaces the first candidate by the lowest triangle that has its feature, unless something nearer was found. */
export function takeLowest(job: PointsJob, body: Body): void {
  const shared = job.shared;
  const candidate = candidateOf(job.candidates, 0);
  const slot = shared.lowest;
  if (slot === shared.slot || candidate.slot !== shared.slot) return;
  candidate.slot = slot;
  worldTriangle(body, slot, candidate.corners);
  const corners = body.tree.triangles + <usize>slot * 12;
  const isCorner = shared.all === 1;
  for (let corner: u32 = 0; corner < 3; corner++) {
    const next = corner === 2 ? 0 : corner + 1;
    const isFirst = shared.which(load<u32>(corners + ((<usize>corner) << 2))) !== 0;
    const isSecond = shared.which(load<u32>(corners + ((<usize>next) << 2))) !== 0;
    if (isCorner ? isFirst : isFirst && isSecond) candidate.near.feature = (isCorner ? 4 : 1) + corner;
  }
}
