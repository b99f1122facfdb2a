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

/** Writes (b − a) × (c − a) of the triangle whose nine numbers begin at p[at]. */
export function normalOf(p: Float64Array, at: number, out: Float64Array): void {
  const ux = p[at + 3] - p[at];
  const uy = p[at + 4] - p[at + 1];
  const uz = p[at + 5] - p[at + 2];
  const vx = p[at + 6] - p[at];
  const vy = p[at + 7] - p[at + 1];
  const vz = p[at + 8] - p[at + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}
