// Distance fields: the collider is the zero set of the trilinear interpolant of a field's samples, between the first
// and the last of them. Within a cell it is f = Σ samples·weights, linear along each axis.

import { bad } from '../../core/arguments.ts';
import { type Box, emptyBox, growBox } from '../../math/box.ts';
import { applyPose, type Pose } from '../../math/pose.ts';
import { DistanceField } from '../../sampled/field/field.ts';
import { samplePosition } from '../../sampled/field/grid.ts';
import type { CompiledField } from '../compiled.ts';

export function compileField(field: DistanceField, pose: Pose, what: string): CompiledField {
  if (!(field instanceof DistanceField)) throw bad(`${what}: field is not a DistanceField`);
  if (!field.signed) throw bad(`${what}: the field is unsigned, so it has no surface`);
  const { dimensions, grid, firstSlice } = field;
  if (dimensions.some(count => count < 2))
    throw bad(`${what}: the field has fewer than two samples along an axis`);
  const values = boundedValues(field, what);
  const toCells = new Float64Array(12);
  const inverse = inverseLinear(pose);
  let norm = 0;
  for (let row = 0; row < 3; row++) {
    const first = samplePosition(grid, row, row === 2 ? firstSlice : 0);
    let shift = -first;
    for (let column = 0; column < 3; column++) {
      const entry = inverse[3 * row + column];
      toCells[4 * row + column] = entry / grid.cell;
      shift -= entry * pose[12 + column];
      norm += (entry / grid.cell) ** 2;
    }
    toCells[4 * row + 3] = shift / grid.cell;
  }
  const lipschitz = greatestGradient(values, dimensions) * Math.sqrt(norm) * (1 + 2 ** -40);
  return { grid, firstSlice, dimensions, values, toCells, lipschitz };
}

/**
 * The samples with finite values. Samples are infinite if the surface is farther away than the field goes. Only their
 * sign is known, so they become the greatest value there is. No cell may have both signs and an infinite sample.
 */
function boundedValues({ distance, dimensions: [nx, ny, nz] }: DistanceField, what: string): Float32Array {
  let greatest = 0;
  let infinite = false;
  for (const value of distance) {
    if (Number.isNaN(value)) throw bad(`${what}: a sample of the field is not a number`);
    if (!Number.isFinite(value)) infinite = true;
    else if (Math.abs(value) > greatest) greatest = Math.abs(value);
  }
  if (!infinite) return distance;
  for (let k = 0; k < nz - 1; k++) {
    for (let j = 0; j < ny - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        let [low, high] = [Infinity, -Infinity];
        for (let corner = 0; corner < 8; corner++) {
          const at = i + (corner & 1) + nx * (j + ((corner >> 1) & 1) + ny * (k + (corner >> 2)));
          low = Math.min(low, distance[at]);
          high = Math.max(high, distance[at]);
        }
        if (low < 0 && high > 0 && (low === -Infinity || high === Infinity)) {
          throw bad(
            `${what}: cell ${i} ${j} ${k} has both signs and an infinite sample: make the field with a greater upTo`,
          );
        }
      }
    }
  }
  return distance.map(value => (Number.isFinite(value) ? value : Math.sign(value) * greatest));
}

/**
 * The greatest gradient of the interpolant, per cell: along each axis no more than the greatest difference of
 * neighbours.
 */
function greatestGradient(values: Float32Array, [nx, ny, nz]: readonly [number, number, number]): number {
  const greatest = [0, 0, 0];
  const steps = [1, nx, nx * ny];
  for (let k = 0, at = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, at++) {
        const inside = [i + 1 < nx, j + 1 < ny, k + 1 < nz];
        for (let axis = 0; axis < 3; axis++) {
          if (!inside[axis]) continue;
          const difference = Math.abs(values[at + steps[axis]] - values[at]);
          if (difference > greatest[axis]) greatest[axis] = difference;
        }
      }
    }
  }
  return Math.hypot(...greatest);
}

/** The inverse of the linear part, row by row; the pose has been checked. */
function inverseLinear(m: Pose): number[] {
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]];
  const adjugate = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  const determinant = a * adjugate[0] + b * adjugate[3] + c * adjugate[6];
  return adjugate.map(value => value / determinant);
}

