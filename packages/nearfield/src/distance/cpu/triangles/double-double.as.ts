// Numbers of about 106 bits as unevaluated sums of two doubles (Dekker, 1971; Knuth's sums), for distances that double
// precision cannot tell apart. Results are left in two globals, `high` and `low`, because a WebAssembly function
// returns one value.
//
// With u = 2^-53: twoSum and twoProduct are exact unless they over- or underflow; a sum of two such numbers is off by
// at most 4·u²·(|a| + |b|), a product by 8·u²·|a·b|, a quotient by 16·u²·|a/b|, a root by 8·u²·√a. Callers keep
// magnitudes within 2^±400, so that no product that matters underflows.

export let high: f64 = 0;
export let low: f64 = 0;

function twoSum(a: f64, b: f64): void {
  high = a + b;
  const part = high - a;
  low = a - (high - part) + (b - part);
}

/** 2^27 + 1 splits a double into halves of 26 bits. */
const splitter: f64 = 134217729;

function twoProduct(a: f64, b: f64): void {
  high = a * b;
  const ca = splitter * a;
  const a1 = ca - (ca - a);
  const a2 = a - a1;
  const cb = splitter * b;
  const b1 = cb - (cb - b);
  const b2 = b - b1;
  low = a2 * b2 - (high - a1 * b1 - a2 * b1 - a1 * b2);
}

/** a − b of doubles, exactly. */
export function difference(a: f64, b: f64): void {
  twoSum(a, -b);
}

export function add(ah: f64, al: f64, bh: f64, bl: f64): void {
  twoSum(ah, bh);
  const rest = low + al + bl;
  const sum = high + rest;
  low = rest - (sum - high);
  high = sum;
}

export function multiply(ah: f64, al: f64, bh: f64, bl: f64): void {
  twoProduct(ah, bh);
  const rest = low + (ah * bl + al * bh);
  const sum = high + rest;
  low = rest - (sum - high);
  high = sum;
}

export function divide(ah: f64, al: f64, bh: f64, bl: f64): void {
  const first = ah / bh;
  multiply(bh, bl, first, 0);
  add(ah, al, -high, -low);
  const second = high / bh;
  twoSum(first, second);
}

/** √a for a > 0: one Newton step from the double root. */
export function root(ah: f64, al: f64): void {
  const near = sqrt(ah);
  twoProduct(near, near);
  add(ah, al, -high, -low);
  const step = high / (2.0 * near);
  twoSum(near, step);
}

/** The dot product of two vectors of three such numbers (x high, x low, y high, …). */
export function dot(a: usize, b: usize): void {
  multiply(load<f64>(a), load<f64>(a, 8), load<f64>(b), load<f64>(b, 8));
  const xh = high;
  const xl = low;
  multiply(load<f64>(a, 16), load<f64>(a, 24), load<f64>(b, 16), load<f64>(b, 24));
  add(xh, xl, high, low);
  const yh = high;
  const yl = low;
  multiply(load<f64>(a, 32), load<f64>(a, 40), load<f64>(b, 32), load<f64>(b, 40));
  add(yh, yl, high, low);
}

/** a × b. */
export function cross(a: usize, b: usize, out: usize): void {
  crossOne(a + 16, b + 32, a + 32, b + 16, out);
  crossOne(a + 32, b, a, b + 32, out + 16);
  crossOne(a, b + 16, a + 16, b, out + 32);
}

function crossOne(a: usize, b: usize, c: usize, d: usize, out: usize): void {
  multiply(load<f64>(a), load<f64>(a, 8), load<f64>(b), load<f64>(b, 8));
  const ph = high;
  const pl = low;
  multiply(load<f64>(c), load<f64>(c, 8), load<f64>(d), load<f64>(d, 8));
  add(ph, pl, -high, -low);
  store<f64>(out, high);
  store<f64>(out, low, 8);
}

/** The difference of two points of three doubles, exactly. */
export function fromTo(from: usize, to: usize, out: usize): void {
  for (let axis: usize = 0; axis < 3; axis++) {
    difference(load<f64>(to + (axis << 3)), load<f64>(from + (axis << 3)));
    store<f64>(out + (axis << 4), high);
    store<f64>(out + (axis << 4), low, 8);
  }
}

/** a + factor·b. */
export function addScaled(a: usize, b: usize, factorHigh: f64, factorLow: f64, out: usize): void {
  for (let axis: usize = 0; axis < 48; axis += 16) {
    multiply(load<f64>(b + axis), load<f64>(b + axis, 8), factorHigh, factorLow);
    add(load<f64>(a + axis), load<f64>(a + axis, 8), high, low);
    store<f64>(out + axis, high);
    store<f64>(out + axis, low, 8);
  }
}
