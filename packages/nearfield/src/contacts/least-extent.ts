// In which direction is a region of two solids least extended? The least width of a convex polyhedron is between two
// parallel planes of which one contains a face, or each an edge. The directions tried are the normals of those faces
// that no part of the region lies beyond, and the region's principal axes, for round shapes. Pairs of edges are not
// tried: they are too many for what they gain.

import { applyPose, identity } from '../math/pose.ts';
import { principalAxes } from '../math/principal-axes.ts';
import { at, dot, plus, times, type Vector } from '../math/vector.ts';
import { planeOf } from './overlap/plane.ts';
import type { Boundary } from './overlap/region/boundary.ts';
import { extentAlong, type Moments, meanOf, momentPairs } from './overlap/region/measures.ts';
import { area, facing, moment, type Region } from './overlap/region/regions.ts';
import { measuringScale } from './scale.ts';
import type { Surface } from './surface.ts';

/** The most products of points with directions. If a region would need more, nearby directions count as one. */
const mostProducts = 2 ** 19;
const unitVectors: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Directions and extents that differ by no more than this, relatively, are equal: normals and points are rounded. */
const tolerance = 1e-9;

/**
 * The direction of least extent. Its sign is chosen so that it leads from the middle of A's solid towards that of B's.
 * If it is perpendicular to that line, so that A's surface in B mostly faces along it. If that cancels too, so that its
 * greatest coordinate is positive. Among equally short directions, the first of these that differs decides: the one
 * that leads best from A's middle to B's, the one along which A's surface faces most, the one that leads most from the
 * middle of both to that of the region, the one with the greatest first coordinate, then second.
 */
