// How far is each place of a body's surface from the other body? Triangles are divided until they are small beside the
// range of the map, and every corner is asked exactly.

import type { Body } from 'nearfield';
import { placeTwo } from './ask.ts';
import type { ClearanceData, Limits, MappedSurface, TwoBodies } from './types.ts';
import type { PlacedScene } from './worker/placed-scene.ts';

/** Triangles per body, at most. Larger ones stay as they are when there are so many. */
const mostTriangles = 40_000;
/** The range of the map, as a share of the smaller body's diagonal: at most, and at least. */
const [mostShare, leastShare] = [0.2, 0.02];
/** The range is so many times the greatest depth, or the least distance of bodies that do not meet. */
const [depths, distances] = [10, 3];
/** Edges are divided until they are this share of the range. */
const edgeShare = 0.25;

export async function mapClearance(
  placed: PlacedScene,
  { a, b }: TwoBodies,
  { signal }: Limits,
): Promise<ClearanceData> {
  const two = placeTwo(placed, { a, b });
  const corners = two.map(cornersOf);
  const boxes = corners.map(boxOf);
  const size = Math.min(...boxes.map(([low, high]) => Math.hypot(...low.map((v, k) => high[k] - v))));
  const side = async (own: 0 | 1, range: number): Promise<MappedSurface> => {
    const fine = divided(corners[own], boxes[1 - own], range);
    const { distances } = await placed.scene.closest(two[1 - own], fine, {
      signed: true,
      upTo: range,
      signal,
    });
    return { corners: fine, distances: Float32Array.from(distances) };
  };
  const both = async (range: number) => ({ a: await side(0, range), b: await side(1, range), range });
  const wide = await both(mostShare * size);
  // A map of shallow contacts of large bodies would have one colour.
  const least = Math.min(leastOf(wide.a), leastOf(wide.b));
  const telling = least < 0 ? -depths * least : distances * least;
  const range = Math.min(Math.max(telling, leastShare * size), wide.range);
  return range < 0.6 * wide.range ? both(range) : wide;
}

const leastOf = ({ distances }: MappedSurface): number =>
  distances.reduce((least, value) => Math.min(least, value), Infinity);

/** Three corners per triangle, in the world. */
function cornersOf({ mesh: { positions, indices }, pose: m }: Body): Float64Array {
  const out = new Float64Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const v = 3 * indices[i];
    const [x, y, z] = [positions[v], positions[v + 1], positions[v + 2]];
    for (let axis = 0; axis < 3; axis++)
      out[3 * i + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
  }
  return out;
}

type Bounds = readonly [low: readonly number[], high: readonly number[]];

function boxOf(corners: Float64Array): Bounds {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < corners.length; i++) {
    low[i % 3] = Math.min(low[i % 3], corners[i]);
    high[i % 3] = Math.max(high[i % 3], corners[i]);
  }
  return [low, high];
}

/** Divides the longest edges of triangles within the range of the other body's box. */
function divided(corners: Float64Array, [low, high]: Bounds, range: number): Float64Array {
  const longest = edgeShare * range;
  const done: number[] = [];
  const waiting: number[][] = [];
  for (let i = 0; i < corners.length; i += 9) waiting.push([...corners.subarray(i, i + 9)]);
  // Breadth first, so that the limit leaves all parts about equally fine.
  for (let next = 0; next < waiting.length; next++) {
    const triangle = waiting[next];
    const isNear = [0, 1, 2].every(axis => {
      const values = [triangle[axis], triangle[3 + axis], triangle[6 + axis]];
      return Math.min(...values) <= high[axis] + range && Math.max(...values) >= low[axis] - range;
    });
    const lengths = [0, 1, 2].map(e => {
      const [p, q] = [3 * e, 3 * ((e + 1) % 3)];
      return Math.hypot(...[0, 1, 2].map(axis => triangle[p + axis] - triangle[q + axis]));
    });
    const longestEdge = lengths.indexOf(Math.max(...lengths));
    const count = done.length / 9 + (waiting.length - next);
    if (!isNear || lengths[longestEdge] <= longest || count >= mostTriangles) {
      done.push(...triangle);
      continue;
    }
    const corner = (e: number) => triangle.slice(3 * (e % 3), 3 * (e % 3) + 3);
    const [p, q, r] = [corner(longestEdge), corner(longestEdge + 1), corner(longestEdge + 2)];
    const middle = p.map((value, axis) => (value + q[axis]) / 2);
    waiting.push([...p, ...middle, ...r], [...middle, ...q, ...r]);
  }
  return Float64Array.from(done);
}
