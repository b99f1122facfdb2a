// Boxes, spheres and rays, and what is wrong with others.

import { typed } from './kinds.ts';

export const someBoxes = {
  ...typed(Float64Array.of(0, 0, 0, 1, 0, 0), [
    ['five numbers', new Float64Array(5), 'bad-array', /boxes/],
    [
      'ends exchanged',
      Float64Array.of(0, 0, 0, 1, -1, 0),
      'bad-option',
      /low y 0 is above the high -1 of box 0/,
    ],
    ['NaN', new Float64Array(6).fill(Number.NaN), 'not-finite', /boxes/],
  ]),
};
export const someSpheres = {
  ...typed(Float64Array.of(0, 0, 0, 1), [
    ['five numbers', new Float64Array(5), 'bad-array', /spheres/],
    ['a radius below 0', Float64Array.of(0, 0, 0, -1), 'bad-option', /radius of sphere 0/],
    ['NaN', new Float64Array(4).fill(Number.NaN), 'not-finite', /spheres/],
  ]),
  // Four zeros are a point.
  accepts: (value: unknown) =>
    value instanceof Float64Array && value.length === 4 && value.every(x => x === 0),
};
export const someRays = {
  ...typed(Float64Array.of(0, 0, 0, 1, 0, 0), [
    ['five numbers', new Float64Array(5), 'bad-array', /rays/],
    ['no direction', new Float64Array(6), 'bad-option', /direction of ray 0/],
    ['NaN', new Float64Array(6).fill(Number.NaN), 'not-finite', /rays/],
  ]),
};
