// Exact facts about corners, which are x, y, z at offsets of a coordinate array: their order along a line, and an axis
// along which a triangle can be projected one to one.

import { orient2dAt, type Sign } from '../exact/orient.ts';

/** The two coordinates left when axis 0, 1 or 2 is dropped. */
export const firstLeft = (axis: number): number => (axis === 0 ? 1 : 0);
export const secondLeft = (axis: number): number => (axis === 2 ? 1 : 2);

/** Lexicographic order by x, then y, then z. On any line it is the order along the line. */
export function compareCorners(p: Float64Array, a: number, b: number): Sign {
  for (let k = 0; k < 3; k++) {
    if (p[a + k] < p[b + k]) return -1;
    if (p[a + k] > p[b + k]) return 1;
  }
  return 0;
}

/** The first of three corners in lexicographic order. For collinear corners it is one end of their segment. */
export function firstCorner(p: Float64Array, a: number, b: number, c: number): number {
  const first = compareCorners(p, a, b) <= 0 ? a : b;
  return compareCorners(p, first, c) <= 0 ? first : c;
}

/** The last of three corners in lexicographic order. For collinear corners it is the other end. */
export function lastCorner(p: Float64Array, a: number, b: number, c: number): number {
  const last = compareCorners(p, a, b) >= 0 ? a : b;
  return compareCorners(p, last, c) >= 0 ? last : c;
}

/**
 * An axis that can be dropped without the triangle becoming degenerate: its plane maps one to one onto the other two
 * coordinates. −1 if the corners are collinear. The axis with the largest component of the normal is tried first: it is
 * nearly always right, and its signs are the easiest to decide.
 */
export function flatteningAxis(p: Float64Array, a: number, b: number, c: number): number {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const nx = Math.abs(uy * vz - uz * vy);
  const ny = Math.abs(uz * vx - ux * vz);
  const nz = Math.abs(ux * vy - uy * vx);
  const likely = nx > ny ? (nx > nz ? 0 : 2) : ny > nz ? 1 : 2;
  for (let tried = 0, axis = likely; tried < 3; tried++, axis = axis === 2 ? 0 : axis + 1) {
    if (orient2dAt(p, a, b, c, firstLeft(axis), secondLeft(axis)) !== 0) return axis;
  }
  return -1;
}
