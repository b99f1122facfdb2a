// Oracle: two triangles share a point iff the origin lies in the hull of the nine differences of their corners, and
// by Carathéodory's theorem iff it lies in a simplex of at most four affinely independent ones. All simplices are
// tried.

import {
  cornerAt,
  cross,
  dot,
  type Integer,
  isZeroVector,
  signOf,
  subtract,
  type Vector,
} from '../integers.ts';

/** c: the 18 coordinates of triangles A and B. */
export function meetByDifferences(c: readonly Integer[]): boolean {
  const d: Vector[] = [];
  for (let i = 0; i < 9; i += 3)
    for (let j = 9; j < 18; j += 3) d.push(subtract(cornerAt(c, i), cornerAt(c, j)));

  for (let i = 0; i < 9; i++) if (isZeroVector(d[i])) return true;
  for (let i = 0; i < 9; i++) {
    for (let j = i + 1; j < 9; j++) {
      const n = cross(d[i], d[j]);
      if (isZeroVector(n) && dot(d[i], d[j]) < 0) return true;
      for (let k = j + 1; k < 9; k++) {
        const volume = signOf(dot(n, d[k]));
        if (volume === 0 && originInTriangle(d[i], d[j], d[k])) return true;
        volumes[81 * i + 9 * j + k] = volume;
      }
    }
  }
  for (let i = 0; i < 9; i++)
    for (let j = i + 1; j < 9; j++)
      for (let k = j + 1; k < 9; k++)
        for (let l = k + 1; l < 9; l++) if (originInTetrahedron(i, j, k, l)) return true;
  return false;
}

/** For each three differences in order, the sign of their determinant. */
const volumes = new Int8Array(729);

/** The origin lies in the plane of the three. */
function originInTriangle(a: Vector, b: Vector, c: Vector): boolean {
  const n = cross(subtract(b, a), subtract(c, a));
  if (isZeroVector(n)) return false;
  return !(dot(n, cross(a, b)) < 0) && !(dot(n, cross(b, c)) < 0) && !(dot(n, cross(c, a)) < 0);
}

/**
 * Cramer's rule: the weights of the corners in the origin are these determinants divided by their sum, the
 * determinant of the whole. So none may have another sign than the rest; if all are 0 it is not a tetrahedron.
 */
function originInTetrahedron(i: number, j: number, k: number, l: number): boolean {
  const a = volumes[81 * j + 9 * k + l];
  const b = -volumes[81 * i + 9 * k + l];
  const c = volumes[81 * i + 9 * j + l];
  const d = -volumes[81 * i + 9 * j + k];
  const [least, most] = [Math.min(a, b, c, d), Math.max(a, b, c, d)];
  return least < 0 ? most <= 0 : most > 0;
}