export function fieldBox({ grid, dimensions, firstSlice }: DistanceField, pose: Pose): Box {
  const box = emptyBox();
  const place = new Float64Array(3);
  for (let corner = 0; corner < 8; corner++) {
    const at = [0, 1, 2].map(axis => {
      const first = axis === 2 ? firstSlice : 0;
      return samplePosition(grid, axis, first + ((corner >> axis) & 1 ? dimensions[axis] - 1 : 0));
    });
    applyPose(pose, at[0], at[1], at[2], place, 0);
    growBox(box, place[0], place[1], place[2]);
  }
  return box;
}

/** The interpolant at a place. */
export class FieldValue {
  value = 0;
  /** In own lengths. */
  readonly gradient = new Float64Array(3);
  /** A bound of the second derivatives in the place's cell, and the distance to the cell's sides: both in cells. */
  twist = 0;
  room = 0;
}

const corners = new Float64Array(8);
const at = new Float64Array(3);

/**
 * The interpolant at a place in own coordinates. Outside the samples it is that of the nearest place among them, which
 * changes no faster (`room` is negative there).
 */
export function evaluateField(field: CompiledField, x: number, y: number, z: number, out: FieldValue): void {
  const { toCells: m, dimensions, values } = field;
  let room = Infinity;
  let base = 0;
  let stride = 1;
  for (let axis = 0; axis < 3; axis++) {
    const cell = m[4 * axis] * x + m[4 * axis + 1] * y + m[4 * axis + 2] * z + m[4 * axis + 3];
    const last = dimensions[axis] - 2;
    const low = Math.min(Math.max(Math.floor(cell), 0), last);
    const share = cell - low;
    at[axis] = Math.min(Math.max(share, 0), 1);
    // At the outer sides there is no neighbouring cell, and no other interpolant.
    room = Math.min(room, share, 1 - share);
    base += low * stride;
    stride *= dimensions[axis];
  }
  out.room = room;
  const nx = dimensions[0];
  const nxy = nx * dimensions[1];
  const s000 = values[base];
  const s100 = values[base + 1];
  const s010 = values[base + nx];
  const s110 = values[base + nx + 1];
  const s001 = values[base + nxy];
  const s101 = values[base + nxy + 1];
  const s011 = values[base + nxy + nx];
  const s111 = values[base + nxy + nx + 1];
  const fx = at[0];
  const fy = at[1];
  const fz = at[2];
  const gx = 1 - fx;
  const gy = 1 - fy;
  const gz = 1 - fz;
  // Along x first: values and slopes on the four edges.
  corners[0] = s000 * gx + s100 * fx;
  corners[1] = s010 * gx + s110 * fx;
  corners[2] = s001 * gx + s101 * fx;
  corners[3] = s011 * gx + s111 * fx;
  corners[4] = s100 - s000;
  corners[5] = s110 - s010;
  corners[6] = s101 - s001;
  corners[7] = s111 - s011;
  const dx = (corners[4] * gy + corners[5] * fy) * gz + (corners[6] * gy + corners[7] * fy) * fz;
  const dy = (corners[1] - corners[0]) * gz + (corners[3] - corners[2]) * fz;
  const low = corners[0] * gy + corners[1] * fy;
  const high = corners[2] * gy + corners[3] * fy;
  const dz = high - low;
  // Mixed second differences on opposite faces: the second derivatives of the cell are between them.
  const xy = Math.max(Math.abs(s110 - s100 - s010 + s000), Math.abs(s111 - s101 - s011 + s001));
  const xz = Math.max(Math.abs(s101 - s100 - s001 + s000), Math.abs(s111 - s110 - s011 + s010));
  const yz = Math.max(Math.abs(s011 - s010 - s001 + s000), Math.abs(s111 - s110 - s101 + s100));
  out.twist = Math.sqrt(2 * (xy * xy + xz * xz + yz * yz));
  for (let axis = 0; axis < 3; axis++)
    out.gradient[axis] = dx * m[axis] + dy * m[4 + axis] + dz * m[8 + axis];
  out.value = low * gz + high * fz;
}

/** The greatest length, in cells, of a world direction. */
export function cellsPerLength({ toCells }: CompiledField): number {
  let squared = 0;
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) squared += toCells[4 * row + column] ** 2;
  return Math.sqrt(squared);
}

/** Tells whether a place lies between the first and the last samples. */
export function withinField(
  { toCells: m, dimensions }: CompiledField,
  x: number,
  y: number,
  z: number,
): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const cell = m[4 * axis] * x + m[4 * axis + 1] * y + m[4 * axis + 2] * z + m[4 * axis + 3];
    if (!(cell >= 0 && cell <= dimensions[axis] - 1)) return false;
  }
  return true;
}
