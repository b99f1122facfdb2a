import { shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { type Boxed, pairsOfBoxes } from './sweep.ts';

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

test('counts boxes that touch, and fits them tightly to the vertices', () => {
  const { positions } = shapes.box();
  const row = [0, 1, 2.5].map((x): Boxed => ({ positions, pose: at(x, 0, 0) }));
  expect(pairsOfBoxes(row)).toBe(1);
  // An octahedron rotated by 45° is as wide as its corners, not as its rotated box.
  const octahedron = [1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1];
  const turn = Math.SQRT1_2;
  const turned = [turn, turn, 0, 0, -turn, turn, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const beside = (x: number): Boxed[] => [
    { positions: octahedron, pose: turned },
    { positions, pose: at(x, 0, 0) },
  ];
  expect([1.2, 1.3].map(x => pairsOfBoxes(beside(x)))).toEqual([1, 0]);
});

test('finds the pairs that testing every pair finds', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = shapes.createRandom(seed);
    const places = Array.from({ length: 40 }, () => [0, 0, 0].map(() => random.between(0, 4)));
    const { positions } = shapes.box();
    let pairs = 0;
    for (let i = 0; i < 40; i++)
      for (let k = 0; k < i; k++)
        if (places[i].every((x, axis) => Math.abs(x - places[k][axis]) <= 1)) pairs++;
    const boxes = places.map(([x, y, z]) => ({ positions, pose: at(x, y, z) }));
    expect(pairsOfBoxes(boxes), `seed ${seed}`).toBe(pairs);
  }
});

test('a body without vertices meets nothing', () => {
  expect(
    pairsOfBoxes([
      { positions: [], pose: at(0, 0, 0) },
      { positions: shapes.box().positions, pose: at(0, 0, 0) },
    ]),
  ).toBe(0);
});
