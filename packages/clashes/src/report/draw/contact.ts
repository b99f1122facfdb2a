// Where two bodies meet, for drawing: the triangles that meet, and the segments in which they intersect. Plain
// doubles are enough for a picture.

import { finish, type Steps } from '../../steps/steps.ts';
import type { PictureBody, PicturePair } from '../types.ts';
import { cross, dot, type Extent, extentOf, subtract, type Vector } from './camera.ts';

export interface Contact {
  /** 1 for every triangle that meets the other body. */
  marksA: Uint8Array;
  marksB: Uint8Array;
  /** Six numbers per segment. Coplanar triangles have none. */
  segments: Float64Array;
  /** The region that a picture should show. */
  extent: Extent;
}

/** The maximum number of segments to draw: more would run together. */
const segmentLimit = 50_000;

export const contactOf = (bodies: readonly PictureBody[], pair: PicturePair): Contact =>
  finish(contactSteps(bodies, pair));

/** Pairs of triangles per step. */
const pairsPerStep = 16_384;

/** The same in steps. */
export function* contactSteps(bodies: readonly PictureBody[], pair: PicturePair): Steps<Contact> {
  const [a, b] = [bodies[pair.a], bodies[pair.b]];
  const marksA = new Uint8Array(a.triangles);
  const marksB = new Uint8Array(b.triangles);
  const { triangles } = pair;
  for (let i = 0; i + 1 < triangles.length; i += 2) {
    marksA[triangles[i]] = 1;
    marksB[triangles[i + 1]] = 1;
  }
  const segments = yield* segmentSteps(a, b, triangles);
  return { marksA, marksB, segments, extent: contactExtent(a, b, pair, segments) };
}

/** The segments in which pairs of triangles intersect: six numbers each. */
export function* segmentSteps(
  a: PictureBody,
  b: PictureBody,
  triangles: Uint32Array,
  limit = segmentLimit,
): Steps<Float64Array> {
  const segments: number[] = [];
  for (let i = 0; i + 1 < triangles.length && segments.length < 6 * limit; i += 2) {
    if (i % (2 * pairsPerStep) === 0) yield;
    const segment = cutOf(cornersOf(a, triangles[i]), cornersOf(b, triangles[i + 1]));
    if (segment) segments.push(...segment);
  }
  return Float64Array.from(segments);
}

/** The bounds of the contact lines; if there are none, the overlap of the boxes, or the inner body of two. */
function contactExtent(a: PictureBody, b: PictureBody, pair: PicturePair, segments: Float64Array): Extent {
  const lines = extentOf(segments);
  if (lines && pair.relation === 'crossing') return lines;
  const [boxA, boxB] = [extentOf(a.positions)!, extentOf(b.positions)!];
  if (pair.relation === 'inside') return boxA;
  if (pair.relation === 'contains') return boxB;
  return {
    min: [0, 1, 2].map(k => Math.max(boxA.min[k], boxB.min[k])) as unknown as Vector,
    max: [0, 1, 2].map(k => Math.min(boxA.max[k], boxB.max[k])) as unknown as Vector,
  };
}

type Corners = readonly [Vector, Vector, Vector];

function cornersOf(
  { positions, indices }: Pick<PictureBody, 'positions' | 'indices'>,
  triangle: number,
): Corners {
  const corner = (e: number): Vector => {
    const v = 3 * indices[3 * triangle + e];
    return [positions[v], positions[v + 1], positions[v + 2]];
  };
  return [corner(0), corner(1), corner(2)];
}

/** The common segment of two triangles, from the points where the edges of each pass through the other. */
function cutOf(a: Corners, b: Corners): number[] | undefined {
  const points = [...passages(a, b), ...passages(b, a)];
  let longest: number[] | undefined;
  let best = 0;
  for (let i = 0; i < points.length; i++) {
    for (let j = i + 1; j < points.length; j++) {
      const offset = subtract(points[i], points[j]);
      const length = dot(offset, offset);
      if (length > best) {
        best = length;
        longest = [...points[i], ...points[j]];
      }
    }
  }
  return longest;
}

function passages(edges: Corners, [p, q, r]: Corners): Vector[] {
  const normal = cross(subtract(q, p), subtract(r, p));
  const size = dot(normal, normal);
  if (size === 0) return [];
  const heights = edges.map(corner => dot(subtract(corner, p), normal));
  const found: Vector[] = [];
  for (let e = 0; e < 3; e++) {
    const [u, v] = [edges[e], edges[(e + 1) % 3]];
    const [hu, hv] = [heights[e], heights[(e + 1) % 3]];
    if (hu === hv || hu * hv > 0) continue;
    const t = hu / (hu - hv);
    const x: Vector = [u[0] + t * (v[0] - u[0]), u[1] + t * (v[1] - u[1]), u[2] + t * (v[2] - u[2])];
    const inside = [
      [p, q],
      [q, r],
      [r, p],
    ].every(([s, w]) => dot(cross(subtract(w, s), subtract(x, s)), normal) >= -1e-9 * size);
    if (inside) found.push(x);
  }
  return found;
}
