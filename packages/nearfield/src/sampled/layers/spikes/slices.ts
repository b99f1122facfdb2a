// Slices of depth that say where the lines of a view pass through a body. `spikes` needs to know whether some line
// passes the body near a place. The first and last layers of a line do not tell: a spike may lie between them. So each
// line has one bit per slice (solid.wgsl).

import type { View } from '../../raster/view.ts';
import type { LayersLayout } from '../gpu/layouts.ts';

/** The most words of slices per line and body. */
export const mostSliceWords = 8;

/** Slices before the view's near side and behind its far side, so that places near those have neighbours. */
const spare = 4;

export interface Slices {
  /** Words of 32 slices per line. */
  readonly words: number;
  /** The thickness of a slice, in pixels: 1, or more if the view is deeper than all slices together. */
  readonly thickness: number;
}

export function slicesOf({ near, far, pixel }: View): Slices {
  const depth = (far - near) / pixel;
  const words = Math.max(1, Math.min(mostSliceWords, Math.ceil((depth + 2 * spare + 2) / 32)));
  return { words, thickness: Math.max(1, depth / (32 * words - 2 * spare - 2)) };
}

/** The parameters of the kernels, in units of 2^-cellBits pixels. */
export function sliceParameters(
  view: View,
  cellBits: number,
): Partial<Record<keyof typeof LayersLayout.at, number>> {
  const { words, thickness } = slicesOf(view);
  const units = Math.ceil(thickness * 2 ** cellBits);
  const near = Math.floor((view.near / view.pixel) * 2 ** cellBits);
  const far = Math.ceil((view.far / view.pixel) * 2 ** cellBits);
  const start = near - spare * units;
  return {
    sliceWords: words,
    sliceStart: start,
    sliceUnits: units,
    nearSlice: spare - 1,
    farSlice: Math.min(32 * words - spare, Math.floor((far - start) / units) + 1),
  };
}
