// Does a pose mirror? It does if the determinant of its linear part is negative.

import type { Pose } from 'nearfield';

/** The determinant of the linear part of a pose, rounded. */
export const determinant = (m: Pose): number =>
  m[0] * (m[5] * m[10] - m[9] * m[6]) +
  m[4] * (m[9] * m[2] - m[1] * m[10]) +
  m[8] * (m[1] * m[6] - m[5] * m[2]);
