// The regions that two solids have in common, each with sums over its boundary: area, volume, moments.

import { dot, plus, type Vector } from '../vector.ts';
import { type Boundary, lineLength } from './boundary.ts';
import type { Side } from './crossings.ts';

/** Everything relative to the boundary's origin. */
export interface Region {
  /** At the places below. */
  readonly sums: Float64Array;
  /** Points of crossing and enclosed vertices of triangles that meet: elements of the boundary. */
  readonly elements: number[];
  /** Parts and whole triangles of the boundary that belong to it. A part may belong to several. */
  readonly parts: number[];
  readonly whole: number[];
  /** Set where the region is a cavity of another: its triangles face inwards. */
  isHole: boolean;
}

// Places in `sums`: ∫ n dA over the part of A's surface that lies in B, n pointing out of A (B's part has the negative of
// it); ∫ dA, ∫ x dA and ∫ x xᵀ dA (xx, yy, zz, yz, zx, xy) over the whole boundary; volume V and ∫ x dV.
export const facing = 0;
export const area = 3;
export const moment = 4;
export const moments = 7;
export const volume = 13;
export const volumeMoment = 14;
const sumCount = 17;

/** The regions by their number; undefined where a region is part of another. Holes are merged into what surrounds them. */
export function regionsOf(boundary: Boundary): { regions: (Region | undefined)[]; regionOf: Int32Array } {
  const regions = Array.from({ length: boundary.regionCount }, emptyRegion);
  for (let i = 0; i < boundary.cornersFrom; i++) {
    const region = boundary.regionOf[i];
    if (region >= 0) regions[region].elements.push(i);
  }
  sumOverParts(boundary, regions);
  sumOverWhole(boundary, regions);
  const boxes = regions.map(region => boxOf(region, boundary));
  for (const region of regions) region.isHole = region.parts.length === 0 && region.sums[volume] < 0;
  const known: (Region | undefined)[] = regions;
  const place = mergeHoles(known, boxes);
  return { regions: known, regionOf: boundary.regionOf.map(region => (region < 0 ? -1 : place[region])) };
}

const emptyRegion = (): Region => ({
  sums: new Float64Array(sumCount),
  elements: [],
  parts: [],
  whole: [],
  isHole: false,
});

/** The triangles of a body that bound a region, ascending. */
export function trianglesOf(region: Region, { parts, whole }: Boundary, side: Side): number[] {
  const triangles: number[] = [];
  for (const part of region.parts) if (parts.side[part] === side) triangles.push(parts.triangle[part]);
  for (const i of region.whole) if (whole.side[i] === side) triangles.push(whole.triangle[i]);
  return [...new Set(triangles.sort((t, u) => t - u))];
}

/** A triangle's corners. */
const p = new Float64Array(9);

function sumOverParts({ parts, elements, regionOf }: Boundary, regions: readonly Region[]): void {
  const { start, side } = parts;
  const [lines, planes] = [parts.lines.values, parts.planes.values];
  for (let part = 0; part + 1 < start.length; part++) {
    for (let axis = 0; axis < 3; axis++) p[axis] = planes[6 * part + axis];
    for (let i = start[part]; i < start[part + 1]; i++) {
      const line = lineLength * i;
      const [from, to] = [lines[line], lines[line + 1]];
      const region = regions[regionOf[from]];
      if (region.parts[region.parts.length - 1] !== part) region.parts.push(part);
      for (let k = 0; k < 3; k++) {
        p[3 + k] = elements[3 * from + k];
        p[6 + k] = elements[3 * to + k];
      }
      addTriangle(region.sums, side[part], lines[line + 2], planes, 6 * part + 3);
    }
  }
}

const normal = new Float64Array(3);

function sumOverWhole({ whole, regionOf }: Boundary, regions: readonly Region[]): void {
  const { side, element } = whole;
  const corners = whole.corners.values;
  for (let i = 0; i < element.length; i++) {
    const region = regions[regionOf[element[i]]];
    region.whole.push(i);
    for (let k = 0; k < 9; k++) p[k] = corners[9 * i + k];
    const nx = (p[4] - p[1]) * (p[8] - p[2]) - (p[5] - p[2]) * (p[7] - p[1]);
    const ny = (p[5] - p[2]) * (p[6] - p[0]) - (p[3] - p[0]) * (p[8] - p[2]);
    const nz = (p[3] - p[0]) * (p[7] - p[1]) - (p[4] - p[1]) * (p[6] - p[0]);
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (size === 0) continue;
    normal[0] = nx / size;
    normal[1] = ny / size;
    normal[2] = nz / size;
    addTriangle(region.sums, side[i], 1, normal, 0);
  }
}

