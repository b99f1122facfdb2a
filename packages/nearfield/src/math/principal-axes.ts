// The axes of a symmetric 3×3 matrix.

import { unit, type Vector } from './vector.ts';

/** Unit vectors along which the symmetric matrix xx, yy, zz, yz, zx, xy is diagonal, by Jacobi's rotations. */
export function principalAxes(matrix: readonly number[]): [Vector, Vector, Vector] {
  const [xx, yy, zz, yz, zx, xy] = matrix;
  const m = [
    [xx, xy, zx],
    [xy, yy, yz],
    [zx, yz, zz],
  ];
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const size = Math.max(...matrix.map(Math.abs));
  for (let sweep = 0; sweep < 30; sweep++) {
    if (Math.max(Math.abs(m[0][1]), Math.abs(m[0][2]), Math.abs(m[1][2])) <= 1e-16 * size) break;
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      if (m[i][j] === 0) continue;
      const theta = (m[j][j] - m[i][i]) / (2 * m[i][j]);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) {
        const [p, q] = [m[k][i], m[k][j]];
        m[k][i] = c * p - s * q;
        m[k][j] = s * p + c * q;
      }
      for (let k = 0; k < 3; k++) {
        const [p, q] = [m[i][k], m[j][k]];
        m[i][k] = c * p - s * q;
        m[j][k] = s * p + c * q;
        const [u, v] = [axes[i][k], axes[j][k]];
        axes[i][k] = c * u - s * v;
        axes[j][k] = s * u + c * v;
      }
    }
  }
  return axes.map(axis => unit(axis as unknown as Vector)) as [Vector, Vector, Vector];
}
