// The gradient of a distance field in the three forms of Hoff et al., section 5.3.

import type { Placed, ShapeState } from '../../../bodies/snapshot/snapshot.ts';
import { nearestToPoint } from '../../../distance/exact/point-triangle.ts';
import { ratioToDouble } from '../../../math/exact/rational.ts';
import { placeTriangle } from '../../../math/pose.ts';
import { type Grid, samplePosition } from '../grid.ts';
import { directionToFeature } from './direction-to-feature.ts';

/** The parts of a field from which gradients are computed. */
export interface Differentiable {
  readonly grid: Grid;
  readonly dimensions: readonly [number, number, number];
  readonly firstSlice: number;
  readonly distance: Float32Array;
  readonly owner: Uint32Array;
  readonly feature: Uint8Array;
}

/** (f(i + 1) − f(i − 1))/2h; at the border the one-sided difference; 0 along an axis with one sample. */
export function centralGradient(field: Differentiable): Float32Array {
  return differences(field, (before, here, after) => {
    if (before === undefined) return after === undefined ? 0 : after - here;
    return after === undefined ? here - before : (after - before) / 2;
  });
}

/**
 * Along each axis there are up to four one-sided differences: of the sample and the next, (f₁ − f₀)/h, or of the sample
 * and the next two, (4f₁ − 3f₀ − f₂)/2h, each forwards or backwards. Among all combinations the one whose length is
 * nearest to 1 is taken. The gradient of a distance has length 1 wherever it exists, and a difference that reaches
 * across a crease is shorter. With r the distance to the nearest edge or corner, the first kind is off by about h/2r,
 * the second by about (h/r)².
 */
export function oneSidedGradient({ dimensions, distance, grid }: Differentiable): Float32Array {
  const strides = [1, dimensions[0], dimensions[0] * dimensions[1]];
  const gradient = new Float32Array(3 * distance.length);
  const choices = [0, 1, 2].map(() => ({
    count: 0,
    values: new Float64Array(4),
    squares: new Float64Array(4),
  }));
  const [x, y, z] = choices;
  for (let sample = 0; sample < distance.length; sample++) {
    for (let axis = 0; axis < 3; axis++) {
      const at = Math.floor(sample / strides[axis]) % dimensions[axis];
      choose(choices[axis], distance, sample, strides[axis], at, dimensions[axis]);
    }
    let least = Infinity;
    for (let i = 0; i < x.count; i++) {
      for (let j = 0; j < y.count; j++) {
        for (let k = 0; k < z.count; k++) {
          const off = Math.abs(Math.sqrt(x.squares[i] + y.squares[j] + z.squares[k]) / grid.cell - 1);
          if (off >= least) continue;
          least = off;
          gradient[3 * sample] = x.values[i] / grid.cell;
          gradient[3 * sample + 1] = y.values[j] / grid.cell;
          gradient[3 * sample + 2] = z.values[k] / grid.cell;
        }
      }
    }
    if (least === Infinity) gradient.fill(Number.NaN, 3 * sample, 3 * sample + 3);
  }
  return gradient;
}

/** The finite differences of a sample along an axis, times the cell; 0 if the axis has one sample. */
function choose(
  out: { count: number; values: Float64Array; squares: Float64Array },
  distance: Float32Array,
  sample: number,
  stride: number,
  at: number,
  size: number,
): void {
  const here = distance[sample];
  let count = 0;
  const offer = (value: number) => {
    if (!Number.isFinite(value)) return;
    out.values[count] = value;
    out.squares[count++] = value * value;
  };
  if (size === 1) offer(here - here);
  if (at > 0) offer(here - distance[sample - stride]);
  if (at + 1 < size) offer(distance[sample + stride] - here);
  if (at > 1) offer((3 * here - 4 * distance[sample - stride] + distance[sample - 2 * stride]) / 2);
  if (at + 2 < size) offer((4 * distance[sample + stride] - 3 * here - distance[sample + 2 * stride]) / 2);
  out.count = count;
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

/** The unit vector from the nearest point of the owner to the sample; reversed if the distance is negative. */
export function directGradient(field: Differentiable, body: ShapeState & Pick<Placed, 'pose'>): Float32Array {
  const [nx, ny, nz] = field.dimensions;
  const gradient = new Float32Array(3 * field.distance.length);
  const corners = new Float64Array(9);
  const point = new Float64Array(3);
  const way = new Float64Array(3);
  let placed = -1;
  let sample = 0;
  for (let k = 0; k < nz; k++) {
    point[2] = samplePosition(field.grid, 2, field.firstSlice + k);
    for (let j = 0; j < ny; j++) {
      point[1] = samplePosition(field.grid, 1, j);
      for (let i = 0; i < nx; i++, sample++) {
        const distance = field.distance[sample];
        if (!Number.isFinite(distance)) {
          gradient.fill(Number.NaN, 3 * sample, 3 * sample + 3);
          continue;
        }
        const owner = field.owner[sample];
        if (owner !== placed) placeTriangle(body.pose, body.positions, body.mesh.indices, owner, corners, 0);
        placed = owner;
        point[0] = samplePosition(field.grid, 0, i);
        if (!directionToFeature(point, corners, field.feature[sample], way))
          exactWay(point, body, owner, way);
        const length = Math.hypot(way[0], way[1], way[2]);
        if (length === 0) continue;
        // −0 is a distance inside, too small for single precision.
        const sign = distance < 0 || Object.is(distance, -0) ? 1 : -1;
        for (let axis = 0; axis < 3; axis++) gradient[3 * sample + axis] = (sign * way[axis]) / length;
      }
    }
  }
  return gradient;
}

/**
 * The direction to the nearest point, scaled so that its largest component is 1; 0 0 0 if the point is on the triangle.
 */
function exactWay(
  point: Float64Array,
  { pose, positions, mesh }: ShapeState & Pick<Placed, 'pose'>,
  owner: number,
  out: Float64Array,
): void {
  const { way } = nearestToPoint(point, { pose, positions, mesh }, [owner], Infinity)!;
  const components = [way.x, way.y, way.z];
  let largest = 1n;
  for (const n of components) largest = n > largest ? n : -n > largest ? -n : largest;
  components.forEach((n, axis) => {
    out[axis] = ratioToDouble(n, largest);
  });
}
