// Oracle: the exact depth of two convex solids. Along any direction n, the translation that takes B just off A has
// length (max n·a − min n·b)/|n|, over corners a of A and b of B. The depth is the smallest of these. It is attained
// along the normal of a facet of A − B: the normal of a facet of A, of one of B, or the cross product of an edge of
// each. All of them are tried, in integers. If rounding bent a face, the hull has other edges than the mesh: then any
// two corners count as an edge, and any three as a facet. False edges and facets do no harm.

import { cross, dot, type Integer, isZeroVector, subtract, toIntegers, type Vector } from '../integers.ts';
import type { Fraction } from '../triangles/least-difference.ts';

/** World positions, three numbers per vertex, and triangles. */
export interface ConvexSolid {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** The squared depth of the hulls, B moved by a translation; numerator 0 if their interiors do not meet. */
export function convexDepthSquared(
  a: ConvexSolid,
  b: ConvexSolid,
  translation = [0, 0, 0] as readonly number[],
): Fraction {
  const { points, unit } = integerPoints([a, b, { positions: translation, indices: [] }]);
  const [verticesA, own, [by]] = points;
  const verticesB = own.map(([x, y, z]): Vector => [x + by[0], y + by[1], z + by[2]]);
  const [edgesA, edgesB] = [edgesOf(a, verticesA), edgesOf(b, verticesB)];
  const [normalsA, normalsB] = [normalsOf(a, verticesA, edgesA), normalsOf(b, verticesB, edgesB)];
  const zero = verticesA[0][0] - verticesA[0][0];
  let best: { above: Integer; squared: Integer } | undefined;
  const consider = (normal: Vector): boolean => {
    if (isZeroVector(normal)) return true;
    const [highA, lowA] = rangeAlong(normal, verticesA);
    const [highB, lowB] = rangeAlong(normal, verticesB);
    const squared = dot(normal, normal);
    for (const above of [highA - lowB, highB - lowA]) {
      if (!(above > 0)) return false;
      if (best === undefined || above * above * best.squared < best.above * best.above * squared)
        best = { above, squared };
    }
    return true;
  };
  for (const normal of [...normalsA, ...normalsB])
    if (!consider(normal)) return { numerator: 0n, denominator: 1n };
  for (const u of edgesA)
    for (const v of edgesB) if (!consider(cross(u, v))) return { numerator: 0n, denominator: 1n };
  const { above, squared } = best ?? { above: zero, squared: unit };
  return {
    numerator: (above * above) as unknown as bigint,
    denominator: (squared * unit * unit) as unknown as bigint,
  };
}

/** Whether no corner lies beyond the plane of a triangle: rounding bends the faces of most prisms. */
export function isExactlyConvex(solid: ConvexSolid): boolean {
  const [vertices] = integerPoints([solid]).points;
  const { indices } = solid;
  for (let i = 0; i < indices.length; i += 3) {
    const [p, q, r] = [vertices[indices[i]], vertices[indices[i + 1]], vertices[indices[i + 2]]];
    const normal = cross(subtract(q, p), subtract(r, p));
    if (vertices.some(v => dot(normal, subtract(v, p)) > 0)) return false;
  }
  return true;
}

/** Corners of all solids times one power of two, `unit`. */
function integerPoints(solids: readonly ConvexSolid[]): { points: Vector[][]; unit: Integer } {
  const all = toIntegers([1, ...solids.flatMap(({ positions }) => Array.from(positions))]);
  let at = 1;
  const points = solids.map(({ positions }) =>
    Array.from({ length: positions.length / 3 }, (): Vector => {
      at += 3;
      return [all[at - 3], all[at - 2], all[at - 1]];
    }),
  );
  return { points, unit: all[0] };
}

/** Normals of the triangles; for a bent solid, of any two edges. */
function normalsOf(solid: ConvexSolid, vertices: readonly Vector[], edges: readonly Vector[]): Vector[] {
  const { indices } = solid;
  if (!isExactlyConvex(solid)) return edges.flatMap((u, i) => edges.slice(0, i).map(v => cross(u, v)));
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const [p, q, r] = [0, 1, 2].map(k => vertices[indices[3 * t + k]]);
    return cross(subtract(q, p), subtract(r, p));
  });
}

/** Sides of the triangles; for a bent solid, segments between any two corners. */
function edgesOf(solid: ConvexSolid, vertices: readonly Vector[]): Vector[] {
  const { indices } = solid;
  if (!isExactlyConvex(solid))
    return vertices.flatMap((p, i) => vertices.slice(0, i).map(q => subtract(p, q)));
  const edges: Vector[] = [];
  for (let i = 0; i < indices.length; i++) {
    const [from, to] = [indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]];
    if (from < to) edges.push(subtract(vertices[to], vertices[from]));
  }
  return edges;
}

function rangeAlong(normal: Vector, vertices: readonly Vector[]): [high: Integer, low: Integer] {
  let high = dot(normal, vertices[0]);
  let low = high;
  for (const vertex of vertices) {
    const along = dot(normal, vertex);
    if (along > high) high = along;
    if (along < low) low = along;
  }
  return [high, low];
}
