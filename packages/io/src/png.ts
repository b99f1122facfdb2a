// Writes pixels as a PNG file: 8 bits per channel, red, green, blue and alpha. This is a separate entry point, so that
// a page that only reads models does not carry the encoder.

import { encode } from 'fast-png';
import { NearfieldError } from 'nearfield';
import { inWords } from './reading/file-error.ts';

/** The data of a canvas are clamped bytes. */
type Bytes = Uint8Array | Uint8ClampedArray;

export interface Pixels<Data extends Bytes = Uint8Array> {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, alpha; not premultiplied. */
  readonly data: Data;
}

/** The largest width or height of the format. */
const mostPixels = 2 ** 31 - 1;

export function encodePng(pixels: Pixels<Bytes>): Uint8Array {
  checkPixels(pixels);
  const { width, height, data } = pixels;
  return encode({ width, height, data, channels: 4, depth: 8 }, { zlib: { level: 6 } });
}

function checkPixels(pixels: unknown): void {
  if (typeof pixels !== 'object' || pixels === null) {
    throw new NearfieldError('bad-option', `pixels must have width, height and data; got ${inWords(pixels)}`);
  }
  const { width, height, data } = pixels as Record<string, unknown>;
  for (const [name, side] of Object.entries({ width, height })) {
    if (Number.isInteger(side) && (side as number) >= 1 && (side as number) <= mostPixels) continue;
    throw new NearfieldError(
      'bad-option',
      `${name} must be a whole number of at least 1, not ${inWords(side)}`,
    );
  }
  const length = 4 * (width as number) * (height as number);
  if (data instanceof Uint8Array || data instanceof Uint8ClampedArray) {
    if (data.length === length) return;
    throw new NearfieldError(
      'bad-array',
      `data must have four bytes per pixel, ${length} in total, not ${data.length}`,
    );
  }
  const rule = 'a Uint8Array or a Uint8ClampedArray';
  throw new NearfieldError('bad-array', `data must be ${rule}, not ${inWords(data)}`);
}
