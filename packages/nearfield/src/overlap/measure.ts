// How large is the common part of two solids? Its boundary consists of the parts of each surface that lie in the other
// solid, which contacts/ finds by exact decisions. Volume and area are sums over this boundary (sums.ts). If the solids
// only touch, the common part is the area in which faces of both lie flat on one another.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../bodies/snapshot/world.ts';
import type { SelfFinder } from '../contacts/outer/self-partners.ts';
import { nearestInRegion } from '../contacts/overlap/nearest.ts';
import { type Boundary, lineLength } from '../contacts/overlap/region/boundary.ts';
import { type CommonPart, type CommonParts, commonPart, forMeasuring } from '../contacts/patches.ts';
import type { Surface } from '../contacts/surface.ts';
import { windingNumber } from '../inside/winding.ts';
import { at, length, plus, times, type Vector } from '../math/vector.ts';
import { SurfaceSums } from './sums.ts';

export interface Measured {
  volume: number;
  volumeError: number;
  area: number;
  areaError: number;
  touchingArea: number;
  point: Vector | undefined;
}

/** Measures what two placed solids have in common, given every pair of their triangles that meets. In steps. */
export function* measureCommon(
  engine: SelfFinder,
  a: Placed,
  b: Placed,
  found: Uint32Array,
): Generator<number, Measured> {
  const { scaledA, scaledB, scale, by } = forMeasuring(a, b);
  const work = commonPart(engine, scaledA, scaledB, scale, found);
  let step = work.next();
  for (; !step.done; step = work.next()) yield 0.5;
  const common = step.value;
  const { overlap, surfaces } = common;
  const inside = overlap && regionSums(overlap.boundary, surfaces);
  yield 0.8;
  const touching = overlap ? flatSums(common) : { sums: new SurfaceSums(), delta: 0 };
  const volume = inside ? Math.max(0, inside.sums.volume) : 0;
  const volumeError = inside ? inside.sums.volumeError(inside.delta) + inside.cut : 0;
  const touchingArea = touching.sums.area;
  const area = (inside?.sums.area ?? 0) + touchingArea;
  const areaError = (inside?.sums.areaError(inside.delta) ?? 0) + touching.sums.areaError(touching.delta);
  yield 0.9;
  const point = pointOf(engine, common, inside?.sums, volume > 16 * volumeError);
  // One factor after the other: their product may be beyond the range of doubles.
  return {
    volume: volume * by * by * by,
    volumeError: volumeError * by * by * by,
    area: area * by * by,
    areaError: areaError * by * by,
    touchingArea: touchingArea * by * by,
    point: point && times(point, by),
  };
}

interface RegionSums {
  readonly sums: SurfaceSums;
  /** How far corners may be from their true places. */
  readonly delta: number;
  /** What the roundings of surfaces that were cut along themselves may change of the volume. */
  readonly cut: number;
}

/**
 * Sums over the boundary of all regions, relative to its origin.
 *
 * δ: a point where an edge pierces a triangle is off by 2^-45 of the size of both together (crossings.ts), and by 2^-53 of its
 * coordinates. Both contain the point, so their size together is at most twice that of the larger. Subtracting the origin rounds once
 * more. Three axes make it less than twice as long.
 *
 * If not everything is in general position, a corner of one piece may lie in the middle of a line of its neighbour.
 * Rounding moves the corner off the line by up to δ, which leaves a gap of less than δ times the length of the line.
 * Gap and origin span a tetrahedron of less than δ·length·reach/6. This is added for every line.
 *
 * A surface that was cut along itself has corners off by the surface's slack along each axis. As its triangles move to where
 * they should be, the winding number changes only in what they sweep: less than four times the slack times the whole area.
 */
function regionSums(boundary: Boundary, surfaces: readonly [Surface, Surface]): RegionSums {
  const { parts, whole, elements, origin } = boundary;
  const sums = new SurfaceSums();
  const lines = parts.lines.values;
  const corners = new Float64Array(9);
  let [size, reach, lengths] = [0, 0, 0];
  let isGeneral = true;
  for (let part = 0; part < parts.commonFrom; part++) {
    boundary.corners(parts.side[part], parts.triangle[part], corners);
    size = Math.max(size, extentOf(corners));
    const first = lineLength * parts.start[part];
    const end = lineLength * parts.start[part + 1];
    const from = 3 * lines[first];
    for (let line = first; line < end; line += lineLength) {
      const [p, q] = [3 * lines[line], 3 * lines[line + 1]];
      sums.addTriangle(elements, from, p, q);
      lengths += length(plus(at(elements, p), at(elements, q), -1));
      reach = Math.max(reach, Math.abs(elements[p]), Math.abs(elements[p + 1]), Math.abs(elements[p + 2]));
      isGeneral &&= boundary.numberOf(lines[line]) === undefined;
    }
    sums.endPiece();
  }
  const p = whole.corners.values;
  for (let i = 0; i < whole.corners.length; i += 9) {
    sums.addTriangle(p, i, i + 3, i + 6);
    sums.endPiece();
    for (let k = i; k < i + 9; k++) reach = Math.max(reach, Math.abs(p[k]));
  }
  const far = reach + Math.max(...Array.from(origin, Math.abs));
  const delta = 2 ** -43 * size + 2 ** -51 * far;
  let cut = isGeneral ? 0 : delta * lengths * reach;
  for (const { slack, scale, source } of surfaces) {
    if (slack > 0) cut += 4 * slack * scale * areaOf(source, scale);
  }
  return { sums, delta, cut };
}

