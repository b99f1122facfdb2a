// The samples of the field method's questions (Hoff et al., section 5): the centres of cubic cells over a box. A
// tolerance is half the diagonal of a cell (section 5.1.2): no point of the box is farther from a sample.

import { bad, lengthAbove0, numbers, type Rule, type Rules, wholeNumber } from '../../core/arguments.ts';
import type { Box } from '../../math/box.ts';

/** The places of samples, in rows along x, y and z of the world. */
export interface Grid {
  /** The low corner of the first cell. */
  readonly origin: readonly [number, number, number];
  /** Length of a cell's edge. */
  readonly cell: number;
  /** Cells along x, y and z. */
  readonly dimensions: readonly [number, number, number];
}

/** How finely to sample a box: give one of the two. */
export interface Sampling {
  /** Half the diagonal of a cell, in the user's units. */
  readonly tolerance?: number | undefined;
  /** Samples along the longest side of the box; default 64. */
  readonly resolution?: number | undefined;
}

export const samplingRules: Rules<Sampling> = { tolerance: lengthAbove0, resolution: wholeNumber(1) };

const usualResolution = 64;
/** Samples are numbered with 32 bits. */
const mostSamples = 2 ** 32 - 1;
const mostAlongAxis = 2 ** 16;

/** Half the diagonal of a cell. */
export const toleranceOf = (cell: number): number => (cell * Math.sqrt(3)) / 2;
export const cellOf = (tolerance: number): number => (2 * tolerance) / Math.sqrt(3);

/**
 * The position of sample i along an axis. These doubles are taken as exact: every answer is about them, on every
 * backend.
 */
export const samplePosition = (grid: Grid, axis: number, i: number): number =>
  grid.origin[axis] + (i + 0.5) * grid.cell;

export function samplePositions(grid: Grid, axis: number): Float64Array {
  return Float64Array.from({ length: grid.dimensions[axis] }, (_, i) => samplePosition(grid, axis, i));
}

export const sampleCount = ({ dimensions: [x, y, z] }: Grid): number => x * y * z;

/** Throws 'bad-option' if both are given. */
export function checkSampling({ tolerance, resolution }: Sampling): void {
  if (tolerance !== undefined && resolution !== undefined) {
    throw bad('give either tolerance or resolution, not both');
  }
}

/** Checks a box given as an option: six finite numbers, low before high. */
export const aBox: Rule = (given, what) => {
  numbers(6)(given, what);
  const box = Array.from(given as ArrayLike<number>);
  if ([0, 1, 2].every(axis => box[axis] < box[axis + 3])) return;
  throw bad(`${what} must have its low corner before its high one on every axis; got [${box.join(', ')}]`);
};

/** The grid over a box, which is rounded up to whole cells: samples may lie up to half a cell beyond its high sides. */
export function gridOver(box: Box, sampling: Sampling): Grid {
  checkSampling(sampling);
  const extents = [0, 1, 2].map(axis => box[axis + 3] - box[axis]);
  const longest = Math.max(...extents);
  const { tolerance, resolution = usualResolution } = sampling;
  // A box without extent still has one sample. Its cell is as small as the coordinates' precision allows.
  const least = 2 ** -48 * Math.max(Number.MIN_VALUE * 2 ** 60, ...Array.from(box, Math.abs));
  const cell = tolerance === undefined ? Math.max(longest / resolution, least) : cellOf(tolerance);
  const dimensions = extents.map(extent => Math.max(1, Math.ceil((extent / cell) * (1 - 2 ** -40))));
  const [x, y, z] = dimensions;
  if (!(x * y * z <= mostSamples) || Math.max(x, y, z) > mostAlongAxis) {
    const message = `cells of size ${cell} give ${x} × ${y} × ${z} samples, more than ${mostAlongAxis} along an axis or 2^32 in all`;
    throw bad(message);
  }
  // If two samples may round to one double, cells are too small to sample anything.
  if (!(cell >= least)) {
    throw bad(`cells of size ${cell} are too small for the precision of coordinates this large`);
  }
  return { origin: [box[0], box[1], box[2]], cell, dimensions: [x, y, z] };
}

/** The box of all cells. */
export function gridBox({ origin, cell, dimensions }: Grid): Box {
  const box = new Float64Array(6);
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = origin[axis];
    box[axis + 3] = origin[axis] + dimensions[axis] * cell;
  }
  return box;
}

/** The samples of a grid from low up to, but not including, high: i, j, k each. */
export interface Window {
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
}

export const wholeWindow = ({ dimensions }: Grid): Window => ({ low: [0, 0, 0], high: dimensions });

/** The smallest box that holds the samples of a window. */
export function windowBox(grid: Grid, { low, high }: Window): Box {
  const box = new Float64Array(6);
  for (let axis = 0; axis < 3; axis++) {
    box[axis] = samplePosition(grid, axis, low[axis]);
    box[axis + 3] = samplePosition(grid, axis, high[axis] - 1);
  }
  return box;
}

/** The first sample of [low, high) along an axis whose position is at least x; high if there is none. */
export function firstAtLeast(grid: Grid, axis: number, x: number, low: number, high: number): number {
  let i = Math.ceil((x - grid.origin[axis]) / grid.cell - 0.5);
  i = i >= low ? (i <= high ? i : high) : low;
  while (i > low && samplePosition(grid, axis, i - 1) >= x) i--;
  while (i < high && samplePosition(grid, axis, i) < x) i++;
  return i;
}
