// Seeded solids whose faces are flush nearly everywhere: maps for boxes on a grid (box-unions.ts), exact ones and a
// rotation that rounds; tetrahedra that share the cubes of a grid; connected solids of unit cells.

import { type Random, whole } from '../triangles/generators.ts';
import type { Cell } from '../voxel-contacts.ts';
import type { ConvexPiece, Point } from './forbidden-translations.ts';
import type { UnionPair } from './tetrahedra-unions.ts';

/** By rows. */
export type LinearMap = readonly (readonly [number, number, number])[];

/** These keep orientation and have small whole numbers or powers of two, so points of the grid stay exact. */
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

/** A rotation about two axes: flush faces stay flush up to rounding. */
export function anyTurn(random: Random): LinearMap {
  const [first, second] = [6 * random(), 6 * random()];
  const [c, s, d, t] = [Math.cos(first), Math.sin(first), Math.cos(second), Math.sin(second)];
  return [
    [c, -s, 0],
    [d * s, d * c, -t],
    [t * s, t * c, d],
  ];
}

/** The six tetrahedra around the diagonal of a cube follow its axes in different orders. */
const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** One to four tetrahedra against one to four. */
export function gridTetrahedra(random: Random): UnionPair {
  const size = whole(random, 1, 3);
  const union = (): ConvexPiece[] =>
    Array.from({ length: whole(random, 1, 4) }, () => tetrahedron(random, size));
  return { a: union(), b: union() };
}

function tetrahedron(random: Random, size: number): ConvexPiece {
  const corner = [0, 1, 2].map(() => whole(random, 0, size));
  const side = whole(random, 1, 2);
  const corners = [corner.slice()];
  for (const axis of orders[whole(random, 0, 5)]) {
    corner[axis] += side;
    corners.push(corner.slice());
  }
  return corners as unknown as ConvexPiece;
}

/** Two to seven unit cells, each beside another. */
export function connectedCells(random: Random): Cell[] {
  const cells = [[0, 1, 2].map(() => whole(random, 0, 2))];
  for (const count = whole(random, 2, 7); cells.length < count; ) {
    const next = cells[whole(random, 0, cells.length - 1)].slice();
    next[whole(random, 0, 2)] += random() < 0.5 ? 1 : -1;
    if (!cells.some(cell => cell.join() === next.join())) cells.push(next);
  }
  return cells;
}
