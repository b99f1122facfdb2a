// Places bodies: everything a pair of bodies needs to know of each of them, computed once per pose.
//
// Words. A vertex x of the mesh has the world position w = fl(L·x + t), the pose applied in the order of the
// contract with every operation rounded. In the tree's frame (bvh/layout.as.ts) the same vertex is
// u = (x − centre)·scale, so with K = L/scale and W = L·centre + t, exactly computed, L·x + t = K·u + W.
//
//   K     the linear part from the tree's frame to the world (exact unless it over- or underflows, since scale is
//         a power of two)
//   W     the world position of the tree's centre, as computed
//   e     per world axis: a bound for everything double rounding does to w, to W and to products formed with them
//   G     an approximate inverse of K·shrink, shrink a power of two that brings the largest entry of K to [½, 1)
//   F     a bound for ‖G·K·shrink − I‖∞ (rows summed)
//   box   a world box that holds every w
//
// e: with S = |L|·reach + |t| (reach = largest |coordinate| of the mesh), w is off by at most 4.1·2^-53·S (three
// products and three sums, each term passing at most four roundings), W likewise (|centre| ≤ reach). The frame of a
// pair (frame.as.ts) forms W_B − W_A (one rounding), multiplies by G (a product and three sums) and multiplies
// K_B by G (a product and two sums, |K|·half ≤ |L|·reach): below 2^-53·(4.1 + 4.1 + 1 + 5 + 5) times the sum of the
// two bodies' S. 2^-48 = 32·2^-53 leaves room. Products that underflow are off by at most 2^-1075 each: 2^-1060
// covers more than ten thousand of them.

import {
  treeCentre,
  treeHalf,
  treeReach,
  treeScale,
  treeTriangleCount,
  treeUnscale,
} from '../../bvh/layout.as';

export const bodyTree: usize = 0;
/** Whether G, shrink and F are there: found when a pair first needs them. Until then shrink holds the largest |K|. */
const bodyInverted: usize = 4;
/** Sixteen doubles, column-major, as the caller gave them. */
export const bodyPose: usize = 8;
export const bodyK: usize = 136;
export const bodyG: usize = 208;
export const bodyShrink: usize = 280;
export const bodyW: usize = 288;
export const bodyE: usize = 312;
export const bodyF: usize = 336;
/** Half extents of the mesh in the tree's frame. */
export const bodyH: usize = 344;
export const bodyBytes: usize = 384;

/** World boxes lie apart from the bodies, for the broad phase to read in a row: six doubles, low x y z, high x y z. */
export const worldBoxBytes: usize = 48;

const noiseFactor: f64 = 3.552713678800501e-15; // 2^-48
const roundingFactor: f64 = 8.881784197001252e-16; // 2^-50

/** Fills in bodies [first, end) of the table from their trees and poses. Returns the first that overflows, or end. */
export function placeBodies(table: usize, boxes: usize, first: u32, end: u32): u32 {
  for (let i = first; i < end; i++) {
    if (!placeBody(table + <usize>i * bodyBytes, boxes + <usize>i * worldBoxBytes)) return i;
  }
  return end;
}

