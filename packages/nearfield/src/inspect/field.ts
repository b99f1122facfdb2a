// Records how the field method sees two solids (Hoff et al., sections 5.1 and 5.2): a grid over their common region,
// which samples lie in which solid per slice, their common volume, and the distances to either surface.

import type { DistanceField } from '../sampled/field/field.ts';
import type { Grid } from '../sampled/field/grid.ts';
import { samplePosition } from '../sampled/field/grid.ts';
import type { IntersectionVolume } from '../sampled/field/volume.ts';

/** One slice of the grid over which two bodies are sampled. */
export interface FieldSlice {
  /** The world position of the slice. */
  readonly z: number;
  /** 1 for each sample of the slice that lies in the first solid, else 0; x runs fastest, then y. */
  readonly inA: Uint8Array;
  /** The same for the second solid. */
  readonly inB: Uint8Array;
}

/** How the distance field method samples two bodies. */
export interface FieldSteps {
  /** Which method these steps are of. */
  readonly method: 'field';
  /** Where the samples lie: over what the bodies' boxes have in common, or over both if they do not meet. */
  readonly grid: Grid;
  /** One slice per z of the grid, ascending. */
  readonly slices: readonly FieldSlice[];
  /** Signed distances to the first body at the same samples, in world units. */
  readonly fieldA: DistanceField;
  /** Signed distances to the second body. */
  readonly fieldB: DistanceField;
  /** The common volume, sampled equally finely. */
  readonly volume: IntersectionVolume;
}

/** The intersection of the two boxes, or, if it is empty, the box of both; a twentieth wider. */
export function boxOfBoth(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const box = new Float64Array(6);
  const isApart = [0, 1, 2].some(axis => a[axis] > b[axis + 3] || b[axis] > a[axis + 3]);
  const [low, high] = isApart ? [Math.min, Math.max] : [Math.max, Math.min];
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = low(a[axis], b[axis]);
    box[axis + 3] = high(a[axis + 3], b[axis + 3]);
  }
  const margin = 0.05 * Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  const least = 2 ** -40 * Math.max(...Array.from(box, Math.abs));
  for (let i = 0; i < 6; i++) box[i] += (i < 3 ? -1 : 1) * Math.max(margin, least);
  return box;
}

export function slicesOf(fieldA: DistanceField, fieldB: DistanceField): FieldSlice[] {
  const [nx, ny, nz] = fieldA.dimensions;
  return Array.from({ length: nz }, (_, k) => {
    const [from, end] = [nx * ny * k, nx * ny * (k + 1)];
    const inside = (distance: Float32Array) =>
      Uint8Array.from(distance.subarray(from, end), value => (value <= 0 ? 1 : 0));
    return {
      z: samplePosition(fieldA.grid, 2, k),
      inA: inside(fieldA.distance),
      inB: inside(fieldB.distance),
    };
  });
}
