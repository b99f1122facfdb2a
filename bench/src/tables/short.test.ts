import { expect, it } from 'vitest';
import type { Times } from '../run/measure.ts';
import type { CaseResult } from '../run/runner.ts';
import { markdown } from './markdown.ts';
import { shortTable } from './short.ts';

const times = (value: number): Times => ({
  ...{ median: value, processor: value, low: value, high: value, mean: value, processorMean: value },
  ...{ least: value, calm: value, runs: 1 },
});

it('writes a narrow line per engine, and leaves out engines without figures', () => {
  const result: CaseResult = {
    ...{ scene: 'pair', name: 'bunny', question: 'pairs', triangles: 2, bodies: 2, frames: 1, exactPairs: 3 },
    rows: [
      {
        ...{ engine: 'Nearfield cpu', version: '1', setting: 'a long setting', warm: times(2) },
        pairs: { found: 3, missed: 0, false: 0 },
      },
      {
        ...{ engine: 'peer', version: '2', setting: 's', warm: times(9) },
        pairs: { found: 2, missed: 1234, false: 0 },
      },
      { engine: 'other', version: '3', setting: 's', cannot: 'no such question' },
    ],
  };
  const text = shortTable([result]);
  expect(text.split('\n').map(line => line.split(/ {2,}/))).toEqual([
    ['case', 'engine', 'ms', 'ratio', 'missed', 'false'],
    expect.any(Array),
    ['pair: bunny, pairs', 'Nearfield cpu', '2.00', '1.00×', '0', '0'],
    ['', 'peer', '9.00', '4.50×', '1,234', '0'],
    [''],
    [expect.stringContaining('--json has the rest')],
    [''],
  ]);
  expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThan(150);
});

it("writes the paper's time, and what images leave to test as a separate table", () => {
  const result: CaseResult = {
    ...{ scene: 'visibility', name: 'breaking', question: 'scene', triangles: 2, bodies: 2, frames: 40 },
    paper: { from: 35, milliseconds: 50, machine: 'GeForce FX 5950, 2004' },
    culling: [
      {
        device: 'NVIDIA H200',
        ...{ way: 'touched pixels', resolution: 256, frames: 40, boxPairs: 690, pairsLeft: 100 },
        ...{ trianglesLeft: 50, triangles: 1000, pairs: { found: 9, missed: 0, false: 0 }, milliseconds: 4 },
      },
    ],
    rows: [{ engine: 'Nearfield cpu', version: '1', setting: '', warm: times(2) }],
  };
  const lines = shortTable([result]).split('\n');
  const cells = lines.map(line => line.trim().split(/ {2,}/));
  expect(cells).toContainEqual(['the paper (GeForce FX 5950, 2004)', '35–50']);
  expect(lines).toContain('breaking: what images leave to test, on NVIDIA H200');
  expect(cells).toContainEqual([
    'touched pixels',
    '256²',
    '40',
    '690',
    '100',
    '6.90',
    '5.00',
    '9',
    '0',
    '0',
    '4.00',
  ]);
  const machine = { processor: 'p', cores: 2, memoryGiB: 1, node: 'v20' };
  const text = [...markdown({ machine, date: 'd', cases: [result] })].join('');
  expect(text).toContain('| touched pixels | 256² | 40 | 690 | 100 | 6.90 | 5.00 | 9 | 0 | 0 | 4.00 |');
  expect(text).toContain('| breaking |  | 0 | 35–50 | 2.00 |');
});
