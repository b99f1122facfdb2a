// Vectors of three numbers.

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
