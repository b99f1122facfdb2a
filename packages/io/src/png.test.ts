import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodePng, type Pixels } from './png.ts';

/** Decodes the output of encodePng, following the standard byte by byte. */
function decode(file: Uint8Array): Pixels {
  const bytes = Buffer.from(file);
  expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.set(type, bytes.subarray(at + 8, at + 8 + length));
    expect(bytes.readUInt32BE(at + 8 + length)).toBe(crc32(bytes.subarray(at + 4, at + 8 + length)));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR')!;
  expect([...header.subarray(8)]).toEqual([8, 6, 0, 0, 0]);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const rows = inflateSync(chunks.get('IDAT')!);
  const stride = 4 * width;
  expect(rows.length).toBe(height * (stride + 1));
  const data = new Uint8Array(height * stride);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)];
    for (let i = 0; i < stride; i++) {
      const a = i >= 4 ? data[y * stride + i - 4] : 0;
      const b = y > 0 ? data[(y - 1) * stride + i] : 0;
      const c = i >= 4 && y > 0 ? data[(y - 1) * stride + i - 4] : 0;
      const p = a + b - c;
      const nearest = [a, b, c].reduce((best, v) => (Math.abs(p - v) < Math.abs(p - best) ? v : best));
      const expected = [0, a, b, (a + b) >> 1, nearest][filter];
      data[y * stride + i] = rows[y * (stride + 1) + 1 + i] + expected;
    }
  }
  return { width, height, data };
}

describe('encodePng', () => {
  it('keeps every pixel', () => {
    for (const [width, height] of [
      [1, 1],
      [7, 3],
      [64, 40],
    ]) {
      const data = Uint8Array.from({ length: 4 * width * height }, (_, i) => (i * 37 + (i >> 5) * 11) & 255);
      expect(decode(encodePng({ width, height, data }))).toEqual({ width, height, data });
    }
  });

  it('accepts the data of a canvas', () => {
    const data = Uint8ClampedArray.of(300, -3, 40.4, 255);
    const { data: kept } = decode(encodePng({ width: 1, height: 1, data }));
    expect([...kept]).toEqual([255, 0, 40, 255]);
  });
});
