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
import { pairFeatureA, pairFeatureB, pairSize, pairWeightA, pairWeightB } from './triangle-pair.as';

/** Lower and upper bound, two doubles each. */
export const refinedLow: usize = 0;
export const refinedHigh: usize = 16;
const vectorP: usize = 32;
const vectorQ: usize = 80;
const vectorR: usize = 128;
/** From A to B. */
export const vectorG: usize = 176;
const vectorT: usize = 224;
export const refinedBytes: usize = 272;

const roundings: f64 = 2.01948391736579e-28; // 2^-92
const almostOne: f64 = 0.9999999999999991; // 1 − 2^-50

/**
 * Bounds of the pair that `trianglePair` measured to `pair`. Returns false if it cannot give better ones. If the lower
 * bound exceeds the limit, a double-double, the upper one is not computed.
 */
export function refine(a: usize, b: usize, pair: usize, limitHigh: f64, limitLow: f64, out: usize): bool {
  const size = load<f64>(pair, pairSize);
  if (!(size > 1e-100 && size < 1e100)) return false;
  const featureA = load<u32>(pair, pairFeatureA);
  const featureB = load<u32>(pair, pairFeatureB);
  if (!direction(a, b, featureA, featureB, out)) return false;
  const error = roundings * size;
  // |g|, and the triangles' extents along it, relative to A's first corner.
  const g = out + vectorG;
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
    fromTo(a, a + at, out + vectorT);
    dot(g, out + vectorT);
    if (high > mostHigh || (high === mostHigh && low > mostLow)) {
      mostHigh = high;
      mostLow = low;
    }
    fromTo(a, b + at, out + vectorT);
    dot(g, out + vectorT);
    if (high < leastHigh || (high === leastHigh && low < leastLow)) {
      leastHigh = high;
      leastLow = low;
    }
  }
  add(leastHigh, leastLow, -mostHigh, -mostLow);
  divide(high, low, lengthHigh, lengthLow);
  add(high, low, -error, 0);
  store<f64>(out, high, refinedLow);
  store<f64>(out, low, refinedLow + 8);
  if (high > limitHigh || (high === limitHigh && low > limitLow)) {
    store<f64>(out, Infinity, refinedHigh);
    store<f64>(out, 0, refinedHigh + 8);
    return true;
  }
  // The points on both features, relative to A's first corner, and their difference.
  pointOn(a, a, featureA, load<f64>(pair, pairWeightA), load<f64>(pair, pairWeightA + 8), out + vectorP, out);
  pointOn(a, b, featureB, load<f64>(pair, pairWeightB), load<f64>(pair, pairWeightB + 8), out + vectorQ, out);
  addScaled(out + vectorQ, out + vectorP, -1, 0, out + vectorQ);
  dot(out + vectorQ, out + vectorQ);
  if (!(high > 1e-200)) return false;
  root(high, low);
  add(high, low, error, 0);
  store<f64>(out, high, refinedHigh);
  store<f64>(out, low, refinedHigh + 8);
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
function direction(a: usize, b: usize, featureA: u32, featureB: u32, out: usize): bool {
  const g = out + vectorG;
  if (featureA >= 4 && featureB >= 4) {
    fromTo(cornerOf(a, featureA), cornerOf(b, featureB), g);
    return true;
  }
  // Any vector from A's feature to B's. It decides the sign.
  const p = out + vectorP;
  const q = out + vectorQ;
  const r = out + vectorR;
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

function faceNormal(triangle: usize, out: usize): void {
  fromTo(triangle, triangle + 24, out + vectorP);
  fromTo(triangle, triangle + 48, out + vectorQ);
  cross(out + vectorP, out + vectorQ, out + vectorG);
}

/** The part of r that is normal to an edge. */
function perpendicular(from: usize, to: usize, out: usize): void {
  const p = out + vectorP;
  const r = out + vectorR;
  fromTo(from, to, p);
  dot(p, p);
  const lengthHigh = high;
  const lengthLow = low;
  dot(p, r);
  divide(high, low, lengthHigh, lengthLow);
  addScaled(r, p, -high, -low, out + vectorG);
}

/** The point of a feature at its weights, minus `origin`. */
function pointOn(origin: usize, triangle: usize, feature: u32, v: f64, w: f64, to: usize, out: usize): void {
  if (feature >= 4) {
    fromTo(origin, cornerOf(triangle, feature), to);
    return;
  }
  const t = out + vectorT;
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
