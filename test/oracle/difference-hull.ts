// Oracle: two triangles share a point iff the origin lies in the hull of the nine differences of their corners,
// and by Carathéodory's theorem iff it lies in a simplex of at most four of these that are affinely independent.
// All simplices are tried.

import {
  cornerAt,
  cross,
  dot,
  type Integer,
  isZero,
  isZeroVector,
  signOf,
  subtract,
  type Vector,
} from './integers.ts';

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
        if (volume === 0) {
          if (originInTriangle(d[i], d[j], d[k])) return true;
          continue;
        }
        for (let l = k + 1; l < 9; l++) {
          // The origin and the fourth corner on opposite sides of the face i j k, and so for the other faces.
          if (signOf(dot(n, d[l])) * volume > 0) continue;
          if (originInTetrahedron(d[i], d[j], d[k], d[l])) return true;
        }
      }
    }
  }
  return false;
}

/** The origin lies in the plane of the three. */
function originInTriangle(a: Vector, b: Vector, c: Vector): boolean {
  const n = cross(subtract(b, a), subtract(c, a));
  if (isZeroVector(n)) return false;
  return !(dot(n, cross(a, b)) < 0) && !(dot(n, cross(b, c)) < 0) && !(dot(n, cross(c, a)) < 0);
}

/** By Cramer's rule: the weights of the corners in the origin are these determinants over that of the whole. */
function originInTetrahedron(a: Vector, b: Vector, c: Vector, d: Vector): boolean {
  const whole = dot(cross(subtract(b, a), subtract(c, a)), subtract(d, a));
  if (isZero(whole)) return false;
  const side = signOf(whole);
  return (
    signOf(dot(cross(b, c), d)) * side >= 0 &&
    signOf(dot(cross(a, d), c)) * side >= 0 &&
    signOf(dot(cross(a, b), d)) * side >= 0 &&
    signOf(dot(cross(a, c), b)) * side >= 0
  );
}