/** The largest extent of nine coordinates of a triangle along an axis, times √3 and more: no side is longer. */
function extentOf(corners: Float64Array): number {
  let extent = 0;
  for (let axis = 0; axis < 3; axis++) {
    const [x, y, z] = [corners[axis], corners[axis + 3], corners[axis + 6]];
    extent = Math.max(extent, Math.max(x, y, z) - Math.min(x, y, z));
  }
  return 2 * extent;
}

/** The area of a body's triangles, in measuring units, rounded up. */
function areaOf(body: Placed, scale: number): number {
  const sums = new SurfaceSums();
  const corners = new Float64Array(9);
  for (let t = 0; t < body.shape.mesh.triangleCount; t++) {
    placeCorners(body, t, corners, 0);
    for (let i = 0; i < 9; i++) corners[i] *= scale;
    sums.addTriangle(corners, 0, 3, 6);
    sums.endPiece();
  }
  return sums.area + sums.areaError(0);
}

/** Sums over the faces in which the solids touch. Their corners are exact points, rounded once along each axis. */
function flatSums({ surfaces: [{ scale }], flat: { overlaps, numbers } }: CommonPart): {
  readonly sums: SurfaceSums;
  readonly delta: number;
} {
  const sums = new SurfaceSums();
  let reach = 0;
  for (const { corners: around } of overlaps.flat()) {
    const corners = Float64Array.from(around.flatMap(number => [...numbers.coordinates(number)]));
    for (let i = 0; i < corners.length; i++) {
      corners[i] *= scale;
      reach = Math.max(reach, Math.abs(corners[i]));
    }
    for (let i = 6; i < corners.length; i += 3) sums.addTriangle(corners, 0, i - 3, i);
    sums.endPiece();
  }
  return { sums, delta: 2 ** -52 * reach };
}

/**
 * A point of the common part: the centroid of its volume, if that lies in both solids, else the point of the common part
 * nearest to the centroid. If the volume is within its rounding error, the centroid of the surface is used instead. If
 * the solids only touch, the point is the centre of the touching patch nearest to the mean of all patches' centres.
 */
function pointOf(
  engine: SelfFinder,
  common: CommonPart,
  sums: SurfaceSums | undefined,
  hasVolume: boolean,
): Vector | undefined {
  const { surfaces, overlap, flat } = common;
  if (overlap?.regions.some(region => region !== undefined)) {
    // An overlap so thin that all its corners round to one line has neither volume nor area, but it has points, of which the
    // boundary's origin is one.
    const middle = (hasVolume ? sums?.middleOfVolume : (sums?.middleOfArea ?? sums?.middleOfVolume)) ?? [
      0, 0, 0,
    ];
    const origin = at(overlap.boundary.origin, 0);
    const world = plus(middle, origin);
    if (isInBoth(engine, surfaces, world)) return world;
    const nearest = nearestInOverlap(overlap, middle);
    if (nearest) return plus(nearest, origin);
  }
  const patches = flat.patches.length > 0 ? flat.patches : common.touches();
  const total = patches.reduce((sum, { area }) => sum + area, 0);
  const weights = patches.map(({ area }) => (total > 0 ? area / total : 1 / patches.length));
  const mean = patches.reduce<Vector>((sum, { point }, i) => plus(sum, point, weights[i]), [0, 0, 0]);
  let [nearest, least]: [Vector | undefined, number] = [undefined, Infinity];
  for (const { point } of patches) {
    const distance = length(plus(point, mean, -1));
    if (distance < least) [nearest, least] = [point, distance];
  }
  return nearest;
}

function isInBoth(engine: SelfFinder, surfaces: readonly [Surface, Surface], point: Vector): boolean {
  const world = times(point, 1 / surfaces[0].scale);
  return surfaces.every(({ source }) => {
    const { winding, on } = windingNumber(engine, source, world);
    return winding !== 0 || on;
  });
}

/** The nearest point of all regions to a point. Both are relative to the boundary's origin. */
function nearestInOverlap({ regions, boundary, regionOf }: CommonParts, point: Vector): Vector | undefined {
  let [nearest, least]: [Vector | undefined, number] = [undefined, Infinity];
  regions.forEach((region, i) => {
    if (!region) return;
    const found = nearestInRegion(region, i, boundary, regionOf, point);
    if (found.distance < least) [nearest, least] = [found.point, found.distance];
  });
  return nearest;
}
