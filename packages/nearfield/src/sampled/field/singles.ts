// Distances are given in single precision. Lengths that it cannot hold are refused: as 0 or Infinity they would look like
// distances.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { worldBox } from '../../bodies/snapshot/world.ts';
import { NearfieldError } from '../../core/errors.ts';
import { unionOfBoxes } from '../../math/box.ts';
import { type Grid, gridBox } from './grid.ts';

/**
 * Singles below 2^-126 have fewer than 24 bits, or a GPU takes them for 0. If cells are at least this large, such
 * distances are below 2^-23 cells.
 */
const leastCell = 2 ** -103;

const outOfRange = (what: string, length: number): NearfieldError =>
  new NearfieldError(
    'unsupported',
    `${what} of ${length} is out of single precision: use another unit of length`,
  );

/** Throws 'unsupported' if cells are so small that distances between samples and surfaces vanish in singles. */
export function checkCell({ cell }: Grid): void {
  if (cell < leastCell) throw outOfRange('a cell', cell);
}

/** A distance as a single. Throws 'unsupported' if it is too large for one. */
export function toSingle(distance: number): number {
  const single = Math.fround(distance);
  if (single === Infinity) throw outOfRange('a distance', distance);
  return single;
}

/**
 * Whether all distances below `upTo` from samples of a grid to bodies certainly fit in singles. If not, a GPU leaves them to
 * the CPU, which refuses them.
 */
export function fitSingles(grid: Grid, bodies: readonly Placed[], upTo = Infinity): boolean {
  const all = bodies.map(worldBox).reduce(unionOfBoxes, gridBox(grid));
  if (grid.cell < leastCell) return false;
  return Math.min(upTo, Math.hypot(all[3] - all[0], all[4] - all[1], all[5] - all[2])) < 2 ** 127;
}
