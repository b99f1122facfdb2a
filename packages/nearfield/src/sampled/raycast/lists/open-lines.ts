// Rays that single precision could not follow are cast exactly on the CPU.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { LineCaster } from '../../raster/exact/cast-line.ts';
import type { Crossing } from '../../raster/exact/crossings.ts';
import type { Tile } from '../../raster/raster.ts';
import type { OpenLine } from '../sampling.ts';

/** The lines of one tile, given by their pixels (row by row, counted from its first row). */
export function openLines(
  bodies: readonly Placed[],
  tile: Tile,
  pixels: Iterable<number>,
  leastStretch: number,
): OpenLine[] {
  const { view, a, b, candidate, rows } = tile;
  const firstRow = rows?.first ?? 0;
  let caster: LineCaster | undefined;
  return Array.from(pixels, pixel => ({
    candidate,
    isCommon: (cpu: CpuEngine) => {
      caster ??= new LineCaster(view, [bodies[a], bodies[b]], finderOf(cpu));
      const row = firstRow + Math.floor(pixel / view.columns);
      return longestCommon(caster.cast(pixel % view.columns, row)) > leastStretch;
    },
  }));
}

/** The length of the longest stretch of a line that lies in both bodies; 0 if there is none. */
export function longestCommon(crossings: readonly Crossing[]): number {
  const winding = [0, 0];
  let [start, longest] = [0, 0];
  for (const { side, away, depth } of crossings) {
    const wasCommon = winding[0] !== 0 && winding[1] !== 0;
    winding[side] += away === 1 ? -1 : 1;
    const isCommon = winding[0] !== 0 && winding[1] !== 0;
    if (isCommon && !wasCommon) start = depth;
    if (wasCommon && !isCommon) longest = Math.max(longest, depth - start);
  }
  return longest;
}
