// Ctrl-C when the bar of a stage appears: the command ends with status 130, and nothing is left behind.
// Every look at the clock finds a pause due, as it does in a large assembly. `node scripts/ctrl-c.mjs` measures the time.

import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { boxObj, runIn, testFolder } from './testing.ts';

beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const rules = JSON.stringify({
  sets: { odd: { name: 'box *1' } },
  tests: [
    { name: 'odd', within: 'odd' },
    { name: 'rest', all: true },
  ],
});
// Twos that overlap, each two closer to the next than the clearance.
const boxes = Array.from({ length: 80 }, (_, i) =>
  boxObj(2.05 * (i >> 1) + 0.75 * (i & 1), 0, 0, 1, `box ${i}`),
);
const files = { 'many.obj': boxes.join(''), 'rules.json': rules };
const check = [
  'check',
  'many.obj',
  '--backend',
  'cpu',
  '--units',
  'm',
  '--clearance',
  '0.5',
  '--rules',
  'rules.json',
];

/** The stages whose bars appear, in order, if Ctrl-C comes as a task of its own when a certain one does. */
async function interrupted(words: readonly string[], stage: string) {
  const folder = testFolder(files);
  const cancel = new AbortController();
  const shown: string[] = [];
  const { status, err } = await runIn(folder, words, {
    interactive: true,
    signal: cancel.signal,
    err: text => {
      const [, name] = /2K(\w+) +[█░]/.exec(text) ?? [];
      if (name === undefined || name === shown.at(-1)) return;
      shown.push(name);
      if (name === stage) setImmediate(() => cancel.abort());
    },
  });
  return { status, err, shown, left: readdirSync(folder).filter(name => !(name in files)) };
}

const json = ['--group', 'part', '--out', 'x.json'];
const stages = ['reading', 'opening', 'checking', 'relating', 'locating', 'clearances', 'depths', 'grouping'];
const moments: [stage: string, outputs: readonly string[]][] = [
  ...stages.map((stage): [string, string[]] => [stage, json]),
  ['writing', json],
  ['writing', ['--out', 'x.csv']],
  ['writing', ['--out', 'x.junit.xml']],
  ['writing', ['--out', 'x.glb']],
  ['drawing', ['--out', 'x.bcf']],
  ['drawing', ['--out', 'x.html']],
  ['writing', ['--statuses', 'x.json']],
];

it.each(moments)('ends %s at once: %s', async (stage, outputs) => {
  const { status, shown, left } = await interrupted([...check, ...outputs], stage);
  expect(status).toBe(130);
  expect(left).toEqual([]);
  // Tasks have no order: the next stage may begin before the signal arrives, but not the one after it.
  expect(shown.length - shown.indexOf(stage)).toBeLessThanOrEqual(2);
});
