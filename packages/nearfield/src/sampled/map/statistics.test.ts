import { expect, test } from 'vitest';
import { statisticsOf } from './statistics.ts';

test('the figures of ten pixels match those computed by hand', () => {
  const distance = Float32Array.of(-2, -1, 0, 1, 2, 3, 4, 5, Number.NaN, Number.NaN);
  const figures = statisticsOf({
    distance,
    coverage: Uint8Array.of(3, 3, 3, 3, 3, 3, 3, 3, 1, 2),
    penetrating: Uint8Array.from(distance, x => (x < 0 ? 1 : 0)),
    pixel: 0.5,
    contact: 1,
    pointOf: pixel => [pixel, 0, 0],
  });
  expect(figures).toEqual({
    pixels: 10,
    both: 8,
    measured: 8,
    onlyA: 1,
    onlyB: 1,
    least: -2,
    greatest: 5,
    mean: 1.5,
    rms: Math.sqrt(60 / 8),
    median: 1,
    quantiles: [-2, -1, 3, 5],
    contactArea: 0.75,
    penetrationArea: 0.5,
    penetrationVolume: 0.75,
    deepest: { distance: -2, point: [0, 0, 0] },
  });
});
