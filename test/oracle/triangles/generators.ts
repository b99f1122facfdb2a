// Seeded pairs of triangles that are hard to decide: on small grids, where most touch, are coplanar or degenerate;
// within about an ulp of touching; and of all sizes of doubles.

/** A seeded stream of numbers in [0, 1): mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Random = () => number;

/** A whole number from least to most. */
export const whole = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

/** Corners on the grid 0..size; each corner of B is taken from A with the given probability. */
export function gridPair(random: Random, out: Float64Array, shared = 0): void {
  const size = whole(random, 1, 4);
  for (let i = 0; i < 18; i++) out[i] = whole(random, 0, size);
  for (let corner = 9; corner < 18; corner += 3) {
    if (random() < shared) copyCorner(out, corner, 3 * whole(random, 0, 2));
  }
  // A third of the pairs lie in one plane.
  if (random() < 0.33) {
    const axis = whole(random, 0, 2);
    const [u, v, w] = [whole(random, -1, 1), whole(random, -1, 1), whole(random, 0, 2)];
    for (let corner = 0; corner < 18; corner += 3) {
      out[corner + axis] = w + u * out[corner + ((axis + 1) % 3)] + v * out[corner + ((axis + 2) % 3)];
    }
  }
}

function copyCorner(p: Float64Array, to: number, from: number): void {
  for (let k = 0; k < 3; k++) p[to + k] = p[from + k];
}

/**
 * A in general position; corners of B at, on an edge of, in, beside or above A as far as rounding allows; then some
 * coordinates moved by a few ulps. A fifth of them far from the origin.
 */
export function nearlyTouchingPair(random: Random, out: Float64Array, shared = 0): void {
  const offset = random() < 0.2 ? 10 ** whole(random, 1, 8) : 0;
  for (let i = 0; i < 9; i++) out[i] = offset + random() * 2 - 1;
  if (random() < 0.1) mixCorner(random, out, 6, 0, 3, 3);
  const flat = random() < 0.4;
  for (let corner = 9; corner < 18; corner += 3) {
    const kind = random();
    if (kind < shared) copyCorner(out, corner, 3 * whole(random, 0, 2));
    else if (flat || kind < 0.6) mixCorner(random, out, corner, 0, 3, 6);
    else for (let k = 0; k < 3; k++) out[corner + k] = offset + random() * 2 - 1;
  }
  if (random() < 0.05) mixCorner(random, out, 15, 9, 12, 12);
  for (let moves = whole(random, 0, 3); moves > 0; moves--) {
    const i = whole(random, 0, 17);
    out[i] = neighbourOf(out[i], whole(random, -3, 3));
  }
}

/** An affine combination of three corners, with weights that are small eighths or arbitrary. */
function mixCorner(random: Random, p: Float64Array, to: number, a: number, b: number, c: number): void {
  const dyadic = random() < 0.5;
  const s = dyadic ? whole(random, -4, 12) / 8 : random() * 2 - 0.5;
  const t = random() < 0.4 ? 0 : dyadic ? whole(random, -4, 12) / 8 : random() * 2 - 0.5;
  for (let k = 0; k < 3; k++) p[to + k] = p[a + k] + s * (p[b + k] - p[a + k]) + t * (p[c + k] - p[a + k]);
}

/** The double a given number of steps away. */
export function neighbourOf(x: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  for (; steps !== 0; steps -= Math.sign(steps)) {
    if (x === 0) {
      x = Math.sign(steps) * 5e-324;
      continue;
    }
    view.setFloat64(0, x);
    view.setBigInt64(0, view.getBigInt64(0) + (x > 0 === steps > 0 ? 1n : -1n));
    x = view.getFloat64(0);
  }
  return x;
}

/**
 * A pair with every axis multiplied by a power of two: one for all three, or one per axis, anywhere from denormals to
 * overflow. Points are rounded if they become denormal, and never infinite.
 */
export function resize(random: Random, p: Float64Array): void {
  const together = random() < 0.5;
  let exponent = whole(random, -1080, 1015);
  for (let axis = 0; axis < 3; axis++) {
    if (!together) exponent = random() < 0.2 ? 0 : whole(random, -1080, 1015);
    let largest = 0;
    for (let i = axis; i < 18; i += 3) largest = Math.max(largest, Math.abs(p[i]));
    const most = 1023 - Math.ceil(Math.log2(largest + 1));
    const own = Math.min(exponent, most);
    for (let i = axis; i < 18; i += 3)
      p[i] = own < -1000 ? p[i] * 2 ** -1000 * 2 ** (own + 1000) : p[i] * 2 ** own;
  }
}

/** Each coordinate is of any size, or 0, or repeats an earlier one. */
export function wildPair(random: Random, out: Float64Array): void {
  for (let i = 0; i < 18; i++) {
    const kind = random();
    if (kind < 0.15) out[i] = 0;
    else if (kind < 0.55 && i >= 3) out[i] = out[(i % 3) + 3 * whole(random, 0, Math.floor(i / 3) - 1)];
    else out[i] = (random() * 2 - 1) * 2 ** whole(random, -1070, 1020);
  }
}

/**
 * Four points whose determinant is as small as doubles allow compared with its products, and known without computing
 * it: b and c with b.x·c.y − b.y·c.x = m, and a = b + c + (0, 0, k), have det[a; b; c] = k·m. All are whole numbers
 * of up to 52 bits, moved by one vector together with the last point. Returns the sign.
 */
export function tinyDeterminant(random: Random, out: Float64Array): number {
  const bits = whole(random, 8, 51);
  let [px, py, inverse] = [0n, 0n, 0n];
  while (inverse === 0n) {
    px = wholeOfBits(random, bits) + 2n;
    py = wholeOfBits(random, bits) + 1n;
    inverse = inverseModulo(py, px);
  }
  const m = smallWhole(random, bits);
  const k = smallWhole(random, whole(random, 0, bits));
  const modulo = (n: bigint): bigint => ((n % px) + px) % px;
  const rx = modulo(-m * inverse);
  const ry = (m + py * rx) / px;
  const [pz, rz] = [smallWhole(random, bits), smallWhole(random, bits)];
  const rows = [
    [px + rx, py + ry, pz + rz + k],
    [px, py, pz],
    [rx, ry, rz],
    [0n, 0n, 0n],
  ];
  const move = [smallWhole(random, bits), smallWhole(random, bits), smallWhole(random, bits)];
  for (let i = 0; i < 12; i++) out[i] = Number(rows[Math.floor(i / 3)][i % 3] + move[i % 3]);
  return Number(k * m > 0n) - Number(k * m < 0n);
}

const wholeOfBits = (random: Random, bits: number): bigint =>
  BigInt(Math.floor(random() * 2 ** Math.min(bits, 32))) * (1n << BigInt(Math.max(0, bits - 32))) +
  BigInt(Math.floor(random() * 2 ** Math.max(0, bits - 32)));

/** A number of up to the given number of bits, of either sign. */
const smallWhole = (random: Random, bits: number): bigint =>
  (random() < 0.5 ? -1n : 1n) * wholeOfBits(random, whole(random, 0, bits));

/** The inverse of a modulo n by Euclid's algorithm, or 0 if there is none. */
function inverseModulo(a: bigint, n: bigint): bigint {
  let [r0, r1, t0, t1] = [n, a % n, 0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1, t0, t1] = [r1, r0 - quotient * r1, t1, t0 - quotient * t1];
  }
  return r0 === 1n ? ((t0 % n) + n) % n : 0n;
}
