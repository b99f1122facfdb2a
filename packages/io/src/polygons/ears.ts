// Which triangles make up a polygon that touches itself without crossing itself? Clips ears one after another
// (Meisters 1975, "Polygons have ears"). In the worst case the search takes steps in proportion to n², so it gives up
// after a number in proportion to n log n.

import { CornerGrid } from './corner-grid.ts';
import { orient } from './orient.ts';
import type { Loop } from './sweep.ts';

/**
 * The limit of tests of a corner against an edge or a triangle for a polygon of n corners: this many times n log2 n,
 * once to find edges that cross and once to find ears. Plates with rows of round holes take 8 with 3,000 holes of 32
 * corners, and 16 with 10,000 holes of 8.
 */
const testsPerStep = 16;

/**
 * Triangles by corner, counter-clockwise; 'crossing' if edges cross or no ear is left; 'tooLarge' if the limit of
 * tests is reached.
 */
export function clipEars(loop: Loop): Uint32Array | 'crossing' | 'tooLarge' {
  return new EarClipper(loop).run();
}

class EarClipper {
  private tests = 0;

  constructor(private readonly loop: Loop) {}

  run(): Uint32Array | 'crossing' | 'tooLarge' {
    const { count } = this.loop;
    const allowed = testsPerStep * count * Math.ceil(Math.log2(count));
    this.tests = allowed;
    if (this.crossesItself()) return 'crossing';
    this.tests = allowed;
    return this.clip() ?? (this.tests < 0 ? 'tooLarge' : 'crossing');
  }

  private orient(a: number, b: number, c: number): number {
    const { x, y } = this.loop;
    return orient(x[a], y[a], x[b], y[b], x[c], y[c]);
  }

  /** Whether some edge passes through the interior of another. Edges are compared if they overlap along x. */
  private crossesItself(): boolean {
    const { x, y, count } = this.loop;
    const next = (i: number) => (i + 1 === count ? 0 : i + 1);
    const low = Float64Array.from({ length: count }, (_, i) => Math.min(x[i], x[next(i)]));
    const order = Uint32Array.from({ length: count }, (_, i) => i).sort((i, j) => low[i] - low[j]);
    for (let p = 0; p < count; p++) {
      const a = order[p];
      const b = next(a);
      const highX = Math.max(x[a], x[b]);
      const lowY = Math.min(y[a], y[b]);
      const highY = Math.max(y[a], y[b]);
      for (let q = p + 1; q < count && low[order[q]] <= highX; q++) {
        const c = order[q];
        const d = next(c);
        if (--this.tests < 0) return false;
        if (c === b || d === a) continue;
        if ((y[c] < lowY && y[d] < lowY) || (y[c] > highY && y[d] > highY)) continue;
        if (
          this.orient(a, b, c) * this.orient(a, b, d) < 0 &&
          this.orient(c, d, a) * this.orient(c, d, b) < 0
        ) {
          return true;
        }
      }
    }
    return false;
  }

  /** Triangles by corner, or undefined if no ear is left or the limit of tests is reached. */
  private clip(): Uint32Array | undefined {
    const { x, y, count } = this.loop;
    const before = this.loop.before.slice(0, count);
    const after = this.loop.after.slice(0, count);
    // If a triangle contains a corner, it contains a reflex one, so only reflex corners are tested.
    const grid = new CornerGrid(x, y, count, i => this.orient(before[i], i, after[i]) <= 0);
    const ears = new Uint32Array(3 * (count - 2));
    let written = 0;
    let left = count;
    let corner = 0;
    // Corners tested since the last ear. Ears without area are taken only if no other is left.
    let idle = 0;
    let flat = false;
    while (left > 2) {
      if (--this.tests < 0) return undefined;
      const a = before[corner];
      const c = after[corner];
      const turn = this.orient(a, corner, c);
      const isEar = left === 3 ? turn >= 0 : turn > 0 ? this.isEmpty(a, corner, c, grid) : flat && turn === 0;
      if (!isEar) {
        corner = c;
        if (++idle <= left) continue;
        if (flat) return undefined;
        flat = true;
        idle = 0;
        continue;
      }
      ears[written++] = a;
      ears[written++] = corner;
      ears[written++] = c;
      after[a] = c;
      before[c] = a;
      if (grid.has(corner)) grid.remove(corner);
      for (const neighbour of [a, c]) {
        if (grid.has(neighbour) && this.orient(before[neighbour], neighbour, after[neighbour]) > 0)
          grid.remove(neighbour);
      }
      left--;
      idle = 0;
      flat = false;
      // Skip the neighbour: taking ears all around makes rounder triangles than taking them at one corner.
      corner = after[c];
    }
    return ears;
  }

  /** Whether no other corner lies in the closed triangle, except at its own corners. */
  private isEmpty(a: number, b: number, c: number, grid: CornerGrid): boolean {
    const { x, y } = this.loop;
    const lowX = Math.min(x[a], x[b], x[c]);
    const highX = Math.max(x[a], x[b], x[c]);
    const lowY = Math.min(y[a], y[b], y[c]);
    const highY = Math.max(y[a], y[b], y[c]);
    const blocks = (corner: number) => {
      const [px, py] = [x[corner], y[corner]];
      if (px < lowX || px > highX || py < lowY || py > highY) return false;
      if (corner === a || corner === b || corner === c) return false;
      if ((px === x[a] && py === y[a]) || (px === x[b] && py === y[b]) || (px === x[c] && py === y[c]))
        return false;
      return (
        this.orient(a, b, corner) >= 0 && this.orient(b, c, corner) >= 0 && this.orient(c, a, corner) >= 0
      );
    };
    const outcome = grid.find(lowX, lowY, highX, highY, blocks);
    this.tests -= outcome.tests;
    return !outcome.found;
  }
}
