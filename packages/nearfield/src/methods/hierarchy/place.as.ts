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
  const scale = load<f64>(tree, treeScale);
  store<f64>(body, load<f64>(tree, treeHalf) * scale, bodyH);
  store<f64>(body, load<f64>(tree, treeHalf + 8) * scale, bodyH + 8);
  store<f64>(body, load<f64>(tree, treeHalf + 16) * scale, bodyH + 16);
  const x = placeAxis(body, box, tree);
  const y = placeAxis(body + 8, box + 8, tree);
  const z = placeAxis(body + 16, box + 16, tree);
  const largest = max(max(x, y), z);
  store<f64>(body, largest, bodyShrink);
  store<u32>(body, 0, bodyInverted);
  // Infinite or NaN ends of the box leave a NaN in this sum of differences.
  let check = load<f64>(box) - load<f64>(box);
  check += load<f64>(box, 8) - load<f64>(box, 8) + (load<f64>(box, 16) - load<f64>(box, 16));
  check += load<f64>(box, 24) - load<f64>(box, 24) + (load<f64>(box, 32) - load<f64>(box, 32));
  check += load<f64>(box, 40) - load<f64>(box, 40);
  return check === 0;
}

/** One world axis: addresses are those of the body and its box moved by the axis. Returns the largest |K| of the row. */
function placeAxis(body: usize, box: usize, tree: usize): f64 {
  const mx = load<f64>(body, bodyPose);
  const my = load<f64>(body, bodyPose + 32);
  const mz = load<f64>(body, bodyPose + 64);
  const t = load<f64>(body, bodyPose + 96);
  const unscale = load<f64>(tree, treeUnscale);
  const kx = mx * unscale;
  const ky = my * unscale;
  const kz = mz * unscale;
  store<f64>(body, kx, bodyK);
  store<f64>(body, ky, bodyK + 24);
  store<f64>(body, kz, bodyK + 48);
  const place =
    mx * load<f64>(tree, treeCentre) +
    my * load<f64>(tree, treeCentre + 8) +
    mz * load<f64>(tree, treeCentre + 16) +
    t;
  const ax = abs(mx);
  const ay = abs(my);
  const az = abs(mz);
  const size =
    ax * load<f64>(tree, treeReach) +
    ay * load<f64>(tree, treeReach + 8) +
    az * load<f64>(tree, treeReach + 16) +
    abs(t);
  // 2^-1060 for what underflows.
  const e = noiseFactor * size + reinterpret<f64>((<u64>1) << 14);
  const half =
    ax * load<f64>(tree, treeHalf) +
    ay * load<f64>(tree, treeHalf + 8) +
    az * load<f64>(tree, treeHalf + 16) +
    e;
  store<f64>(body, place, bodyW);
  store<f64>(body, e, bodyE);
  store<f64>(box, place - half);
  store<f64>(box, place + half, 24);
  return max(max(abs(kx), abs(ky)), abs(kz));
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
  // Whatever the rows of G come out as, the residual is computed from them.
  const x = invertRow(
    body,
    ca * inverse,
    (c * h - b * i) * inverse,
    (b * f - c * e) * inverse,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    0,
  );
  const y = invertRow(
    body,
    cb * inverse,
    (a * i - c * g) * inverse,
    (c * d - a * f) * inverse,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    1,
  );
  const z = invertRow(
    body,
    cc * inverse,
    (b * g - a * h) * inverse,
    (a * e - b * d) * inverse,
    a,
    b,
    c,
    d,
    e,
    f,
    g,
    h,
    i,
    2,
  );
  const worst = max(max(x, y), z);
  // False for NaN as well.
  store<f64>(body, worst < 0.0009765625 ? worst : Infinity, bodyF);
}

/**
 * Stores a row of G and bounds the sum of its residual's magnitudes. An entry is a product and three sums, so 2^-50 of the
 * sum of magnitudes covers the rounding; shrinking K loses at most 2^-1074, which is nothing beside its largest entry, ½.
 */
function invertRow(
  body: usize,
  p: f64,
  q: f64,
  r: f64,
  a: f64,
  b: f64,
  c: f64,
  d: f64,
  e: f64,
  f: f64,
  g: f64,
  h: f64,
  i: f64,
  row: usize,
): f64 {
  const at = body + (row << 3);
  store<f64>(at, p, bodyG);
  store<f64>(at, q, bodyG + 24);
  store<f64>(at, r, bodyG + 48);
  return (
    residual(p * a, q * d, r * g, row === 0 ? 1.0 : 0.0) +
    residual(p * b, q * e, r * h, row === 1 ? 1.0 : 0.0) +
    residual(p * c, q * f, r * i, row === 2 ? 1.0 : 0.0)
  );
}

function residual(x: f64, y: f64, z: f64, one: f64): f64 {
  return abs(x - one + y + z) + roundingFactor * (1.0 + abs(x) + abs(y) + abs(z));
}

/** A power of two whose product with v lies in [½, 1), as far as doubles have one. */
export function powerBelowInverse(v: f64): f64 {
  const exponent = <i64>(reinterpret<u64>(v) >> 52);
  return reinterpret<f64>((<u64>max<i64>(1, min<i64>(2046, 2045 - exponent))) << 52);
}
