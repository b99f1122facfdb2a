// Implicit surfaces of soft balls and of balls swept along segments (Knott, section 3.7): h = level − Σ
// weight·φ(d²/r²), φ(q) = (1 − q)³ for q < 1, else 0; d is the distance to the ball's middle or to the segment.
// Positive outside.
//
// Bounds. |∇φ| ≤ 96/(25√5)/r, at d = r/√5. The second derivatives have eigenvalues −6(1 − q)²/r² across and 6(1 − q)(5q
// − 1)/r² along, both within ±6/r²; along a segment those of d² are 0 or 2, and the bound holds too.

import { bad, inWords } from '../../core/arguments.ts';
import { type Box, emptyBox, growBox } from '../../math/box.ts';
import { finiteNumber, finiteVector, positive } from '../check.ts';
import type { CompiledBlobs } from '../compiled.ts';
import type { Blob } from './shapes.ts';

const blobNumbers = 8;
const steepest = 96 / (25 * Math.sqrt(5));

export function compileBlobs(given: readonly Blob[], level: number | undefined, what: string): CompiledBlobs {
  if (!Array.isArray(given) || given.length === 0)
    throw bad(`${what}: blobs must be an array of at least one`);
  const rows = new Float64Array(blobNumbers * given.length);
  given.forEach((blob: Blob, i) => {
    const name = `${what}: blob ${i}`;
    if (typeof blob !== 'object' || blob === null) throw bad(`${name} is ${inWords(blob)}`);
    const from =
      'at' in blob ? finiteVector(blob.at, `${name}: at`) : finiteVector(blob.from, `${name}: from`);
    const to = 'at' in blob ? from : finiteVector(blob.to, `${name}: to`);
    const weight = finiteNumber(blob.weight === undefined ? 1 : blob.weight, `${name}: weight`);
    if (weight === 0) throw bad(`${name}: weight is 0`);
    rows.set([...from, ...to, positive(blob.radius, `${name}: radius`), weight], blobNumbers * i);
  });
  return { rows, level: positive(level === undefined ? 0.5 : level, `${what}: level`) };
}

/** The box of all balls: farther away nothing adds up to the level, which is above 0. */
export function blobsBox({ rows }: CompiledBlobs): Box {
  const box = emptyBox();
  for (let at = 0; at < rows.length; at += blobNumbers) {
    const r = rows[at + 6];
    for (const end of [at, at + 3]) {
      growBox(box, rows[end] - r, rows[end + 1] - r, rows[end + 2] - r);
      growBox(box, rows[end] + r, rows[end + 1] + r, rows[end + 2] + r);
    }
  }
  return box;
}

/** The function at a place. */
export class BlobsValue {
  value = 0;
  readonly gradient = new Float64Array(3);
  /** Bounds of the gradient's length and of the second derivatives, over the blobs that reach within `near`. */
  steepness = 0;
  curvature = 0;
  /** Σ|weight|·φ, for the rounding error. */
  magnitude = 0;
}

export function evaluateBlobs(
  { rows, level }: CompiledBlobs,
  x: number,
  y: number,
  z: number,
  near: number,
  out: BlobsValue,
): void {
  let value = level;
  let gx = 0;
  let gy = 0;
  let gz = 0;
  let magnitude = level;
  let steepness = 0;
  let curvature = 0;
  for (let at = 0; at < rows.length; at += blobNumbers) {
    let dx = x - rows[at];
    let dy = y - rows[at + 1];
    let dz = z - rows[at + 2];
    const ex = rows[at + 3] - rows[at];
    const ey = rows[at + 4] - rows[at + 1];
    const ez = rows[at + 5] - rows[at + 2];
    const squaredLength = ex * ex + ey * ey + ez * ez;
    if (squaredLength > 0) {
      const along = Math.min(1, Math.max(0, (dx * ex + dy * ey + dz * ez) / squaredLength));
      dx -= along * ex;
      dy -= along * ey;
      dz -= along * ez;
    }
    const r = rows[at + 6];
    const reach = r + near;
    const squared = dx * dx + dy * dy + dz * dz;
    if (squared >= reach * reach) continue;
    const weight = rows[at + 7];
    const size = Math.abs(weight);
    steepness += (size * steepest) / r;
    curvature += (size * 6) / (r * r);
    const q = squared / (r * r);
    if (q >= 1) continue;
    const rest = 1 - q;
    value -= weight * rest * rest * rest;
    magnitude += size;
    const slope = (6 * weight * rest * rest) / (r * r);
    gx += slope * dx;
    gy += slope * dy;
    gz += slope * dz;
  }
  out.value = value;
  out.gradient[0] = gx;
  out.gradient[1] = gy;
  out.gradient[2] = gz;
  out.steepness = steepness;
  out.curvature = curvature;
  out.magnitude = magnitude;
}
