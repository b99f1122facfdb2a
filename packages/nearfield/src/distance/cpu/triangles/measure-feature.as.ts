// How far is a point from a feature of a triangle, and where on it is the nearest point? Computed in double-double, so
// that the rounded double is right relative to itself, however small it is compared with the triangle and however thin
// that is.
//
// Differences of corners and of the point are exact pairs. With u = 2^-53, a product of pairs is off by 8·u² of itself,
// a sum by 4·u² of its terms' magnitudes (double-double.as.ts). So a component p·q − r·s of a cross product is off by
// less than 2^-101·(|pq| + |rs|). Let r lead from the point to one of the feature's corners.
// - Corner: |r|² is a sum of squares, off by less than 2^-100 of itself.
// - Edge e: the distance is |r × e|/|e|. Let M be the sum of the magnitudes of all products in r × e. The length of r ×
// e is off by less than 2^-101·M: if M ≤ 2^44·|r × e|, by less than 2^-57 of itself.
// - Face with sides e and f, n = e × f: the distance is |n·r|/|n|. Let m be the sum of the magnitudes of all products
// in n, and M the same with those of each component times |r|'s. The length of n is off by less than 2^-101·m: if m ≤
// 2^43·|n|, by less than 2^-58 of itself. n·r is off by less than 2^-101·M for n and 2^-102·M for its own products and
// sums: if M ≤ 2^43·|n·r|, by less than 2^-57 of itself.
//
// Quotients and roots add less than 2^-100. So the distance, rounded to double, is within 2^-53 + 2^-55 of itself: less
// than 2^-52. The nearest point is the point plus e × (r × e)/|e|², or n·(n·r)/|n|², added in double-double and rounded
// once: each coordinate is off by at most 2^-53 of itself and 2^-54 of the distance. A corner is given as it is.
//
// To compare distances, each is also given as a pair of doubles with its error: by the above, 2^-99 of itself times 1 +
// M/|r × e| for an edge, 1 + m/|n| + M/|n·r| for a face and 1 for a corner, with room for the roundings of the bound.
// The distance of a face whose plane is normal to an axis is a difference of two doubles, which is such a pair exactly.
//
// If these conditions do not hold, or squares of squares may underflow, the exact stage has to decide. If all products
// are zeros, as for a point in the plane of a face that lies along two axes, M = 0 and the distance is exactly 0.

import { copyDoubles } from './copy.as';
import { add, cross, difference, divide, dot, fromTo, high, low, multiply, root } from './double-double.as';
import { unknownSign } from './expansion.as';

/** The output, and vectors of double-doubles. */
@unmanaged
export class Measured {
  distance: f64;
  /** The low part of the distance, and how far off the sum may be. */
  rest: f64;
  error: f64;

  /** The nearest point, three doubles. */
  get nearest(): usize {
    return changetype<usize>(this) + offsetof<Measured>();
  }

  /** The vector to it from the point (off by 2^-52 of the distance). */
  get way(): usize {
    return this.nearest + 24;
  }

  /** The point. */
  get point(): usize {
    return this.nearest + 48;
  }

  get r(): usize {
    return this.nearest + 72;
  }

  get e(): usize {
    return this.nearest + 120;
  }

  get f(): usize {
    return this.nearest + 168;
  }

  get n(): usize {
    return this.nearest + 216;
  }

  get g(): usize {
    return this.nearest + 264;
  }
}

export const measuredBytes: usize = offsetof<Measured>() + 312;

const pairError: f64 = 1.5777218104420236e-30; // 2^-99
/** More than underflow can take from a pair. */
const leastError: f64 = 1e-300;
const mostOfCross: f64 = 17592186044416; // 2^44
const mostOfFace: f64 = 8796093022208; // 2^43
/** The sizes whose fourth powers leave room for a second double. */
const leastSize: f64 = 1e-60;
const mostSize: f64 = 1e61;
/** The same for cross products of them. */
const leastArea: f64 = 1e-110;

/** Set if a product of two nonzero numbers became 0. */
let vanished: bool = false;

/**
 * Compares two measured distances: −1 if the first is less, 1 if the second is, 0 if they are equal, `unknownSign` if
 * that is not certain. Pairs without error are equal only if both their doubles are, since the first of them is the
 * rounded sum; otherwise the first doubles decide before the second. The difference of the others is computed to far
 * less than their errors.
 */
