// The intersection of bodies as Hoff et al. published it (section 5.1): a plane sweeps upwards from slice to slice. In each
// slab between two slices only the triangles that pass through it are drawn, and each crossing of a column flips the bit of
// its body. A sample with the bits of two bodies is in both. Nothing is built beforehand: triangles are sorted into one
// bucket per slab by their lowest point (linear time), join a list of active ones when the sweep reaches their bucket, and
// leave it when the sweep has passed their highest point. A body alone is counted instead, up through back faces and down
// through front faces (section 5.1.3).
//
// Which columns a triangle crosses, and in which slab, is decided exactly (inside/crossing.ts): no column leaks.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { type Corners, createCorners, turnAt } from '../../../inside/crossing.ts';
import { applyPose } from '../../../math/pose.ts';
import type { Indices } from '../../../mesh/mesh.ts';
import { firstAtLeast, type Grid, type Window } from '../grid.ts';
import { type Sampled, sliceAbove } from './columns.ts';
import { type CellList, cellAt, type Rule } from './common-cells.ts';

/** The work of a sweep. */
export interface Swept {
  /** How many triangles were drawn, once per slab. */
  readonly triangles: number;
  /** Whether parity was the same as the winding number at every sample; a body alone is counted by winding number. */
  readonly isWinding: boolean;
}

/** Adds the samples of a window that satisfy the rule, slice by slice. Yields shares from the first to the second. */
export function* sweepSlabs(
  bodies: readonly Placed[],
  samples: Sampled,
  rule: Rule,
  found: CellList,
  [start, end]: readonly [number, number],
): Generator<number, Swept> {
  const { grid, window, x, y, z } = samples;
  const columns = x.length * y.length;
  const sweeps = bodies.map(body => new BodySweep(body, samples));
  /** How many bodies each column is inside of, at the current slice. */
  const within = new Int32Array(columns);
  const isInside = (winding: number): number =>
    rule === 'two-bodies' ? winding & 1 : Math.abs(winding) >= 2 ? 1 : 0;
  const needed = rule === 'two-bodies' ? 2 : 1;
  let isWinding = true;
  for (let k = 0; k < z.length; k++) {
    for (const sweep of sweeps) sweep.drawSlab(k, within, isInside);
    for (let column = 0; column < columns; column++) {
      if (within[column] < needed) continue;
      const i = window.low[0] + (column % x.length);
      const j = window.low[1] + Math.floor(column / x.length);
      const cell = cellAt(grid, i, j, window.low[2] + k);
      found.addRun(cell, cell + 1);
    }
    if (rule === 'two-bodies') isWinding &&= sweeps.every(sweep => sweep.isOdd);
    if (k % 8 === 7) yield start + ((end - start) * (k + 1)) / z.length;
  }
  return { triangles: sweeps.reduce((sum, { triangles }) => sum + triangles, 0), isWinding };
}

/** One body's triangles during the sweep, and its winding numbers at the current slice; their last bits are the parity. */
class BodySweep {
  /** World positions of the vertices. */
  readonly #placed: Float64Array;
  readonly #indices: Indices;
  readonly #samples: Sampled;
  readonly #corners: Corners = createCorners();
  /** The triangles of each slab's bucket, one bucket after the other. */
  readonly #sorted: Uint32Array;
  readonly #bucketStarts: Uint32Array;
  readonly #active: number[] = [];
  readonly #winding: Int32Array;
  /** How many columns have an even winding number that is not 0. */
  #even = 0;
  triangles = 0;

