// Measures of a region beside its sums (regions.ts): moments, the mean of its points, its extent along a direction, and its
// area as seen along one.

import type { Vector } from '../../../math/vector.ts';
import { planeOf } from '../plane.ts';
import { type Boundary, lineLength } from './boundary.ts';
import { pieceLength, type Region } from './regions.ts';

/** Sums that are only needed for regions whose surfaces cancel. */
export interface Moments {
  /** ∫ x dV. */
  readonly ofVolume: Vector;
  /** ∫ x xᵀ dA over the whole boundary: xx, yy, zz, yz, zx, xy. */
  readonly ofArea: readonly number[];
}

const plane = new Float64Array(6);

/**
 * Over a triangle with corners a, b, c and area S, with s = a+b+c, ∫ x xᵀ dA = S/12·(a aᵀ + b bᵀ + c cᵀ + s sᵀ). By the
 * divergence theorem ∫ xᵢ dV = ½ ∫ xᵢ² nᵢ dA.
 */
export function momentsOf(
  region: Region,
  number: number,
  { parts, whole, elements }: Boundary,
  regionOf: Int32Array,
): Moments {
  const sums = new Float64Array(9);
  const lines = parts.lines.values;
  for (const part of region.parts) {
    // Parts of common faces add to one body what they take from the other.
    if (part >= parts.commonFrom) continue;
    let start = -1;
    for (
      let line = lineLength * parts.start[part];
      line < lineLength * parts.start[part + 1];
      line += lineLength
    ) {
      const from = 3 * lines[line];
      const to = 3 * lines[line + 1];
      if (regionOf[lines[line]] !== number) continue;
      if (start < 0) start = from;
      if (from === start || to === start) continue;
      addMoments(sums, parts.planes.values, 6 * part + 3, elements, start, from, to);
    }
  }
  const corners = whole.corners.values;
  for (const triangle of region.whole) {
    const a = 9 * triangle;
    planeOf(corners, a, plane);
    addMoments(sums, plane, 3, corners, a, a + 3, a + 6);
  }
  return { ofVolume: [sums[6], sums[7], sums[8]], ofArea: Array.from(sums.subarray(0, 6)) };
}

/**
 * Adds the moments of the triangle with corners at p[a…], p[b…] and p[c…] and the unit normal at normals[at…]: ofArea,
 * then ofVolume.
 */
function addMoments(
  sums: Float64Array,
  normals: Float64Array,
  at: number,
  p: Float64Array,
  a: number,
  b: number,
  c: number,
): void {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const nx = normals[at];
  const ny = normals[at + 1];
  const nz = normals[at + 2];
  const twice = (uy * vz - uz * vy) * nx + (uz * vx - ux * vz) * ny + (ux * vy - uy * vx) * nz;
  const part = twice / 24;
  const sx = p[a] + p[b] + p[c];
  const sy = p[a + 1] + p[b + 1] + p[c + 1];
  const sz = p[a + 2] + p[b + 2] + p[c + 2];
  const xx = part * (p[a] * p[a] + p[b] * p[b] + p[c] * p[c] + sx * sx);
  const yy = part * (p[a + 1] * p[a + 1] + p[b + 1] * p[b + 1] + p[c + 1] * p[c + 1] + sy * sy);
  const zz = part * (p[a + 2] * p[a + 2] + p[b + 2] * p[b + 2] + p[c + 2] * p[c + 2] + sz * sz);
  sums[0] += xx;
  sums[1] += yy;
  sums[2] += zz;
  sums[3] += part * (p[a + 1] * p[a + 2] + p[b + 1] * p[b + 2] + p[c + 1] * p[c + 2] + sy * sz);
  sums[4] += part * (p[a + 2] * p[a] + p[b + 2] * p[b] + p[c + 2] * p[c] + sz * sx);
  sums[5] += part * (p[a] * p[a + 1] + p[b] * p[b + 1] + p[c] * p[c + 1] + sx * sy);
  sums[6] += (xx * nx) / 2;
  sums[7] += (yy * ny) / 2;
  sums[8] += (zz * nz) / 2;
}

/** The axes of the second moments, in their order. */
export const momentPairs = [
  [0, 0],
  [1, 1],
  [2, 2],
  [1, 2],
  [2, 0],
  [0, 1],
] as const;

/** The mean of a region's points. */
export function meanOf({ points }: Region): Vector {
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    x += points[i];
    y += points[i + 1];
    z += points[i + 2];
  }
  const count = points.length / 3;
  return [x / count, y / count, z / count];
}

/** The extent of points along a direction: the greatest minus the least coordinate. */
export function extentAlong(points: Float64Array, [x, y, z]: Vector): number {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (along < least) least = along;
    if (along > greatest) greatest = along;
  }
  return greatest - least;
}

/**
 * The area of a region seen along a direction, and its centre as seen: every piece of the boundary counts half of its
 * area as seen, whichever way it faces.
 */
export function seenAlong({ pieces }: Region, [x, y, z]: Vector): { area: number; middle: Vector } {
  const { values, length } = pieces;
  let [area, mx, my, mz] = [0, 0, 0, 0];
  for (let at = 0; at < length; at += pieceLength) {
    const share = Math.abs(x * values[at] + y * values[at + 1] + z * values[at + 2]) / 2;
    area += share * values[at + 3];
    mx += share * values[at + 4];
    my += share * values[at + 5];
    mz += share * values[at + 6];
  }
  return { area, middle: [mx / area, my / area, mz / area] };
}
