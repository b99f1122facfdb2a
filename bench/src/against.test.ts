import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { beside, compared, comparedTable, engineProcessIn } from './against.ts';
import type { Engine } from './peers/engine.ts';
import type { Times } from './run/measure.ts';
import type { CaseResult, Row } from './run/runner.ts';

const times = (value: number): Times => ({
  ...{ median: value, processor: value, low: value, high: value, mean: value, processorMean: value },
  ...{ least: value, calm: value, runs: 1 },
});
const row = (value: number | string): Row => ({
  ...{ engine: 'Nearfield cpu', version: '1', setting: '' },
  ...(typeof value === 'string' ? { cannot: value } : { warm: times(value) }),
});
const played = (name: string, ...values: (number | string)[]): CaseResult => ({
  ...{ scene: 'pair', name, question: 'pairs', triangles: 2, bodies: 2, frames: 1, rows: values.map(row) },
});

it('runs every engine in this build, in this build again, and in the other', () => {
  const engine = { name: 'Nearfield cpu' } as Engine;
  const there = new URL('file:///there.js');
  expect(beside([engine], there)).toEqual([engine, engine, { ...engine, process: there }]);
});

it('calls a row slower only beyond chance', () => {
  const rows = compared([
    played('equal', 10, 10, 10),
    played('a little', 10.2, 10.2, 10),
    played('noisy', 12, 10, 10),
    played('slower', 12, 12, 10),
    played('faster', 5, 5, 10),
  ]);
  expect(rows.map(({ slower }) => slower)).toEqual([false, false, false, true, false]);
  expect(rows.map(({ ratio }) => ratio?.toFixed(2))).toEqual(['1.00', '1.02', '1.10', '1.20', '0.50']);
  const text = comparedTable(rows);
  expect(text).toMatch(
    /slower by more than 3 % beyond chance:\n {2}pair: slower, pairs, Nearfield cpu: 1\.200\n$/,
  );
  expect(text).toContain('geometric mean of 5 rows: 0.923');
});

it('names the question that a build cannot answer, and gives no ratio', () => {
  const [here, there] = compared([played('new', 3, 3, 'fails'), played('gone', 'fails', 'fails', 3)]);
  expect(here).toMatchObject({ here: 3, cannot: 'there: fails', slower: false });
  expect(here.ratio).toBeUndefined();
  expect(there).toMatchObject({ cannot: 'fails', slower: false });
  expect(comparedTable([here, there])).toContain('pair: new, pairs, Nearfield cpu: there: fails');
});

it('refuses a folder without a build by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nearfield-against-'));
  try {
    expect(() => engineProcessIn(folder)).toThrow(`there is no built clone in '${folder}'`);
    mkdirSync(join(folder, 'bench/dist'), { recursive: true });
    writeFileSync(join(folder, 'bench/dist/engine-process.js'), '');
    expect(engineProcessIn(folder).pathname).toMatch(/bench\/dist\/engine-process\.js$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