export function leastDirection(
  region: Region,
  boundary: Boundary,
  surfaces: readonly [Surface, Surface],
  moments: Moments,
): Vector {
  const points = extremesFirst(pointsFrom(region, meanOf(region)));
  const size = 2 * Math.max(...[0, 1, 2].map(axis => largest(points, axis)));
  const nothing = tolerance * size;
  const axes = axesOf(region, moments).map(upright);
  const known = axes.map(direction => ({ direction, extent: extentAlong(points, direction) }));
  const faces = candidates(normalsOf(region, boundary), points, nothing, leastOf(known));
  if (axes.length + faces.length === 0) {
    for (const direction of unitVectors) known.push({ direction, extent: extentAlong(points, direction) });
  }
  const least = leastOf([...known, ...faces]);
  const middles = [middleOf(surfaces[0]), middleOf(surfaces[1])];
  const towards = plus(middles[1], middles[0], -1);
  const facingOnWhole = times(at(region.sums, facing), 1 / size);
  const middle = plus(times(at(region.sums, moment), 1 / region.sums[area]), at(boundary.origin, 0));
  const aside = plus(middle, times(plus(middles[0], middles[1]), 0.5), -1);
  let good = [...known, ...faces]
    .filter(({ extent }) => extent <= least + nothing)
    .map(({ direction }) => direction);
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

/** The points of a region relative to a point. */
const pointsFrom = ({ points }: Region, mean: Vector): Float64Array => points.map((x, i) => x - mean[i % 3]);

const largest = (points: Float64Array, axis: number): number => {
  let most = 0;
  for (let i = axis; i < points.length; i += 3) most = Math.max(most, Math.abs(points[i]));
  return most;
};

/** How many directions: from the middle of a cube to its corners and to the middles of its faces and edges. */
const extremeCount = 26;

/** The same points, with those farthest out in some directions in front: a point beyond a plane is then found early. */
function extremesFirst(points: Float64Array): Float64Array {
  // In this order of directions, the first and the last are opposite, the second and the last but one, and so on.
  const order = new Uint32Array(extremeCount);
  for (let i = 0; i < extremeCount / 2; i++) {
    const [x, y, z] = [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1];
    let [least, most] = [Infinity, -Infinity];
    for (let at = 0; at < points.length; at += 3) {
      const along = x * points[at] + y * points[at + 1] + z * points[at + 2];
      if (along > most) [order[i], most] = [at, along];
      if (along < least) [order[extremeCount - 1 - i], least] = [at, along];
    }
  }
  const front = [...new Set(order)];
  const sorted = new Float64Array(points.length + 3 * front.length);
  front.forEach((at, i) => {
    sorted.set(points.subarray(at, at + 3), 3 * i);
  });
  sorted.set(points, 3 * front.length);
  return sorted;
}

/** A direction, and how far the region extends along it. */
interface Extent {
  readonly direction: Vector;
  readonly extent: number;
}

const leastOf = (extents: readonly Extent[]): number =>
  extents.reduce((least, { extent }) => Math.min(least, extent), Infinity);

/**
 * Upright directions of faces that no point lies beyond. Directions within a width of each other count as one; the
 * width leaves few enough. Most directions along which the region extends farther than along another are left out. Each
 * face has six numbers: a point relative to the region's mean, and the unit normal.
 */
function candidates(faces: Float64Array, points: Float64Array, slack: number, known: number): Extent[] {
  const most = Math.max(16, (3 * mostProducts) / points.length);
  let width = tolerance;
  let kept = distinct(faces, width);
  // If there are very many, as for a round shape, not all are examined: this many cells of this width cover half a
  // sphere.
  if (kept.length > 2 * most) width = Math.sqrt(Math.PI / most) / 2;
  for (; kept.length > 2 * most; kept = distinct(faces, width)) width *= 2;
  let least = known;
  const found: Extent[] = [];
  for (const at of kept) {
    const extent = extentBelow(faces, at, points, slack, least + slack);
    if (extent === undefined) continue;
    least = Math.min(least, extent);
    found.push({ direction: upright([faces[at + 3], faces[at + 4], faces[at + 5]]), extent });
  }
  return found;
}

/**
 * How far the region extends along the normal of a face; undefined if a point lies beyond the face, or it extends
 * farther than `most`. With extreme points in front this ends early.
 */
function extentBelow(
  faces: Float64Array,
  at: number,
  points: Float64Array,
  slack: number,
  most: number,
): number | undefined {
  const x = faces[at + 3];
  const y = faces[at + 4];
  const z = faces[at + 5];
  const height = x * faces[at] + y * faces[at + 1] + z * faces[at + 2];
  // Its own corners are at this height, up to rounding.
  const low = height - most - slack;
  let least = height;
  let greatest = height;
  for (let i = 0; i < points.length; i += 3) {
    const along = x * points[i] + y * points[i + 1] + z * points[i + 2];
    if (along > height + slack || along < low) {
      // A point that rules out a face often rules out the next: it moves to the front.
      for (let k = 0; k < 3; k++) [points[k], points[i + k]] = [points[i + k], points[k]];
      return undefined;
    }
    if (along > greatest) greatest = along;
    if (along < least) least = along;
  }
  return greatest - least;
}

/** Indices of the outermost faces among those whose normals lie in one cell of a width. */
function distinct(faces: Float64Array, width: number): number[] {
  let size = 64;
  while (size < faces.length / 3) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const cells: number[] = [];
  const heightOf = (at: number): number =>
    faces[at] * faces[at + 3] + faces[at + 1] * faces[at + 4] + faces[at + 2] * faces[at + 5];
  for (let at = 0; at < faces.length; at += 6) {
    const x = Math.round(faces[at + 3] / width);
    const y = Math.round(faces[at + 4] / width);
    const z = Math.round(faces[at + 5] / width);
    let hash =
      (Math.imul(x | 0, 0x9e3779b1) ^ Math.imul(y | 0, 0x85ebca6b) ^ Math.imul(z | 0, 0xc2b2ae35)) >>> 0;
    for (hash %= size; table[hash] >= 0; hash = (hash + 1) % size) {
      const other = table[hash];
      if (
        Math.round(faces[other + 3] / width) === x &&
        Math.round(faces[other + 4] / width) === y &&
        Math.round(faces[other + 5] / width) === z
      ) {
        break;
      }
    }
    if (table[hash] < 0) cells.push(hash);
    else if (heightOf(table[hash]) >= heightOf(at)) continue;
    table[hash] = at;
  }
  return cells.map(cell => table[cell]);
}

/**
 * The principal axes of the boundary. If it is equally extended about two axes, every direction across is as good, and
 * the result would depend on how the bodies are turned. So these are left out.
 */
function axesOf({ sums }: Region, { ofArea }: Moments): Vector[] {
  const mean = times(at(sums, moment), 1 / sums[area]);
  const [xx, yy, zz, yz, zx, xy] = momentPairs.map(([i, j], k) => ofArea[k] / sums[area] - mean[i] * mean[j]);
  const axes = principalAxes([xx, yy, zz, yz, zx, xy]);
  const spreads = axes.map(
    ([x, y, z]) => xx * x * x + yy * y * y + zz * z * z + 2 * (yz * y * z + zx * z * x + xy * x * y),
  );
  const same = 1e-6 * Math.max(...spreads);
  return axes.filter((_, i) => spreads.every((spread, j) => i === j || Math.abs(spread - spreads[i]) > same));
}

/**
 * The planes of the triangles that bound a region, entirely or in part: a point relative to the region's mean, a unit
 * normal.
 */
function normalsOf(region: Region, boundary: Boundary): Float64Array {
  const { parts, whole } = boundary;
  const mean = meanOf(region);
  const faces = new Float64Array(6 * (region.parts.length + region.whole.length));
  let at = 0;
  for (const part of region.parts) {
    if (part >= parts.commonFrom) continue;
    for (let i = 0; i < 6; i++) faces[at + i] = parts.planes.values[6 * part + i];
    at += 6;
  }
  for (const i of region.whole) {
    planeOf(whole.corners.values, 9 * i, faces, at);
    at += 6;
  }
  let count = 0;
  for (let i = 0; i < at; i += 6) {
    // Triangles that are too narrow have no normal.
    if (faces[i + 3] ** 2 + faces[i + 4] ** 2 + faces[i + 5] ** 2 < 0.5) continue;
    for (let k = 0; k < 6; k++) faces[count + k] = faces[i + k] - (k < 3 ? mean[k] : 0);
    count += 6;
  }
  return faces.subarray(0, count);
}

/** Either a direction or its opposite: the one whose greatest coordinate, the first among equals, is positive. */
function upright(direction: Vector): Vector {
  const greatest = direction.reduce((best, x) => (Math.abs(x) > Math.abs(best) + tolerance ? x : best), 0);
  return greatest > 0 ? direction : times(direction, -1);
}

/** Tells whether the first coordinate that differs is greater. */
function isBefore(p: Vector, q: Vector): boolean {
  const axis = [0, 1, 2].find(i => Math.abs(p[i] - q[i]) > tolerance);
  return axis !== undefined && p[axis] > q[axis];
}

/** The middle of a solid in the world, scaled. Its volume is summed in a scale of its own, near 1. */
function middleOf({ placed, scale: measured }: Surface): Vector {
  const { positions, mesh } = placed.shape;
  const { indices } = mesh;
  const scale = measuringScale({ ...placed, pose: identity() });
  const first = times(at(positions, 3 * indices[0]), scale);
  let volume = 0;
  let [x, y, z] = [0, 0, 0];
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    const ax = scale * positions[a] - first[0];
    const ay = scale * positions[a + 1] - first[1];
    const az = scale * positions[a + 2] - first[2];
    const bx = scale * positions[b] - first[0];
    const by = scale * positions[b + 1] - first[1];
    const bz = scale * positions[b + 2] - first[2];
    const cx = scale * positions[c] - first[0];
    const cy = scale * positions[c + 1] - first[1];
    const cz = scale * positions[c + 2] - first[2];
    const sixfold = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    volume += sixfold;
    x += (sixfold / 4) * (ax + bx + cx);
    y += (sixfold / 4) * (ay + by + cy);
    z += (sixfold / 4) * (az + bz + cz);
  }
  const local = times(volume === 0 ? first : plus(first, [x, y, z], 1 / volume), 1 / scale);
  const world = new Float64Array(3);
  applyPose(placed.pose, local[0], local[1], local[2], world, 0);
  return times(at(world, 0), measured);
}
