// Vectors given at the middles of a grid's cells, interpolated linearly between them in integers, so that every backend
// gets the same: the wind and the forces of stepped motion of second order. Beyond the outermost middles they stay the
// same, so that they are continuous everywhere.
//
// Along an axis a place is `fraction` units behind a middle, 0 to cell − 1. Its share of the cell in 2^-31 is
// floor(fraction·multiplier / 2^shift), with 2^shift ≤ cell < 2^(shift + 1) and multiplier = floor(2^(31 + shift) / cell).

import { bad } from '../../../core/arguments.ts';
import type { Grid } from '../../../sampled/field/grid.ts';
import type { CompiledGrid } from '../../compiled.ts';
import { nearestPartOf } from './part-of.ts';

/** Places and middles stay within this, so that their differences are below 2^31. */
const farthestMiddle = 2 ** 29;
const leastShift = 16;

/** Three numbers per cell, `scale` of which make 1; `origin` is the setup's and `unit` that of the integers. */
export function compileGrid(
  what: string,
  grid: Grid,
  numbers: ArrayLike<number>,
  scale: number,
  origin: readonly [number, number, number],
  unit: number,
): CompiledGrid {
  const middles = [0, 1, 2].map(axis =>
    Math.round((grid.origin[axis] + 0.5 * grid.cell - origin[axis]) / unit),
  );
  const cell = Math.round(grid.cell / unit);
  if (!(cell >= 2 ** leastShift && cell < 2 ** 30) || middles.some(at => Math.abs(at) > farthestMiddle)) {
    throw bad(`${what} is too fine or too far for where particles get`);
  }
  const shift = Math.floor(Math.log2(cell));
  const values = Int32Array.from(numbers, each => Math.round(each * scale));
  return {
    low: Int32Array.from(middles),
    cell,
    dimensions: grid.dimensions,
    values,
    multiplier: Math.floor(2 ** (31 + shift) / cell),
    shift,
    slope: steepest(values, grid.dimensions) / cell,
  };
}

/** The greatest difference of a component between neighbours. */
function steepest(values: Int32Array, dimensions: readonly [number, number, number]): number {
  const [width, height, depth] = dimensions;
  const strides = [3, 3 * width, 3 * width * height];
  let most = 0;
  for (let z = 0, at = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at += 3) {
        for (let axis = 0; axis < 3; axis++) {
          if ([x, y, z][axis] + 1 === dimensions[axis]) continue;
          for (let i = at; i < at + 3; i++)
            most = Math.max(most, Math.abs(values[i + strides[axis]] - values[i]));
        }
      }
    }
  }
  return most;
}

const shares = new Float64Array(3);
const firsts = new Int32Array(3);
const steps = new Int32Array(3);

/** The vector at a place, in the integers of the grid. */
export function sampleGrid(grid: CompiledGrid, x: Int32Array, out: Int32Array): void {
  const { low, cell, dimensions, values, multiplier, shift } = grid;
  const high = Math.floor(multiplier / 65536);
  const rest = multiplier - high * 65536;
  let stride = 3;
  let first = 0;
  for (let axis = 0; axis < 3; axis++) {
    const way = x[axis] - low[axis];
    const i = Math.floor(way / cell);
    const isInside = i >= 0 && i < dimensions[axis] - 1;
    firsts[axis] = Math.max(0, Math.min(i, dimensions[axis] - 1));
    steps[axis] = isInside ? stride : 0;
    const fraction = way - i * cell;
    // As in `partOf`: in two halves, so that nothing is rounded.
    shares[axis] = isInside
      ? Math.floor((fraction * high + Math.floor((fraction * rest) / 65536)) / 2 ** (shift - 16))
      : 0;
    first += stride * firsts[axis];
    stride *= dimensions[axis];
  }
  const [alongX, alongY, alongZ] = steps;
  for (let i = 0; i < 3; i++) {
    const row = (at: number) => between(values[at], values[at + alongX], shares[0]);
    const layer = (at: number) => between(row(at), row(at + alongY), shares[1]);
    out[i] = between(layer(first + i), layer(first + i + alongZ), shares[2]);
  }
}

const between = (a: number, b: number, share: number): number => a + nearestPartOf(b - a, share);
