// The bounds of triangle-pair.as.ts in double-double, for the case that double precision cannot tell many pairs apart:
// faces that lie parallel to each other except for the rounding of their corners.
//
// The features found in double are taken as they are. Lower bound: with g the direction between the features in
// double-double (a difference of corners, a perpendicular to an edge, a normal), (min_j g·b_j − max_i g·a_i)/|g|, which
// holds whatever g is. Upper bound: the distance of the points at the weights found in double. They lie in the
// triangles because of their weights: on an edge these are within [0, 1]; on a face they are made a little smaller
// (2^-50), so that their sum is surely at most 1. Both bounds are off only by the roundings of double-doubles, a few
// dozen times 2^-104·S: 2^-92·S holds them.

import { add, addScaled, cross, divide, dot, fromTo, high, low, root } from './double-double.as';
import { TrianglePair } from './triangle-pair.as';

/** The output, and vectors of double-doubles. */
@unmanaged
export class Refined {
  /** Lower and upper bound, two doubles each. */
  low: f64;
  lowRest: f64;
  high: f64;
  highRest: f64;

  get p(): usize {
    return changetype<usize>(this) + offsetof<Refined>();
  }

  get q(): usize {
    return this.p + 48;
  }

  get r(): usize {
    return this.p + 96;
  }

  /** From A to B. */
  get g(): usize {
    return this.p + 144;
  }

  get t(): usize {
    return this.p + 192;
  }
}

export const refinedBytes: usize = offsetof<Refined>() + 240;

const roundings: f64 = 2.01948391736579e-28; // 2^-92
const almostOne: f64 = 0.9999999999999991; // 1 − 2^-50

/**
 * Bounds of the pair that `trianglePair` measured to `pair`. Returns false if it cannot give better ones. If the lower
 * bound exceeds the limit, a double-double, the upper one is not computed.
 */
export function refine(
  a: usize,
  b: usize,
  pair: TrianglePair,
  limitHigh: f64,
  limitLow: f64,
  out: Refined,
): bool {
  const size = pair.size;
  if (!(size > 1e-100 && size < 1e100)) return false;
  const featureA = pair.featureA;
  const featureB = pair.featureB;
  if (!direction(a, b, featureA, featureB, out)) return false;
  const error = roundings * size;
  // |g|, and the triangles' extents along it, relative to A's first corner.
  const g = out.g;
  dot(g, g);
  if (!(high > 1e-200)) return false;
  root(high, low);
  const lengthHigh = high;
  const lengthLow = low;
  let mostHigh = -Infinity;
  let mostLow: f64 = 0;
  let leastHigh = Infinity;
  let leastLow: f64 = 0;
  for (let at: usize = 0; at < 72; at += 24) {
    fromTo(a, a + at, out.t);
    dot(g, out.t);
    if (high > mostHigh || (high === mostHigh && low > mostLow)) {
      mostHigh = high;
      mostLow = low;
    }
    fromTo(a, b + at, out.t);
    dot(g, out.t);
    if (high < leastHigh || (high === leastHigh && low < leastLow)) {
      leastHigh = high;
      leastLow = low;
    }
  }
  add(leastHigh, leastLow, -mostHigh, -mostLow);
  divide(high, low, lengthHigh, lengthLow);
  add(high, low, -error, 0);
  out.low = high;
  out.lowRest = low;
  if (high > limitHigh || (high === limitHigh && low > limitLow)) {
    out.high = Infinity;
    out.highRest = 0;
    return true;
  }
  // The points on both features, relative to A's first corner, and their difference.
  pointOn(a, a, featureA, pair.firstWeightA, pair.secondWeightA, out.p, out);
  pointOn(a, b, featureB, pair.firstWeightB, pair.secondWeightB, out.q, out);
  addScaled(out.q, out.p, -1, 0, out.q);
  dot(out.q, out.q);
  if (!(high > 1e-200)) return false;
  root(high, low);
  add(high, low, error, 0);
  out.high = high;
  out.highRest = low;
  return true;
}

export function cornerOf(triangle: usize, feature: u32): usize {
  return triangle + <usize>(feature - 4) * 24;
}
export function edgeFrom(triangle: usize, feature: u32): usize {
  return triangle + <usize>(feature - 1) * 24;
}
export function edgeTo(triangle: usize, feature: u32): usize {
  return feature === 3 ? triangle : triangle + <usize>feature * 24;
}

/** Writes g, which points from A to B between the features. */
function direction(a: usize, b: usize, featureA: u32, featureB: u32, out: Refined): bool {
  const g = out.g;
  if (featureA >= 4 && featureB >= 4) {
    fromTo(cornerOf(a, featureA), cornerOf(b, featureB), g);
    return true;
  }
  // Any vector from A's feature to B's. It decides the sign.
  const p = out.p;
  const q = out.q;
  const r = out.r;
  const from = featureA >= 4 ? cornerOf(a, featureA) : featureA >= 1 ? edgeFrom(a, featureA) : a;
  const to = featureB >= 4 ? cornerOf(b, featureB) : featureB >= 1 ? edgeFrom(b, featureB) : b;
  fromTo(from, to, r);
  if (featureA >= 1 && featureA < 4 && featureB >= 1 && featureB < 4) {
    fromTo(edgeFrom(a, featureA), edgeTo(a, featureA), p);
    fromTo(edgeFrom(b, featureB), edgeTo(b, featureB), q);
    cross(p, q, g);
  } else if (featureA === 0 && featureB >= 4) {
    faceNormal(a, out);
  } else if (featureB === 0 && featureA >= 4) {
    faceNormal(b, out);
  } else if (featureA >= 4 && featureB >= 1) {
    perpendicular(edgeFrom(b, featureB), edgeTo(b, featureB), out);
    return true;
  } else if (featureB >= 4 && featureA >= 1) {
    perpendicular(edgeFrom(a, featureA), edgeTo(a, featureA), out);
    return true;
  } else {
    return false;
  }
  dot(g, r);
  if (high < 0) {
    for (let at: usize = 0; at < 48; at += 8) store<f64>(g + at, -load<f64>(g + at));
  }
  return true;
}

function faceNormal(triangle: usize, out: Refined): void {
  fromTo(triangle, triangle + 24, out.p);
  fromTo(triangle, triangle + 48, out.q);
  cross(out.p, out.q, out.g);
}

/** The part of r that is normal to an edge. */
function perpendicular(from: usize, to: usize, out: Refined): void {
  const p = out.p;
  const r = out.r;
  fromTo(from, to, p);
  dot(p, p);
  const lengthHigh = high;
  const lengthLow = low;
  dot(p, r);
  divide(high, low, lengthHigh, lengthLow);
  addScaled(r, p, -high, -low, out.g);
}

/** The point of a feature at its weights, minus `origin`. */
function pointOn(
  origin: usize,
  triangle: usize,
  feature: u32,
  v: f64,
  w: f64,
  to: usize,
  out: Refined,
): void {
  if (feature >= 4) {
    fromTo(origin, cornerOf(triangle, feature), to);
    return;
  }
  const t = out.t;
  if (feature >= 1) {
    fromTo(origin, edgeFrom(triangle, feature), to);
    fromTo(edgeFrom(triangle, feature), edgeTo(triangle, feature), t);
    addScaled(to, t, v, 0, to);
    return;
  }
  fromTo(origin, triangle, to);
  fromTo(triangle, triangle + 24, t);
  addScaled(to, t, v * almostOne, 0, to);
  fromTo(triangle, triangle + 48, t);
  addScaled(to, t, w * almostOne, 0, to);
}
