import { expect, it } from 'vitest';
import type { Times } from './measure.ts';
import type { CaseResult } from './runner.ts';
import { markdown, significant } from './table.ts';

const times = (value: number): Times => ({
  ...{ median: value, processor: value, low: value, high: value, mean: value, processorMean: value },
  ...{ least: value, runs: 1 },
});

it('writes three significant digits', () => {
  expect([0, 0.0012345, 0.5, 12.345, 1234.5].map(significant)).toEqual([
    '0',
    '0.00123',
    '0.500',
    '12.3',
    '1235',
  ]);
});

it('writes a line an engine, with the ratio to Nearfield, and says what cannot be done', () => {
  const result: CaseResult = {
    ...{ scene: 'pair', name: 'bunny', question: 'pairs', triangles: 2, bodies: 2, frames: 1, exactPairs: 3 },
    rows: [
      {
        ...{ engine: 'Nearfield cpu', version: '1', setting: 's', cold: times(8), warm: times(2) },
        pairs: { found: 3, missed: 0, false: 0 },
      },
      {
        engine: 'peer',
        version: '2',
        setting: 's',
        warm: times(9),
        pairs: { found: 2, missed: 1, false: 0 },
      },
      { engine: 'other', version: '3', setting: 's', cannot: 'no such question' },
    ],
  };
  const machine = { processor: 'p', cores: 2, memoryGiB: 1, node: 'v20' };
  const text = [...markdown({ machine, date: 'd', cases: [result] })].join('');
  const lines = text.split('\n').filter(line => line.startsWith('| bunny'));
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain('4.50×');
  expect(lines[1]).toContain('| 2 | 1 | 0 |');
  expect(lines[2]).toContain('cannot');
  expect(lines[2]).toContain('no such question');
  const columns = new Set(lines.map(line => line.split('|').length));
  expect(columns.size).toBe(1);
});
