// A candidate viewed along a world axis. It holds only numbers, since there may be very many; its view is created on
// request.

import type { Tile } from '../../raster/raster.ts';
import { View } from '../../raster/view.ts';
import { axisVector } from '../windows.ts';

/**
 * Corners and edges of built objects often lie at round coordinates, where pixels would have their middles, and there
 * single precision cannot decide. So middles are shifted by a fraction of a pixel that is unlikely to occur in a
 * design.
 */
const shift = [0.382, 0.236] as const;

/** Per axis: columns and rows run along the two axes after it. */
export const axesOf = [0, 1, 2].map(axis => ({
  right: axisVector((axis + 1) % 3),
  up: axisVector((axis + 2) % 3),
  direction: axisVector(axis),
}));

export class AxisTile implements Tile {
  readonly columns: number;
  /** The number of rows of the whole view. */
  readonly height: number;
  /** World coordinates of the view's origin along its columns, its rows and its depth. */
  readonly left: number;
  readonly low: number;
  readonly near: number;
  readonly far: number;
  #view: View | undefined;

  readonly #windows: Float64Array;
  readonly #at: number;

  /**
   * The window is the common part of two boxes: six numbers at `at` in `windows`. Columns run along the axis after
   * `axis`.
   */
  constructor(
    readonly a: number,
    readonly b: number,
    readonly candidate: number,
    readonly axis: number,
    readonly pixel: number,
    windows: Float64Array,
    at: number,
    readonly rows?: { readonly first: number; readonly end: number } | undefined,
  ) {
    const u = at + ((axis + 1) % 3);
    const v = at + ((axis + 2) % 3);
    // Computed as viewOf (sampled/raster/view.ts) does.
    this.columns = Math.max(1, Math.ceil((windows[u + 3] - windows[u]) / pixel + 1));
    this.height = Math.max(1, Math.ceil((windows[v + 3] - windows[v]) / pixel + 1));
    this.left = (windows[u] + windows[u + 3]) / 2 - (this.columns / 2 + shift[0]) * pixel;
    this.low = (windows[v] + windows[v + 3]) / 2 - (this.height / 2 + shift[1]) * pixel;
    this.near = windows[at + axis];
    // One pixel behind the common part: the ends of stretches are kept, whatever their error.
    this.far = windows[at + axis + 3] - windows[at + axis] + pixel;
    this.#windows = windows;
    this.#at = at;
  }

  get view(): View {
    return (this.#view ??= this.#makeView());
  }

  get firstRow(): number {
    return this.rows?.first ?? 0;
  }
  get endRow(): number {
    return this.rows?.end ?? this.height;
  }
  get pixelCount(): number {
    return this.columns * (this.endRow - this.firstRow);
  }

  /** The same tile, reduced to some of its rows. */
  band(first: number, end: number): AxisTile {
    const { a, b, candidate, axis, pixel } = this;
    return new AxisTile(a, b, candidate, axis, pixel, this.#windows, this.#at, { first, end });
  }

  #makeView(): View {
    const { axis, columns, height, left, low, near, far, pixel } = this;
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const origin: [number, number, number] = [0, 0, 0];
    origin[u] = left;
    origin[v] = low;
    origin[axis] = near;
    return new View(axesOf[axis], origin, pixel, columns, height, 0, far - pixel);
  }
}
