import { expect, test } from 'vitest';
import { tooManyFragments } from './layouts.ts';
import { capacityOf, fitImages, mostFragments, pixelBytes, pixelCount, type Sizes } from './sizes.ts';

const sizesOf = (resolution: number, instanceCount = 1000, sides: 1 | 2 = 2): Sizes => ({
  ...{ resolution, instanceCount, sides, views: 3 },
  ...{
    starts: new Uint32Array(1),
    bodyCount: 2,
    candidates: 1,
    glances: true,
    listsFragments: true,
    patchHeight: 0,
  },
});
const gibibyte = 2 ** 30;

test.each([
  // Columns: bytes per binding, whether the adapter is software, then the resolution asked for and the resolution and
  // sides used.
  [4 * gibibyte, false, 2048, 2048, 2],
  [4 * gibibyte, false, 8192, 8192, 1],
  [gibibyte / 8, false, 2048, 2048, 1],
  [gibibyte / 8, false, 4096, 2048, 1],
  [gibibyte / 8, false, 1024, 1024, 2],
  [gibibyte, true, 8192, 2048, 2],
  [gibibyte, true, 2048, 2048, 2],
  [256, false, 8192, 2, 2],
  [256, true, 1, 1, 2],
])('with %d bytes to bind (software: %s) %d pixels are %d, from %d sides', (...given) => {
  const [bytes, software, asked, resolution, sides] = given;
  const sizes = sizesOf(asked);
  const capacity = capacityOf(bytes, software);
  fitImages(sizes, capacity);
  expect([sizes.resolution, sizes.sides]).toEqual([resolution, sides]);
  expect(pixelBytes(sizes)).toBeLessThanOrEqual(bytes);
  expect(pixelCount(sizes)).toBeLessThanOrEqual(capacity.pixels);
});

test('images seen from one side stay one-sided', () => {
  const sizes = sizesOf(8192, 1000, 1);
  fitImages(sizes, capacityOf(gibibyte, true));
  expect([sizes.resolution, sizes.sides]).toEqual([2048, 1]);
});

test('the number of rows of tiles always fits a word', () => {
  for (const instanceCount of [1e6, 1e7, 1e8, 1e9]) {
    const sizes = sizesOf(8192, instanceCount);
    fitImages(sizes, capacityOf(4 * gibibyte, false));
    expect(3 * instanceCount * Math.ceil(sizes.resolution / 16)).toBeLessThan(2 ** 32);
  }
});

test('every triangle has capacity for one fragment per view, however slow the device', () => {
  for (const instanceCount of [1, 1e5, 2e6]) {
    const sizes = sizesOf(1, instanceCount);
    const most = mostFragments(sizes, capacityOf(gibibyte, true));
    expect(most).toBeGreaterThan(3 * instanceCount);
    expect(16 * most).toBeLessThanOrEqual(gibibyte);
    expect(mostFragments(sizes, capacityOf(2 ** 40, false))).toBe(tooManyFragments);
  }
});
