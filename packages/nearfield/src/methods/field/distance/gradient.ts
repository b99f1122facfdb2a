// The gradient of a distance field in the three forms of Hoff et al., section 5.3.

import { placeTriangle } from '../../../math/pose.ts';
import type { Form, Placed } from '../../../scene/engine.ts';
import { type Grid, samplePosition } from '../grid.ts';
import { nearestOfTriangle } from './point-triangle.ts';

/** What gradients are made of. */
export interface Differentiable {
  readonly grid: Grid;
  readonly dimensions: readonly [number, number, number];
  readonly firstSlice: number;
  readonly distance: Float32Array;
  readonly owner: Uint32Array;
}

/** (f(i + 1) − f(i − 1))/2h; at the border the one difference there is; 0 along an axis with one sample. */
export function centralGradient(field: Differentiable): Float32Array {
  return differences(field, (before, here, after) => {
    if (before === undefined) return after === undefined ? 0 : after - here;
    return after === undefined ? here - before : (after - before) / 2;
  });
}

/** Along each axis the larger of the differences to either side. */
export function oneSidedGradient(field: Differentiable): Float32Array {
  return differences(field, (before, here, after) => {
    const back = before === undefined ? 0 : here - before;
    const on = after === undefined ? 0 : after - here;
    // Not a number stays so: neither is larger.
    return Math.abs(back) >= Math.abs(on) ? back : Number.isNaN(back) ? back : on;
  });
}

function differences(
  { dimensions, distance, grid }: Differentiable,
  rule: (before: number | undefined, here: number, after: number | undefined) => number,
): Float32Array {
  const [nx, ny, nz] = dimensions;
  const strides = [1, nx, nx * ny];
  const gradient = new Float32Array(3 * distance.length);
  let sample = 0;
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, sample++) {
        const at = [i, j, k];
        for (let axis = 0; axis < 3; axis++) {
          const before = at[axis] > 0 ? distance[sample - strides[axis]] : undefined;
          const after = at[axis] + 1 < dimensions[axis] ? distance[sample + strides[axis]] : undefined;
          gradient[3 * sample + axis] = finite(rule(before, distance[sample], after)) / grid.cell;
        }
      }
    }
  }
  return gradient;
}

const finite = (x: number): number => (Number.isFinite(x) ? x : Number.NaN);

/** From the nearest point of the owner to the sample, of unit length; the other way where the distance is negative. */
export function directGradient(field: Differentiable, body: Form & Pick<Placed, 'pose'>): Float32Array {
  const [nx, ny, nz] = field.dimensions;
  const gradient = new Float32Array(3 * field.distance.length);
  const corners = new Float64Array(9);
  const nearest = new Float64Array(3);
  let placed = -1;
  let sample = 0;
  for (let k = 0; k < nz; k++) {
    const z = samplePosition(field.grid, 2, field.firstSlice + k);
    for (let j = 0; j < ny; j++) {
      const y = samplePosition(field.grid, 1, j);
      for (let i = 0; i < nx; i++, sample++) {
        const distance = field.distance[sample];
        if (!Number.isFinite(distance)) {
          gradient.fill(Number.NaN, 3 * sample, 3 * sample + 3);
          continue;
        }
        const owner = field.owner[sample];
        if (owner !== placed) placeTriangle(body.pose, body.positions, body.mesh.indices, owner, corners, 0);
        placed = owner;
        const x = samplePosition(field.grid, 0, i);
        nearestOfTriangle(x, y, z, corners, nearest);
        const [gx, gy, gz] = [x - nearest[0], y - nearest[1], z - nearest[2]];
        const length = Math.hypot(gx, gy, gz);
        if (length === 0) continue;
        // −0 is a distance inside, too small for single precision.
        const sign = distance < 0 || Object.is(distance, -0) ? -1 : 1;
        gradient[3 * sample] = (sign * gx) / length;
        gradient[3 * sample + 1] = (sign * gy) / length;
        gradient[3 * sample + 2] = (sign * gz) / length;
      }
    }
  }
  return gradient;
}
