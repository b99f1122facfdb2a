// The regions of two solids, which are the connected parts of their intersection, each with sums over its boundary:
// area, volume, moments.

import { emptyBox, growBox } from '../../../math/box.ts';
import { at, dot, length, plus, type Vector } from '../../../math/vector.ts';
import type { Side } from '../crossings.ts';
import { nearestInRegion } from '../nearest.ts';
import { Numbers } from '../numbers.ts';
import { writeNormal } from '../plane.ts';
import { type Boundary, lineLength } from './boundary.ts';

type Corners = readonly [Vector, Vector];

/** Everything is relative to the boundary's origin. */
export interface Region {
  /** Indexed by the constants below. */
  readonly sums: Float64Array;
  /** Elements of the boundary: crossing points, and enclosed vertices of triangles that meet. */
  readonly elements: number[];
  /** Parts and whole triangles of the boundary that belong to it. A part may belong to several regions. */
  readonly parts: number[];
  readonly whole: number[];
  /** Seven numbers for each of these parts, then for each whole triangle: unit normal n, ∫ dA and ∫ x dA. */
  readonly pieces: Numbers;
  /**
   * Every point that may be extreme, three numbers per point: elements, and corners of whole triangles, each vertex
   * once.
   */
  points: Float64Array;
  /** The least and the greatest coordinates of these. */
  box: Corners;
  /**
   * The index in `elements` of the first point of the current part. Sums start there, so that those of a narrow part
   * are small.
   */
  from: number;
  /** Set if the region is a cavity of another: its triangles face inwards. */
  isHole: boolean;
}

// Offsets in `sums`: ∫ n dA over the part of A's surface that lies in B, n pointing out of A (B's part has the negative
// of it); ∫ dA and ∫ x dA over the whole boundary; volume.
export const facing = 0;
export const area = 3;
export const moment = 4;
export const volume = 7;
const sumCount = 8;

/** The regions by number; undefined if a region is part of another. Holes are merged into the region around them. */
export function regionsOf(boundary: Boundary): { regions: (Region | undefined)[]; regionOf: Int32Array } {
  const regions = Array.from({ length: boundary.regionCount }, emptyRegion);
  for (let i = 0; i < boundary.cornersFrom; i++) {
    const region = boundary.regionOf[i];
    if (region >= 0) regions[region].elements.push(i);
  }
  sumOverParts(boundary, regions);
  sumOverWhole(boundary, regions);
  for (const region of regions) findPoints(region, boundary);
  // By rounding, a thin region may have a negative volume, unless it has no parts.
  for (const region of regions) {
    const { sums, parts } = region;
    if (parts.length === 0) region.isHole = sums[volume] < 0;
    else region.isHole = boundary.ofCells && sums[volume] < -(2 ** -20) * sums[area] ** 1.5;
  }
  const known: (Region | undefined)[] = regions;
  const place = mergeHoles(known, boundary);
  mergeTouching(known, boundary, place);
  return { regions: known, regionOf: boundary.regionOf.map(region => (region < 0 ? -1 : place[region])) };
}

const emptyRegion = (): Region => ({
  sums: new Float64Array(sumCount),
  elements: [],
  parts: [],
  whole: [],
  pieces: new Numbers(),
  points: new Float64Array(0),
  box: [
    [0, 0, 0],
    [0, 0, 0],
  ],
  from: 0,
  isHole: false,
});

/** The triangles of a body that bound a region, ascending. */
export function trianglesOf(region: Region, { parts, whole }: Boundary, side: Side): number[] {
  const triangles: number[] = [];
  for (const part of region.parts) if (parts.side[part] === side) triangles.push(parts.triangle[part]);
  for (const i of region.whole) if (whole.side[i] === side) triangles.push(whole.triangle[i]);
  const sorted = new Uint32Array(triangles).sort();
  const distinct: number[] = [];
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) distinct.push(sorted[i]);
  return distinct;
}

function sumOverParts({ parts, elements, regionOf }: Boundary, regions: readonly Region[]): void {
  const { start, side } = parts;
  const lines = parts.lines.values;
  const planes = parts.planes.values;
  for (let part = 0; part + 1 < start.length; part++) {
    const plane = 6 * part + 3;
    const end = lineLength * start[part + 1];
    let number = -1;
    let region = regions[0];
    for (let line = lineLength * start[part]; line < end; line += lineLength) {
      const from = 3 * lines[line];
      const to = 3 * lines[line + 1];
      if (regionOf[lines[line]] !== number) {
        number = regionOf[lines[line]];
        region = regions[number];
        if (region.parts[region.parts.length - 1] !== part) {
          region.parts.push(part);
          beginPiece(region, planes, plane);
          region.from = from;
        }
      }
      // A line from or to the point where sums start adds nothing.
      if (from === region.from || to === region.from) continue;
      addTriangle(region, side[part], lines[line + 2] / 2, planes, plane, elements, region.from, from, to);
    }
  }
}

/** The numbers per piece: normal, area, moment. */
export const pieceLength = 7;

function beginPiece({ pieces }: Region, normals: Float64Array, at: number): void {
  const place = pieces.extend(pieceLength);
  for (let axis = 0; axis < 3; axis++) pieces.values[place + axis] = normals[at + axis];
}

const normal = new Float64Array(3);

