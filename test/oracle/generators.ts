// Seeded pairs of triangles that are hard to get right: on small grids, where most touch, are coplanar or
// degenerate; within an ulp or so of touching; and of all sizes that doubles have.

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

/** Corners on the grid 0..size, each of B taken from A with the chance given. */
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
 * coordinates moved by a few ulps. Far from the origin for a fifth of them.
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

/** An affine combination of three corners, with weights that are small eighths or any. */
function mixCorner(random: Random, p: Float64Array, to: number, a: number, b: number, c: number): void {
  const dyadic = random() < 0.5;
  const s = dyadic ? whole(random, -4, 12) / 8 : random() * 2 - 0.5;
  const t = random() < 0.4 ? 0 : dyadic ? whole(random, -4, 12) / 8 : random() * 2 - 0.5;
  for (let k = 0; k < 3; k++) p[to + k] = p[a + k] + s * (p[b + k] - p[a + k]) + t * (p[c + k] - p[a + k]);
}

/** The double a number of steps away. */
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
 * A pair with every axis multiplied by a power of two: the same for all three, or one for each, anywhere from
 * denormals to overflow. Points are rounded if they become denormal, and never infinite.
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

/** Each coordinate of any size at all, or 0, or one used before. */
export function wildPair(random: Random, out: Float64Array): void {
  for (let i = 0; i < 18; i++) {
    const kind = random();
    if (kind < 0.15) out[i] = 0;
    else if (kind < 0.55 && i >= 3) out[i] = out[(i % 3) + 3 * whole(random, 0, Math.floor(i / 3) - 1)];
    else out[i] = (random() * 2 - 1) * 2 ** whole(random, -1070, 1020);
  }
}
