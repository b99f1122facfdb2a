// Exact signs of sums of products of differences of doubles, for cases that neither double nor double-double can
// decide: points that lie exactly on an edge's line, at a corner's plane, or so near that all digits are needed.
// Numbers are expansions: sums of doubles that do not overlap, the smallest first, none of them 0 (Shewchuk, Adaptive
// Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, 1997, sections 2.4 to 2.8). On grids they
// have one or two terms.
//
// Sums of doubles are exact unless they overflow. A product's low half is exact unless it underflows. `lost` is set if
// a product is so small that this may happen, or so large that splitting it may overflow.

const splitter: f64 = 134217729; // 2^27 + 1
const leastProduct: f64 = 1e-250;
const mostProduct: f64 = 1e250;
let lost: bool = false;

/** The result if the sign could not be decided. */
export const unknownSign: i32 = 2;

/** The bytes of the longest product below, 16 terms by 16, and of sums of three of them. */
const longest: usize = 3 * 512 * 8;
const crossBytes: usize = 16 * 8;
// Differences of two terms each: u, v and p, three of each; then two cross products of three components; then room for
// products.
const differenceBytes: usize = 16;
const atU: usize = 0;
const atV: usize = atU + 3 * differenceBytes;
const atP: usize = atV + 3 * differenceBytes;
const atFirst: usize = atP + 3 * differenceBytes;
const atSecond: usize = atFirst + 3 * crossBytes;
const atProduct: usize = atSecond + 3 * crossBytes;
const atTerm: usize = atProduct + longest;
const atSum: usize = atTerm + longest;
const atSpare: usize = atSum + longest;
const atRow: usize = atSpare + longest;
export const expansionBytes: usize = atRow + 1024;

function termAt(e: usize, i: i32): f64 {
  return load<f64>(e + ((<usize>i) << 3));
}

/** Appends a term unless it is 0. Returns the new count. */
function put(out: usize, count: i32, term: f64): i32 {
  if (term === 0) return count;
  store<f64>(out + ((<usize>count) << 3), term);
  return count + 1;
}

/** a − b. Returns how many terms it has. */
function difference(a: f64, b: f64, out: usize): i32 {
  const high = a - b;
  const part = a - high;
  const low = a - (high + part) + (part - b);
  let count: i32 = 0;
  count = put(out, count, low);
  count = put(out, count, high);
  return count;
}

let productLow: f64 = 0;

/** The rounded product. The rest goes to `productLow`. */
function twoProduct(a: f64, b: f64): f64 {
  const high = a * b;
  const size = abs(high);
  // Written so that NaN also counts as lost.
  if (!(size > leastProduct && size < mostProduct && abs(a) < mostProduct && abs(b) < mostProduct))
    lost = true;
  const ca = splitter * a;
  const a1 = ca - (ca - a);
  const a2 = a - a1;
  const cb = splitter * b;
  const b1 = cb - (cb - b);
  const b2 = b - b1;
  productLow = a2 * b2 - (high - a1 * b1 - a2 * b1 - a1 * b2);
  return high;
}

/** e·b of n terms: at most 2n. */
function scaled(e: usize, n: i32, b: f64, out: usize): i32 {
  if (n === 0) return 0;
  let count: i32 = 0;
  let carried = twoProduct(load<f64>(e), b);
  count = put(out, count, productLow);
  for (let i: i32 = 1; i < n; i++) {
    const high = twoProduct(termAt(e, i), b);
    const low = productLow;
    const sum = carried + low;
    let part = sum - carried;
    let rest = carried - (sum - part) + (low - part);
    count = put(out, count, rest);
    const next = high + sum;
    part = next - high;
    rest = high - (next - part) + (sum - part);
    count = put(out, count, rest);
    carried = next;
  }
  count = put(out, count, carried);
  return count;
}

/** e + sign·f: at most n + m terms. Terms are added in order of size to a running sum. */
function added(e: usize, n: i32, f: usize, m: i32, sign: f64, out: usize): i32 {
  let i: i32 = 0;
  let j: i32 = 0;
  let count: i32 = 0;
  let carried: f64 = 0;
  while (i < n || j < m) {
    let term: f64;
    if (j >= m || (i < n && abs(termAt(e, i)) < abs(termAt(f, j)))) {
      term = termAt(e, i);
      i++;
    } else {
      term = sign * termAt(f, j);
      j++;
    }
    const sum = carried + term;
    const part = sum - carried;
    const rest = carried - (sum - part) + (term - part);
    count = put(out, count, rest);
    carried = sum;
  }
  count = put(out, count, carried);
  return count;
}

/** e·f, row by row. The sum alternates between `out` and the spare room. */
function multiplied(e: usize, n: i32, f: usize, m: i32, work: usize, out: usize): i32 {
  let count: i32 = 0;
  for (let j: i32 = 0; j < m; j++) {
    const row = scaled(e, n, termAt(f, j), work + atRow);
    const sum = added(out, count, work + atRow, row, 1, work + atSpare);
    memory.copy(out, work + atSpare, (<usize>sum) << 3);
    count = sum;
  }
  return count;
}

