// Surfaces along a curve, for the bracketing root finder: h(σ) = f(q(σ)), its slope, and bounds of how fast it may
// change.
//   h' = ∇f·q',   |h''| ≤ ‖f''‖·|q'|² + |∇f|·|q''|.

import type { Box } from '../../../math/box.ts';
import type { CompiledBlobs, CompiledField, CompiledPlane, CompiledQuadric } from '../../compiled.ts';
import type { Traced } from '../../roots/bracket.ts';
import { BlobsValue, evaluateBlobs } from '../blobs.ts';
import { cellsPerLength, evaluateField, FieldValue } from '../field.ts';
import { triangleNormal } from '../mesh.ts';
import type { OwnCurve } from './moving.ts';

/** The rounding of a value and of its place, as a share of their magnitudes. */
const rounding = 2 ** -47;

export abstract class Trace implements Traced {
  value = 0;
  slope = 0;
  curvature = 0;
  steepness = 0;
  error = 0;
  clear = false;
  /** A bound of the gradient's length there. */
  gradient = 0;
  readonly curve: OwnCurve;
  /** The collider's box, in own coordinates for any turn. */
  #box: Box | undefined;

  constructor(curve: OwnCurve) {
    this.curve = curve;
  }

  abstract evaluate(sigma: number, reach: number): void;

  /** Sets the box; the curve is clear where it stays off the box. */
  within(box: Box | undefined): void {
    this.#box = box;
    this.clear = false;
  }

  /** Goes to σ. Returns true if the curve stays off the box for σ ± reach, if that is an interval. */
  protected isClearAt(sigma: number, reach: number): boolean {
    const { curve } = this;
    curve.at(sigma, reach);
    const box = this.#box;
    this.clear = false;
    if (box === undefined || reach === 0) return false;
    let squared = 0;
    for (let axis = 0; axis < 3; axis++) {
      const at = curve.place[axis];
      const off = at < box[axis] ? box[axis] - at : at > box[axis + 3] ? at - box[axis + 3] : 0;
      squared += off * off;
    }
    const far =
      curve.speed * reach + 2 ** -40 * (curve.scale + Math.abs(box[0]) + Math.abs(box[1]) + Math.abs(box[2]));
    this.clear = squared > far * far;
    return this.clear;
  }
}

/** A plane, or the plane of a triangle. */
export class PlaneTrace extends Trace {
  readonly normal = new Float64Array(3);
  readonly point = new Float64Array(3);
  #length = 1;

  ofPlane({ normal, point }: CompiledPlane): void {
    this.normal.set(normal);
    this.point.set(point);
    this.#length = 1 + 2 ** -40;
  }

  /** Returns false if the triangle has no plane. */
  ofTriangle(triangles: Float64Array, t: number): boolean {
    triangleNormal(triangles, t, this.normal);
    for (let axis = 0; axis < 3; axis++) this.point[axis] = triangles[9 * t + axis];
    const x = this.normal[0];
    const y = this.normal[1];
    const z = this.normal[2];
    this.#length = Math.sqrt(x * x + y * y + z * z) * (1 + 2 ** -40);
    return this.#length > 0;
  }

  override evaluate(sigma: number, reach: number): void {
    const { curve, normal, point } = this;
    if (this.isClearAt(sigma, reach)) return;
    const { place, velocity } = curve;
    const x = place[0] - point[0];
    const y = place[1] - point[1];
    const z = place[2] - point[2];
    this.value = normal[0] * x + normal[1] * y + normal[2] * z;
    this.slope = normal[0] * velocity[0] + normal[1] * velocity[1] + normal[2] * velocity[2];
    this.gradient = this.#length;
    this.curvature = this.#length * curve.bend;
    this.steepness = this.#length * curve.speed;
    this.error = rounding * this.#length * (curve.scale + Math.abs(x) + Math.abs(y) + Math.abs(z));
  }
}

export class QuadricTrace extends Trace {
  #quadric!: CompiledQuadric;
  #norm = 0;

