import { expect, it } from 'vitest';
import { amount, labelPlaces } from './plot.ts';

it('gives every dot a value that covers no other', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  for (let turn = 0; turn < 200; turn++) {
    const dots = Array.from({ length: 1 + Math.floor(8 * random()) }, () => ({
      x: 20 + 100 * random(),
      text: amount(10 ** (4 * random() - 1)),
    }));
    const places = labelPlaces(dots);
    expect(places).toHaveLength(dots.length);
    for (const [i, p] of places.entries()) {
      expect(p.x).toBeGreaterThanOrEqual(dots[i].x);
      for (const [j, q] of places.entries()) {
        if (i >= j || p.y !== q.y) continue;
        const width = 5.6 * ((dots[i].text.length + dots[j].text.length) / 2);
        expect(Math.abs(p.x - q.x), `turn ${turn}`).toBeGreaterThanOrEqual(width - 1e-9);
      }
    }
  }
});

it('has no value far from its dot if there is room', () => {
  const places = labelPlaces([
    { x: 100, text: '1.5' },
    { x: 40, text: '20' },
  ]);
  expect(places.map(({ x }) => x)).toEqual([100, 40]);
  expect(new Set(places.map(({ y }) => y)).size).toBe(1);
});

it('writes large numbers with separators and small ones with three digits', () => {
  expect([1234.5, 12.345, 0.00123456].map(amount)).toEqual(['1,235', '12.3', '0.00123']);
});
