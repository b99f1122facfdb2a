// Vectors and unit quaternions for rigid motion.

import { cosine, sine } from '../elementary.ts';

export type Vector = readonly [number, number, number];

/** x, y, z and the real part. */
export type Quaternion = readonly [number, number, number, number];

export const dot = (u: Vector, v: Vector): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
export const cross = (u: Vector, v: Vector): Vector => [
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
/** The squared distance between two points. */
export const squareApart = (u: Vector, v: Vector): number => {
  const apart = plus(u, v, -1);
  return dot(apart, apart);
};
export const length = (u: Vector): number => Math.sqrt(dot(u, u));

/** A rotation by an angle about a unit axis. */
export const turnAbout = (axis: Vector, angle: number): Quaternion => [
  ...times(axis, sine(angle / 2)),
  cosine(angle / 2),
];

/** First q, then p. */
export const compose = (p: Quaternion, q: Quaternion): Quaternion => [
  p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
  p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
  p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
  p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
];

export function normalised(q: Quaternion): Quaternion {
  const size = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size];
}

export function rotate([x, y, z, w]: Quaternion, v: Vector): Vector {
  const t = times(cross([x, y, z], v), 2);
  return plus(plus(v, t, w), cross([x, y, z], t));
}

export const inverse = ([x, y, z, w]: Quaternion): Quaternion => [-x, -y, -z, w];

/** Column-major, as bodies take it. */
export function poseOf(q: Quaternion, position: Vector): Float64Array {
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map(axis => rotate(q, axis));
  return new Float64Array([...columns[0], 0, ...columns[1], 0, ...columns[2], 0, ...position, 1]);
}
