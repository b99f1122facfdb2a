// A collider's surface at one place, whatever its kind: the value whose sign is the side, and the normal.

import type { CompiledCollider } from '../../seam.ts';
import { blobsAt, blobsGradient, blobsMagnitude, blobsSteepness } from '../blobs.ts';
import { fieldAt, fieldGradient } from '../field.ts';
import { triangleNormal } from '../mesh.ts';
import { quadricCoefficients, quadricGradient, quadricSteepness } from './quadric.ts';

/** Result of `valueAt`: the magnitude to which rounding errors of the value, those of the place included, are relative. */
export let valueScale = 0;

const normal = new Float64Array(3);
const path = new Float64Array(9);
const coefficients = new Float64Array(5);

/** The value at a place in own coordinates. `reach` is the magnitude of the coordinates the place was computed from. */
export function valueAt(
  collider: CompiledCollider,
  triangle: number,
  place: Float64Array,
  reach: number,
): number {
  const x = place[0];
  const y = place[1];
  const z = place[2];
  if (collider.quadric !== undefined) {
    path[0] = x;
    path[1] = y;
    path[2] = z;
    const { quadric } = collider;
    valueScale = quadricCoefficients(quadric, path, coefficients) + quadricSteepness(quadric, path) * reach;
    return coefficients[0];
  }
  if (collider.field !== undefined) {
    const value = fieldAt(collider.field, x, y, z);
    valueScale = Math.abs(value) + collider.field.lipschitz * reach;
    return value;
  }
  if (collider.blobs !== undefined) {
    const value = blobsAt(collider.blobs, x, y, z, 0);
    valueScale = blobsMagnitude + blobsSteepness * reach;
    return value;
  }
  let at: ArrayLike<number>;
  let offset = 0;
  if (collider.mesh !== undefined) {
    at = collider.mesh.triangles;
    offset = 9 * triangle;
    triangleNormal(collider.mesh.triangles, triangle, normal);
  } else {
    at = collider.plane!.point;
    normal.set(collider.plane!.normal);
  }
  const dx = normal[0] * (x - at[offset]);
  const dy = normal[1] * (y - at[offset + 1]);
  const dz = normal[2] * (z - at[offset + 2]);
  const length = Math.abs(normal[0]) + Math.abs(normal[1]) + Math.abs(normal[2]);
  valueScale = Math.abs(dx) + Math.abs(dy) + Math.abs(dz) + length * reach;
  return dx + dy + dz;
}

/** The unit vector in which the value grows, in own coordinates; 0 0 0 if it has none (a cone's apex). */
export function normalAt(
  collider: CompiledCollider,
  triangle: number,
  place: Float64Array,
  out: Float64Array,
): void {
  const x = place[0];
  const y = place[1];
  const z = place[2];
  if (collider.plane !== undefined) {
    const { normal: unit } = collider.plane;
    out[0] = unit[0];
    out[1] = unit[1];
    out[2] = unit[2];
    return;
  }
  if (collider.mesh !== undefined) {
    triangleNormal(collider.mesh.triangles, triangle, out);
  } else if (collider.quadric !== undefined) {
    quadricGradient(collider.quadric, x, y, z, out);
  } else if (collider.field !== undefined) {
    fieldAt(collider.field, x, y, z);
    out.set(fieldGradient);
  } else {
    blobsAt(collider.blobs!, x, y, z, 0);
    out.set(blobsGradient);
  }
  const length = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  if (!(length > 0)) {
    out.fill(0);
    return;
  }
  out[0] /= length;
  out[1] /= length;
  out[2] /= length;
}
