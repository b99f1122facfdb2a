// How far apart are two triangles, in double, and between which bounds? Candidates for the nearest points: each edge with
// each edge (Ericson, Real-Time Collision Detection, 5.1.9), and for each plane that has the other triangle on one side the
// other's nearest corner (point-triangle.as.ts). That is complete for triangles that do not meet.
//
// As for a point and a triangle, the bounds assume nothing of how the nearest points were found. Everything is relative to
// A's first corner; S is the largest coordinate then, u = 2^-53. With g the computed difference of two points that are convex
// combinations of corners (weights within [0, 1]; each off by less than 16·u·S),
//   distance ≤ |g| + 64·u·S,   distance ≥ (min_j g·b_j − max_i g·a_i)/|g| − 64·u·S:
// rounding of corners √3·u·S each, of dot products 3·√3·u·S each, of the root and the quotient 4·√3·u·S.
// Triangles that meet have no g that separates them: their lower bound is 0.

import { Near, nearBytes, pointTriangle } from './point-triangle.as';

/** The output. */
@unmanaged
export class TrianglePair {
  /** Bounds of the distance. */
  low: f64;
  high: f64;
  /** g and its length. */
  x: f64;
  y: f64;
  z: f64;
  length: f64;
  /** S. */
  size: f64;
  /**
   * Features as point-triangle.as.ts numbers them (0 the face, 1 to 3 edges, 4 to 6 corners), and the points' weights
   * there.
   */
  featureA: u32;
  featureB: u32;
  firstWeightA: f64;
  secondWeightA: f64;
  firstWeightB: f64;
  secondWeightB: f64;

  /** Scratch memory. */
  get near(): Near {
    return changetype<Near>(changetype<usize>(this) + offsetof<TrianglePair>());
  }
}

export const pairBytes: usize = offsetof<TrianglePair>() + nearBytes;

const roundings: f64 = 7.105427357601002e-15; // 64 · 2^-53
const leastLength: f64 = 4.450147717014403e-161; // > 2^-534

/**
 * Bounds of the distance between the triangles of nine doubles at `a` and `b`. Stops as soon as they are known to be
 * farther apart than `limit`: then the lower bound exceeds the limit and the upper one is useless.
 */
export function trianglePair(a: usize, b: usize, limit: f64, out: TrianglePair): void {
  const ox = load<f64>(a);
  const oy = load<f64>(a, 8);
  const oz = load<f64>(a, 16);
  let size: f64 = 0;
  for (let at: usize = 0; at < 72; at += 24) {
    size = max(size, spanOf(a + at, ox, oy, oz));
    size = max(size, spanOf(b + at, ox, oy, oz));
  }
  out.size = size;
  const error = roundings * size + leastLength;
  out.low = 0;
  out.length = Infinity;
  out.high = Infinity;
  // Faces first: if they are nearest, the search ends at once.
  if (faceCorner(a, b, false, out) && bound(a, b, ox, oy, oz, error, limit, out)) return;
  if (faceCorner(b, a, true, out) && bound(a, b, ox, oy, oz, error, limit, out)) return;
  for (let i: usize = 0; i < 72; i += 24) {
    const a0 = a + i;
    const a1 = i === 48 ? a : a0 + 24;
    for (let j: usize = 0; j < 72; j += 24) {
      const b0 = b + j;
      const b1 = j === 48 ? b : b0 + 24;
      if (!segments(a0, a1, b0, b1, <u32>(i / 24), <u32>(j / 24), out)) continue;
      if (bound(a, b, ox, oy, oz, error, limit, out)) return;
    }
  }
}

/** How many pairs of features are tried one by one: corners with the other's face, edges with edges. */
export const featureCount: u32 = 15;

/** Takes the k-th pair of features as if it were the nearest: only its features and weights. */
export function takeFeature(a: usize, b: usize, k: u32, out: TrianglePair): void {
  out.length = Infinity;
  if (k < 3) {
    cornerFace(a, b, k, false, out);
    return;
  }
  if (k < 6) {
    cornerFace(b, a, k - 3, true, out);
    return;
  }
  const i = (k - 6) / 3;
  const j = (k - 6) % 3;
  const a0 = a + <usize>i * 24;
  const b0 = b + <usize>j * 24;
  segments(a0, i === 2 ? a : a0 + 24, b0, j === 2 ? b : b0 + 24, i, j, out);
}

function spanOf(corner: usize, ox: f64, oy: f64, oz: f64): f64 {
  return max(
    abs(load<f64>(corner) - ox),
    max(abs(load<f64>(corner, 8) - oy), abs(load<f64>(corner, 16) - oz)),
  );
}

/** Computes the bounds from g. Returns true if they will not improve, or the triangles are too far apart. */
function bound(
  a: usize,
  b: usize,
  ox: f64,
  oy: f64,
  oz: f64,
  error: f64,
  limit: f64,
  out: TrianglePair,
): bool {
  const gx = out.x;
  const gy = out.y;
  const gz = out.z;
  const length = out.length;
  out.high = length + error;
  if (!(length > leastLength)) return true;
  let most = -Infinity;
  let least = Infinity;
  for (let at: usize = 0; at < 72; at += 24) {
    most = max(most, along(a + at, ox, oy, oz, gx, gy, gz));
    least = min(least, along(b + at, ox, oy, oz, gx, gy, gz));
  }
  const low = (least - most) / length - error;
  if (low > out.low) out.low = low;
  return low > limit || low >= length - 2.0 * error;
}

