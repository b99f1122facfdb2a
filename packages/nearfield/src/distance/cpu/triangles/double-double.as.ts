// Numbers of about 106 bits as unevaluated sums of two doubles (Dekker, 1971; Knuth's sums), for distances that double
// precision cannot tell apart. Results are left in two globals, `high` and `low`, because a WebAssembly function
// returns one value.
//
// With u = 2^-53: twoSum and twoProduct are exact unless they over- or underflow; a sum of two such numbers is off by
// at most 4·u²·(|a| + |b|), a product by 8·u²·|a·b|, a quotient by 16·u²·|a/b|, a root by 8·u²·√a. Callers keep
// magnitudes within 2^±400, so that no product that matters underflows.

export let high: f64 = 0;
export let low: f64 = 0;

// The functions below keep their own parts in locals and write the globals once: engines keep globals in memory.

/** The rounding error of a + b, which was rounded to `sum`. */
function lostBySum(a: f64, b: f64, sum: f64): f64 {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

/** 2^27 + 1 splits a double into halves of 26 bits. */
const splitter: f64 = 134217729;

/** The rounding error of a·b, which was rounded to `product`. */
function lostByProduct(a: f64, b: f64, product: f64): f64 {
  const ca = splitter * a;
  const a1 = ca - (ca - a);
  const a2 = a - a1;
  const cb = splitter * b;
  const b1 = cb - (cb - b);
  const b2 = b - b1;
  return a2 * b2 - (product - a1 * b1 - a2 * b1 - a1 * b2);
}

/** The same for two products at once. */
function lostByProducts(a: v128, b: v128, product: v128): v128 {
  const split = f64x2.splat(splitter);
  const ca = f64x2.mul(split, a);
  const a1 = f64x2.sub(ca, f64x2.sub(ca, a));
  const a2 = f64x2.sub(a, a1);
  const cb = f64x2.mul(split, b);
  const b1 = f64x2.sub(cb, f64x2.sub(cb, b));
  const b2 = f64x2.sub(b, b1);
  const rest = f64x2.sub(
    f64x2.sub(f64x2.sub(product, f64x2.mul(a1, b1)), f64x2.mul(a2, b1)),
    f64x2.mul(a1, b2),
  );
  return f64x2.sub(f64x2.mul(a2, b2), rest);
}

/** Leaves the sum of a large and a small double. */
function leave(large: f64, small: f64): void {
  const sum = large + small;
  low = small - (sum - large);
  high = sum;
}

/** a − b of doubles, exactly. */
export function difference(a: f64, b: f64): void {
  const sum = a - b;
  low = lostBySum(a, -b, sum);
  high = sum;
}

export function add(ah: f64, al: f64, bh: f64, bl: f64): void {
  const sum = ah + bh;
  leave(sum, lostBySum(ah, bh, sum) + al + bl);
}

export function multiply(ah: f64, al: f64, bh: f64, bl: f64): void {
  const product = ah * bh;
  leave(product, lostByProduct(ah, bh, product) + (ah * bl + al * bh));
}

export function divide(ah: f64, al: f64, bh: f64, bl: f64): void {
  const first = ah / bh;
  // a − first·b.
  const large = bh * first;
  const small = lostByProduct(bh, first, large) + bl * first;
  const product = large + small;
  const productLow = small - (product - large);
  const gap = ah - product;
  const second = (gap + (lostBySum(ah, -product, gap) + al - productLow)) / bh;
  const sum = first + second;
  low = lostBySum(first, second, sum);
  high = sum;
}

/** √a for a > 0: one Newton step from the double root. */
export function root(ah: f64, al: f64): void {
  const near = sqrt(ah);
  const square = near * near;
  const squareLow = lostByProduct(near, near, square);
  const gap = ah - square;
  const step = (gap + (lostBySum(ah, -square, gap) + al - squareLow)) / (2.0 * near);
  const sum = near + step;
  low = lostBySum(near, step, sum);
  high = sum;
}

/** The dot product of two vectors of three such numbers (x high, x low, y high, …). */
export function dot(a: usize, b: usize): void {
  const large = f64x2.mul(highs(a, a + 16), highs(b, b + 16));
  const small = smallOfProducts(a, a + 16, b, b + 16, large);
  const product = f64x2.add(large, small);
  const rest = f64x2.sub(small, f64x2.sub(product, large));
  const az = load<f64>(a, 32);
  const bz = load<f64>(b, 32);
  const largeZ = az * bz;
  const smallZ = lostByProduct(az, bz, largeZ) + (az * load<f64>(b, 40) + load<f64>(a, 40) * bz);
  const z = largeZ + smallZ;
  const restZ = smallZ - (z - largeZ);
  const x = f64x2.extract_lane(product, 0);
  const y = f64x2.extract_lane(product, 1);
  const sum = x + y;
  const lost = lostBySum(x, y, sum) + f64x2.extract_lane(rest, 0) + f64x2.extract_lane(rest, 1);
  const xy = sum + lost;
  add(xy, lost - (xy - sum), z, restZ);
}

/** a × b. */
export function cross(a: usize, b: usize, out: usize): void {
  // The first two components are computed at once, then the two products of the third.
  const first = f64x2.mul(highs(a + 16, a + 32), highs(b + 32, b));
  const firstSmall = smallOfProducts(a + 16, a + 32, b + 32, b, first);
  const second = f64x2.mul(highs(a + 32, a), highs(b + 16, b + 32));
  const secondSmall = smallOfProducts(a + 32, a, b + 16, b + 32, second);
  const third = f64x2.mul(highs(a, a + 16), highs(b + 16, b));
  const thirdSmall = smallOfProducts(a, a + 16, b + 16, b, third);
  const p = f64x2.add(first, firstSmall);
  const pLow = f64x2.sub(firstSmall, f64x2.sub(p, first));
  const q = f64x2.add(second, secondSmall);
  const qLow = f64x2.sub(secondSmall, f64x2.sub(q, second));
  const sum = f64x2.sub(p, q);
  const part = f64x2.sub(sum, p);
  const lost = f64x2.sub(f64x2.sub(p, f64x2.sub(sum, part)), f64x2.add(q, part));
  const rest = f64x2.sub(f64x2.add(lost, pLow), qLow);
  const both = f64x2.add(sum, rest);
  const bothLow = f64x2.sub(rest, f64x2.sub(both, sum));
  v128.store(out, v128.shuffle<f64>(both, bothLow, 0, 2));
  v128.store(out, v128.shuffle<f64>(both, bothLow, 1, 3), 16);
  const r = f64x2.add(third, thirdSmall);
  const rLow = f64x2.sub(thirdSmall, f64x2.sub(r, third));
  add(
    f64x2.extract_lane(r, 0),
    f64x2.extract_lane(rLow, 0),
    -f64x2.extract_lane(r, 1),
    -f64x2.extract_lane(rLow, 1),
  );
  store<f64>(out, high, 32);
  store<f64>(out, low, 40);
}

/** The high halves of two numbers. */
function highs(a: usize, b: usize): v128 {
  return v128.shuffle<f64>(v128.load(a), v128.load(b), 0, 2);
}

/** Two products a·c and b·d, less the rounded products of their high halves. */
function smallOfProducts(a: usize, b: usize, c: usize, d: usize, products: v128): v128 {
  const first = highs(a, b);
  const second = highs(c, d);
  const firstLow = v128.shuffle<f64>(v128.load(a), v128.load(b), 1, 3);
  const secondLow = v128.shuffle<f64>(v128.load(c), v128.load(d), 1, 3);
  return f64x2.add(
    lostByProducts(first, second, products),
    f64x2.add(f64x2.mul(first, secondLow), f64x2.mul(firstLow, second)),
  );
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
