// Settles every pixel of a map: whether bodies overlap along its line, whether it counts as contact, whether it is
// shown. An engine's distances are off by at most their bounds. If a threshold lies within the bound, or if the engine
// could not follow a line, the line is cast and decided exactly (sampled/raster/exact/settle-line.ts). So all counts of
// pixels, and the areas computed from them, are the same on every backend.
//
// The pixels on both sides of the overlap's border are cast too, so that the border is the same on every backend: a
// cast line has the CPU's distance. Pixels whose distance may be off by more than a small share of a pixel are cast as
// well, so that the map's error is small.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import { castPixels } from '../raster/exact/exact-lines.ts';
import { measureLine, type Surfaces } from '../raster/exact/measure-line.ts';
import {
  flagsOf,
  isOpen,
  keepLine,
  LineFlag,
  LineSettler,
  settled,
  type Thresholds,
} from '../raster/exact/settle-line.ts';
import type { RawLines } from '../raster/sampling.ts';
import type { View } from '../raster/view.ts';

/** A line is cast if its distance may be off by more than this share of a pixel … */
const mostBound = 1 / 256;
/** … but at most this share of all lines: those with the largest bounds. */
const castShare = 1 / 256;

export interface SettledLines extends Omit<RawLines, 'unsure'> {
  /** Bits of `LineFlag` per pixel. */
  readonly flags: Uint8Array;
  /** How many pixels the engine left to be decided exactly. */
  readonly unsure: number;
}

/** Settles an engine's lines in place. Yields the share done. */
export function* settleLines(
  bodies: readonly Placed[],
  view: View,
  surfaces: Surfaces,
  thresholds: Thresholds,
  finder: TriangleFinder,
  lines: RawLines,
): Generator<number, SettledLines> {
  const { distance, bound } = lines;
  const flags = new Uint8Array(distance.length);
  const kept = { ...lines, flags };
  const isCast = new Uint8Array(distance.length);
  markLoose(view, lines, isCast);
  for (let pixel = 0; pixel < distance.length; pixel++) {
    const own = distance[pixel];
    if (isCast[pixel] === 1 || Number.isNaN(own)) continue;
    // Distances are singles: rounded by half of their last place.
    if (isOpen(own, bound[pixel] + 2 ** -23 * Math.abs(own), thresholds)) isCast[pixel] = 1;
    else flags[pixel] = flagsOf(own, thresholds);
  }
  const settle = (pixels: readonly number[]) => {
    let settler: LineSettler | undefined;
    return castPixels(view, bodies, finder, pixels, (column, row, crossings, crossers) => {
      settler ??= new LineSettler(crossers, surfaces, thresholds);
      keepLine(kept, row * view.columns + column, settler.settle(column, row, crossings));
    });
  };
  const open = pixelsOf(isCast);
  yield* settle(open);
  yield* settle(pixelsOf(besideBorder(flags, view)).filter(pixel => isCast[pixel] === 0));
  return { ...kept, unsure: open.length };
}

/** Marks the lines that an engine could not follow, or not precisely enough. */
function markLoose(view: View, lines: RawLines, marks: Uint8Array): void {
  const limit = Math.min(mostBound * view.pixel, usualBound(lines));
  for (const at of lines.unsure) marks[at] = 1;
  for (let at = 0; at < marks.length; at++) if (lines.bound[at] > limit) marks[at] = 1;
}

/**
 * A bound that at most `castShare` of all distances exceed. It is found by counting the leading bits of singles, which
 * have the order of the numbers.
 */
function usualBound({ distance, bound }: RawLines): number {
  const bits = new Uint32Array(bound.buffer, bound.byteOffset, bound.length);
  const counts = new Uint32Array(2 ** (31 - binBits));
  let total = 0;
  for (let at = 0; at < bits.length; at++) {
    if (Number.isNaN(distance[at])) continue;
    counts[bits[at] >>> binBits]++;
    total++;
  }
  let bin = counts.length - 1;
  for (let above = 0; bin > 0 && above + counts[bin] <= castShare * total; bin--) above += counts[bin];
  // The largest single of the bin.
  return new Float32Array(Uint32Array.of(((bin + 1) << binBits) - 1).buffer)[0];
}

const binBits = 19;

/**
 * Makes an engine's lines good enough to choose a direction from (sampled/layers/direction/direction.ts), which uses
 * the nearer half of them. Lines that it could not follow, and all that are not certainly on one side of the median,
 * are cast. The half is then the one that the CPU finds. Yields the share done.
 */
export function* castNearMedian(
  bodies: readonly Placed[],
  view: View,
  surfaces: Surfaces,
  finder: TriangleFinder,
  lines: RawLines,
): Generator<number, RawLines> {
  const { distance, bound } = lines;
  const kept = { ...lines, flags: new Uint8Array(distance.length) };
  const isCast = new Uint8Array(distance.length);
  const cast = (pixels: readonly number[]) =>
    castPixels(view, bodies, finder, pixels, (column, row, crossings) => {
      const line = measureLine(crossings, surfaces);
      keepLine(kept, row * view.columns + column, settled(line, line.distance, 0, 0));
    });
  markLoose(view, lines, isCast);
  yield* cast(pixelsOf(isCast));
  const known = distance.filter(x => !Number.isNaN(x)).sort();
  if (known.length === 0) return lines;
  const median = known[known.length >> 1];
  const most = bound.reduce((p, q) => Math.max(p, q), 0) + 2 ** -23 * Math.abs(median);
  const near = pixelsOf(
    isCast.map((mark, i) => (mark === 0 && Math.abs(distance[i] - median) <= 4 * most ? 1 : 0)),
  );
  yield* cast(near);
  return lines;
}

const pixelsOf = (marks: Uint8Array): number[] => {
  const pixels: number[] = [];
  for (let pixel = 0; pixel < marks.length; pixel++) if (marks[pixel] === 1) pixels.push(pixel);
  return pixels;
};

/** Marks pixels that overlap while a neighbour across a side does not, or the other way round. */
function besideBorder(flags: Uint8Array, { columns, rows }: View): Uint8Array {
  const marks = new Uint8Array(flags.length);
  const compare = (p: number, q: number) => {
    if (((flags[p] ^ flags[q]) & LineFlag.penetrating) !== 0) marks[p] = marks[q] = 1;
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const pixel = row * columns + column;
      if (column + 1 < columns) compare(pixel, pixel + 1);
      if (row + 1 < rows) compare(pixel, pixel + columns);
    }
  }
  // A pixel of the overlap at the map's rim has a border too, at its own depth.
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const isRim = row === 0 || column === 0 || row === rows - 1 || column === columns - 1;
      const pixel = row * columns + column;
      if (isRim && (flags[pixel] & LineFlag.penetrating) !== 0) marks[pixel] = 1;
    }
  }
  return marks;
}
