// Draws a distance map as pixels: colours by distance, grey and pink if only one body is met, pale if the gap is beyond
// what the map shows, and a scale with numbers at the side.

import { aFlag, aNumber, bad, checkOptions, numbers, type Rules } from '../../../core/arguments.ts';
import { beyond, type Colour, colourOf, onlyA, onlyB } from './colours.ts';
import { drawText, glyphHeight, textWidth } from './font.ts';

/** An image. */
export interface Picture {
  /** Pixels per row. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
  /** Red, green, blue and opacity per pixel, 0 to 255, row by row from the top left. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** How a distance map is drawn. */
export interface PictureOptions {
  /** The distances between which colours change; by default from the least to the 95th percentile. */
  readonly range?: readonly [number, number] | undefined;
  /** Whether to draw the scale at the right; default true. */
  readonly legend?: boolean | undefined;
  /** The side of a map pixel in picture pixels; default 1. */
  readonly scale?: number | undefined;
  /** Red, green and blue of pixels that meet no body; default white. */
  readonly background?: readonly [number, number, number] | undefined;
}

/** The parts of a map that are drawn. */
export interface PicturedMap {
  readonly columns: number;
  readonly rows: number;
  readonly distance: Float32Array;
  readonly coverage: Uint8Array;
  readonly statistics: {
    readonly least: number;
    readonly quantiles: readonly [number, number, number, number];
  };
}

const ink: Colour = [40, 40, 40];
const white: Colour = [255, 255, 255];
/** Sizes of the scale in pixels: the space around it, the bar, the ticks, from numbers to swatches. */
const space = 10;
const barWidth = 14;
const tickWidth = 4;
const swatch = 9;
const leastHeight = 140;

type Swatch = readonly [string, Colour];
const single: readonly Swatch[] = [
  ['only a', onlyA],
  ['only b', onlyB],
];
/** Shown only if the map has left something out. */
const left: Swatch = ['beyond', beyond];

const rules: Rules<PictureOptions> = {
  range(given, what) {
    numbers(2)(given, what);
    const [low, high] = given as readonly [number, number];
    if (!(low < high))
      throw bad(`${what} must go from the lower distance to the higher; got ${low} to ${high}`);
  },
  legend: aFlag,
  scale: aNumber('a number of pixels, 1 or more', value => value >= 1 && value < Infinity),
  background: numbers(
    3,
    aNumber('a part of a colour, 0 to 255', value => value >= 0 && value <= 255),
  ),
};
/** The most pixels whose array fits into memory. */
const mostPixels = 2 ** 28;

export function drawPicture(map: PicturedMap, options: PictureOptions): Picture {
  checkOptions(options, rules, 'picture');
  const { legend = true, background = white, range = usualRange(map) } = options;
  const scale = Math.floor(options.scale ?? 1);
  const { columns, rows, distance, coverage } = map;
  const pixels = columns * rows * scale ** 2;
  if (pixels > mostPixels)
    throw bad(`picture: scale ${scale} makes ${pixels} pixels, more than the limit of ${mostPixels}`);
  const labels = ticksOf(range).map(value => ({ value, text: textOf(value, range) }));
  const textSpace = Math.max(textWidth('only a'), ...labels.map(({ text }) => textWidth(text)));
  const side = legend ? 2 * space + barWidth + 2 * tickWidth + textSpace : 0;
  const width = columns * scale + side;
  const height = Math.max(rows * scale, legend ? leastHeight : 0);
  const canvas = new Canvas(width, height, background);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      if (coverage[at] === 0) continue;
      const colour = coverage[at] === 1 ? onlyA : coverage[at] === 2 ? onlyB : shown(distance[at], range);
      // Up is above. The view's right is on the left of an observer who looks along the direction.
      canvas.fill((columns - 1 - column) * scale, (rows - 1 - row) * scale, scale, scale, colour);
    }
  }
  if (legend) {
    const isBeyond = distance.some((value, at) => coverage[at] === 3 && Number.isNaN(value));
    const swatches = isBeyond ? [...single, left] : single;
    drawLegend(canvas, columns * scale + space, range, labels, swatches);
  }
  return { width, height, data: canvas.data };
}

