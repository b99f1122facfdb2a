// Rays in single precision, along the rows N of the inverse of a placed tree (bvh/gpu/probes/placed-tree.ts), for rays.wgsl.
//
// A ray o + t·d is taken there in double: y = N(o − C)/unit, e = N·d/unit. The entries of N are singles, so they are exact. Coordinates
// of o − C are rounded once, 2^-53 of |o| + |C|; a product and two sums follow: y is off by noise ≤ 2^-51·|N|·(|o| + |C|)/unit, and e by
// 2^-51·|N|·|d|. Vertices are off by the row's error. e is divided by ‖e‖∞, so that s = t·along measures the ray; then it is off by
// turn per unit of s. The start is moved along the ray to at most 4 before the point nearest to the tree's centre. Boxes lie within √3 of the
// centre, so points of the ray in a box have 0 ≤ s ≤ 8 from there. In that interval the ray in single precision is within
//   E = row error + noise + turn·(skipped + 8) + 2^-48·(‖y‖∞ + skipped) + 16u·(‖start‖∞ + 10),   u = 2^-23,
// of the true one: rounding start and direction to single takes u/2·(‖start‖∞ + 8), and the rest is for the kernel's box tests.

import type { PlacedTree } from '../../bvh/gpu/probes/placed-tree.ts';
import type { Probes } from '../../bvh/gpu/probes/probe-search.ts';
import type { RayRequest } from '../cpu/driver.ts';

/** Rays whose E is larger than this are left to the CPU. */
const mostError = 2 ** -4;
/** Farther than any box. */
const farthest = 64;
const rounding = 2 ** -51;
const unit = 2 ** -23;

/** The chosen rays as probes; all of them if none are chosen. */
export function rayProbes({ rays, upTo, first }: RayRequest, chosen: Uint32Array | undefined): Probes {
  return {
    count: chosen?.length ?? rays.length / 6,
    numbers: 8,
    first,
    write(tree, from, end, out) {
      for (let i = from; i < end; i++) {
        const at = 6 * (chosen === undefined ? i : chosen[i]);
        writeRay(tree, rays, at, upTo, out, 8 * (i - from));
      }
    },
  };
}

const y = new Float64Array(3);
const e = new Float64Array(3);

/** Writes the start, E, the direction and how far to follow it. E is below 0 if the ray is left to the CPU, the last if it misses. */
function writeRay(
  { origin, unit: treeUnit, inverse, rowErrors }: PlacedTree,
  rays: Float64Array,
  at: number,
  upTo: number,
  out: Float32Array,
  to: number,
): void {
  const longest = Math.max(Math.abs(rays[at + 3]), Math.abs(rays[at + 4]), Math.abs(rays[at + 5]));
  // A power of two, so that the direction neither overflows nor vanishes.
  const power = 2 ** Math.max(-1022, Math.min(1000, -Math.floor(Math.log2(longest))));
  let noise = 0;
  let spread = 0;
  for (let row = 0; row < 3; row++) {
    let place = 0;
    let here = 0;
    let way = 0;
    let turned = 0;
    for (let k = 0; k < 3; k++) {
      const n = inverse[row][k];
      place += n * ((rays[at + k] - origin[k]) / treeUnit);
      here += Math.abs(n) * ((Math.abs(rays[at + k]) + Math.abs(origin[k])) / treeUnit);
      const direction = n * (rays[at + 3 + k] * power);
      way += direction;
      turned += Math.abs(direction);
    }
    y[row] = place;
    e[row] = way;
    noise = Math.max(noise, rounding * here + rowErrors[row]);
    spread = Math.max(spread, turned);
  }
  const length = Math.max(Math.abs(e[0]), Math.abs(e[1]), Math.abs(e[2]));
  const size = Math.max(Math.abs(y[0]), Math.abs(y[1]), Math.abs(y[2]));
  for (let k = 0; k < 3; k++) e[k] /= length;
  const turn = (rounding * spread) / length + 2 ** -50;
  const along = -(y[0] * e[0] + y[1] * e[1] + y[2] * e[2]) / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
  const nearest = Math.max(0, along);
  const skipped = nearest - Math.min(nearest, 4);
  for (let k = 0; k < 3; k++) y[k] += skipped * e[k];
  const start = Math.max(Math.abs(y[0]), Math.abs(y[1]), Math.abs(y[2]));
  const error =
    1.001 * (noise + turn * (skipped + 8) + 2 ** -48 * (size + skipped) + 16 * unit * (start + 10));
  const times = length / (power * treeUnit);
  const limit =
    upTo === Infinity ? farthest : (upTo * times - skipped) * (1 + 2 ** -20) + 2 ** -20 + 2 ** -48 * skipped;
  const misses = start - error > 16;
  // Written so that NaN counts as too large.
  const isPlaced = misses || (error < mostError && !Number.isNaN(limit));
  out[to + 3] = isPlaced ? error : -1;
  out[to + 7] = misses ? -1 : Math.max(-1, Math.min(farthest, limit));
  for (let k = 0; k < 3; k++) {
    out[to + k] = misses ? 0 : y[k];
    out[to + 4 + k] = e[k];
  }
}