/**
 * Adds the triangle at p, which lies in the plane of normals[at…]: a whole one, or one from a corner of the plane over a
 * line. The areas of all lines around a part add up to its own. Over a triangle with corners a, b, c and area S,
 * ∫ x dA = S·(a+b+c)/3 and, with s = a+b+c, ∫ x xᵀ dA = S/12·(a aᵀ + b bᵀ + c cᵀ + s sᵀ). By the divergence theorem
 * V = ⅓ ∫ x·n dA and ∫ xᵢ dV = ½ ∫ xᵢ² nᵢ dA.
 */
function addTriangle(
  sums: Float64Array,
  side: Side,
  weight: number,
  normals: Float64Array,
  at: number,
): void {
  const ux = p[3] - p[0];
  const uy = p[4] - p[1];
  const uz = p[5] - p[2];
  const vx = p[6] - p[0];
  const vy = p[7] - p[1];
  const vz = p[8] - p[2];
  const x = (weight / 2) * (uy * vz - uz * vy);
  const y = (weight / 2) * (uz * vx - ux * vz);
  const z = (weight / 2) * (ux * vy - uy * vx);
  if (side === 0) {
    sums[facing] += x;
    sums[facing + 1] += y;
    sums[facing + 2] += z;
  }
  const nx = normals[at];
  const ny = normals[at + 1];
  const nz = normals[at + 2];
  const size = x * nx + y * ny + z * nz;
  sums[area] += size;
  const sx = p[0] + p[3] + p[6];
  const sy = p[1] + p[4] + p[7];
  const sz = p[2] + p[5] + p[8];
  sums[moment] += (size / 3) * sx;
  sums[moment + 1] += (size / 3) * sy;
  sums[moment + 2] += (size / 3) * sz;
  const twelfth = size / 12;
  const xx = twelfth * (p[0] * p[0] + p[3] * p[3] + p[6] * p[6] + sx * sx);
  const yy = twelfth * (p[1] * p[1] + p[4] * p[4] + p[7] * p[7] + sy * sy);
  const zz = twelfth * (p[2] * p[2] + p[5] * p[5] + p[8] * p[8] + sz * sz);
  sums[moments] += xx;
  sums[moments + 1] += yy;
  sums[moments + 2] += zz;
  sums[moments + 3] += twelfth * (p[1] * p[2] + p[4] * p[5] + p[7] * p[8] + sy * sz);
  sums[moments + 4] += twelfth * (p[2] * p[0] + p[5] * p[3] + p[8] * p[6] + sz * sx);
  sums[moments + 5] += twelfth * (p[0] * p[1] + p[3] * p[4] + p[6] * p[7] + sx * sy);
  sums[volume] += (size / 3) * (p[0] * nx + p[1] * ny + p[2] * nz);
  sums[volumeMoment] += (nx * xx) / 2;
  sums[volumeMoment + 1] += (ny * yy) / 2;
  sums[volumeMoment + 2] += (nz * zz) / 2;
}

/** Calls `visit` with every point that may be extreme: elements, and corners of whole triangles, each vertex once. */
export function forEachPoint(
  region: Region,
  { elements, whole }: Boundary,
  visit: (values: Float64Array, at: number) => void,
): void {
  for (const element of region.elements) visit(elements, 3 * element);
  const corners = whole.corners.values;
  for (const i of region.whole) {
    const first = whole.firsts[i];
    for (let k = 0; k < 3; k++) if ((first >> k) & 1) visit(corners, 9 * i + 3 * k);
  }
}

/** The mean of these points. */
export function meanOf(region: Region, boundary: Boundary): Vector {
  const sum = [0, 0, 0];
  let count = 0;
  forEachPoint(region, boundary, (p, i) => {
    sum[0] += p[i];
    sum[1] += p[i + 1];
    sum[2] += p[i + 2];
    count++;
  });
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}

