import { describe, expect, it } from 'vitest';
import { mesh } from '../../../mesh/mesh.ts';
import { box } from '../../../shapes/index.ts';
import { facesInwards } from './facing.ts';

const { positions, indices } = box({ size: [2, 4, 6], center: [5, 0, 0] });
const scaled = (x: number, y = x, z = x): Float64Array =>
  Float64Array.from(positions, (value, i) => value * [x, y, z][i % 3]);
const shapeOf = (own: Float64Array, deformed = own, corners = indices) => ({
  mesh: mesh(own, corners),
  positions: deformed,
  revision: 0,
});

// Volumes of the extreme ones do not fit in doubles.
describe.each([1, 2 ** -500, 2 ** -1060, 2 ** 500, 2 ** 1020])('a box times %d', size => {
  const own = scaled(size);
  it('faces outwards, and inwards with its triangles turned, although both have the same positions', () => {
    expect(facesInwards(shapeOf(own))).toBe(false);
    expect(facesInwards(shapeOf(own, own, indices.slice().reverse()))).toBe(true);
  });
  it('faces inwards if it is deformed to its mirror image, in every revision', () => {
    const shape = shapeOf(own, scaled(-size, size, size));
    expect(facesInwards(shape)).toBe(true);
    shape.positions = scaled(-size);
    expect(facesInwards(shape)).toBe(true);
    shape.positions = scaled(-size, -size, size);
    expect(facesInwards(shape)).toBe(false);
  });
});

it('an open body faces no way', () => {
  expect(facesInwards(shapeOf(scaled(-1), scaled(-1), indices.slice(3)))).toBe(false);
});