  constructor({ shape, pose }: Placed, samples: Sampled) {
    this.#samples = samples;
    const { positions, mesh } = shape;
    const { x, y, z, grid, window } = samples;
    this.#winding = new Int32Array(x.length * y.length);
    // Each vertex is placed once, with the same doubles as its triangles.
    const placed = (this.#placed = new Float64Array(positions.length));
    for (let at = 0; at < placed.length; at += 3)
      applyPose(pose, positions[at], positions[at + 1], positions[at + 2], placed, at);
    const indices = (this.#indices = mesh.indices);
    const count = mesh.triangleCount;
    const beyond = z.length;
    const bucketOf = new Uint32Array(count);
    const starts = new Uint32Array(z.length + 2);
    const [lowX, highX, lowY, highY] = [x[0], x[x.length - 1], y[0], y[y.length - 1]];
    for (let t = 0; t < count; t++) {
      const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
      // Geometry beside the window is in no bucket, and geometry below it in the first.
      const isBeside =
        isOutside(placed[a], placed[b], placed[c], lowX, highX) ||
        isOutside(placed[a + 1], placed[b + 1], placed[c + 1], lowY, highY);
      const low = Math.min(placed[a + 2], placed[b + 2], placed[c + 2]);
      const bucket = isBeside
        ? beyond
        : firstAtLeast(grid, 2, low, window.low[2], window.high[2]) - window.low[2];
      bucketOf[t] = bucket;
      starts[bucket + 1]++;
    }
    for (let k = 0; k <= z.length; k++) starts[k + 1] += starts[k];
    const next = starts.slice();
    this.#sorted = new Uint32Array(starts[z.length]);
    for (let t = 0; t < count; t++) if (bucketOf[t] < beyond) this.#sorted[next[bucketOf[t]]++] = t;
    this.#bucketStarts = starts;
  }

  /** Whether the winding number of every column is 0 or odd, so that parity tells inside from outside. */
  get isOdd(): boolean {
    return this.#even === 0;
  }

  /** Draws the slab below slice k. */
  drawSlab(k: number, within: Int32Array, isInside: (winding: number) => number): void {
    const { z } = this.#samples;
    const p = this.#corners;
    const active = this.#active;
    for (let at = this.#bucketStarts[k]; at < this.#bucketStarts[k + 1]; at++) active.push(this.#sorted[at]);
    let kept = 0;
    for (const t of active) {
      for (let corner = 0; corner < 3; corner++) {
        const v = 3 * this.#indices[3 * t + corner];
        p[3 * corner] = this.#placed[v];
        p[3 * corner + 1] = this.#placed[v + 1];
        p[3 * corner + 2] = this.#placed[v + 2];
      }
      this.#drawTriangle(k, within, isInside);
      this.triangles++;
      // A crossing at the height of the slice itself may count for the next slab.
      if (Math.max(p[2], p[5], p[8]) >= z[k]) active[kept++] = t;
    }
    active.length = kept;
  }

  /** Flips the columns that the triangle at `corners` crosses between slices k − 1 and k. */
  #drawTriangle(k: number, within: Int32Array, isInside: (winding: number) => number): void {
    const p = this.#corners;
    const { x, y, z, grid, window } = this.#samples;
    clipToSlab(p, k === 0 ? -Infinity : z[k - 1], z[k]);
    const [startColumn, endColumn] = columnsBetween(clipped[0], clipped[2], grid, 0, window);
    const [startRow, endRow] = columnsBetween(clipped[1], clipped[3], grid, 1, window);
    for (let j = startRow; j < endRow; j++) {
      for (let i = startColumn; i < endColumn; i++) {
        const turn = turnAt(p, x[i], y[j]);
        if (turn === 0 || sliceAbove(p, turn, this.#samples) !== k) continue;
        const column = j * x.length + i;
        const before = this.#winding[column];
        // A ray down from an inside point leaves the body through triangles that face down.
        const after = before + (turn < 0 ? 1 : -1);
        this.#winding[column] = after;
        this.#even += isEven(after) - isEven(before);
        within[column] += isInside(after) - isInside(before);
      }
    }
  }
}

/**
 * The samples of a window along an axis from low to high, and maybe one more on either side: positions and the slab's
 * corners are off by a few roundings, which may be much of a cell far from the origin.
 */
function columnsBetween(
  low: number,
  high: number,
  grid: Grid,
  axis: number,
  window: Window,
): [number, number] {
  const { cell, origin } = grid;
  const slack = 2 ** -10 + (2 ** -49 * (Math.abs(low) + Math.abs(high) + Math.abs(origin[axis]))) / cell;
  const first = Math.ceil((low - origin[axis]) / cell - 0.5 - slack) - window.low[axis];
  const last = Math.floor((high - origin[axis]) / cell - 0.5 + slack) - window.low[axis];
  const count = window.high[axis] - window.low[axis];
  return [Math.max(0, first), Math.min(count, last + 1)];
}

/** Whether three coordinates are all below or all above a range. */
const isOutside = (a: number, b: number, c: number, low: number, high: number): boolean =>
  (a < low && b < low && c < low) || (a > high && b > high && c > high);

const isEven = (winding: number): number => (winding !== 0 && (winding & 1) === 0 ? 1 : 0);

/** Low x, low y, high x, high y of the last triangle's part within a slab. */
const clipped = new Float64Array(4);

/** The box of the part of a triangle between two heights, up to rounding, which is far below a cell. */
function clipToSlab(p: Corners, low: number, high: number): void {
  clipped[0] = clipped[1] = Infinity;
  clipped[2] = clipped[3] = -Infinity;
  for (let from = 0; from < 9; from += 3) {
    const to = from === 6 ? 0 : from + 3;
    const a = p[from + 2];
    const b = p[to + 2];
    if (a >= low && a <= high) grow(p[from], p[from + 1]);
    growAt(p, from, to, a, b, low);
    growAt(p, from, to, a, b, high);
  }
  // Differences of coordinates near the end of the doubles overflow: then the whole triangle is drawn.
  if (
    Number.isNaN(clipped[0]) ||
    Number.isNaN(clipped[1]) ||
    Number.isNaN(clipped[2]) ||
    Number.isNaN(clipped[3])
  ) {
    clipped[0] = Math.min(p[0], p[3], p[6]);
    clipped[1] = Math.min(p[1], p[4], p[7]);
    clipped[2] = Math.max(p[0], p[3], p[6]);
    clipped[3] = Math.max(p[1], p[4], p[7]);
  }
}

/** Adds the point of a side, from height a to b, at a height between. */
function growAt(p: Corners, from: number, to: number, a: number, b: number, height: number): void {
  if (!((a < height && b > height) || (a > height && b < height))) return;
  const share = (height - a) / (b - a);
  grow(p[from] + share * (p[to] - p[from]), p[from + 1] + share * (p[to + 1] - p[from + 1]));
}

function grow(x: number, y: number): void {
  clipped[0] = Math.min(clipped[0], x);
  clipped[1] = Math.min(clipped[1], y);
  clipped[2] = Math.max(clipped[2], x);
  clipped[3] = Math.max(clipped[3], y);
}
