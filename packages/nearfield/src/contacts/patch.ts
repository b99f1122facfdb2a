// What a region of two solids says about their contact: normal, depth, area, and where it is.
//
// The normal is N = ∫ n dA over the part of A's surface that lies in B, made a unit vector. It is the mean direction of
// that part: out of A and into B. The boundary of the region is closed, so B's part gives exactly −N; and N depends
// only on the curve in which the surfaces cross. If parts facing both ways cancel (a nail through a plate, one solid
// inside the other), N says nothing, and the direction in which the region is least extended is taken.

import { at, length, plus, times, unit, type Vector } from '../math/vector.ts';
import { leastDirection } from './least-extent.ts';
import { acrossNormal, type Frame, Manifold, type Sums } from './manifold.ts';
import { nearestInRegion } from './overlap/nearest.ts';
import { type Boundary, lineLength } from './overlap/region/boundary.ts';
import { isInRegion } from './overlap/region/inside-region.ts';
import { extentAlong, type Moments, meanOf, momentsOf, seenAlong } from './overlap/region/measures.ts';
import { area, facing, moment, type Region, trianglesOf, volume } from './overlap/region/regions.ts';
import type { Surface } from './surface.ts';
import { touchNormal } from './touch/touch-normal.ts';

/**
 * A contact as seen from the body of the lower index, A: normals point from A to B. Lengths are in measuring units
 * (surface.ts).
 */
export interface RawPatch {
  point: Vector;
  normal: Vector;
  depth: number;
  area: number;
  points: { position: Vector; depth: number; area: number }[];
  triangles: readonly [readonly number[], readonly number[]];
}

/**
 * N counts as a normal if its length is at least this share of the area seen along it, both ways added up: a fifth,
 * minus what rounding may take from shapes of simple proportions that have exactly that.
 */
const leastShare = 0.2 * (1 - 2 ** -30);

/**
 * A region whose boundary has less than this share of its size squared is a line or a point as far as doubles tell: its
 * corners are off by 2^-44 of the size, and so are its sides. The same holds if N is shorter than that and the boundary
 * hardly larger. Its normal is that of surfaces that touch there.
 */
export const leastArea = 2 ** -42;

export function patchOf(
  region: Region,
  number: number,
  boundary: Boundary,
  surfaces: readonly [Surface, Surface],
  regionOf: Int32Array,
  within: Within,
  isOnly: boolean,
): RawPatch {
  const { sums } = region;
  const origin = at(boundary.origin, 0);
  const triangles = [trianglesOf(region, boundary, 0), trianglesOf(region, boundary, 1)] as const;
  const vector = at(sums, facing);
  const size = length(vector);
  /** A point of the region, scaled: the given one, or if that lies outside, the point of the region nearest to it. */
  const placed = (point: Vector): Vector => {
    const world = plus(point, origin);
    const place = within(world);
    if (place === 'inside' && isOnly) return world;
    if (place !== 'outside' && isInRegion(region, number, boundary, regionOf, point)) return world;
    return plus(nearestInRegion(region, number, boundary, regionOf, point).point, origin);
  };
  const across = length(plus(region.box[1], region.box[0], -1));
  const noise = leastArea * across ** 2;
  if (!(sums[area] > noise && (size > noise || sums[area] > 16 * noise))) {
    const normal = touchNormal(surfaces, triangles);
    const depth = extentAlong(region.points, normal);
    const point = placed(middleOfLines(region, number, boundary, regionOf));
    return { point, normal, depth, area: size, points: [{ position: point, depth, area: size }], triangles };
  }
  if (!(size > 0) || size < leastShare * seenAlong(region, unit(vector)).area) {
    const moments = momentsOf(region, number, boundary, regionOf);
    const normal = leastDirection(region, boundary, surfaces, moments);
    const depth = extentAlong(region.points, normal);
    const point = placed(middleOf(sums, moments));
    const points = [{ position: point, depth, area: seenAlong(region, normal).area }];
    return { point, normal, depth, area: points[0].area, points, triangles };
  }
  const normal = unit(vector);
  const depth = extentAlong(region.points, normal);
  const axes = { ...acrossNormal(normal), normal };
  const whole = seenAlong(region, normal);
  const frame = { ...axes, middle: whole.middle };
  const manifold = new Manifold(frame, true);
  manifold.addRegion(region, number, boundary, regionOf);
  const quarters = manifold.sums.filter(quarter => quarter.area > 1e-9 * whole.area);
  const kept = quarters.reduce((sum, quarter) => sum + quarter.area, 0);
  const points = quarters.map(quarter => ({
    position: placed(positionOf(quarter, frame)),
    depth: Math.min(depth, Math.max(0, quarter.volume / quarter.area)),
    area: (quarter.area * size) / kept,
  }));
  return { point: placed(whole.middle), normal, depth, area: size, points, triangles };
}

/**
 * Tells whether a point, scaled, lies inside both solids; else 'on' if it is on one of them and on or in the other;
 * else 'outside'.
 */
export type Within = (point: Vector) => 'inside' | 'on' | 'outside';

/** The mean of the lines around the parts of a region, weighted by their lengths. */
function middleOfLines(region: Region, number: number, boundary: Boundary, regionOf: Int32Array): Vector {
  const { parts, elements } = boundary;
  const lines = parts.lines.values;
  let [sum, total]: [Vector, number] = [[0, 0, 0], 0];
  for (const part of region.parts) {
    for (let i = parts.start[part]; i < parts.start[part + 1]; i++) {
      const [from, to] = [lines[lineLength * i], lines[lineLength * i + 1]];
      if (part >= parts.commonFrom || regionOf[from] !== number) continue;
      const [p, q] = [at(elements, 3 * from), at(elements, 3 * to)];
      const size = length(plus(q, p, -1));
      sum = plus(sum, plus(p, q), size / 2);
      total += size;
    }
  }
  return total > 0 ? times(sum, 1 / total) : meanOf(region);
}

/**
 * The middle of the volume. For a thin region, whose volume is a difference of nearly equal sums, the middle of its
 * boundary.
 */
function middleOf(sums: Float64Array, { ofVolume }: Moments): Vector {
  const ofBoundary = times(at(sums, moment), 1 / sums[area]);
  const offset = plus(times(ofVolume, 1 / sums[volume]), ofBoundary, -1);
  return sums[volume] > 2 ** -20 * sums[area] ** 1.5 && Number.isFinite(length(offset))
    ? plus(ofBoundary, offset)
    : ofBoundary;
}

/** The middle of an area, halfway between the two surfaces there. */
function positionOf({ area, x, y, height }: Sums, { u, v, normal, middle }: Frame): Vector {
  return plus(plus(plus(middle, u, x / area), v, y / area), normal, height / area);
}