function placeBody(body: usize, box: usize): bool {
  const tree = load<usize>(body, bodyTree);
  if (load<u32>(tree, treeTriangleCount) === 0) {
    for (let axis: usize = 0; axis < 24; axis += 8) {
      store<f64>(box + axis, Infinity);
      store<f64>(box + axis, -Infinity, 24);
    }
    return true;
  }
  const pose = body + bodyPose;
  const unscale = load<f64>(tree, treeUnscale);
  const scale = load<f64>(tree, treeScale);
  // 2^-1060
  const least = reinterpret<f64>((<u64>1) << 14);
  let largest: f64 = 0;
  let finite = true;
  for (let row: usize = 0; row < 3; row++) {
    let place = 0.0;
    let size = 0.0;
    let half = 0.0;
    for (let column: usize = 0; column < 3; column++) {
      const m = load<f64>(pose + ((row + 4 * column) << 3));
      const k = m * unscale;
      store<f64>(body + ((row + 3 * column) << 3), k, bodyK);
      largest = max(largest, abs(k));
      place += m * load<f64>(tree + (column << 3), treeCentre);
      size += abs(m) * load<f64>(tree + (column << 3), treeReach);
      half += abs(m) * load<f64>(tree + (column << 3), treeHalf);
    }
    const t = load<f64>(pose + ((row + 12) << 3));
    place += t;
    size += abs(t);
    const e = noiseFactor * size + least;
    half += e;
    store<f64>(body + (row << 3), place, bodyW);
    store<f64>(body + (row << 3), e, bodyE);
    store<f64>(body + (row << 3), load<f64>(tree + (row << 3), treeHalf) * scale, bodyH);
    store<f64>(box + (row << 3), place - half);
    store<f64>(box + (row << 3), place + half, 24);
    finite = finite && place - half > -Infinity && place + half < Infinity;
  }
  store<f64>(body, largest, bodyShrink);
  store<u32>(body, 0, bodyInverted);
  return finite;
}

/** For a body whose G, shrink and F were written from outside. */
export function markInverted(body: usize): void {
  store<u32>(body, 1, bodyInverted);
}

/** Finds G, shrink and F. F is infinite where no inverse of use was found: pairs then go without that frame's axes. */
export function invertBody(body: usize): void {
  if (load<u32>(body, bodyInverted)) return;
  store<u32>(body, 1, bodyInverted);
  const shrink = powerBelowInverse(load<f64>(body, bodyShrink));
  store<f64>(body, shrink, bodyShrink);
  const k = body + bodyK;
  const a = load<f64>(k) * shrink;
  const b = load<f64>(k, 24) * shrink;
  const c = load<f64>(k, 48) * shrink;
  const d = load<f64>(k, 8) * shrink;
  const e = load<f64>(k, 32) * shrink;
  const f = load<f64>(k, 56) * shrink;
  const g = load<f64>(k, 16) * shrink;
  const h = load<f64>(k, 40) * shrink;
  const i = load<f64>(k, 64) * shrink;
  const ca = e * i - f * h;
  const cb = f * g - d * i;
  const cc = d * h - e * g;
  const inverse = 1.0 / (a * ca + b * cb + c * cc);
  const out = body + bodyG;
  store<f64>(out, ca * inverse);
  store<f64>(out, cb * inverse, 8);
  store<f64>(out, cc * inverse, 16);
  store<f64>(out, (c * h - b * i) * inverse, 24);
  store<f64>(out, (a * i - c * g) * inverse, 32);
  store<f64>(out, (b * g - a * h) * inverse, 40);
  store<f64>(out, (b * f - c * e) * inverse, 48);
  store<f64>(out, (c * d - a * f) * inverse, 56);
  store<f64>(out, (a * e - b * d) * inverse, 64);
  // Whatever G came out as, the residual is computed from it; a product and three sums an entry, so 2^-50 of the
  // sum of magnitudes covers the rounding, and shrinking K can only lose what is 2^-1074 of its largest entry.
  let worst: f64 = 0;
  for (let row: usize = 0; row < 3; row++) {
    let total: f64 = 0;
    for (let column: usize = 0; column < 3; column++) {
      let sum: f64 = row === column ? -1 : 0;
      let size: f64 = 1;
      for (let j: usize = 0; j < 3; j++) {
        const product =
          load<f64>(out + ((row + 3 * j) << 3)) * (load<f64>(k + ((j + 3 * column) << 3)) * shrink);
        sum += product;
        size += abs(product);
      }
      total += abs(sum) + roundingFactor * size;
    }
    worst = max(worst, total);
    if (!(total < 0.0009765625)) worst = Infinity;
  }
  store<f64>(body, worst, bodyF);
}

/** A power of two whose product with v lies in [½, 1), as far as doubles have one. */
export function powerBelowInverse(v: f64): f64 {
  const exponent = <i64>(reinterpret<u64>(v) >> 52);
  return reinterpret<f64>((<u64>max<i64>(1, min<i64>(2046, 2045 - exponent))) << 52);
}
