// A point that two triangles have in common, if they are known to meet: the middle of their intersection, which is a point, a
// segment or a convex polygon. Computed in doubles and not yet certain (`middleOf`), checked by measuring how far it is from
// both triangles (`isNearBoth`), or computed exactly and rounded (`exactMiddleOf`).

import { mix, pointAt, toDoubles } from '../../math/exact/rational.ts';
import { type Corners, contactOf } from '../../math/triangles/triangle-contact.ts';

/** Points of the intersection: at most six, with room for clipping. */
const polygon = new Float64Array(3 * 12);
const clipped = new Float64Array(3 * 12);
const heights = new Float64Array(12);

/**
 * Sizes between which products of four lengths are safe from overflow and underflow. Outside of them, exact arithmetic
 * decides.
 */
const [leastSize, mostSize] = [2 ** -200, 2 ** 200];

/**
 * Writes the middle of the intersection of the triangles at p[0…] and p[9…], which meet, to out[at…]: the mean of its corners.
 * Returns false if doubles cannot tell. The first triangle is cut by the second's plane, or taken whole if it lies in it, and
 * clipped by the planes through the second's sides. What is within a few roundings of a plane counts as on it: so the result
 * may be wrong, and is checked before it is used.
 */
export function middleOf(p: Float64Array, out: Float64Array, at: number): boolean {
  return middleBy(p, 0, 9, out, at) || middleBy(p, 9, 0, out, at);
}

function middleBy(p: Float64Array, own: number, other: number, out: Float64Array, at: number): boolean {
  const ox = p[other];
  const oy = p[other + 1];
  const oz = p[other + 2];
  const ux = p[other + 3] - ox;
  const uy = p[other + 4] - oy;
  const uz = p[other + 5] - oz;
  const vx = p[other + 6] - ox;
  const vy = p[other + 7] - oy;
  const vz = p[other + 8] - oz;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const sizeU = Math.abs(ux) + Math.abs(uy) + Math.abs(uz);
  const sizeV = Math.abs(vx) + Math.abs(vy) + Math.abs(vz);
  const normal = Math.abs(nx) + Math.abs(ny) + Math.abs(nz);
  // A needle has no plane as far as doubles tell.
  if (!(normal > 2 ** -30 * sizeU * sizeV)) return false;
  let reach = Math.max(sizeU, sizeV);
  let [above, below] = [0, 0];
  for (let k = 0; k < 3; k++) {
    const x = p[own + 3 * k] - ox;
    const y = p[own + 3 * k + 1] - oy;
    const z = p[own + 3 * k + 2] - oz;
    heights[k] = nx * x + ny * y + nz * z;
    reach = Math.max(reach, Math.abs(x) + Math.abs(y) + Math.abs(z));
    polygon[3 * k] = x;
    polygon[3 * k + 1] = y;
    polygon[3 * k + 2] = z;
  }
  if (!(reach > leastSize && reach < mostSize)) return false;
  const flat = 2 ** -46 * sizeU * sizeV * reach;
  for (let k = 0; k < 3; k++) {
    if (heights[k] > flat) above++;
    else if (heights[k] < -flat) below++;
    else heights[k] = 0;
  }
  let count = 3;
  if (above + below > 0) {
    count = section(3);
    if (count === 0) return false;
  }
  // The sides: from the corner at 0 along u, from there along v − u, and back along −v. Their inner side is to the left.
  count = clip(count, 0, 0, 0, ux, uy, uz, nx, ny, nz, reach);
  count = clip(count, ux, uy, uz, vx - ux, vy - uy, vz - uz, nx, ny, nz, reach);
  count = clip(count, vx, vy, vz, -vx, -vy, -vz, nx, ny, nz, reach);
  if (count === 0) return false;
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    x += polygon[3 * i];
    y += polygon[3 * i + 1];
    z += polygon[3 * i + 2];
  }
  out[at] = x / count + ox;
  out[at + 1] = y / count + oy;
  out[at + 2] = z / count + oz;
  return true;
}

/** Replaces the polygon by its part in the plane at which heights are 0. Returns the number of its corners. */
function section(count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const j = i + 1 === count ? 0 : i + 1;
    if (heights[i] === 0) kept = keep(kept, i);
    else if (heights[i] > 0 ? heights[j] < 0 : heights[j] > 0) kept = keepBetween(kept, i, j);
  }
  return take(kept);
}

/**
 * Clips the polygon by the plane through a side of a triangle, perpendicular to it: the side starts at a, runs along d, and n
 * is the normal. Returns the number of corners left.
 */
function clip(
  count: number,
  ax: number,
  ay: number,
  az: number,
  dx: number,
  dy: number,
  dz: number,
  nx: number,
  ny: number,
  nz: number,
  reach: number,
): number {
  if (count === 0) return 0;
  const mx = ny * dz - nz * dy;
  const my = nz * dx - nx * dz;
  const mz = nx * dy - ny * dx;
  const on = 2 ** -46 * (Math.abs(mx) + Math.abs(my) + Math.abs(mz)) * reach;
  let outside = 0;
  for (let i = 0; i < count; i++) {
    const height =
      mx * (polygon[3 * i] - ax) + my * (polygon[3 * i + 1] - ay) + mz * (polygon[3 * i + 2] - az);
    heights[i] = height > on || height < -on ? height : 0;
    if (heights[i] < 0) outside++;
  }
  if (outside === 0) return count;
  if (outside === count) return 0;
  let kept = 0;
  // A segment has one side, a polygon as many as corners.
  const sides = count === 2 ? 1 : count;
  for (let i = 0; i < count; i++) {
    if (heights[i] >= 0) kept = keep(kept, i);
    const j = i + 1 === count ? 0 : i + 1;
    if (i < sides && (heights[i] > 0 ? heights[j] < 0 : heights[i] < 0 && heights[j] > 0))
      kept = keepBetween(kept, i, j);
  }
  return take(kept);
}

