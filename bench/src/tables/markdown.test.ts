import { expect, it } from 'vitest';
import type { Times } from '../run/measure.ts';
import type { CaseResult } from '../run/runner.ts';
import { markdown, significant } from './markdown.ts';

const times = (value: number): Times => ({
  ...{ median: value, processor: value, low: value, high: value, mean: value, processorMean: value },
  ...{ least: value, calm: value, runs: 1 },
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

it('writes one line per engine, with the ratio to Nearfield, and says what an engine cannot do', () => {
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

it('shows growth minus the fixed cost, for every engine with figures', () => {
  const growth = (triangles: number, warm: number, cold: number): CaseResult => ({
    ...{ scene: 'growth', name: `${triangles}`, question: 'pairs', triangles, bodies: 2, frames: 1 },
    exactPairs: 0,
    rows: [
      { engine: 'Nearfield cpu', version: '1', setting: '', warm: times(warm), cold: times(cold) },
      { engine: 'Nearfield gpu', version: '1', setting: '', warm: times(warm), cold: times(cold) },
      { engine: 'other', version: '1', setting: '', cannot: 'no' },
    ],
  });
  const machine = { processor: 'p', cores: 2, memoryGiB: 1, node: 'v20' };
  const cases = [growth(40, 1, 2), growth(1024, 11.24, 22.48)];
  const text = [...markdown({ machine, date: 'd', cases })].join('');
  expect(text).toContain('Nearfield cpu, CPU time, minus the fixed cost of 1.00 ms');
  expect(text).toContain('Nearfield gpu, wall-clock time, minus the fixed cost of 1.00 ms');
  // 10.24 ms over 1,024 · 10.
  expect([...text.matchAll(/\| 1,024 \| 0 \| 10.2 \| 1000 \| 10.2 \| 1000 \|/g)]).toHaveLength(2);
});