export function compareMeasured(a: Measured, b: Measured): i32 {
  const first = a.distance - b.distance;
  const second = a.rest - b.rest;
  const error = a.error + b.error;
  if (error === 0) return first < 0 ? -1 : first > 0 ? 1 : second < 0 ? -1 : second > 0 ? 1 : 0;
  const gap = first + second;
  return gap < -2.0 * error ? -1 : gap > 2.0 * error ? 1 : unknownSign;
}

/**
 * Writes the distance, which is the pair just computed, and its error: `times` times 2^-99 of it, none if `times` is 0.
 */
function writeDistance(out: Measured, times: f64): void {
  writePair(
    abs(high),
    high < 0 ? -low : low,
    times === 0 ? 0 : pairError * times * abs(high) + leastError,
    out,
  );
}

function writePair(distance: f64, rest: f64, error: f64, out: Measured): void {
  out.distance = distance;
  out.rest = rest;
  out.error = error;
}

/**
 * Measures the feature (0 the face, 1 to 3 the edges, 4 to 6 the corners). Returns false if the bounds above do not
 * hold.
 */
export function measureFeature(x: f64, y: f64, z: f64, corners: usize, feature: u32, out: Measured): bool {
  if (feature >= 4) return measureCorner(x, y, z, corners + <usize>(feature - 4) * 24, out);
  setPoint(x, y, z, out);
  if (feature === 0) return measureFace(corners, out);
  const from = <usize>(feature - 1) * 24;
  return measureEdge(corners + from, corners + (from === 48 ? 0 : from + 24), out);
}

function setPoint(x: f64, y: f64, z: f64, out: Measured): void {
  store<f64>(out.point, x);
  store<f64>(out.point, y, 8);
  store<f64>(out.point, z, 16);
  vanished = false;
}

/** The same for a corner at `corner`. */
export function measureCorner(x: f64, y: f64, z: f64, corner: usize, out: Measured): bool {
  setPoint(x, y, z, out);
  const r = out.r;
  fromTo(out.point, corner, r);
  copyDoubles(out.nearest, corner, 24);
  const size = largest(r);
  writePair(0, 0, 0, out);
  for (let axis: usize = 0; axis < 3; axis++) store<f64>(out.way + (axis << 3), load<f64>(r + (axis << 4)));
  if (size === 0) return true;
  if (!(size > leastSize && size < mostSize)) return false;
  dot(r, r);
  root(high, low);
  writeDistance(out, 1);
  return true;
}

function measureEdge(from: usize, to: usize, out: Measured): bool {
  const r = out.r;
  const e = out.e;
  const n = out.n;
  fromTo(from, to, e);
  nearerOf(out.point, from, to, out);
  const sizeE = largest(e);
  if (!(sizeE > leastSize && sizeE < mostSize && largest(r) < mostSize)) return false;
  cross(r, e, n);
  const magnitude =
    crossMagnitude(r + 16, e + 32, r + 32, e + 16) +
    crossMagnitude(r + 32, e, r, e + 32) +
    crossMagnitude(r, e + 16, r + 16, e);
  if (magnitude === 0) return !vanished && atPoint(out);
  const size = largest(n);
  if (!(size > leastArea && magnitude <= mostOfCross * size)) return false;
  dot(e, e);
  const squareHigh = high;
  const squareLow = low;
  root(squareHigh, squareLow);
  const lengthHigh = high;
  const lengthLow = low;
  dot(n, n);
  root(high, low);
  divide(high, low, lengthHigh, lengthLow);
  writeDistance(out, 1.0 + magnitude / size);
  cross(e, n, out.g);
  for (let axis: usize = 0; axis < 3; axis++) {
    const g = out.g + (axis << 4);
    divide(load<f64>(g), load<f64>(g, 8), squareHigh, squareLow);
    fromPoint(axis, out);
  }
  return true;
}

