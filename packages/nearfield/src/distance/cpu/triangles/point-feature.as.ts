// Which feature of a triangle is nearest to a point: the face, an edge or a corner? Decided exactly. The point is in a
// corner's region if it is not ahead of it along either edge from it. It is in an edge's region if it is ahead of both
// ends and not inward of the edge. It is in the face's region if it is inward of all three edges. A foot that lies
// exactly on an edge or at a corner belongs to the edge or the corner.
//
// Double precision is tried first. A sign is that of a sum of three products of differences. With s the sum of the
// products' magnitudes, it is certain if the sum exceeds 16·u·s (two roundings of each factor, one of the product, two
// of sums). For the side of an edge, the normal n replaces a difference; n is off by 6·u times the sum of its own
// products' magnitudes: `side`. Signs that are not certain in double are decided by expansions (expansion.as.ts). Only
// if numbers are too small or too large for those, or if the triangle has no plane, the feature stays uncertain.

import { exactAhead, exactSide, unknownSign } from './expansion.as';
import { Near } from './point-triangle.as';

const signRoundings: f64 = 1.7763568394002505e-15; // 16 · 2^-53
/** Sums of products below this may have lost too much to underflow. */
const leastProduct: f64 = 1e-280;
/** More than the error by which underflow changes a difference of two products. */
const lostProduct: f64 = 1.976262583364986e-323; // 2^-1072

/**
 * Runs after `pointTriangle` with the same point and corners. Replaces the feature it found by the right one, and
 * writes whether that is certain. `work` has room for expansions.
 */
export function decideFeature(x: f64, y: f64, z: f64, corners: usize, out: Near, work: usize): void {
  const likely = out.feature;
  let holds = holdsFeature(x, y, z, corners, likely, work);
  if (holds === 0) {
    for (let feature: u32 = 0; feature < 7; feature++) {
      if (feature === likely) continue;
      holds = holdsFeature(x, y, z, corners, feature, work);
      if (holds === 0) continue;
      out.feature = feature;
      break;
    }
  }
  out.certain = holds === 1 ? 1 : 0;
}

/** 1 if the feature is the nearest, 0 if it is not, `unknownSign` if that cannot be decided. */
function holdsFeature(x: f64, y: f64, z: f64, corners: usize, feature: u32, work: usize): i32 {
  if (feature >= 4) {
    const at = <usize>(feature - 4) * 24;
    const first = ahead(x, y, z, corners + at, corners + next(at), work);
    if (first === unknownSign) return unknownSign;
    if (first > 0) return 0;
    const second = ahead(x, y, z, corners + at, corners + next(next(at)), work);
    return second === unknownSign ? unknownSign : second > 0 ? 0 : 1;
  }
  if (feature >= 1) {
    const at = <usize>(feature - 1) * 24;
    const to = next(at);
    const first = ahead(x, y, z, corners + at, corners + to, work);
    if (first === unknownSign) return unknownSign;
    if (first <= 0) return 0;
    const second = ahead(x, y, z, corners + to, corners + at, work);
    if (second === unknownSign) return unknownSign;
    if (second <= 0) return 0;
    const inward = side(x, y, z, corners + at, corners + to, corners + next(to), work);
    return inward === unknownSign ? unknownSign : inward > 0 ? 0 : 1;
  }
  for (let at: usize = 0; at < 72; at += 24) {
    const inward = side(x, y, z, corners + at, corners + next(at), corners + next(next(at)), work);
    if (inward === unknownSign) return unknownSign;
    if (inward <= 0) return 0;
  }
  return 1;
}

function next(at: usize): usize {
  return at === 48 ? 0 : at + 24;
}

/** The sign of (p − from)·(to − from). */
export function ahead(x: f64, y: f64, z: f64, from: usize, to: usize, work: usize): i32 {
  const px = (x - load<f64>(from)) * (load<f64>(to) - load<f64>(from));
  const py = (y - load<f64>(from, 8)) * (load<f64>(to, 8) - load<f64>(from, 8));
  const pz = (z - load<f64>(from, 16)) * (load<f64>(to, 16) - load<f64>(from, 16));
  const magnitude = abs(px) + abs(py) + abs(pz);
  const sum = px + py + pz;
  if (magnitude > leastProduct && abs(sum) > signRoundings * magnitude) return sum > 0 ? 1 : -1;
  return exactAhead(x, y, z, from, to, work);
}

/**
 * The sign of ((b − a) × (p − a))·n with n = (b − a) × (c − a): a product of two sums, each within 8·u of its
 * magnitudes. A product that underflows is off by 2^-1075, however small it is: a component by 2^-1074, and that
 * times the other vector's.
 */
function side(x: f64, y: f64, z: f64, a: usize, b: usize, c: usize, work: usize): i32 {
  const ux = load<f64>(b) - load<f64>(a);
  const uy = load<f64>(b, 8) - load<f64>(a, 8);
  const uz = load<f64>(b, 16) - load<f64>(a, 16);
  const vx = load<f64>(c) - load<f64>(a);
  const vy = load<f64>(c, 8) - load<f64>(a, 8);
  const vz = load<f64>(c, 16) - load<f64>(a, 16);
  const px = x - load<f64>(a);
  const py = y - load<f64>(a, 8);
  const pz = z - load<f64>(a, 16);
  const sum =
    (uy * pz - uz * py) * (uy * vz - uz * vy) +
    (uz * px - ux * pz) * (uz * vx - ux * vz) +
    (ux * py - uy * px) * (ux * vy - uy * vx);
  const mx = abs(uy * pz) + abs(uz * py);
  const my = abs(uz * px) + abs(ux * pz);
  const mz = abs(ux * py) + abs(uy * px);
  const nx = abs(uy * vz) + abs(uz * vy);
  const ny = abs(uz * vx) + abs(ux * vz);
  const nz = abs(ux * vy) + abs(uy * vx);
  const magnitude = mx * nx + my * ny + mz * nz;
  const bound = 2.0 * signRoundings * magnitude + lostProduct * (mx + my + mz + nx + ny + nz);
  if (magnitude < Infinity && magnitude > 1e-250) {
    if (sum > bound) return 1;
    if (sum < -bound) return -1;
  }
  return exactSide(x, y, z, a, b, c, work);
}