const shown = (distance: number, range: readonly [number, number]): Colour =>
  Number.isNaN(distance) ? beyond : colourOf(distance, range);

function usualRange({ statistics: { least, quantiles } }: PicturedMap): [number, number] {
  if (Number.isNaN(least)) return [0, 1];
  const low = Math.min(0, least);
  const high = Math.max(0, quantiles[3]);
  return low < high ? [low, high] : [low, low + 1];
}

/**
 * Round numbers within a range, including 0 if it is in the range, and its ends if no round number is close to them.
 */
function ticksOf([low, high]: readonly [number, number]): number[] {
  const rough = (high - low) / 7;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find(factor => factor * power >= rough) ?? 10) * power;
  // At most eight. They are counted, because far from 0 a step may be lost to rounding.
  const first = Math.ceil(low / step);
  const ticks = Array.from({ length: 8 }, (_, k) => (first + k) * step).filter(
    (tick, k, all) => tick <= high && tick !== all[k - 1],
  );
  const isFree = (end: number) => ticks.every(tick => Math.abs(tick - end) > rough / 2);
  return [low, ...ticks, high].filter((tick, i, all) => (i > 0 && i < all.length - 1) || isFree(tick));
}

/** Formats with enough digits for ticks to differ. */
function textOf(value: number, [low, high]: readonly [number, number]): string {
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size >= 1e5 || size < 1e-3) return value === 0 ? '0' : value.toExponential(1);
  const digits = Math.max(0, Math.min(6, 1 - Math.floor(Math.log10((high - low) / 7))));
  return value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1');
}

function drawLegend(
  canvas: Canvas,
  left: number,
  range: readonly [number, number],
  labels: readonly { readonly value: number; readonly text: string }[],
  swatches: readonly Swatch[],
): void {
  const [low, high] = range;
  const top = space;
  const bottom = canvas.height - space - swatches.length * (swatch + 4);
  const heightOf = (value: number) =>
    bottom - 1 - Math.round(((value - low) / (high - low)) * (bottom - 1 - top));
  for (let y = top; y < bottom; y++) {
    const value = low + ((bottom - 1 - y) / (bottom - 1 - top)) * (high - low);
    canvas.fill(left, y, barWidth, 1, colourOf(value, range));
  }
  const textLeft = left + barWidth + 2 * tickWidth;
  for (const { value, text } of labels) {
    const y = heightOf(value);
    canvas.fill(left + barWidth, y, tickWidth, 1, ink);
    canvas.text(text, textLeft, y - (glyphHeight >> 1), ink);
  }
  swatches.forEach(([text, colour], i) => {
    const y = bottom + 6 + i * (swatch + 4);
    canvas.fill(left, y, barWidth, swatch, colour);
    canvas.text(text, textLeft, y + 1, ink);
  });
}

class Canvas {
  readonly data: Uint8ClampedArray<ArrayBuffer>;

  constructor(
    readonly width: number,
    readonly height: number,
    background: Colour,
  ) {
    this.data = new Uint8ClampedArray(4 * width * height);
    this.fill(0, 0, width, height, background);
  }

  fill(left: number, top: number, width: number, height: number, [red, green, blue]: Colour): void {
    const [right, bottom] = [Math.min(this.width, left + width), Math.min(this.height, top + height)];
    for (let y = Math.max(0, top); y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const at = 4 * (y * this.width + x);
        this.data[at] = red;
        this.data[at + 1] = green;
        this.data[at + 2] = blue;
        this.data[at + 3] = 255;
      }
    }
  }

  text(text: string, left: number, top: number, colour: Colour): void {
    drawText(text, (x, y) => this.fill(left + x, top + y, 1, 1, colour));
  }
}
