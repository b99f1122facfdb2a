// Connected regions of samples. Runs along columns are joined with the overlapping runs of two neighbouring columns
// (neighbours share a cell's face), so the work grows with the number of runs, not of samples.

import { DisjointSets } from '../../../mesh/facts.ts';
import type { Grid } from '../grid.ts';

/** The region of every sample of an ascending list. Regions are numbered by their first sample. */
export interface RegionLabels {
  readonly regionOf: Uint32Array;
  readonly regionCount: number;
}

export function labelRegions({ dimensions: [nx, , nz] }: Grid, cells: Uint32Array): RegionLabels {
  const runs = findRuns(cells, nz);
  const sets = new DisjointSets(runs.count);
  joinBeside(runs, sets, 1, column => column % nx !== 0);
  joinBeside(runs, sets, nx, column => column >= nx);
  const regionOf = new Uint32Array(cells.length);
  const numbers = new Int32Array(runs.count).fill(-1);
  let regionCount = 0;
  for (let run = 0; run < runs.count; run++) {
    const root = sets.find(run);
    if (numbers[root] < 0) numbers[root] = regionCount++;
    regionOf.fill(numbers[root], runs.first[run], runs.first[run + 1]);
  }
  return { regionOf, regionCount };
}

interface Runs {
  readonly count: number;
  /** The index at which each begins in the list, plus one more entry for the end. */
  readonly first: Uint32Array;
  readonly column: Uint32Array;
  /** The run has the slices from low up to, but not including, high. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

function findRuns(cells: Uint32Array, nz: number): Runs {
  let count = 0;
  for (let i = 0; i < cells.length; i++) if (beginsRun(cells, i, nz)) count++;
  const first = new Uint32Array(count + 1);
  const column = new Uint32Array(count);
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  let run = -1;
  for (let i = 0; i < cells.length; i++) {
    if (beginsRun(cells, i, nz)) {
      run++;
      first[run] = i;
      column[run] = Math.floor(cells[i] / nz);
      low[run] = cells[i] % nz;
    }
    high[run] = (cells[i] % nz) + 1;
  }
  first[count] = cells.length;
  return { count, first, column, low, high };
}

const beginsRun = (cells: Uint32Array, i: number, nz: number): boolean =>
  i === 0 || cells[i] !== cells[i - 1] + 1 || cells[i] % nz === 0;

/** Joins each run with those it overlaps in the column `step` before its own. */
function joinBeside(
  runs: Runs,
  sets: DisjointSets,
  step: number,
  hasNeighbour: (column: number) => boolean,
): void {
  const { count, column, low, high } = runs;
  let other = 0;
  for (let run = 0; run < count; run++) {
    if (!hasNeighbour(column[run])) continue;
    const beside = column[run] - step;
    while (column[other] < beside || (column[other] === beside && high[other] <= low[run])) other++;
    for (let at = other; at < run && column[at] === beside && low[at] < high[run]; at++) sets.join(run, at);
  }
}
