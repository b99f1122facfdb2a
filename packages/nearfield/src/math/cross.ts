// The cross product: in a file of its own, since a page that asks about motion needs no more of vector.ts.

import type { Vector } from './vector.ts';

export const cross = (u: ArrayLike<number>, v: ArrayLike<number>): Vector => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];
