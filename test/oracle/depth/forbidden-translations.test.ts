import { expect, it } from 'vitest';
import { type ConvexPiece, forbiddenDepth, type Point } from './forbidden-translations.ts';

const box = (low: Point, high: Point): ConvexPiece =>
  Array.from(
    { length: 8 },
    (_, i): Point => [i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]],
  );
const cube = box([-1, -1, -1], [1, 1, 1]);
const moved = (piece: ConvexPiece, by: Point): ConvexPiece =>
  piece.map((p): Point => [p[0] + by[0], p[1] + by[1], p[2] + by[2]]);
/** Corners at alternate corners of a cube: regular, of edge 2√2. */
const tetrahedron: ConvexPiece = [
  [1, 1, 1],
  [1, -1, -1],
  [-1, 1, -1],
  [-1, -1, 1],
];

it('boxes: out through the nearest face', () => {
  expect(forbiddenDepth([cube], [moved(cube, [1.5, 0.25, 0.5])]).depth).toBe(0.5);
  expect(forbiddenDepth([cube], [cube]).depth).toBe(2);
  expect(forbiddenDepth([cube], [moved(cube, [2, 0, 0])]).depth).toBe(0);
  expect(forbiddenDepth([cube], [moved(cube, [3, 0, 0])]).depth).toBe(0);
});

it('a regular tetrahedron against itself', () => {
  // The difference is a cuboctahedron of edge 2√2: its squares are nearest, 2 from the middle.
  expect(forbiddenDepth([tetrahedron], [tetrahedron]).depth).toBeCloseTo(2, 12);
});

it('the inner corner of an L, where two planes meet, and of three walls', () => {
  const l = [box([0, 0, 0], [4, 1, 1]), box([0, 0, 0], [1, 4, 1])];
  const peg = moved(box([-0.5, -0.5, -1.5], [0.5, 0.5, 1.5]), [1.25, 1.375, 0.5]);
  const { depth, translation } = forbiddenDepth(l, [peg]);
  expect(depth).toBeCloseTo(Math.hypot(0.25, 0.125), 12);
  expect(translation).toEqual([0.25, 0.125, 0]);
  const corner = [box([0, 0, 0], [9, 9, 1]), box([0, 0, 0], [9, 1, 9]), box([0, 0, 0], [1, 9, 9])];
  const block = moved(box([0, 0, 0], [3, 3, 3]), [0.75, 0.5, 0.875]);
  expect(forbiddenDepth(corner, [block]).depth).toBeCloseTo(Math.hypot(0.25, 0.5, 0.125), 12);
});

it('finds the hollow of a box', () => {
  const walls: ConvexPiece[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const [low, high]: [number[], number[]] = [
        [-3, -3, -3],
        [3, 3, 3],
      ];
      low[axis] = side < 0 ? -3 : 2;
      high[axis] = side < 0 ? -2 : 3;
      walls.push(box(low as unknown as Point, high as unknown as Point));
    }
  }
  expect(forbiddenDepth(walls, [moved(cube, [0.25, 0.5, 1.25])]).depth).toBe(0.25);
});

it('does not change if polytopes grow or shrink by rounding', () => {
  const [low, high] = [-1e-9, 1e-9].map(
    grow => forbiddenDepth([tetrahedron, moved(tetrahedron, [1, 0.5, 0.25])], [tetrahedron], grow).depth,
  );
  expect(high - low).toBeGreaterThan(0);
  expect(high - low).toBeLessThan(1e-8);
});