function sumOverWhole({ whole, regionOf }: Boundary, regions: readonly Region[]): void {
  const { side, element } = whole;
  const corners = whole.corners.values;
  for (let i = 0; i < element.length; i++) {
    const region = regions[regionOf[element[i]]];
    region.whole.push(i);
    writeNormal(corners, 9 * i, normal, 0);
    beginPiece(region, normal, 0);
    addTriangle(region, side[i], 1, normal, 0, corners, 9 * i, 9 * i + 3, 9 * i + 6);
  }
}

/**
 * Adds the triangle with corners at p[a…], p[b…] and p[c…], which lies in the plane of normals[at…]: a whole triangle,
 * or one from a point of a part over a line. The areas of all lines around a part add up to its own. Over a triangle
 * with corners a, b, c and area S, ∫ x dA = S·(a+b+c)/3. By the divergence theorem V = ⅓ ∫ x·n dA.
 */
function addTriangle(
  { sums, pieces }: Region,
  side: Side,
  weight: number,
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
  const third = size / 3;
  const mx = third * (p[a] + p[b] + p[c]);
  const my = third * (p[a + 1] + p[b + 1] + p[c + 1]);
  const mz = third * (p[a + 2] + p[b + 2] + p[c + 2]);
  sums[area] += size;
  sums[moment] += mx;
  sums[moment + 1] += my;
  sums[moment + 2] += mz;
  sums[volume] += third * (p[a] * nx + p[a + 1] * ny + p[a + 2] * nz);
  const { values } = pieces;
  const piece = pieces.length - pieceLength;
  values[piece + 3] += size;
  values[piece + 4] += mx;
  values[piece + 5] += my;
  values[piece + 6] += mz;
}

/** Finds the points of a region and their box. */
function findPoints(region: Region, { elements, whole }: Boundary): void {
  const points = new Numbers(3 * (region.elements.length + region.whole.length));
  const box = emptyBox();
  const add = (values: Float64Array, at: number): void => {
    const to = points.extend(3);
    for (let axis = 0; axis < 3; axis++) points.values[to + axis] = values[at + axis];
    growBox(box, values[at], values[at + 1], values[at + 2]);
  };
  for (const element of region.elements) add(elements, 3 * element);
  const corners = whole.corners.values;
  for (const i of region.whole) {
    const first = whole.firsts[i];
    for (let k = 0; k < 3; k++) if ((first >> k) & 1) add(corners, 9 * i + 3 * k);
  }
  region.points = points.list;
  region.box = [at(box, 0), at(box, 3)];
}

/**
 * Merges cavities. A part of a surface that meets nothing and has the other body outside around it, a cavity, bounds
 * the region it lies in: the smallest one whose box holds its own. Returns the number under which each region is now.
 */
function mergeHoles(regions: (Region | undefined)[], boundary: Boundary): Int32Array {
  const place = Int32Array.from(regions, (_, i) => i);
  const sizeOf = ([low, high]: Corners): number => dot(plus(high, low, -1), plus(high, low, -1));
  regions.forEach((hole, i) => {
    if (!hole?.isHole) return;
    let around = -1;
    regions.forEach((region, j) => {
      if (!region || region.isHole) return;
      const holds = [0, 1, 2].every(axis => {
        return region.box[0][axis] <= hole.box[0][axis] && region.box[1][axis] >= hole.box[1][axis];
      });
      if (holds && (around < 0 || sizeOf(region.box) < sizeOf(regions[around]!.box))) around = j;
    });
    if (around < 0) return;
    merge(regions[around]!, hole, boundary);
    regions[i] = undefined;
    place[i] = around;
  });
  return place;
}

/**
 * Merges regions that share a point. If it is an element of both they are already one. Otherwise an element of one lies
 * on a line or a piece of the other, which is only possible if the bodies are not in general position: so only numbered
 * points are tested.
 */
function mergeTouching(regions: (Region | undefined)[], boundary: Boundary, place: Int32Array): void {
  const { elements } = boundary;
  const placeOf = (): Int32Array => boundary.regionOf.map(region => (region < 0 ? -1 : place[region]));
  let regionOf: Int32Array | undefined;
  for (let i = 0; i < regions.length; i++) {
    for (let j = 0; j < regions.length; j++) {
      const [region, other] = [regions[i], regions[j]];
      if (i === j || !region || !other) continue;
      // Points are off by 2^-42 of the size (nearest.ts).
      const [low, high] = region.box;
      const near = 2 ** -40 * length(plus(high, low, -1));
      const touches = other.elements.some(element => {
        if (boundary.numberOf(element) === undefined) return false;
        const point = at(elements, 3 * element);
        if (point.some((x, k) => x < low[k] - near || x > high[k] + near)) return false;
        regionOf ??= placeOf();
        return nearestInRegion(region, i, boundary, regionOf, point).distance <= near;
      });
      if (!touches) continue;
      merge(region, other, boundary);
      regions[j] = undefined;
      for (let k = 0; k < place.length; k++) if (place[k] === j) place[k] = i;
      regionOf = undefined;
      j = -1;
    }
  }
}

function merge(region: Region, hole: Region, boundary: Boundary): void {
  for (let i = 0; i < sumCount; i++) region.sums[i] += hole.sums[i];
  for (const element of hole.elements) region.elements.push(element);
  for (const part of hole.parts) if (!region.parts.includes(part)) region.parts.push(part);
  for (const i of hole.whole) region.whole.push(i);
  const at = region.pieces.extend(hole.pieces.length);
  region.pieces.values.set(hole.pieces.list, at);
  findPoints(region, boundary);
}
