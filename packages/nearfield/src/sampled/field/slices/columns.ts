// Around which samples does a closed surface wind, and how often? Columns of samples parallel to z are swept from
// below. Each triangle that a column crosses changes the count at the first sample above it (Hoff et al., section
// 5.1.1: the incremental sweep; buckets are the columns and, within them, the slices). Counting ±1 instead of parity
// gives winding numbers, so bodies that overlap themselves are counted right (section 5.1.3).
//
// Doubles decide nearly everything (crossing.ts). The sum E of a column's edge functions is off by at most 6·u·Σm. The
// crossing lies at z₀ + (e₁·d₁ + e₂·d₂)/E, with d the heights of the other corners above the first. If |E| > 64·u·Σm,
// it is off by at most D·(16·u·Σm/|E| + 16·u) + 2·u·|z₀|, D = |d₁| + |d₂|. The code takes 2^-48 for 16·u = 2^-49.
// Everything nearer to an edge or to a sample than that is decided exactly (crossing.ts).

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { type Corners, createCorners, firstAbove, leastArea, turnAt } from '../../../inside/crossing.ts';
import type { Sign } from '../../../math/exact/orient.ts';
import type { Grid, Window } from '../grid.ts';
import { samplePositions } from '../grid.ts';

/** The crossings of one surface with the columns of a window, sorted by column and upwards. */
export interface Crossings {
  /** Column c of the window (x first) has levels[start[c]] … levels[start[c + 1] − 1]. */
  readonly start: Uint32Array;
  /** Twice the first slice of the window above the crossing, plus 1 if the winding number grows there. */
  readonly levels: Uint32Array;
}

/** A window of a grid with the positions of its samples. */
export interface Sampled {
  readonly grid: Grid;
  readonly window: Window;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
}

export function sampled(grid: Grid, window: Window): Sampled {
  const along = (axis: number) => samplePositions(grid, axis).subarray(window.low[axis], window.high[axis]);
  return { grid, window, x: along(0), y: along(1), z: along(2) };
}

/**
 * The crossings of the given triangles, which must include all that any column of the window can meet below its last
 * sample.
 */
export function crossColumns(body: Placed, triangles: Iterable<number>, samples: Sampled): Crossings {
  const sweep = new Sweep(samples);
  for (const t of triangles) {
    placeCorners(body, t, sweep.corners, 0);
    sweep.cross();
  }
  return sweep.finish();
}

/**
 * The first slice of a window above the triangle at `p`, whose column `turnAt` was just asked about; the number of slices
 * if there is none.
 */
export function sliceAbove(p: Corners, turn: Sign, { z, grid, window }: Sampled): number {
  const e1 = p[16];
  const e2 = p[17];
  const magnitude = p[18];
  const sum = p[15] + e1 + e2;
  const d1 = p[5] - p[2];
  const d2 = p[8] - p[2];
  const size = Math.abs(d1) + Math.abs(d2);
  const rise = (e1 * d1 + e2 * d2) / sum;
  const near = p[2] + (rise >= -size && rise <= size ? rise : 0);
  const index = Math.ceil((near - grid.origin[2]) / grid.cell - 0.5) - window.low[2];
  const guess = index > 0 ? Math.min(index, z.length) : 0;
  const certain = Math.abs(sum) > 2 ** -46 * magnitude + leastArea;
  const error = 2 ** -48 * (size * (magnitude / Math.abs(sum) + 1) + Math.abs(p[2])) + Number.MIN_VALUE;
  const plain =
    certain &&
    (guess === 0 || z[guess - 1] < near - error) &&
    (guess === z.length || z[guess] > near + error);
  return plain ? guess : firstAbove(p, turn, z, 0, z.length, guess);
}

/** The change of the winding number at a level. Summed upwards it gives the winding number. */
export const windingStep = (level: number): number => 2 * (level & 1) - 1;

class Sweep {
  readonly corners: Corners = createCorners();
  readonly #samples: Sampled;
  readonly #columnCount: number;
  /** Pairs of column and level. */
  #found = new Uint32Array(4096);
  #count = 0;

  constructor(samples: Sampled) {
    this.#samples = samples;
    this.#columnCount = samples.x.length * samples.y.length;
  }

  /** Finds the columns that pass through the triangle at `corners`. */
  cross(): void {
    const p = this.corners;
    const { x, y, z, grid, window } = this.#samples;
    if (!(Math.min(p[2], p[5], p[8]) <= z[z.length - 1])) return;
    const { cell, origin } = grid;
    const firstColumn = indexNear(Math.min(p[0], p[3], p[6]), origin[0], cell) - 1 - window.low[0];
    const lastColumn = indexNear(Math.max(p[0], p[3], p[6]), origin[0], cell) + 1 - window.low[0];
    const firstRow = indexNear(Math.min(p[1], p[4], p[7]), origin[1], cell) - 1 - window.low[1];
    const lastRow = indexNear(Math.max(p[1], p[4], p[7]), origin[1], cell) + 1 - window.low[1];
    const endColumn = Math.min(x.length - 1, lastColumn);
    const endRow = Math.min(y.length - 1, lastRow);
    const startColumn = Math.max(0, firstColumn);
    for (let j = Math.max(0, firstRow); j <= endRow; j++) {
      for (let i = startColumn; i <= endColumn; i++) this.#crossColumn(x[i], y[j], j * x.length + i);
    }
  }

  #crossColumn(x: number, y: number, number: number): void {
    const turn = turnAt(this.corners, x, y);
    if (turn !== 0) this.#crossAt(number, turn);
  }

  #crossAt(number: number, turn: Sign): void {
    const level = sliceAbove(this.corners, turn, this.#samples);
    if (level >= this.#samples.z.length) return;
    // A ray down from an inside point leaves the body through triangles that face down.
    this.#add(number, 2 * level + (turn < 0 ? 1 : 0));
  }

  #add(number: number, level: number): void {
    if (this.#count === this.#found.length) {
      const larger = new Uint32Array(2 * this.#found.length);
      larger.set(this.#found);
      this.#found = larger;
    }
    this.#found[this.#count++] = number;
    this.#found[this.#count++] = level;
  }

  /** Sorts by column, and within columns by level. */
  finish(): Crossings {
    const start = new Uint32Array(this.#columnCount + 1);
    const found = this.#found;
    for (let i = 0; i < this.#count; i += 2) start[found[i] + 1]++;
    for (let c = 0; c < this.#columnCount; c++) start[c + 1] += start[c];
    const next = start.slice(0, -1);
    const levels = new Uint32Array(this.#count / 2);
    for (let i = 0; i < this.#count; i += 2) {
      // Few crossings share a column, so each is inserted where it belongs.
      const first = start[found[i]];
      let at = next[found[i]]++;
      const level = found[i + 1];
      for (; at > first && levels[at - 1] > level; at--) levels[at] = levels[at - 1];
      levels[at] = level;
    }
    return { start, levels };
  }
}

const indexNear = (x: number, origin: number, cell: number): number => Math.floor((x - origin) / cell);
