// Writes pixels as a PNG file (ISO/IEC 15948): 8 bits a channel, red, green, blue and alpha, each row with the
// filter that leaves the smallest sum of differences, which is the standard's own suggestion.

import { deflateSync } from 'node:zlib';

export interface Pixels {
  width: number;
  height: number;
  /** Red, green, blue, alpha; not premultiplied. */
  data: Uint8Array;
}

export function encodePng({ width, height, data }: Pixels): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 6, 0, 0, 0], 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filterRows(data, width, height), { level: 9 })),
    chunk('IEND', new Uint8Array(0)),
  ];
  return Buffer.concat(parts);
}

export const dataUri = (pixels: Pixels): string =>
  `data:image/png;base64,${Buffer.from(encodePng(pixels)).toString('base64')}`;

function filterRows(data: Uint8Array, width: number, height: number): Uint8Array {
  const stride = 4 * width;
  const out = new Uint8Array(height * (stride + 1));
  const trial = new Uint8Array(stride);
  const above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * stride, (y + 1) * stride);
    let best = Number.POSITIVE_INFINITY;
    for (let filter = 0; filter < 5; filter++) {
      let sum = 0;
      for (let i = 0; i < stride; i++) {
        const left = i >= 4 ? row[i - 4] : 0;
        const corner = i >= 4 ? above[i - 4] : 0;
        const value = (row[i] - predict(filter, left, above[i], corner)) & 255;
        trial[i] = value;
        sum += value < 128 ? value : 256 - value;
      }
      if (sum < best) {
        best = sum;
        out[y * (stride + 1)] = filter;
        out.set(trial, y * (stride + 1) + 1);
      }
    }
    above.set(row);
  }
  return out;
}

/** What each of the standard's five filters expects of a byte: nothing, left, above, their mean, or Paeth's choice. */
function predict(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    default: {
      const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
      const toCorner = Math.abs(left + above - 2 * corner);
      return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
    }
  }
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
