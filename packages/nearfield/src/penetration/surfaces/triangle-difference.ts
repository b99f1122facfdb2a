// Two triangles T and U cross after every translation of U in the interior of T − U, the hull of the nine differences of
// their corners. Each difference of doubles is off by 2^-53 of itself, so that world positions far from the origin lose
// nothing more.

import type { Plane } from '../bounds/frontier.ts';
import { Hull } from '../pieces/hull.ts';
import { supportOf } from '../pieces/piece.ts';

/** Half-spaces beyond the facets of a convex set of forbidden translations. */
export interface Forbidding {
  readonly planes: readonly Plane[];
}

/** A bound of the rounding of corners, heights and normals, as a share of the size. They round by a few times 2^-52. */
const rounding = 2 ** -45;

const points = new Float64Array(27);

/**
 * The difference of two triangles, 18 world doubles, times `scale`; undefined if it has no interior. `number` is that of
 * the first plane.
 */
export function triangleDifference(p: Float64Array, scale: number, number: number): Forbidding | undefined {
  for (let i = 0, k = 0; i < 9; i += 3) {
    for (let j = 9; j < 18; j += 3)
      for (let axis = 0; axis < 3; axis++) points[k++] = scale * (p[i + axis] - p[j + axis]);
  }
  return differenceOf(points, 0, number);
}

/** The difference of two convex flat sets, given by their corners in the world, times `scale`. */
export function patchDifference(
  p: Float64Array,
  q: Float64Array,
  scale: number,
  number: number,
): Forbidding | undefined {
  const corners: number[] = [];
  let reach = 0;
  for (const x of p) reach = Math.max(reach, Math.abs(x));
  for (const x of q) reach = Math.max(reach, Math.abs(x));
  for (let i = 0; i < p.length; i += 3) {
    for (let j = 0; j < q.length; j += 3)
      for (let axis = 0; axis < 3; axis++) corners.push(scale * (p[i + axis] - q[j + axis]));
  }
  // They are flat but for the rounding of poses.
  return differenceOf(Float64Array.from(corners), 2 ** -45 * scale * reach, number);
}

/** The hull of some translations, three numbers each, less a margin besides rounding. */
export function differenceOf(corners: Float64Array, margin: number, number: number): Forbidding | undefined {
  const hull = Hull.of(supportOf(corners));
  if (hull === undefined) return undefined;
  for (let k = 0; k < corners.length; k += 3) hull.add(corners[k], corners[k + 1], corners[k + 2]);
  let size = 0;
  for (const x of corners) size = Math.max(size, Math.abs(x));
  const loss = margin + rounding * size;
  const planes: Plane[] = [];
  for (const { x, y, z, height } of hull.facets) {
    const low = height - loss;
    // Facets of a quadrangle share a plane, but for rounding: the lower one serves for both.
    const same = planes.findIndex(q => Math.abs(q.x - x) + Math.abs(q.y - y) + Math.abs(q.z - z) < 2 ** -44);
    if (same < 0) planes.push({ x, y, z, height: low, number: number + planes.length });
    else if (low < planes[same].height) planes[same] = { ...planes[same], height: low - rounding * size };
  }
  return { planes };
}

/** How far a translation lies within a set of forbidden ones: negative outside. */
export function roomWithin({ planes }: Forbidding, x: number, y: number, z: number): number {
  let room = Infinity;
  for (const p of planes) room = Math.min(room, p.height - (p.x * x + p.y * y + p.z * z));
  return room;
}

const axis = new Float64Array(3);

/**
 * About how far the translation 0 lies within the difference of two triangles, 18 doubles: the least distance to a
 * supporting plane. The planes are perpendicular to a triangle, or parallel to an edge of each.
 */
