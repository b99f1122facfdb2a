// In which direction is a region that two solids have in common least extended? Of a convex polyhedron the least width is
// between two parallel planes of which one holds a face, or each an edge. Asked are the normals of the region's faces, and
// its principal axes for what is round: not every pair of edges, which are too many for what they gain.

import { applyPose } from '../../math/pose.ts';
import type { Boundary } from './overlap/boundary.ts';
import { area, facing, forEachPoint, moment, moments, type Region } from './overlap/regions.ts';
import type { Surface } from './surface.ts';
import { at, cross, dot, plus, principalAxes, times, unit, type Vector } from './vector.ts';

/** Products of points with directions: where a region would need more, directions near each other count as one. */
const mostProducts = 2 ** 24;
/** Directions and extents this near to each other, relatively, are equal: normals and points are rounded. */
const tolerance = 1e-9;

/**
 * The direction, from the middle of A's solid towards that of B's; where it leads neither to it nor away, as A's surface in B
 * faces on the whole. Of equally good ones that which leads there best, then the one along which A's surface faces most, then
 * the one that leads most from the middle of both to that of the region, then the one with the greatest first coordinate,
 * then second. Where it leads nowhere, its greatest coordinate is positive.
 */
export function leastDirection(
  region: Region,
  boundary: Boundary,
  surfaces: readonly [Surface, Surface],
): Vector {
  const points = pointsOf(region, boundary);
  const directions = candidates(region, boundary, Math.max(16, mostProducts / points.length));
  const extents = directions.map(direction => extentOf(points, direction));
  const [least, most] = [Math.min(...extents), Math.max(...extents)];
  const nothing = tolerance * most;
  const middles = [middleOf(surfaces[0]), middleOf(surfaces[1])];
  const towards = plus(middles[1], middles[0], -1);
  const facingOnWhole = times(at(region.sums, facing), 1 / most);
  const middle = plus(times(at(region.sums, moment), 1 / region.sums[area]), at(boundary.origin, 0));
  const aside = plus(middle, times(plus(middles[0], middles[1]), 0.5), -1);
  let good = directions.filter((_, i) => extents[i] <= least + nothing);
  for (const lead of [towards, facingOnWhole, aside]) {
    const leads = good.map(direction => Math.abs(dot(direction, lead)));
    const best = Math.max(...leads);
    good = good.filter((_, i) => leads[i] >= best - nothing);
  }
  const best = good.reduce((p, q) => (isBefore(q, p) ? q : p));
  for (const lead of [towards, facingOnWhole]) {
    const along = dot(best, lead);
    if (Math.abs(along) > nothing) return along < 0 ? times(best, -1) : best;
  }
  return best;
}

/** The points of a region that may be extreme, three numbers each. */
function pointsOf(region: Region, boundary: Boundary): number[] {
  const points: number[] = [];
  forEachPoint(region, boundary, (values, i) => points.push(values[i], values[i + 1], values[i + 2]));
  return points;
}

/** Normals of faces and principal axes, upright, less those that are the same within a width that leaves few enough. */
function candidates(region: Region, boundary: Boundary, most: number): Vector[] {
  const all = [...axesOf(region), ...normalsOf(region, boundary)].map(upright);
  for (let width = tolerance; ; width *= 4) {
    const kept = new Map<string, Vector>();
    for (const direction of all) {
      const cell = direction.map(x => Math.round(x / width)).join();
      const other = kept.get(cell);
      if (other === undefined || isBefore(direction, other)) kept.set(cell, direction);
    }
    if (kept.size <= most) return [...kept.values()];
  }
}

function axesOf({ sums }: Region): Vector[] {
  const mean = times(at(sums, moment), 1 / sums[area]);
  const pairs = [
    [0, 0],
    [1, 1],
    [2, 2],
    [1, 2],
    [2, 0],
    [0, 1],
  ];
  return principalAxes(pairs.map(([i, j], k) => sums[moments + k] / sums[area] - mean[i] * mean[j]));
}

/** Unit normals of the triangles that bound the region, whole or in part. */
function normalsOf(region: Region, { parts, whole }: Boundary): Vector[] {
  const normals = region.parts.map(part => at(parts.planes.values, 6 * part + 3));
  const corners = whole.corners.values;
  for (const i of region.whole) {
    const first = at(corners, 9 * i);
    const sides = [3, 6].map(k => unit(plus(at(corners, 9 * i + k), first, -1)));
    normals.push(unit(cross(sides[0], sides[1])));
  }
  return normals.filter(normal => dot(normal, normal) > 0.5);
}

/** Of a direction and its opposite the one whose greatest coordinate, the first of equal ones, is positive. */
function upright(direction: Vector): Vector {
  const greatest = direction.reduce((best, x) => (Math.abs(x) > Math.abs(best) + tolerance ? x : best), 0);
  return greatest > 0 ? direction : times(direction, -1);
}

/** Whether the first coordinate that differs is greater. */
function isBefore(p: Vector, q: Vector): boolean {
  const axis = [0, 1, 2].find(i => Math.abs(p[i] - q[i]) > tolerance);
  return axis !== undefined && p[axis] > q[axis];
}

/** From the least to the greatest coordinate of points along a direction. */
function extentOf(points: readonly number[], [x, y, z]: Vector): number {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (along < least) least = along;
    if (along > greatest) greatest = along;
  }
  return greatest - least;
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
