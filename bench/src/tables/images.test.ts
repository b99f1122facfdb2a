import { expect, it } from 'vitest';
import { growthRows, paperRows, type TimedCase } from './images.ts';

const sizes = [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000];
const cases: TimedCase[] = sizes.map(size => ({
  name: `${size}`,
  series: { name: 'polygons', unit: 'polygon', size },
  times: new Map([
    ['lists', 0.2 + 1e-5 * size],
    ['stencil', size === 1000 ? 0.5 : 0.5 + 2e-5 * size],
  ]),
}));

it('fits a line per engine that measured eight sizes', () => {
  const [heads, lists, stencil] = growthRows(cases);
  expect(heads.length).toBe(lists.length);
  expect(lists).toEqual([
    'polygons',
    'lists',
    '8 from 1,000 to 128,000',
    '0.2',
    '10.0 per polygon',
    '1.0000',
    '1.28',
  ]);
  expect(stencil[1]).toBe('stencil');
  expect(growthRows(cases.slice(1))).toEqual([]);
});

it('prefers series measured in turn to those of cases', () => {
  const points = sizes.map(size => ({ size, time: 1 + 3e-5 * size }));
  const inTurn = [{ series: 'polygons in turn', unit: 'polygon', engine: 'lists', points }];
  const [, first, second] = growthRows(cases, inTurn);
  expect([first[0], first[3], first[4], first[5]]).toEqual([
    'polygons in turn',
    '1',
    '30.0 per polygon',
    '1.0000',
  ]);
  expect(second[0]).toBe('polygons');
  expect(growthRows([], inTurn).length).toBe(2);
});

it('shows the paper’s result beside each engine', () => {
  const paper = { from: 4, milliseconds: 11.9, machine: 'GeForce4' };
  expect(paperRows([...cases, { name: 'table', paper, times: new Map([['lists', 0.12345]]) }])).toEqual([
    ['case', 'paper, ms', 'measured on', 'lists'],
    ['table', '4–11.9', 'GeForce4', '0.123'],
  ]);
  expect(paperRows(cases)).toEqual([]);
});
