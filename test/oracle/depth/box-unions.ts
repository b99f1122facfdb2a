// Seeded unions of boxes on a grid, whose faces are flush nearly everywhere, and an oracle for the depth of their
// overlap. B moved by t shares interior with A if and only if t lies in the open box Aᵢ − Bⱼ for some pair of boxes.
// Let t be a nearest translation that lies in none. If a coordinate of t could be moved a little towards 0, t would
// not be nearest; so it is 0, or the coordinate of a wall of some difference. All such translations are tried, in
// whole numbers.

import { type Random, randomFrom, whole } from '../triangles/generators.ts';
import type { ConvexPiece, Point } from './forbidden-translations.ts';

/** Lowest and highest corner, in whole numbers. */
export interface GridBox {
  readonly low: Point;
  readonly high: Point;
}

export interface BoxUnionPair {
  readonly a: readonly GridBox[];
  readonly b: readonly GridBox[];
}

/**
 * One to three boxes against one to three. Coarse grids leave slots into which a box fits exactly; fine ones rarely
 * do.
 */
export function boxUnionPair(seed: number): BoxUnionPair {
  const random = randomFrom(seed);
  const size = [4, 8, 48][whole(random, 0, 2)];
  const boxes = (): GridBox[] => Array.from({ length: whole(random, 1, 3) }, () => gridBox(random, size));
  return { a: boxes(), b: boxes() };
}

function gridBox(random: Random, size: number): GridBox {
  const low = [0, 1, 2].map(() => whole(random, 0, size));
  const high = low.map(x => x + whole(random, 1, (2 * size) / 3));
  return { low: low as unknown as Point, high: high as unknown as Point };
}

/** The square of the depth; 0 if no interiors meet. */
export function boxUnionDepthSquared({ a, b }: BoxUnionPair): number {
  const forbidden = a.flatMap(p => b.map(q => ({ low: minus(p.low, q.high), high: minus(p.high, q.low) })));
  const walls = [0, 1, 2].map(axis => {
    const all = new Set([0, ...forbidden.flatMap(({ low, high }) => [low[axis], high[axis]])]);
    return [...all].sort((x, y) => Math.abs(x) - Math.abs(y));
  });
  let least = Infinity;
  for (const x of walls[0]) {
    if (x * x >= least) break;
    for (const y of walls[1]) {
      if (x * x + y * y >= least) break;
      for (const z of walls[2]) {
        if (x * x + y * y + z * z >= least) break;
        if (!forbidden.some(box => isWithin(box, [x, y, z]))) least = x * x + y * y + z * z;
      }
    }
  }
  return least;
}

const minus = (p: Point, q: Point): Point => [p[0] - q[0], p[1] - q[1], p[2] - q[2]];

const isWithin = ({ low, high }: GridBox, t: Point): boolean =>
  t.every((x, axis) => low[axis] < x && x < high[axis]);

export const cornersOf = ({ low, high }: GridBox): ConvexPiece =>
  Array.from(
    { length: 8 },
    (_, i): Point => [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]],
  );

/** The faces of a box with these corners, wound outward. */
const boxFaces = [
  0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
];

/** Boxes as one mesh, each closed separately, under a map that keeps orientation. */
export function boxesMesh(
  boxes: readonly GridBox[],
  map: (p: Point) => Point = p => p,
): { positions: Float64Array; indices: Uint32Array } {
  const positions = boxes.flatMap(box => cornersOf(box).flatMap(p => [...map(p)]));
  const indices = boxes.flatMap((_, i) => boxFaces.map(v => 8 * i + v));
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}