/** From the least to the greatest coordinate of the region along a direction. */
export function extentAlong(region: Region, boundary: Boundary, direction: Vector): number {
  let [least, greatest] = [Infinity, -Infinity];
  forEachPoint(region, boundary, (values, at) => {
    const along = values[at] * direction[0] + values[at + 1] * direction[1] + values[at + 2] * direction[2];
    if (along < least) least = along;
    if (along > greatest) greatest = along;
  });
  return greatest - least;
}

/** The area of the region seen along a direction: half of what its whole boundary shows, either way round. */
export function areaAlong(
  region: Region,
  number: number,
  { parts, whole, elements }: Boundary,
  regionOf: Int32Array,
  direction: Vector,
): number {
  const [lines, planes] = [parts.lines.values, parts.planes.values];
  let sum = 0;
  const seen = (px: number, py: number, pz: number, qx: number, qy: number, qz: number): number =>
    direction[0] * (py * qz - pz * qy) +
    direction[1] * (pz * qx - px * qz) +
    direction[2] * (px * qy - py * qx);
  for (const part of region.parts) {
    if (part >= parts.commonFrom) continue;
    const [x, y, z] = [planes[6 * part], planes[6 * part + 1], planes[6 * part + 2]];
    let shown = 0;
    for (
      let line = lineLength * parts.start[part];
      line < lineLength * parts.start[part + 1];
      line += lineLength
    ) {
      if (regionOf[lines[line]] !== number) continue;
      const [from, to] = [3 * lines[line], 3 * lines[line + 1]];
      shown += seen(
        elements[from] - x,
        elements[from + 1] - y,
        elements[from + 2] - z,
        elements[to] - x,
        elements[to + 1] - y,
        elements[to + 2] - z,
      );
    }
    sum += Math.abs(shown);
  }
  const c = whole.corners.values;
  for (const i of region.whole) {
    const at = 9 * i;
    const [x, y, z] = [c[at], c[at + 1], c[at + 2]];
    const shown = seen(
      c[at + 3] - x,
      c[at + 4] - y,
      c[at + 5] - z,
      c[at + 6] - x,
      c[at + 7] - y,
      c[at + 8] - z,
    );
    sum += Math.abs(shown);
  }
  return sum / 4;
}

type Corners = readonly [Vector, Vector];

/** Least and greatest coordinates of a region. */
function boxOf(region: Region, boundary: Boundary): Corners {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  forEachPoint(region, boundary, (values, at) => {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], values[at + axis]);
      high[axis] = Math.max(high[axis], values[at + axis]);
    }
  });
  return [low as unknown as Vector, high as unknown as Vector];
}

/**
 * A part of a surface that meets nothing and has the other body outside around it, a cavity, bounds the region it lies
 * in: the smallest one whose box holds its own. Returns the number under which each region is now.
 */
function mergeHoles(regions: (Region | undefined)[], boxes: readonly Corners[]): Int32Array {
  const place = Int32Array.from(regions, (_, i) => i);
  const sizeOf = ([low, high]: Corners): number => dot(plus(high, low, -1), plus(high, low, -1));
  regions.forEach((hole, i) => {
    if (!hole?.isHole) return;
    let around = -1;
    regions.forEach((region, j) => {
      if (!region || region.isHole) return;
      const holds = [0, 1, 2].every(axis => {
        return boxes[j][0][axis] <= boxes[i][0][axis] && boxes[j][1][axis] >= boxes[i][1][axis];
      });
      if (holds && (around < 0 || sizeOf(boxes[j]) < sizeOf(boxes[around]))) around = j;
    });
    if (around < 0) return;
    merge(regions[around]!, hole);
    regions[i] = undefined;
    place[i] = around;
  });
  return place;
}

function merge(region: Region, hole: Region): void {
  for (let i = 0; i < sumCount; i++) region.sums[i] += hole.sums[i];
  for (const element of hole.elements) region.elements.push(element);
  for (const part of hole.parts) if (!region.parts.includes(part)) region.parts.push(part);
  for (const i of hole.whole) region.whole.push(i);
}
