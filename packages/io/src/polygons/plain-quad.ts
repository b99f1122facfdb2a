// Is the fan of a quad clearly right? Most polygons are convex quads: these few products prove it without a full
// triangulation.

import { leastProduct, orientBound } from './orient.ts';

/**
 * True only if both triangles of the fan at `at` turn the same way, seen along the longest axis of the sum of their
 * normals. Each product is of two differences of doubles, as in `orient`, so the error bound of `orient` applies.
 */
export function isPlainQuad(positions: ArrayLike<number>, indices: Uint32Array, at: number): boolean {
  const a = 3 * indices[at];
  const b = 3 * indices[at + 1];
  const c = 3 * indices[at + 2];
  const d = 3 * indices[at + 5];
  const bx = positions[b] - positions[a];
  const by = positions[b + 1] - positions[a + 1];
  const bz = positions[b + 2] - positions[a + 2];
  const cx = positions[c] - positions[a];
  const cy = positions[c + 1] - positions[a + 1];
  const cz = positions[c + 2] - positions[a + 2];
  const dx = positions[d] - positions[a];
  const dy = positions[d + 1] - positions[a + 1];
  const dz = positions[d + 2] - positions[a + 2];
  const sizeX = Math.abs(by * cz - bz * cy + (cy * dz - cz * dy));
  const sizeY = Math.abs(bz * cx - bx * cz + (cz * dx - cx * dz));
  const sizeZ = Math.abs(bx * cy - by * cx + (cx * dy - cy * dx));
  if (sizeX > sizeY && sizeX > sizeZ) return turnAlike(by, bz, cy, cz, dy, dz);
  return sizeY > sizeZ ? turnAlike(bz, bx, cz, cx, dz, dx) : turnAlike(bx, by, cx, cy, dx, dy);
}

/** Whether b, c and d certainly turn the same way around the origin, each to the next. */
function turnAlike(bu: number, bv: number, cu: number, cv: number, du: number, dv: number): boolean {
  const first = bu * cv - bv * cu;
  const second = cu * dv - cv * du;
  const firstSize = Math.abs(bu * cv) + Math.abs(bv * cu);
  const secondSize = Math.abs(cu * dv) + Math.abs(cv * du);
  return (
    first > 0 === second > 0 &&
    Math.abs(first) > orientBound * firstSize &&
    Math.abs(second) > orientBound * secondSize &&
    firstSize > leastProduct &&
    secondSize > leastProduct &&
    firstSize + secondSize < Infinity
  );
}
