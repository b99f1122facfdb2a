// Which samples lie in several bodies, or in one of them several times (Hoff et al., sections 5.1.1 and 5.1.3)? Along
// each column the crossings of all bodies are merged, and samples are kept if enough winding numbers are nonzero.
// Winding numbers of different bodies are never added up, because bodies turned inside out would cancel others.

import type { Grid } from '../grid.ts';
import type { Crossings, Sampled } from './columns.ts';
import { windingStep } from './columns.ts';

/** The condition for a sample to be in the answer. */
export type Rule = 'two-bodies' | 'twice-in-one';

/** Samples are numbered column by column, upwards: (j·nx + i)·nz + k. Consecutive numbers are runs along columns. */
export const cellAt = ({ dimensions: [nx, , nz] }: Grid, i: number, j: number, k: number): number =>
  (j * nx + i) * nz + k;

/** A list of numbers that grows. */
export class CellList {
  #cells = new Uint32Array(1024);
  count = 0;

  /** Adds `first` … `end − 1`. */
  addRun(first: number, end: number): void {
    const count = this.count + end - first;
    if (count > this.#cells.length) {
      const larger = new Uint32Array(Math.max(count, 2 * this.#cells.length));
      larger.set(this.#cells);
      this.#cells = larger;
    }
    for (let cell = first; cell < end; cell++) this.#cells[this.count++] = cell;
  }

  finish(): Uint32Array {
    return this.#cells.slice(0, this.count);
  }
}

/** Adds the samples of a window that satisfy the rule. Each of `layers` holds the crossings of one body. */
export function collectCells(
  samples: Sampled,
  layers: readonly Crossings[],
  rule: Rule,
  out: CellList,
): void {
  const { grid, window, x, y, z } = samples;
  const winding = new Int32Array(layers.length);
  const next = new Uint32Array(layers.length);
  const needed = rule === 'two-bodies' ? 2 : 1;
  for (let column = 0; column < x.length * y.length; column++) {
    let present = 0;
    for (const { start } of layers) if (start[column] < start[column + 1]) present++;
    if (present < needed) continue;
    const i = window.low[0] + (column % x.length);
    const j = window.low[1] + Math.floor(column / x.length);
    const first = cellAt(grid, i, j, window.low[2]);
    winding.fill(0);
    layers.forEach(({ start }, layer) => {
      next[layer] = start[column];
    });
    let within = 0;
    for (let level = 0; level < z.length; ) {
      // Applies all crossings at this level, then moves on to the lowest level that is left.
      let later = z.length;
      for (let layer = 0; layer < layers.length; layer++) {
        const { start, levels } = layers[layer];
        const end = start[column + 1];
        let at = next[layer];
        const before = isWithin(winding[layer], rule);
        for (; at < end && levels[at] >> 1 <= level; at++) winding[layer] += windingStep(levels[at]);
        within += isWithin(winding[layer], rule) - before;
        next[layer] = at;
        if (at < end) later = Math.min(later, levels[at] >> 1);
      }
      if (within >= needed) out.addRun(first + level, first + later);
      level = later;
    }
  }
}

const isWithin = (winding: number, rule: Rule): number => {
  if (rule === 'two-bodies') return winding !== 0 ? 1 : 0;
  return Math.abs(winding) >= 2 ? 1 : 0;
};
