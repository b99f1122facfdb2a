// Is the fan of four corners plainly right? Most polygons have four corners and are convex: these few products say so
// of them without taking them apart.

import { leastProduct, orientBound } from './orient.ts';

/**
 * True only where both triangles of the fan at `at` turn the same way, seen along the axis that their normals together
 * are longest in. Each product is of two differences of doubles, as in `orient`, whose bound therefore holds here.
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

/** Whether b, c and d turn the same way around the origin from each to the next, beyond doubt. */
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