function measureFace(corners: usize, out: Measured): bool {
  for (let at: usize = 0; at < 24; at += 8) {
    const level = load<f64>(corners + at);
    if (level === load<f64>(corners + at, 24) && level === load<f64>(corners + at, 48))
      return measureLevel(level, at, out);
  }
  const r = out.r;
  const e = out.e;
  const f = out.f;
  const n = out.n;
  // The two shorter sides leave less to cancel.
  const base = oppositeOfLongest(corners, out);
  const second = base === 48 ? 0 : base + 24;
  const third = second === 48 ? 0 : second + 24;
  fromTo(corners + base, corners + second, e);
  fromTo(corners + base, corners + third, f);
  nearerOf(out.point, corners, corners + 24, out);
  fromTo(out.point, corners + 48, out.g);
  if (largest(out.g) < largest(r)) copyDoubles(r, out.g, 48);
  if (!(max(largest(e), largest(f)) < mostSize && largest(r) < mostSize)) return false;
  cross(e, f, n);
  const mx = crossMagnitude(e + 16, f + 32, e + 32, f + 16);
  const my = crossMagnitude(e + 32, f, e, f + 32);
  const mz = crossMagnitude(e, f + 16, e + 16, f);
  const area = largest(n);
  if (!(area > leastArea && mx + my + mz <= mostOfFace * area)) return false;
  const magnitude = product(mx, load<f64>(r)) + product(my, load<f64>(r, 16)) + product(mz, load<f64>(r, 32));
  if (magnitude === 0) return !vanished && atPoint(out);
  dot(n, r);
  const heightHigh = high;
  const heightLow = low;
  if (!(abs(heightHigh) > leastArea * leastSize && magnitude <= mostOfFace * abs(heightHigh))) return false;
  dot(n, n);
  const squareHigh = high;
  const squareLow = low;
  root(squareHigh, squareLow);
  divide(heightHigh, heightLow, high, low);
  writeDistance(out, 1.0 + (mx + my + mz) / area + magnitude / abs(heightHigh));
  divide(heightHigh, heightLow, squareHigh, squareLow);
  const factorHigh = high;
  const factorLow = low;
  for (let axis: usize = 0; axis < 3; axis++) {
    const at = n + (axis << 4);
    multiply(load<f64>(at), load<f64>(at, 8), factorHigh, factorLow);
    fromPoint(axis, out);
  }
  return true;
}

/** Measures the distance from a plane normal to an axis, exactly. */
function measureLevel(level: f64, axis: usize, out: Measured): bool {
  atPoint(out);
  difference(level, load<f64>(out.point + axis));
  if (high === 0) return true;
  store<f64>(out.nearest + axis, level);
  store<f64>(out.way + axis, high);
  writeDistance(out, 0);
  return true;
}

/** Writes an answer at distance 0: the nearest point is the point itself. */
function atPoint(out: Measured): bool {
  writePair(0, 0, 0, out);
  copyDoubles(out.nearest, out.point, 24);
  for (let axis: usize = 0; axis < 24; axis += 8) store<f64>(out.way + axis, 0);
  return true;
}

/**
 * Writes one coordinate. The vector along the axis was just computed; the point's coordinate plus that is rounded once.
 */
function fromPoint(axis: usize, out: Measured): void {
  store<f64>(out.way + (axis << 3), high);
  add(load<f64>(out.point + (axis << 3)), 0, high, low);
  store<f64>(out.nearest + (axis << 3), high);
}

/** The vector from a point to the nearer of two. */
function nearerOf(from: usize, first: usize, second: usize, out: Measured): void {
  fromTo(from, first, out.r);
  fromTo(from, second, out.g);
  if (largest(out.g) < largest(out.r)) copyDoubles(out.r, out.g, 48);
}

/** The address of the corner opposite the longest side. */
function oppositeOfLongest(corners: usize, out: Measured): usize {
  let longest: f64 = -1;
  let opposite: usize = 0;
  for (let at: usize = 0; at < 72; at += 24) {
    fromTo(corners + at, corners + (at === 48 ? 0 : at + 24), out.g);
    const size = largest(out.g);
    if (size <= longest) continue;
    longest = size;
    opposite = at === 0 ? 48 : at - 24;
  }
  return opposite;
}

function largest(vector: usize): f64 {
  return max(abs(load<f64>(vector)), max(abs(load<f64>(vector, 16)), abs(load<f64>(vector, 32))));
}

function crossMagnitude(a: usize, b: usize, c: usize, d: usize): f64 {
  return product(load<f64>(a), load<f64>(b)) + product(load<f64>(c), load<f64>(d));
}

/** |a·b|. */
function product(a: f64, b: f64): f64 {
  const size = abs(a * b);
  if (size === 0 && a !== 0 && b !== 0) vanished = true;
  return size;
}