function keep(kept: number, i: number): number {
  clipped[3 * kept] = polygon[3 * i];
  clipped[3 * kept + 1] = polygon[3 * i + 1];
  clipped[3 * kept + 2] = polygon[3 * i + 2];
  return kept + 1;
}

function keepBetween(kept: number, i: number, j: number): number {
  const share = heights[i] / (heights[i] - heights[j]);
  for (let axis = 0; axis < 3; axis++) {
    const x = polygon[3 * i + axis];
    clipped[3 * kept + axis] = x + share * (polygon[3 * j + axis] - x);
  }
  return kept + 1;
}

function take(kept: number): number {
  for (let i = 0; i < 3 * kept; i++) polygon[i] = clipped[i];
  return kept;
}

/** How far a common point may be from a triangle, as a share of the size of both triangles, and of its coordinates. */
export const [shareOfSize, shareOfPlace] = [2 ** -40, 2 ** -50];

/**
 * Tells whether the point at out[at…] is certainly near both triangles at p[0…] and p[9…]: no farther from each than
 * `shareOfSize` of the larger extent of both plus `shareOfPlace` of its own largest coordinate.
 *
 * The point of the triangle that is compared with is a mean of its corners with weights from 0 to 1 in doubles. That weights
 * are rounded moves it by less than 2^-50 of the triangle's size, and the difference of coordinates rounds by 2^-53 of itself:
 * whichever point of the triangle it is, the true distance is at most the measured one plus 2^-48 of the size. A 2^-8-th less is
 * accepted than stated.
 */
export function isNearBoth(p: Float64Array, out: Float64Array, at: number): boolean {
  let [size, place] = [0, 0];
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = axis; i < 18; i += 3) {
      if (p[i] < low) low = p[i];
      if (p[i] > high) high = p[i];
    }
    size = Math.max(size, high - low);
    place = Math.max(place, Math.abs(out[at + axis]));
  }
  if (!(size > leastSize && size < mostSize)) return false;
  const near = (1 - 2 ** -8) * (shareOfSize * size + shareOfPlace * place);
  return distanceTo(p, 0, out, at) <= near && distanceTo(p, 9, out, at) <= near;
}

/**
 * No less than the distance of a point from the triangle at p[corner…], but for rounding, and the distance itself unless the
 * triangle is a needle: the distance from the foot of the perpendicular if it is in the triangle, else from the nearest side.
 */
function distanceTo(p: Float64Array, corner: number, point: Float64Array, at: number): number {
  const ux = p[corner + 3] - p[corner];
  const uy = p[corner + 4] - p[corner + 1];
  const uz = p[corner + 5] - p[corner + 2];
  const vx = p[corner + 6] - p[corner];
  const vy = p[corner + 7] - p[corner + 1];
  const vz = p[corner + 8] - p[corner + 2];
  const x = point[at] - p[corner];
  const y = point[at + 1] - p[corner + 1];
  const z = point[at + 2] - p[corner + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const uv = ux * vx + uy * vy + uz * vz;
  const vv = vx * vx + vy * vy + vz * vz;
  const xu = x * ux + y * uy + z * uz;
  const xv = x * vx + y * vy + z * vz;
  const determinant = uu * vv - uv * uv;
  const s = (vv * xu - uv * xv) / determinant;
  const t = (uu * xv - uv * xu) / determinant;
  let least = Infinity;
  if (s >= 0 && t >= 0 && s + t <= 1) least = fromMean(ux, uy, uz, vx, vy, vz, x, y, z, s, t);
  // Sides: along u, along v, and from the end of u to that of v.
  const along = share(xu, uu);
  least = Math.min(least, fromMean(ux, uy, uz, vx, vy, vz, x, y, z, along, 0));
  const across = share(xv, vv);
  least = Math.min(least, fromMean(ux, uy, uz, vx, vy, vz, x, y, z, 0, across));
  const over = share(xv - xu - (uv - uu), uu - 2 * uv + vv);
  return Math.min(least, fromMean(ux, uy, uz, vx, vy, vz, x, y, z, 1 - over, over));
}

const share = (part: number, whole: number): number =>
  whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;

/** The distance of (x, y, z) from s·u + t·v. */
function fromMean(
  ux: number,
  uy: number,
  uz: number,
  vx: number,
  vy: number,
  vz: number,
  x: number,
  y: number,
  z: number,
  s: number,
  t: number,
): number {
  const dx = s * ux + t * vx - x;
  const dy = s * uy + t * vy - y;
  const dz = s * uz + t * vz - z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** Writes the exact mean of the corners of the triangles' intersection, each coordinate correctly rounded. They must meet. */
export function exactMiddleOf(p: Float64Array, out: Float64Array, at: number): void {
  const corners = (from: number): Corners => [pointAt(p, from), pointAt(p, from + 3), pointAt(p, from + 6)];
  out.set(toDoubles(mix(contactOf(corners(0), corners(9)))), at);
}
