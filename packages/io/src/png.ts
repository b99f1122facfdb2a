// Writes pixels as a PNG file (ISO/IEC 15948): 8 bits per channel, red, green, blue and alpha. Each row uses the one
// of two filters that leaves the smaller sum of differences, as the standard suggests. This is a separate entry point
// because it works only in Node; a browser encodes pixels through a canvas.

import { deflateSync } from 'node:zlib';
import { NearfieldError } from 'nearfield';
import { inWords } from './file-error.ts';

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
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 6, 0, 0, 0], 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filterRows(data, width, height), { level: 6 })),
    chunk('IEND', new Uint8Array(0)),
  ];
  return Buffer.concat(parts);
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

/**
 * Each row as differences from the row above (filter 2) or from Paeth's prediction (filter 4), whichever is smaller.
 */
function filterRows(data: Bytes, width: number, height: number): Uint8Array {
  const stride = 4 * width;
  const out = new Uint8Array(height * (stride + 1));
  const up = new Uint8Array(stride);
  const paeth = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const row = y * stride;
    let upSum = 0;
    let paethSum = 0;
    for (let i = 0; i < stride; i++) {
      const value = data[row + i];
      const left = i >= 4 ? data[row + i - 4] : 0;
      const above = y > 0 ? data[row - stride + i] : 0;
      const corner = i >= 4 && y > 0 ? data[row - stride + i - 4] : 0;
      const toLeft = Math.abs(above - corner);
      const toAbove = Math.abs(left - corner);
      const toCorner = Math.abs(left + above - 2 * corner);
      const guess = toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
      up[i] = value - above;
      paeth[i] = value - guess;
      upSum += up[i] < 128 ? up[i] : 256 - up[i];
      paethSum += paeth[i] < 128 ? paeth[i] : 256 - paeth[i];
    }
    const at = y * (stride + 1);
    out[at] = upSum < paethSum ? 2 : 4;
    out.set(upSum < paethSum ? up : paeth, at + 1);
  }
  return out;
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + body.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(body, 8);
  view.setUint32(8 + body.length, crc32(out.subarray(4, 8 + body.length)));
  return out;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
