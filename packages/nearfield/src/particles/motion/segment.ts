// The motion between two impacts: p(σ) = x + (v + ½a·σ)·σ in doubles, in this order, nothing fused. A path has nine
// numbers: x, v, a. Everything said about a particle's place is about these doubles.

export function placeOn(path: Float64Array, sigma: number, out: Float64Array, at = 0): void {
  for (let axis = 0; axis < 3; axis++) {
    out[at + axis] = path[axis] + (path[3 + axis] + 0.5 * path[6 + axis] * sigma) * sigma;
  }
}

export function velocityOn(path: Float64Array, sigma: number, out: Float64Array, at = 0): void {
  for (let axis = 0; axis < 3; axis++) out[at + axis] = path[3 + axis] + path[6 + axis] * sigma;
}
