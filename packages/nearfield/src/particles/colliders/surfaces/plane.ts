// Planes: h(σ) = normal·(p(σ) − point), at most a quadratic (Knott, equations 3.5 and 3.6).

import { dot3 } from '../../../math/exact/double-double.ts';
import type { CompiledPlane } from '../../compiled.ts';

/**
 * Writes the coefficients of h along a path in the plane's own coordinates. Returns the sum of the magnitudes of the
 * terms in the first.
 */
export function planeCoefficients(
  { point, normal }: CompiledPlane,
  path: Float64Array,
  c: Float64Array,
): number {
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  const dx = path[0] - point[0];
  const dy = path[1] - point[1];
  const dz = path[2] - point[2];
  c[0] = dot3(nx, ny, nz, dx, dy, dz);
  c[1] = dot3(nx, ny, nz, path[3], path[4], path[5]);
  c[2] = 0.5 * (nx * path[6] + ny * path[7] + nz * path[8]);
  return Math.abs(nx * dx) + Math.abs(ny * dy) + Math.abs(nz * dz);
}
