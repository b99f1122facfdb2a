// The triangles of two bodies that meet, as corners to draw: in single precision, relative to the origin of the view.

import type { OpenPair, PlacedBody } from '@nearfield/clashes';
import { applyPose, identity } from 'nearfield';
import type { Touched } from './types.ts';

export function touchedCorners(
  pairs: readonly OpenPair[],
  bodies: readonly PlacedBody[],
  origin: readonly number[],
  most: number,
): Touched {
  const sides: [number[][], number[][]] = [[], []];
  let left = most;
  let isCut = false;
  for (const { a, b, triangles } of pairs) {
    if (triangles === undefined) continue;
    for (const side of [0, 1] as const) {
      const found = new Set<number>();
      for (let i = side; i < triangles.length; i += 2) found.add(triangles[i]);
      const shown = [...found].slice(0, left);
      isCut ||= shown.length < found.size;
      left -= shown.length;
      sides[side].push([side === 0 ? a : b, ...shown]);
    }
  }
  const [a, b] = sides.map(lists => cornersOf(lists, bodies, origin));
  return { a, b, isCut };
}

/** Each list has a body and its triangles. */
function cornersOf(
  lists: readonly (readonly number[])[],
  bodies: readonly PlacedBody[],
  origin: readonly number[],
): Float32Array {
  const out = new Float32Array(9 * lists.reduce((sum, { length }) => sum + length - 1, 0));
  const point = new Float64Array(3);
  let at = 0;
  for (const [body, ...triangles] of lists) {
    const { mesh, pose = identity() } = bodies[body];
    const { positions, indices } = mesh;
    for (const triangle of triangles) {
      for (let corner = 3 * triangle; corner < 3 * triangle + 3; corner++) {
        const i = 3 * indices[corner];
        applyPose(pose, positions[i], positions[i + 1], positions[i + 2], point, 0);
        for (let axis = 0; axis < 3; axis++) out[at++] = point[axis] - origin[axis];
      }
    }
  }
  return out;
}
