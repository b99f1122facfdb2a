// A collider's surface at one place, whatever its kind: the value whose sign is the side, and the normal.

import type { CompiledCollider } from '../../compiled.ts';
import { BlobsValue, evaluateBlobs } from '../blobs.ts';
import { evaluateField, FieldValue } from '../field.ts';
import { triangleNormal } from '../mesh.ts';
import { quadricCoefficients, quadricGradient, quadricSteepness } from './quadric.ts';

/** A surface's function at a place. */
export class SurfaceValue {
  value = 0;
  /** The magnitude to which rounding errors of the value, those of the place included, are relative. */
  scale = 0;
}

const normal = new Float64Array(3);
const path = new Float64Array(9);
const coefficients = new Float64Array(5);
const atField = new FieldValue();
const atBlobs = new BlobsValue();

/** Evaluates it at a place in own coordinates. `reach` is the magnitude of the coordinates the place was computed from. */
export function evaluateSurface(
  collider: CompiledCollider,
  triangle: number,
  place: Float64Array,
  reach: number,
  out: SurfaceValue,
): void {
  const x = place[0];
  const y = place[1];
  const z = place[2];
  if (collider.quadric !== undefined) {
    path[0] = x;
    path[1] = y;
    path[2] = z;
    const { quadric } = collider;
    out.scale = quadricCoefficients(quadric, path, coefficients) + quadricSteepness(quadric, path) * reach;
    out.value = coefficients[0];
    return;
  }
  if (collider.field !== undefined) {
    evaluateField(collider.field, x, y, z, atField);
    out.value = atField.value;
    out.scale = Math.abs(out.value) + collider.field.lipschitz * reach;
    return;
  }
  if (collider.blobs !== undefined) {
    evaluateBlobs(collider.blobs, x, y, z, 0, atBlobs);
    out.value = atBlobs.value;
    out.scale = atBlobs.magnitude + atBlobs.steepness * reach;
    return;
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
  out.value = dx + dy + dz;
  out.scale = Math.abs(dx) + Math.abs(dy) + Math.abs(dz) + length * reach;
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
    evaluateField(collider.field, x, y, z, atField);
    out.set(atField.gradient);
  } else {
    evaluateBlobs(collider.blobs!, x, y, z, 0, atBlobs);
    out.set(atBlobs.gradient);
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
