// Distances are given in single precision. Lengths that it cannot hold are refused: as 0 or Infinity they would look like
// distances.

import { NearfieldError } from '../../core/errors.ts';
import { type Box, unionOfBoxes } from '../../math/box.ts';
import { type Grid, gridBox } from './grid.ts';

/** Singles below 2^-126 have fewer than 24 bits, or a GPU takes them for 0. With these cells, that is below 2^-23 cells. */
const leastCell = 2 ** -103;

const outOfRange = (what: string): NearfieldError =>
  new NearfieldError(
    'unsupported',
    `${what}: single precision, in which distances are given, has 10^-30 to 3·10^38; use another unit of length`,
  );

/** Throws 'unsupported' if cells are so small that distances between samples and surfaces vanish in singles. */
export function checkCell({ cell }: Grid): void {
  if (cell < leastCell) throw outOfRange(`cells of size ${cell} are too small`);
}

/** A distance as a single. Throws 'unsupported' if it is too large for one. */
export function toSingle(distance: number): number {
  const single = Math.fround(distance);
  if (single === Infinity) throw outOfRange(`a distance of ${distance} is too large`);
  return single;
}

/**
 * Whether all distances below `upTo` from samples of a grid to bodies with these boxes certainly fit in singles. If not, they
 * are measured on the CPU, which tells.
 */
export function fitSingles(grid: Grid, boxes: readonly Box[], upTo: number): boolean {
  const all = boxes.reduce(unionOfBoxes, gridBox(grid));
  return Math.min(upTo, Math.hypot(all[3] - all[0], all[4] - all[1], all[5] - all[2])) < 2 ** 127;
}

/** If depths in bodies with these boxes may not fit in singles, what throws when they are read. */
export function unfitDepths(grid: Grid, boxes: readonly Box[]): (() => never) | undefined {
  if (grid.cell >= leastCell && fitSingles(grid, boxes, Infinity)) return undefined;
  return () => {
    checkCell(grid);
    throw outOfRange('depths are too large');
  };
}
