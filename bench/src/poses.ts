// Rigid poses for the scenes, and the quaternions that some peers need instead.

import { elementary } from '@nearfield/samples';

const { unitAt } = elementary;

/** A rotation by `angle` about a unit axis through `center`, then a shift. */
export function turnAbout(
  axis: readonly number[],
  angle: number,
  center: readonly number[],
  shift: readonly number[],
): Float64Array {
  const length = Math.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length];
  const [c, s] = unitAt(angle);
  const t = 1 - c;
  const pose = new Float64Array(16);
  pose.set([t * x * x + c, t * x * y + s * z, t * x * z - s * y], 0);
  pose.set([t * x * y - s * z, t * y * y + c, t * y * z + s * x], 4);
  pose.set([t * x * z + s * y, t * y * z - s * x, t * z * z + c], 8);
  for (let row = 0; row < 3; row++) {
    const turned = pose[row] * center[0] + pose[4 + row] * center[1] + pose[8 + row] * center[2];
    pose[12 + row] = center[row] - turned + shift[row];
  }
  pose[15] = 1;
  return pose;
}

export const shiftBy = (x: number, y: number, z: number): Float64Array =>
  new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]);

/** The unit quaternion (x, y, z, w) of a rigid pose, by the largest of its four components. */
export function quaternionOf(m: Float64Array): [number, number, number, number] {
  const squares = [
    1 + m[0] - m[5] - m[10],
    1 - m[0] + m[5] - m[10],
    1 - m[0] - m[5] + m[10],
    1 + m[0] + m[5] + m[10],
  ];
  const largest = squares.indexOf(Math.max(...squares));
  const root = Math.sqrt(squares[largest]);
  const scale = 0.5 / root;
  const [xy, xz, yz] = [m[1] + m[4], m[2] + m[8], m[6] + m[9]];
  const [wx, wy, wz] = [m[6] - m[9], m[8] - m[2], m[1] - m[4]];
  const rows: [number, number, number, number][] = [
    [root * 0.5, xy * scale, xz * scale, wx * scale],
    [xy * scale, root * 0.5, yz * scale, wy * scale],
    [xz * scale, yz * scale, root * 0.5, wz * scale],
    [wx * scale, wy * scale, wz * scale, root * 0.5],
  ];
  return rows[largest];
}