  of(quadric: CompiledQuadric): void {
    if (quadric === this.#quadric) return;
    this.#quadric = quadric;
    const [A, B, C, D, E, F] = quadric.q.map(Math.abs);
    this.#norm = Math.max(A + D + E, D + B + F, E + F + C);
  }

  override evaluate(sigma: number, reach: number): void {
    const { curve } = this;
    const { q, centre } = this.#quadric;
    if (this.isClearAt(sigma, reach)) return;
    const { place, velocity } = curve;
    const x = place[0] - centre[0];
    const y = place[1] - centre[1];
    const z = place[2] - centre[2];
    const gx = q[0] * x + q[3] * y + q[4] * z + q[6];
    const gy = q[3] * x + q[1] * y + q[5] * z + q[7];
    const gz = q[4] * x + q[5] * y + q[2] * z + q[8];
    this.value = x * gx + y * gy + z * gz + (q[6] * x + q[7] * y + q[8] * z) + q[9];
    this.slope = 2 * (gx * velocity[0] + gy * velocity[1] + gz * velocity[2]);
    const norm = this.#norm;
    const steep = 2 * (Math.sqrt(gx * gx + gy * gy + gz * gz) + norm * curve.speed * reach);
    this.gradient = steep;
    this.steepness = steep * curve.speed;
    this.curvature = 2 * norm * curve.speed * curve.speed + steep * curve.bend;
    const far = Math.abs(x) + Math.abs(y) + Math.abs(z);
    const linear = Math.abs(q[6]) + Math.abs(q[7]) + Math.abs(q[8]);
    const magnitude = (norm * far + 2 * linear) * far + Math.abs(q[9]);
    this.error = rounding * (magnitude + 2 * (norm * far + linear) * curve.scale);
  }
}

export class FieldTrace extends Trace {
  readonly #at = new FieldValue();
  #field!: CompiledField;
  #cells = 0;
  #greatest = 0;

  of(field: CompiledField): void {
    if (field === this.#field) return;
    this.#field = field;
    this.#cells = cellsPerLength(field);
    this.#greatest = field.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  }

  override evaluate(sigma: number, reach: number): void {
    const { curve } = this;
    const field = this.#field;
    if (this.isClearAt(sigma, reach)) return;
    const { place, velocity } = curve;
    evaluateField(field, place[0], place[1], place[2], this.#at);
    const { value, gradient, room, twist } = this.#at;
    this.value = value;
    this.slope = gradient[0] * velocity[0] + gradient[1] * velocity[1] + gradient[2] * velocity[2];
    this.gradient = field.lipschitz;
    this.steepness = field.lipschitz * curve.speed;
    const inCells = this.#cells * curve.speed;
    // Second derivatives are known if the curve stays within the cell.
    this.curvature =
      inCells * reach < room ? twist * inCells * inCells + field.lipschitz * curve.bend : Infinity;
    this.error = rounding * (this.#greatest + field.lipschitz * curve.scale);
  }
}

export class BlobsTrace extends Trace {
  readonly #at = new BlobsValue();
  #blobs!: CompiledBlobs;

  of(blobs: CompiledBlobs): void {
    this.#blobs = blobs;
  }

  override evaluate(sigma: number, reach: number): void {
    const { curve } = this;
    if (this.isClearAt(sigma, reach)) return;
    const { place, velocity, speed, bend } = curve;
    evaluateBlobs(this.#blobs, place[0], place[1], place[2], speed * reach, this.#at);
    const { value, gradient, steepness, curvature, magnitude } = this.#at;
    this.value = value;
    this.slope = gradient[0] * velocity[0] + gradient[1] * velocity[1] + gradient[2] * velocity[2];
    this.gradient = steepness;
    this.steepness = steepness * speed;
    this.curvature = curvature * speed * speed + steepness * bend;
    this.error = rounding * (magnitude + steepness * curve.scale);
  }
}
