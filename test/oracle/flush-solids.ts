// Seeded pairs of solids whose faces are flush nearly everywhere, as the convex pieces they are made of: boxes on a grid under maps
// that are exact on it, and tetrahedra that share the cubes of a grid.

import { type BoxUnionPair, boxUnionPair, cornersOf } from './box-unions.ts';
import type { ConvexPiece, Point } from './forbidden-translations.ts';
import { type Random, randomFrom, whole } from './generators.ts';
import type { UnionPair } from './tetrahedra-unions.ts';

/** By rows. */
export type LinearMap = readonly (readonly [number, number, number])[];

/** Keep orientation, and have small whole numbers or powers of two: points of the grid stay exact. */
export const exactMaps: Readonly<Record<string, LinearMap>> = {
  'a quarter turn': [
    [0, -1, 0],
    [1, 0, 0],
    [0, 0, 1],
  ],
  'axes in another order': [
    [0, 0, 1],
    [1, 0, 0],
    [0, 1, 0],
  ],
  'an eighth of a turn': [
    [1, -1, 0],
    [1, 1, 0],
    [0, 0, 1],
  ],
  'a turn of a cube about its diagonal': [
    [2, -1, 2],
    [2, 2, -1],
    [-1, 2, 2],
  ],
  'a shear': [
    [1, 0.5, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'shears along two axes': [
    [1, 1, 0],
    [0, 1, -0.5],
    [0, 0, 1],
  ],
  'a stretch': [
    [4, 0, 0],
    [0, 1, 0],
    [0, 0, 0.5],
  ],
};

export const mapped = (m: LinearMap, p: Point): Point =>
  m.map(([x, y, z]) => x * p[0] + y * p[1] + z * p[2]) as unknown as Point;

/** Boxes under a map; `ofB` is the map of the second alone, done first. */
export function mappedBoxes({ a, b }: BoxUnionPair, map: LinearMap, ofB?: LinearMap): UnionPair {
  const place = (p: Point): Point => mapped(map, p);
  const placeB = (p: Point): Point => place(ofB ? mapped(ofB, p) : p);
  return {
    a: a.map(box => cornersOf(box).map(place)),
    b: b.map(box => cornersOf(box).map(placeB)),
  };
}
