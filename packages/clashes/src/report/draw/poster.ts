// One picture for visitors: the assembly, and close-ups of two of its pairs beside it.

import type { Pixels } from '@nearfield/io/png';
import type { PictureInput, ReportPair } from '../types.ts';
import { drawOverview, drawPair, rememberNormals } from './picture.ts';
import type { Color } from './rasterise.ts';

const page: Color = [246, 248, 250];
const panel: Color = [228, 234, 240];
const [width, height, gap, corner] = [1200, 600, 20, 14];

/** 1,200 by 600 pixels, opaque. Close-ups are in a column on the right. */
export function drawPoster(input: PictureInput, closeUps: readonly ReportPair[]): Pixels {
  const normalsOf = rememberNormals();
  const poster = { width, height, data: new Uint8Array(4 * width * height) };
  for (let i = 0; i < poster.data.length; i += 4) poster.data.set([...page, 255], i);
  const column = 384;
  const overview = {
    width: width - column - 3 * gap,
    height: height - 2 * gap,
    samples: 4,
    background: page,
  };
  place(poster, drawOverview(input, normalsOf, overview).pixels, gap, gap, 0);
  const each = Math.floor((height - gap * (closeUps.length + 1)) / closeUps.length);
  closeUps.forEach((pair, i) => {
    const size = { width: column, height: each, samples: 4, background: panel };
    const { pixels } = drawPair(input, pair, normalsOf, size);
    place(poster, pixels, width - gap - column, gap + i * (each + gap), corner);
  });
  return poster;
}

/** Copies one picture into another, with rounded corners. */
function place(target: Pixels, source: Pixels, left: number, top: number, radius: number): void {
  for (let y = 0; y < source.height; y++) {
    for (let x = 0; x < source.width; x++) {
      // How far the pixel lies outside the circle of the nearest corner; the edge is half a pixel wide on either
      // side.
      const dx = Math.max(radius - x - 0.5, x + 0.5 - (source.width - radius), 0);
      const dy = Math.max(radius - y - 0.5, y + 0.5 - (source.height - radius), 0);
      const cover = radius === 0 ? 1 : Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(dx, dy)));
      const from = 4 * (y * source.width + x);
      const to = 4 * ((top + y) * target.width + left + x);
      for (let c = 0; c < 3; c++) {
        target.data[to + c] = Math.round(cover * source.data[from + c] + (1 - cover) * target.data[to + c]);
      }
    }
  }
}
