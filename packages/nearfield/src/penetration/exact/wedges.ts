// A lower bound for solids that rounding crumpled: their faces do not all look away from any point, and may cross each
// other. A wedge is the tetrahedron of a centre and a face. If the surface winds around the centre, and no face meets
// the wedge's interior, the solid winds around all of the wedge: it is part of the solid. The deepest difference of two
// wedges, one of each solid, bounds the depth from below. The bound is not tight, but it is above 0.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { cross, dot, signOf, type Vector } from '../../math/exact/rational.ts';
import { type Corners, starSolid } from './core.ts';
import { depthBetween, type WorldShell, worldShells } from './depth.ts';
import { depthInDifference } from './exact-hull.ts';
import { commonBits, finer, type IntegerPoint, integerPoints, minus, pointOf } from './integer-points.ts';

/** Every wedge is compared with every face, and with every wedge of the other solid, so no more faces than this. */
const mostFaces = 40;
/** How many centres are tried besides the mean of all corners. */
const mostCentres = 8;
/** How much finer than the corners centres are. */
const digits = 16;
/** Directions along no axis and in no plane of two axes. */
const rays = [
  [5n, 7n, 11n],
  [-13n, 3n, 8n],
  [17n, -19n, 6n],
] as const;

/** No translation shorter than this separates, rounded down; 0 if nothing is known. */
export function depthOfWedges(a: Placed, b: Placed): number {
  const [shellsA, shellsB] = [a, b].map(body =>
    body.shape.mesh.triangleCount > mostFaces ? undefined : worldShells(body),
  );
  // Several shells could cancel each other's winding numbers.
  if (shellsA?.length !== 1 || shellsB?.length !== 1) return 0;
  const bits = commonBits([...shellsA, ...shellsB].flatMap(({ positions }) => positions));
  const [piecesA, piecesB] = [piecesOf(shellsA[0], bits), piecesOf(shellsB[0], bits)];
  let depth = 0;
  for (const wedgesA of piecesA()) {
    for (const wedgesB of piecesB()) {
      for (const p of wedgesA) for (const q of wedgesB) depth = Math.max(depth, depthBetween(p, q, bits));
      if (depth > 0) return depth * (1 - 2 ** -48);
    }
  }
  return 0;
}

/**
 * The solid itself if it is convex; else wedges about one centre, then about others. They are kept for the next call.
 */
function piecesOf({ positions, faces }: WorldShell, bits: number): () => Generator<Corners[], void> {
  const points = integerPoints(positions, bits);
  const star = starSolid(points, faces);
  const fine = finer(points, digits);
  const triangles = Array.from({ length: faces.length / 3 }, (_, t) =>
    [0, 1, 2].map(k => fine[faces[3 * t + k]]),
  );
  const isConvex = star !== undefined && !star.isBent;
  const made: Corners[][] = isConvex ? [[{ corners: points, digits: 0 }]] : [];
  const centres = isConvex ? [] : centresOf(fine);
  return function* () {
    for (let i = 0; i < made.length || i < centres.length; i++) {
      if (i === made.length) made.push(wedgesAbout(centres[i], triangles));
      yield made[i];
    }
  };
}

/** The mean of all corners, then means of three neighbours in the list and one farther on, spread evenly over it. */
function centresOf(points: readonly IntegerPoint[]): IntegerPoint[] {
  const centres = [meanOf(points)];
  const count = points.length;
  for (let i = 0; i < mostCentres; i++) {
    const at = Math.floor((i * count) / mostCentres);
    const half = at + (count >> 1) + (i % 2);
    centres.push(
      meanOf([points[at], points[(at + 1) % count], points[(at + 2) % count], points[half % count]]),
    );
  }
  return centres;
}

function meanOf(points: readonly IntegerPoint[]): IntegerPoint {
  const sum = points.reduce((s, p) => pointOf(s.x + p.x, s.y + p.y, s.z + p.z), pointOf(0n, 0n, 0n));
  const count = BigInt(points.length);
  return pointOf(sum.x / count, sum.y / count, sum.z / count);
}

function wedgesAbout(centre: IntegerPoint, triangles: readonly (readonly IntegerPoint[])[]): Corners[] {
  if (!windsAround(centre, triangles)) return [];
  const isPart = (own: readonly IntegerPoint[]): boolean =>
    volumeOf(centre, own) !== 0n &&
    triangles.every(other => other === own || depthInDifference([centre, ...own], other) === undefined);
  return triangles.filter(isPart).map(own => ({ corners: [centre, ...own], digits }));
}

/** Tells whether a closed surface winds around a point: faces that a ray from there meets, counted with their signs. */
function windsAround(centre: Vector, triangles: readonly (readonly IntegerPoint[])[]): boolean {
  for (const [x, y, z] of rays) {
    const ray = { x, y, z };
    let winding = 0;
    let isSure = true;
    for (const corners of triangles) {
      const [p, q, r] = corners.map(corner => minus(corner, centre));
      const sides = [cross(p, q), cross(q, r), cross(r, p)].map(normal => signOf(dot(ray, normal)));
      const volume = signOf(dot(p, cross(q, r)));
      // A ray through a side or along a face, or a centre on one, decides nothing.
      if (sides.some(side => side > 0) && sides.some(side => side < 0)) continue;
      if (volume === 0 || sides.some(side => side === 0)) isSure = false;
      else if (volume === sides[0]) winding += volume;
    }
    if (isSure) return winding !== 0;
  }
  return false;
}

const volumeOf = (centre: Vector, corners: readonly Vector[]): bigint => {
  const [p, q, r] = corners.map(corner => minus(corner, centre));
  return dot(p, cross(q, r));
};