export function roomOf(p: Float64Array): number {
  let room = Infinity;
  for (let first = 0; first < 18; first += 9) {
    normalOf(p, first);
    room = Math.min(room, roomAlong(p));
    if (!(room > 0)) return room;
  }
  for (let i = 0; i < 9; i += 3) {
    const ni = (i + 3) % 9;
    const [ux, uy, uz] = [p[ni] - p[i], p[ni + 1] - p[i + 1], p[ni + 2] - p[i + 2]];
    for (let j = 0; j < 9; j += 3) {
      const [from, to] = [9 + j, 9 + ((j + 3) % 9)];
      const [vx, vy, vz] = [p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]];
      axis[0] = uy * vz - uz * vy;
      axis[1] = uz * vx - ux * vz;
      axis[2] = ux * vy - uy * vx;
      room = Math.min(room, roomAlong(p));
      if (!(room > 0)) return room;
    }
  }
  return room;
}

function normalOf(p: Float64Array, at: number): void {
  const [ux, uy, uz] = [p[at + 3] - p[at], p[at + 4] - p[at + 1], p[at + 5] - p[at + 2]];
  const [vx, vy, vz] = [p[at + 6] - p[at], p[at + 7] - p[at + 1], p[at + 8] - p[at + 2]];
  axis[0] = uy * vz - uz * vy;
  axis[1] = uz * vx - ux * vz;
  axis[2] = ux * vy - uy * vx;
}

/** The unit normal of the triangle at p[at]. */
export function unitNormal(p: Float64Array, at: number): Float64Array {
  normalOf(p, at);
  const length = Math.hypot(axis[0], axis[1], axis[2]);
  return axis.map(x => x / length);
}

/** The lesser of both ways out along the axis; Infinity if the axis is about 0, as that of parallel edges is. */
function roomAlong(p: Float64Array): number {
  const [x, y, z] = axis;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > 0)) return Infinity;
  let [lowA, highA, lowB, highB] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let k = 0; k < 9; k += 3) {
    const a = x * (p[k] - p[0]) + y * (p[k + 1] - p[1]) + z * (p[k + 2] - p[2]);
    const b = x * (p[k + 9] - p[0]) + y * (p[k + 10] - p[1]) + z * (p[k + 11] - p[2]);
    if (a < lowA) lowA = a;
    if (a > highA) highA = a;
    if (b < lowB) lowB = b;
    if (b > highB) highB = b;
  }
  return Math.min(highA - lowB, highB - lowA) / length;
}

/** About the middle of the segment that two triangles share, 18 doubles; undefined if they do not cross. */
export function middleOfCrossing(p: Float64Array): Float64Array | undefined {
  const ends: number[][] = [];
  for (const [first, second] of [
    [0, 9],
    [9, 0],
  ]) {
    normalOf(p, second);
    const [nx, ny, nz] = axis;
    const over = (k: number): number =>
      nx * (p[k] - p[second]) + ny * (p[k + 1] - p[second + 1]) + nz * (p[k + 2] - p[second + 2]);
    for (let k = 0; k < 9; k += 3) {
      const [from, to] = [first + k, first + ((k + 3) % 9)];
      const [u, v] = [over(from), over(to)];
      if (!(u * v < 0)) continue;
      const s = u / (u - v);
      const at = [0, 1, 2].map(i => p[from + i] + s * (p[to + i] - p[from + i]));
      if (isOver(p, second, at)) ends.push(at);
    }
  }
  if (ends.length < 2) return undefined;
  let [x, y, z] = [0, 0, 0];
  for (const at of ends) [x, y, z] = [x + at[0], y + at[1], z + at[2]];
  return Float64Array.of(x / ends.length, y / ends.length, z / ends.length);
}

/** Whether a point of a triangle's plane lies in the triangle, as far as doubles tell. */
function isOver(p: Float64Array, first: number, at: readonly number[]): boolean {
  normalOf(p, first);
  const [nx, ny, nz] = axis;
  for (let k = 0; k < 9; k += 3) {
    const [from, to] = [first + k, first + ((k + 3) % 9)];
    const [ex, ey, ez] = [p[to] - p[from], p[to + 1] - p[from + 1], p[to + 2] - p[from + 2]];
    const [dx, dy, dz] = [at[0] - p[from], at[1] - p[from + 1], at[2] - p[from + 2]];
    const side = nx * (ey * dz - ez * dy) + ny * (ez * dx - ex * dz) + nz * (ex * dy - ey * dx);
    if (side < 0) return false;
  }
  return true;
}
