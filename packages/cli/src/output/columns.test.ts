import fc from 'fast-check';
import columnsOf from 'string-width';
import { expect, it } from 'vitest';
import { type Column, inColumns, shortened, wrapped } from './columns.ts';

const columns: readonly Column[] = [
  { head: 'part', isName: true },
  { head: 'relation' },
  { head: 'count', isNumber: true, leaveOut: 2 },
  { head: 'test', leaveOut: 1 },
];
const row = ['IfcWallStandardCase_5903', 'crossing', '12', 'pipes through walls'];
const widest = (lines: readonly string[]) => Math.max(...lines.map(line => columnsOf(line.trimEnd())));

it('leaves out columns in their order, and then shortens names', () => {
  const at = (width: number) => inColumns(columns, [row], width);
  expect(at(80).leftOut).toEqual([]);
  expect(at(57).leftOut).toEqual(['count']);
  expect(at(40).leftOut).toEqual(['count', 'test']);
  expect(at(24).lines[2]).toBe('IfcWallSt…5903  crossing\n');
  for (const width of [80, 57, 40, 24]) expect(widest(at(width).lines)).toBeLessThanOrEqual(width);
});

it('shortens names in the middle, by what is seen', () => {
  expect(shortened('IfcWallStandardCase_5903', 16)).toBe('IfcWallSta…_5903');
  expect(shortened('東京タワーの壁', 9)).toBe('東京タ…壁');
  expect(shortened('short', 5)).toBe('short');
});

it('fits any text into any width', () => {
  const property = fc.property(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.integer({ min: 1, max: 20 }),
    (text, width) => {
      expect(columnsOf(shortened(text, width))).toBeLessThanOrEqual(width);
    },
  );
  fc.assert(property, { numRuns: 500 });
});

it('breaks lines between words', () => {
  expect(wrapped('one two three', 20)).toBe('one two three');
  expect(wrapped('one two three four', 9)).toBe('one two\n  three\n  four');
  expect(wrapped('incomprehensibilities', 5)).toBe('incomprehensibilities');
});
