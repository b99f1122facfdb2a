// Vectors of three numbers, and the axes of a symmetric 3×3 matrix.

export type Vector = readonly [x: number, y: number, z: number];

export const dot = (u: ArrayLike<number>, v: ArrayLike<number>): number =>
  u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

export const cross = (u: ArrayLike<number>, v: ArrayLike<number>): Vector => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];

export const plus = (u: Vector, v: Vector, scale = 1): Vector => [
  u[0] + scale * v[0],
  u[1] + scale * v[1],
  u[2] + scale * v[2],
];

export const times = (u: Vector, scale: number): Vector => [scale * u[0], scale * u[1], scale * u[2]];

/** The size is divided out first, so that squares neither overflow nor underflow. */
export function length(u: Vector): number {
  const size = Math.max(Math.abs(u[0]), Math.abs(u[1]), Math.abs(u[2]));
  if (!(size > 0)) return 0;
  return size * Math.sqrt((u[0] / size) ** 2 + (u[1] / size) ** 2 + (u[2] / size) ** 2);
}

/** The vector scaled to length 1; the zero vector stays as it is. */
export function unit(u: Vector): Vector {
  const size = length(u);
  return size > 0 ? [u[0] / size, u[1] / size, u[2] / size] : u;
}

export const at = (p: ArrayLike<number>, i: number): Vector => [p[i], p[i + 1], p[i + 2]];

/** The mean of some lines, weighted by their lengths; if all have length 0, the mean of their first points. */
export function middleOfLines(lines: readonly (readonly [Vector, Vector])[]): Vector {
  const [origin] = lines[0];
  let total = 0;
  let sum: Vector = [0, 0, 0];
  for (const [p, q] of lines) {
    const size = length(plus(q, p, -1));
    total += size;
    sum = plus(sum, plus(plus(p, origin, -1), plus(q, origin, -1)), size / 2);
  }
  if (total > 0) return plus(origin, sum, 1 / total);
  for (const [p] of lines) sum = plus(sum, plus(p, origin, -1));
  return plus(origin, sum, 1 / lines.length);
}

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
