// A candidate seen along an axis of the world: numbers alone, since there may be very many; its view is made when it is
// asked for.

import type { Tile } from '../../raster/raster.ts';
import { View } from '../../raster/view.ts';
import { axisVector } from '../windows.ts';

/**
 * Corners and edges of what people build often lie where pixels would have their middles, and there single precision cannot
 * decide: middles are moved by a part of a pixel that no one builds by.
 */
const shift = [0.382, 0.236] as const;

/** By axis: columns and rows along the two after it. */
export const axesOf = [0, 1, 2].map(axis => ({
  right: axisVector((axis + 1) % 3),
  up: axisVector((axis + 2) % 3),
  direction: axisVector(axis),
}));

export class AxisTile implements Tile {
  readonly columns: number;
  /** Rows of the whole view. */
  readonly height: number;
  /** World coordinates of the view's origin along its columns, its rows and its depth. */
  readonly left: number;
  readonly low: number;
  readonly near: number;
  readonly far: number;
  #view: View | undefined;

  readonly #windows: Float64Array;
  readonly #at: number;

  /** A window of the world, six numbers of many: what two boxes have in common. Columns run along the axis after `axis`. */
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
    // As viewOf (sampled/raster/view.ts) does it.
    this.columns = Math.max(1, Math.ceil((windows[u + 3] - windows[u]) / pixel + 1));
    this.height = Math.max(1, Math.ceil((windows[v + 3] - windows[v]) / pixel + 1));
    this.left = (windows[u] + windows[u + 3]) / 2 - (this.columns / 2 + shift[0]) * pixel;
    this.low = (windows[v] + windows[v + 3]) / 2 - (this.height / 2 + shift[1]) * pixel;
    this.near = windows[at + axis];
    // A pixel behind what both can have in common: the ends of stretches are kept, whatever they are off.
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

  /** The same, of some rows. */
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
