// Seeded unions of tetrahedra: non-convex solids whose depth is known (forbidden-translations.ts). In the mesh each
// tetrahedron is closed separately: where two overlap, the surface winds twice.

import { type Random, randomFrom } from '../triangles/generators.ts';
import type { ConvexPiece, Point } from './forbidden-translations.ts';

export interface UnionPair {
  readonly a: readonly ConvexPiece[];
  readonly b: readonly ConvexPiece[];
}

/** Two tetrahedra against one or two, all of similar size and near each other. */
export function unionPair(seed: number): UnionPair {
  const random = randomFrom(seed);
  const a = [tetrahedron(random, 0.8), tetrahedron(random, 0.8)];
  const b = [tetrahedron(random, 0.8)];
  if (seed % 2 === 0) b.push(tetrahedron(random, 0.8));
  return { a, b };
}

const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** Corners in a cube of half length 1 about a point up to `apart` from the origin along each axis; never flat. */
function tetrahedron(random: Random, apart: number): ConvexPiece {
  const centre = [0, 1, 2].map(() => between(random, -apart, apart));
  for (;;) {
    const corners = Array.from(
      { length: 4 },
      () => centre.map(c => c + between(random, -1, 1)) as unknown as Point,
    );
    if (Math.abs(volumeOf(corners)) > 0.05) return corners;
  }
}

/** Volume of a tetrahedron; the sign is its orientation. */
export function volumeOf([p, q, r, s]: readonly Point[]): number {
  const [u, v, w] = [q, r, s].map(c => [c[0] - p[0], c[1] - p[1], c[2] - p[2]]);
  const det =
    u[0] * (v[1] * w[2] - v[2] * w[1]) +
    u[1] * (v[2] * w[0] - v[0] * w[2]) +
    u[2] * (v[0] * w[1] - v[1] * w[0]);
  return det / 6;
}

/** Positions and indices of a union of tetrahedra, each wound outward. */
export function unionMesh(pieces: readonly ConvexPiece[]): { positions: Float64Array; indices: Uint32Array } {
  const indices = pieces.flatMap((piece, i) => {
    const [p, q, r, s] = [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3];
    const outward = [p, r, q, p, q, s, q, r, s, r, p, s];
    return volumeOf(piece) > 0 ? outward : outward.reverse();
  });
  return { positions: Float64Array.from(pieces.flat(2)), indices: Uint32Array.from(indices) };
}
