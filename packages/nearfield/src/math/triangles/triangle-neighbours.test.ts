import { describe, expect, test } from 'vitest';
import { neighboursMeet } from './triangle-neighbours.ts';

type Corner = readonly [number, number, number];

/** The answer, checked to be the same for every order of the corners and of the triangles. */
function meet(a: readonly Corner[], b: readonly Corner[]): boolean {
  const orders = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [2, 1, 0],
    [1, 0, 2],
  ];
  const answers = new Set<boolean>();
  for (const m of orders) {
    for (const n of orders) {
      const [orderedA, orderedB] = [m.flatMap(i => a[i]), n.flatMap(i => b[i])];
      answers.add(neighboursMeet(Float64Array.from([...orderedA, ...orderedB])));
      answers.add(neighboursMeet(Float64Array.from([...orderedB, ...orderedA])));
    }
  }
  expect(answers.size).toBe(1);
  return answers.has(true);
}

const o: Corner = [0, 0, 0];
const x: Corner = [4, 0, 0];
const y: Corner = [0, 4, 0];

describe('a common edge', () => {
  test.each<[string, boolean, Corner]>([
    ['folded', false, [1, 1, 1]],
    ['flat', false, [1, -4, 0]],
    ['flat, folded back', true, [1, 4, 0]],
    ['folded back by a hair less', false, [1, 4, 5e-324]],
    ['collinear with the edge', false, [9, 0, 0]],
    ['on the edge', false, [1, 0, 0]],
  ])('%s', (_name, expected, fourth) => expect(meet([o, x, y], [x, o, fourth])).toBe(expected));

  test('both collinear', () => {
    expect(meet([o, x, [9, 0, 0]], [o, x, [5, 0, 0]])).toBe(true);
    expect(meet([o, x, [9, 0, 0]], [o, x, [-1, 0, 0]])).toBe(false);
    expect(meet([o, x, [9, 0, 0]], [o, x, [1, 0, 0]])).toBe(false);
    expect(meet([o, x, [2, 0, 0]], [o, x, [1, 0, 0]])).toBe(false);
  });
});

describe('a common corner', () => {
  test.each<[string, boolean, Corner, Corner]>([
    ['on one side', false, [1, 1, 1], [2, 1, 1]],
    ['through the plane, away', false, [-1, -1, 1], [-1, -1, -1]],
    ['through the plane, beside', false, [-1, 1, 1], [-1, 1, -1]],
    ['through the face', true, [1, 1, 1], [1, 1, -1]],
    ['along an edge', true, [1, 0, 1], [1, 0, -1]],
    ['a corner in the face', true, [1, 1, 0], [1, 1, -1]],
    ['an edge along an edge, longer', true, [9, 0, 0], [1, 1, -1]],
    ['an edge along an edge, shorter', true, [1, 0, 0], [1, 1, -1]],
    ['an edge opposite an edge', false, [-1, 0, 0], [1, 1, -1]],
    ['flat, away', false, [-1, 0, 0], [0, -1, 0]],
    ['flat, edge opposite edge', false, [-1, 0, 0], [-1, 9, 0]],
    ['flat, overlapping', true, [1, 1, 0], [-1, 9, 0]],
    ['flat, around', true, [9, -1, 0], [-1, 9, 0]],
    ['flat, within', true, [2, 1, 0], [1, 2, 0]],
    ['flat, edges along each other', true, [0, 1, 0], [-1, 1, 0]],
    ['a segment above', false, [1, 1, 1], [2, 2, 2]],
    ['a segment through', false, [1, 1, 1], [-2, -2, -2]],
    ['a segment in the face', true, [1, 1, 0], [2, 2, 0]],
    ['a segment through the corner into the face', true, [1, 1, 0], [-2, -2, 0]],
    ['a segment past the corner', false, [1, -1, 0], [-2, 2, 0]],
    ['a segment away', false, [-1, -1, 0], [-2, -2, 0]],
    ['the corner twice and another in the face', true, o, [1, 1, 0]],
    ['the corner twice and another off it', false, o, [1, 1, 1]],
    ['the corner three times', false, o, o],
  ])('%s', (_name, expected, p, q) => expect(meet([o, x, y], [o, p, q])).toBe(expected));

  test('segments', () => {
    expect(meet([o, x, x], [o, [9, 0, 0], [9, 0, 0]])).toBe(true);
    expect(meet([o, x, x], [o, [-9, 0, 0], [-9, 0, 0]])).toBe(false);
    expect(meet([o, x, [-4, 0, 0]], [o, [-9, 0, 0], [-9, 0, 0]])).toBe(true);
    expect(meet([o, x, [-4, 0, 0]], [o, [0, 1, 0], [0, -1, 0]])).toBe(false);
  });
});

test('the same positions are a duplicate', () => {
  expect(meet([o, x, y], [y, x, o])).toBe(true);
  expect(meet([o, o, x], [o, x, x])).toBe(true);
  expect(meet([o, o, o], [[-0, -0, 0], o, o])).toBe(true);
  expect(meet([o, o, x], [o, x, y])).toBe(false);
});

test('no common position', () => {
  expect(
    meet(
      [o, x, y],
      [
        [1, 1, -1],
        [1, 1, 1],
        [2, 2, 2],
      ],
    ),
  ).toBe(true);
  expect(
    meet(
      [o, x, y],
      [
        [1, 1, 1],
        [1, 2, 1],
        [2, 2, 2],
      ],
    ),
  ).toBe(false);
});
