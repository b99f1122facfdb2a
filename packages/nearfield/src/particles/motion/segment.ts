// The motion between two impacts: p(σ) = x + (v + ½a·σ)·σ in doubles, in this order, nothing fused. A path is nine numbers: x, v, a.
// Everything that is said of a particle's place is said of these doubles.

import type { Box } from '../../math/box.ts';

export function placeOn(path: Float64Array, sigma: number, out: Float64Array, at = 0): void {
  for (let axis = 0; axis < 3; axis++) {
    out[at + axis] = path[axis] + (path[3 + axis] + 0.5 * path[6 + axis] * sigma) * sigma;
  }
}

export function velocityOn(path: Float64Array, sigma: number, out: Float64Array, at = 0): void {
  for (let axis = 0; axis < 3; axis++) out[at + axis] = path[3 + axis] + path[6 + axis] * sigma;
}

/** A box that holds the path from σ = from to σ = to, but for rounding. */
export function pathBox(path: Float64Array, from: number, to: number, out: Box): void {
  for (let axis = 0; axis < 3; axis++) {
    const x = path[axis];
    const v = path[3 + axis];
    const half = 0.5 * path[6 + axis];
    const a = x + (v + half * from) * from;
    const b = x + (v + half * to) * to;
    let low = a < b ? a : b;
    let high = a < b ? b : a;
    const turn = -v / (2 * half);
    if (turn > from && turn < to) {
      const extreme = x + (v + half * turn) * turn;
      if (extreme < low) low = extreme;
      if (extreme > high) high = extreme;
    }
    out[axis] = low;
    out[axis + 3] = high;
  }
}