function along(corner: usize, ox: f64, oy: f64, oz: f64, gx: f64, gy: f64, gz: f64): f64 {
  return gx * (load<f64>(corner) - ox) + gy * (load<f64>(corner, 8) - oy) + gz * (load<f64>(corner, 16) - oz);
}

/** The nearest points of two segments. Returns true if they are the nearest so far: then g is theirs. */
function segments(
  p0: usize,
  p1: usize,
  q0: usize,
  q1: usize,
  edgeA: u32,
  edgeB: u32,
  out: TrianglePair,
): bool {
  const ux = load<f64>(p1) - load<f64>(p0);
  const uy = load<f64>(p1, 8) - load<f64>(p0, 8);
  const uz = load<f64>(p1, 16) - load<f64>(p0, 16);
  const vx = load<f64>(q1) - load<f64>(q0);
  const vy = load<f64>(q1, 8) - load<f64>(q0, 8);
  const vz = load<f64>(q1, 16) - load<f64>(q0, 16);
  const rx = load<f64>(p0) - load<f64>(q0);
  const ry = load<f64>(p0, 8) - load<f64>(q0, 8);
  const rz = load<f64>(p0, 16) - load<f64>(q0, 16);
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const ur = ux * rx + uy * ry + uz * rz;
  const vr = vx * rx + vy * ry + vz * rz;
  let s = share(uv * vr - ur * vv, uu * vv - uv * uv);
  let t = (uv * s + vr) / vv;
  if (!(t >= 0)) {
    t = 0;
    s = share(-ur, uu);
  } else if (t > 1) {
    t = 1;
    s = share(uv - ur, uu);
  }
  const gx = t * vx - s * ux - rx;
  const gy = t * vy - s * uy - ry;
  const gz = t * vz - s * uz - rz;
  const length = sqrt(gx * gx + gy * gy + gz * gz);
  if (!(length < out.length)) return false;
  put(gx, gy, gz, length, out);
  out.featureA = onEdge(edgeA, s);
  out.featureB = onEdge(edgeB, t);
  out.firstWeightA = s;
  out.firstWeightB = t;
  return true;
}

/** The edge, or its corner if the share along it is 0 or 1. */
function onEdge(edge: u32, along: f64): u32 {
  if (along === 0) return 4 + edge;
  return along === 1 ? 4 + (edge === 2 ? 0 : edge + 1) : 1 + edge;
}

/** A quotient clamped to [0, 1]; 0 if it is NaN. */
function share(part: f64, whole: f64): f64 {
  const quotient = part / whole;
  return quotient >= 0 ? min<f64>(quotient, 1) : 0;
}

function put(gx: f64, gy: f64, gz: f64, length: f64, out: TrianglePair): void {
  out.x = gx;
  out.y = gy;
  out.z = gz;
  out.length = length;
}

/**
 * The corner of `b` nearest to the plane of `a`, if all lie on one side. Returns true if it is nearer than anything so
 * far.
 */
function faceCorner(a: usize, b: usize, turned: bool, out: TrianglePair): bool {
  const ox = load<f64>(a);
  const oy = load<f64>(a, 8);
  const oz = load<f64>(a, 16);
  const ux = load<f64>(a, 24) - ox;
  const uy = load<f64>(a, 32) - oy;
  const uz = load<f64>(a, 40) - oz;
  const vx = load<f64>(a, 48) - ox;
  const vy = load<f64>(a, 56) - oy;
  const vz = load<f64>(a, 64) - oz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const h0 = along(b, ox, oy, oz, nx, ny, nz);
  const h1 = along(b + 24, ox, oy, oz, nx, ny, nz);
  const h2 = along(b + 48, ox, oy, oz, nx, ny, nz);
  if (min(h0, min(h1, h2)) < 0 && max(h0, max(h1, h2)) > 0) return false;
  const m0 = abs(h0);
  const m1 = abs(h1);
  const m2 = abs(h2);
  return cornerFace(a, b, m0 <= m1 ? (m0 <= m2 ? 0 : 2) : m1 <= m2 ? 1 : 2, turned, out);
}

/** The same for one corner of `b`, wherever it lies. */
function cornerFace(a: usize, b: usize, which: u32, turned: bool, out: TrianglePair): bool {
  const corner = b + <usize>which * 24;
  const near = out.near;
  pointTriangle(load<f64>(corner), load<f64>(corner, 8), load<f64>(corner, 16), a, near);
  // pointTriangle's vector leads from the corner to the triangle, from B to A. g has the opposite direction.
  const sign: f64 = turned ? 1.0 : -1.0;
  const gx = sign * near.x;
  const gy = sign * near.y;
  const gz = sign * near.z;
  const length = sqrt(gx * gx + gy * gy + gz * gz);
  if (!(length < out.length) || !(near.high < Infinity)) return false;
  put(gx, gy, gz, length, out);
  const feature = near.feature;
  if (turned) {
    out.featureA = 4 + which;
    out.featureB = feature;
    out.firstWeightB = near.firstWeight;
    out.secondWeightB = near.secondWeight;
  } else {
    out.featureA = feature;
    out.featureB = 4 + which;
    out.firstWeightA = near.firstWeight;
    out.secondWeightA = near.secondWeight;
  }
  return true;
}
