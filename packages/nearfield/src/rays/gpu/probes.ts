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
      writeRays(tree, upTo, rays, chosen, from, end, out);
    },
  };
}

/**
 * Writes the start of each ray, E, the direction, and how far to follow it. If the ray is left to the CPU, E is −1. If it misses,
 * how far to follow it is −1. Coordinates are in variables of their own: arrays of three took twice as long.
 */
function writeRays(
  { origin, unit: treeUnit, inverse, rowErrors }: PlacedTree,
  upTo: number,
  rays: Float64Array,
  chosen: Uint32Array | undefined,
  from: number,
  end: number,
  out: Float32Array,
): void {
  const [originX, originY, originZ] = origin;
  const [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = inverse;
  const [errorX, errorY, errorZ] = rowErrors;
  // Exact, since the unit is a power of two.
  const perUnit = 1 / treeUnit;
  for (let i = from, to = 0; i < end; i++, to += 8) {
    const at = 6 * (chosen === undefined ? i : chosen[i]);
    const oX = rays[at];
    const oY = rays[at + 1];
    const oZ = rays[at + 2];
    const dX = rays[at + 3];
    const dY = rays[at + 4];
    const dZ = rays[at + 5];
    const power = powerFor(Math.max(Math.abs(dX), Math.abs(dY), Math.abs(dZ)));
    const placeX = (oX - originX) * perUnit;
    const placeY = (oY - originY) * perUnit;
    const placeZ = (oZ - originZ) * perUnit;
    const hereX = (Math.abs(oX) + Math.abs(originX)) * perUnit;
    const hereY = (Math.abs(oY) + Math.abs(originY)) * perUnit;
    const hereZ = (Math.abs(oZ) + Math.abs(originZ)) * perUnit;
    const wayX = dX * power;
    const wayY = dY * power;
    const wayZ = dZ * power;
    let x = dot(xx, xy, xz, placeX, placeY, placeZ);
    let y = dot(yx, yy, yz, placeX, placeY, placeZ);
    let z = dot(zx, zy, zz, placeX, placeY, placeZ);
    let eX = dot(xx, xy, xz, wayX, wayY, wayZ);
    let eY = dot(yx, yy, yz, wayX, wayY, wayZ);
    let eZ = dot(zx, zy, zz, wayX, wayY, wayZ);
    const noise = Math.max(
      rounding * sizeOf(xx, xy, xz, hereX, hereY, hereZ) + errorX,
      rounding * sizeOf(yx, yy, yz, hereX, hereY, hereZ) + errorY,
      rounding * sizeOf(zx, zy, zz, hereX, hereY, hereZ) + errorZ,
    );
    const spread = Math.max(
      sizeOf(xx, xy, xz, wayX, wayY, wayZ),
      sizeOf(yx, yy, yz, wayX, wayY, wayZ),
      sizeOf(zx, zy, zz, wayX, wayY, wayZ),
    );
    const length = Math.max(Math.abs(eX), Math.abs(eY), Math.abs(eZ));
    const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    eX /= length;
    eY /= length;
    eZ /= length;
    const turn = (rounding * spread) / length + 2 ** -50;
    const along = -dot(x, y, z, eX, eY, eZ) / dot(eX, eY, eZ, eX, eY, eZ);
    const nearest = Math.max(0, along);
    const skipped = nearest - Math.min(nearest, 4);
    x += skipped * eX;
    y += skipped * eY;
    z += skipped * eZ;
    const start = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    const error =
      1.001 * (noise + turn * (skipped + 8) + 2 ** -48 * (size + skipped) + 16 * unit * (start + 10));
    const times = length / (power * treeUnit);
    const limit =
      upTo === Infinity
        ? farthest
        : (upTo * times - skipped) * (1 + 2 ** -20) + 2 ** -20 + 2 ** -48 * skipped;
    const misses = start - error > 16;
    // Written so that NaN counts as too large.
    const isPlaced = misses || (error < mostError && !Number.isNaN(limit));
    out[to] = misses ? 0 : x;
    out[to + 1] = misses ? 0 : y;
    out[to + 2] = misses ? 0 : z;
    out[to + 3] = isPlaced ? error : -1;
    out[to + 4] = eX;
    out[to + 5] = eY;
    out[to + 6] = eZ;
    out[to + 7] = misses ? -1 : Math.max(-1, Math.min(farthest, limit));
  }
}

/** A power of two by which a direction of this size neither overflows nor vanishes; usually 1. */
const powerFor = (size: number): number =>
  size >= 2 ** -64 && size <= 2 ** 64
    ? 1
    : 2 ** Math.max(-1022, Math.min(1000, -Math.floor(Math.log2(size))));

const dot = (aX: number, aY: number, aZ: number, bX: number, bY: number, bZ: number): number =>
  aX * bX + aY * bY + aZ * bZ;

/** The sum of the magnitudes of a dot product's terms. */
const sizeOf = (aX: number, aY: number, aZ: number, bX: number, bY: number, bZ: number): number =>
  Math.abs(aX * bX) + Math.abs(aY * bY) + Math.abs(aZ * bZ);
