import { readdirSync, readFileSync } from 'node:fs';
import { keyOf, pageCases } from 'nearfield-bench/page';
import { expect, it } from 'vitest';
import { mediansOf } from './recorded.ts';

const folder = new URL('../../../bench/results/', import.meta.url);
const keys = new Set(pageCases.map(({ key }) => key));

it('finds every case of the page among those recorded, in a few kilobytes', () => {
  const files = readdirSync(folder).filter(name => /^[^.]+\.json$/.test(name));
  const recorded = files.flatMap(name =>
    mediansOf(name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))),
  );
  const names = recorded.map(({ machine, kind }) => `${machine}: ${kind}`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(recorded.map(({ kind }) => kind))).toEqual(new Set(['cpu', 'gpu']));
  // As people call them: no marks, no numbers of drivers.
  for (const name of names) expect(name).toMatch(/^([\w-]+ )+[\w-]+(, \d+ cores: cpu|: gpu)$/);
  for (const key of keys) {
    const times = recorded.flatMap(({ medians }) => medians[key] ?? []);
    expect(times.length, key).toBeGreaterThan(0);
    for (const time of times) expect(time, key).toBeGreaterThan(0);
  }
  expect(JSON.stringify(recorded).length).toBeLessThan(20_000);
});

it('makes the cases under the names they are recorded by', () => {
  for (const { key, make } of pageCases) expect(keyOf(make())).toBe(key);
});