function signOf(e: usize, n: i32): i32 {
  if (lost) return unknownSign;
  if (n === 0) return 0;
  const last = termAt(e, n - 1);
  return last > 0 ? 1 : last < 0 ? -1 : unknownSign;
}

/** The sign of (p − from)·(to − from): −1, 0, 1 or `unknownSign`. */
export function exactAhead(x: f64, y: f64, z: f64, from: usize, to: usize, work: usize): i32 {
  lost = false;
  let count: i32 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const place = axis === 0 ? x : axis === 8 ? y : z;
    const n = difference(place, load<f64>(from + axis), work + atP);
    const m = difference(load<f64>(to + axis), load<f64>(from + axis), work + atU);
    const product = multiplied(work + atP, n, work + atU, m, work, work + atProduct);
    const sum = added(work + atSum, count, work + atProduct, product, 1, work + atTerm);
    memory.copy(work + atSum, work + atTerm, (<usize>sum) << 3);
    count = sum;
  }
  return signOf(work + atSum, count);
}

// How many terms the differences and the cross products have.
let u0: i32 = 0;
let u1: i32 = 0;
let u2: i32 = 0;
let w0: i32 = 0;
let w1: i32 = 0;
let w2: i32 = 0;

/** One component of a cross product: a·b − c·d, at most 16 terms. */
function crossTerm(
  a: usize,
  na: i32,
  b: usize,
  nb: i32,
  c: usize,
  nc: i32,
  d: usize,
  nd: i32,
  work: usize,
  out: usize,
): i32 {
  const first = multiplied(a, na, b, nb, work, work + atProduct);
  const second = multiplied(c, nc, d, nd, work, work + atTerm);
  return added(work + atProduct, first, work + atTerm, second, -1, out);
}

/**
 * The sign of ((b − a) × (p − a))·((b − a) × (c − a)): 1 if p lies inward of the edge ab, in the triangle's plane.
 * `unknownSign` also if the triangle has no plane.
 */
export function exactSide(x: f64, y: f64, z: f64, a: usize, b: usize, c: usize, work: usize): i32 {
  lost = false;
  const u = work + atU;
  u0 = difference(load<f64>(b), load<f64>(a), u);
  u1 = difference(load<f64>(b, 8), load<f64>(a, 8), u + differenceBytes);
  u2 = difference(load<f64>(b, 16), load<f64>(a, 16), u + 2 * differenceBytes);
  const v = work + atV;
  w0 = difference(load<f64>(c), load<f64>(a), v);
  w1 = difference(load<f64>(c, 8), load<f64>(a, 8), v + differenceBytes);
  w2 = difference(load<f64>(c, 16), load<f64>(a, 16), v + 2 * differenceBytes);
  const n0 = crossX(u, v, work, work + atFirst);
  const n1 = crossY(u, v, work, work + atFirst + crossBytes);
  const n2 = crossZ(u, v, work, work + atFirst + 2 * crossBytes);
  if (n0 + n1 + n2 === 0) return unknownSign;
  const p = work + atP;
  w0 = difference(x, load<f64>(a), p);
  w1 = difference(y, load<f64>(a, 8), p + differenceBytes);
  w2 = difference(z, load<f64>(a, 16), p + 2 * differenceBytes);
  const m0 = crossX(u, p, work, work + atSecond);
  const m1 = crossY(u, p, work, work + atSecond + crossBytes);
  const m2 = crossZ(u, p, work, work + atSecond + 2 * crossBytes);
  let count: i32 = 0;
  for (let axis: usize = 0; axis < 3; axis++) {
    const n = axis === 0 ? n0 : axis === 1 ? n1 : n2;
    const m = axis === 0 ? m0 : axis === 1 ? m1 : m2;
    const at = axis * crossBytes;
    const product = multiplied(work + atFirst + at, n, work + atSecond + at, m, work, work + atProduct);
    const sum = added(work + atSum, count, work + atProduct, product, 1, work + atTerm);
    memory.copy(work + atSum, work + atTerm, (<usize>sum) << 3);
    count = sum;
  }
  return signOf(work + atSum, count);
}

function crossX(u: usize, w: usize, work: usize, out: usize): i32 {
  const d = differenceBytes;
  return crossTerm(u + d, u1, w + 2 * d, w2, u + 2 * d, u2, w + d, w1, work, out);
}
function crossY(u: usize, w: usize, work: usize, out: usize): i32 {
  const d = differenceBytes;
  return crossTerm(u + 2 * d, u2, w, w0, u, u0, w + 2 * d, w2, work, out);
}
function crossZ(u: usize, w: usize, work: usize, out: usize): i32 {
  const d = differenceBytes;
  return crossTerm(u, u0, w + d, w1, u + d, u1, w, w0, work, out);
}
