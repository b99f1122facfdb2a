// What a region that two solids have in common says about their contact: normal, depth, area, and where it is.
//
// The normal is N = ∫ n dA over the part of A's surface that lies in B, made a unit vector. It is the direction in which
// that part faces on the whole: out of A and into B. The boundary of the region is closed, so B's part gives exactly −N;
// and N depends only on the curve in which the surfaces cross. Where parts facing both ways cancel (a nail through a
// plate, one solid within the other) N says nothing, and the direction in which the region is least extended is taken.

import { applyPose } from '../../math/pose.ts';
import { acrossNormal, type Frame, Manifold, type Sums } from './manifold.ts';
import type { Boundary } from './overlap/boundary.ts';
import {
  area,
  areaAlong,
  extentAlong,
  facing,
  moment,
  moments,
  type Region,
  trianglesOf,
  volume,
  volumeMoment,
} from './overlap/regions.ts';
import type { Surface } from './surface.ts';
import { at, dot, length, plus, principalAxes, times, unit, type Vector } from './vector.ts';

/** A contact as seen from the body of the lower index, A: normals point from A to B. */
export interface RawPatch {
  point: Vector;
  normal: Vector;
  depth: number;
  area: number;
  points: { position: Vector; depth: number; area: number }[];
  triangles: readonly [readonly number[], readonly number[]];
}

/** N counts as a normal if its length is at least this share of the area seen along it, both ways added up. */
const leastShare = 0.2;

export function patchOf(
  region: Region,
  number: number,
  boundary: Boundary,
  surfaces: readonly [Surface, Surface],
  regionOf: Int32Array,
): RawPatch {
  const { sums } = region;
  const origin = at(boundary.origin, 0);
  const triangles = [trianglesOf(region, boundary, 0), trianglesOf(region, boundary, 1)] as const;
  const vector = at(sums, facing);
  const size = length(vector);
  const areaSeen = (direction: Vector): number => areaAlong(region, number, boundary, regionOf, direction);
  if (!(size > 0) || size < leastShare * areaSeen(unit(vector))) {
    const normal = leastDirection(region, boundary, surfaces);
    const depth = extentAlong(region, boundary, normal);
    const point = plus(times(at(sums, volumeMoment), 1 / sums[volume]), origin);
    const points = [{ position: point, depth, area: areaSeen(normal) }];
    return { point, normal, depth, area: points[0].area, points, triangles };
  }
  const normal = unit(vector);
  const depth = extentAlong(region, boundary, normal);
  const across = { ...acrossNormal(normal), normal };
  const sumsAbout = (frame: Frame, quarters: boolean): Sums[] => {
    const manifold = new Manifold(frame, quarters);
    manifold.addRegion(region, number, boundary, regionOf);
    return manifold.sums;
  };
  const about = { ...across, middle: times(at(sums, moment), 1 / sums[area]) };
  const [whole] = sumsAbout(about, false);
  const middle = positionOf(whole, about);
  const frame = { ...across, middle };
  const quarters = sumsAbout(frame, true).filter(quarter => quarter.area > 1e-9 * whole.area);
  // A quarter in which more faces backwards than forwards has no point; the others share its area.
  const kept = quarters.reduce((sum, quarter) => sum + quarter.area, 0);
  const points = quarters.map(quarter => ({
    position: plus(positionOf(quarter, frame), origin),
    depth: Math.min(depth, Math.max(0, depthOf(quarter))),
    area: (quarter.area * size) / kept,
  }));
  return { point: plus(middle, origin), normal, depth, area: size, points, triangles };
}

/** The middle of an area, halfway between the two surfaces there. */
function positionOf({ area, x, y, heights }: Sums, { u, v, normal, middle }: Frame): Vector {
  const height = (heights[0] - heights[1]) / (2 * area);
  return plus(plus(plus(middle, u, x / area), v, y / area), normal, height);
}

/** How far A's surface lies beyond B's on average. */
const depthOf = ({ area, heights }: Sums): number => (heights[0] + heights[1]) / area;

/**
 * Of the region's principal axes the one along which it reaches least far, from the middle of A's solid towards that of
 * B's; with the greatest component positive where that does not tell.
 */
function leastDirection(region: Region, boundary: Boundary, surfaces: readonly [Surface, Surface]): Vector {
  const { sums } = region;
  const mean = times(at(sums, moment), 1 / sums[area]);
  const pairs = [
    [0, 0],
    [1, 1],
    [2, 2],
    [1, 2],
    [2, 0],
    [0, 1],
  ];
  const axes = principalAxes(pairs.map(([i, j], k) => sums[moments + k] / sums[area] - mean[i] * mean[j]));
  const extents = axes.map(axis => extentAlong(region, boundary, axis));
  const axis = axes[extents.indexOf(Math.min(...extents))];
  const towards = plus(middleOf(surfaces[1]), middleOf(surfaces[0]), -1);
  const lead = dot(axis, towards);
  if (Math.abs(lead) > 1e-9 * Math.max(...extents)) return lead > 0 ? axis : times(axis, -1);
  const greatest = axis.reduce((best, x) => (Math.abs(x) > Math.abs(best) + 1e-9 ? x : best), 0);
  return greatest > 0 ? axis : times(axis, -1);
}

/** The middle of a solid, in the world. */
function middleOf({ placed }: Surface): Vector {
  const { positions, mesh } = placed.shape;
  const { indices } = mesh;
  const first = at(positions, 3 * indices[0]);
  let volume = 0;
  let sum: Vector = [0, 0, 0];
  for (let i = 0; i < indices.length; i += 3) {
    const a = plus(at(positions, 3 * indices[i]), first, -1);
    const b = plus(at(positions, 3 * indices[i + 1]), first, -1);
    const c = plus(at(positions, 3 * indices[i + 2]), first, -1);
    const sixfold =
      a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]);
    volume += sixfold;
    sum = plus(sum, plus(plus(a, b), c), sixfold / 4);
  }
  const local = volume === 0 ? first : plus(first, sum, 1 / volume);
  const world = new Float64Array(3);
  applyPose(placed.pose, local[0], local[1], local[2], world, 0);
  return at(world, 0);
}
