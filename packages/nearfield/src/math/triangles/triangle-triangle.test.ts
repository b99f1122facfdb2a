import { describe, expect, test } from 'vitest';
import { properCrossing, trianglesMeet } from './triangle-triangle.ts';

const meet = (...p: number[]): boolean => trianglesMeet(Float64Array.from(p));
const cross = (...p: number[]): boolean => properCrossing(Float64Array.from(p));

/** A triangle in the plane z = 0. */
const ground = [0, 0, 0, 4, 0, 0, 0, 4, 0];

describe('trianglesMeet', () => {
  test.each([
    ['pierced', true, [1, 1, -1, 1, 1, 1, 5, 5, 1]],
    ['pierced by an edge of the plane', true, [1, -1, 0, 1, 5, 0, 1, 1, 3]],
    ['above', false, [1, 1, 1, 1, 2, 2, 5, 5, 1]],
    ['beside, through the plane', false, [3, 3, -1, 3, 3, 1, 5, 5, 1]],
    ['a corner in the face', true, [1, 1, 0, 1, 2, 2, 5, 5, 1]],
    ['a corner on an edge', true, [2, 2, 0, 2, 2, 2, 5, 5, 1]],
    ['a corner just off an edge', false, [2, 2 + 2 ** -51, 0, 2, 2, 2, 5, 5, 1]],
    ['corner at corner', true, [0, 0, 0, -1, 0, 1, 0, -1, 1]],
    ['edge across edge', true, [2, 2, -1, 2, 2, 1, 5, 5, 0]],
    ['edge past edge', false, [2.5, 2, -1, 2.5, 2, 1, 5, 5, 0]],
    ['coplanar, overlapping', true, [1, 1, 0, 5, 1, 0, 1, 5, 0]],
    ['coplanar, inside', true, [1, 1, 0, 1.5, 1, 0, 1, 1.5, 0]],
    ['coplanar, around', true, [-9, -9, 0, 30, -9, 0, -9, 30, 0]],
    ['coplanar, a common edge', true, [4, 0, 0, 0, 4, 0, 4, 4, 0]],
    ['coplanar, corner on edge', true, [2, 2, 0, 5, 2, 0, 2, 5, 0]],
    ['coplanar, apart', false, [3, 3, 0, 5, 2, 0, 2, 5, 0]],
    ['parallel', false, [1, 1, 1e-300, 5, 1, 1e-300, 1, 5, 1e-300]],
    ['the same', true, ground],
    ['a segment through', true, [1, 1, -1, 1, 1, 1, 1, 1, 0.5]],
    ['a segment beside', false, [3, 3, -1, 3, 3, 1, 3, 3, 0.5]],
    ['a segment in the plane, across', true, [-1, 1, 0, 9, 1, 0, 3, 1, 0]],
    ['a segment in the plane, inside', true, [1, 1, 0, 1.5, 1, 0, 1.25, 1, 0]],
    ['a segment in the plane, beside', false, [3, 3, 0, 5, 0, 0, 4, 1.5, 0]],
    ['a segment that ends on it', true, [1, 1, 0, 1, 1, 1, 1, 1, 0]],
    ['a segment above', false, [1, 1, 0.5, 1, 1, 1, 1, 1, 2]],
    ['a point on it', true, [1, 1, 0, 1, 1, 0, 1, 1, 0]],
    ['a point on its edge', true, [2, 2, 0, 2, 2, 0, 2, 2, 0]],
    ['a point in its plane', false, [3, 3, 0, 3, 3, 0, 3, 3, 0]],
    ['a point off its plane', false, [1, 1, 5e-324, 1, 1, 5e-324, 1, 1, 5e-324]],
  ])('%s', (_name, expected, other) => {
    expect(meet(...ground, ...other)).toBe(expected);
    expect(meet(...other, ...ground)).toBe(expected);
  });

  test.each([
    ['crossing', true, [0, 2, 0, 2, 0, 0, 2, 0, 0]],
    ['touching at an end', true, [2, 2, 0, 3, 0, 0, 3, 0, 0]],
    ['collinear, overlapping', true, [1, 1, 0, 5, 5, 0, 3, 3, 0]],
    ['collinear, apart', false, [3, 3, 0, 5, 5, 0, 4, 4, 0]],
    ['parallel', false, [0, 1, 0, 2, 3, 0, 1, 2, 0]],
    ['skew', false, [0, 2, 1, 2, 0, 1, 2, 0, 1]],
    ['a point on it', true, [1, 1, 0, 1, 1, 0, 1, 1, 0]],
    ['a collinear point', false, [3, 3, 0, 3, 3, 0, 3, 3, 0]],
    ['a point beside', false, [1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ])('segment against segment or point: %s', (_name, expected, other) => {
    const segment = [0, 0, 0, 2, 2, 0, 0.5, 0.5, 0];
    expect(meet(...segment, ...other)).toBe(expected);
    expect(meet(...other, ...segment)).toBe(expected);
  });

  test('one point against another', () => {
    expect(meet(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3)).toBe(true);
    expect(meet(0, 2, 3, 0, 2, 3, 0, 2, 3, -0, 2, 3, -0, 2, 3, -0, 2, 3)).toBe(true);
    expect(meet(1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 4, 1, 2, 4, 1, 2, 4)).toBe(false);
  });
});

describe('properCrossing', () => {
  test.each([
    ['pierced', true, [1, 1, -1, 1, 1, 1, 5, 5, 1]],
    ['one edge through, through a corner of its own', true, [1, 1, -1, 1, 1, 1, 5, 5, 0]],
    ['a corner in the face', false, [1, 1, 0, 1, 2, 2, 5, 5, 1]],
    ['an edge in the face', false, [1, 1, 0, 1.5, 1, 0, 1, 1, 1]],
    ['through an edge only', false, [2, 0, -1, 2, 0, 1, 2, -3, 0]],
    ['along an edge', false, [-1, 0, -1, 5, 0, 1, 5, 0, -1]],
    ['edge across edge', false, [2, 2, -1, 2, 2, 1, 5, 5, 0]],
    ['through a corner and the inside', true, [0, 0, -9, 0, 0, 9, 9, 9, 0]],
    ['through a corner only', false, [0, 0, -9, 0, 0, 9, -9, -9, 0]],
    ['coplanar', false, [1, 1, 0, 5, 1, 0, 1, 5, 0]],
    ['a segment through', false, [1, 1, -1, 1, 1, 1, 1, 1, 0.5]],
    ['above', false, [1, 1, 1, 1, 2, 2, 5, 5, 1]],
  ])('%s', (_name, expected, other) => {
    expect(cross(...ground, ...other)).toBe(expected);
    expect(cross(...other, ...ground)).toBe(expected);
  });
});
