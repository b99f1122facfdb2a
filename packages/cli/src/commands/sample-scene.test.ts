import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runIn, testFolder } from '../testing.ts';
import { sceneNames, withResponse } from './sample-scene.ts';

test('a scene that moves prints a table of its steps, and a report of where it ends', async () => {
  const folder = testFolder();
  const words = ['sample', 'cylinders', '--steps', '4', '--backend', 'cpu', '--report', 'end.html'];
  const { status, out, err } = await runIn(folder, words);
  expect(status).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^cylinders: 2 bodies, [\d,]+ triangles; on cpu$/);
  expect(lines[2].trim().split(/\s{2,}/)).toEqual([
    'step',
    'time',
    'pairs',
    'points',
    'deepest',
    'energy',
    'ms a step',
  ]);
  expect(lines.slice(3).map(line => line.trim().split(/\s+/)[0])).toEqual(['1', '2', '3', '4']);
  expect(err).toContain('the report is in end.html');
  expect(readFileSync(join(folder, 'end.html'), 'utf8')).toContain('The sample cylinders after 4 steps');
});

test('every scene runs, with a response where it has the choice', async () => {
  for (const name of sceneNames) {
    const response = withResponse.includes(name) ? ['--response'] : [];
    const { status, out } = await runIn(testFolder(), [
      'sample',
      name,
      '--steps',
      '1',
      '--backend',
      'cpu',
      ...response,
    ]);
    expect(status, name).toBe(0);
    expect(out.split('\n').length, name).toBe(5);
  }
});

test.each([
  [
    ['sample', 'teapots'],
    /there is no sample "teapots"; there are cylinders, tori, heart, rings, breaking, leaves, folding-cloth, bunnies/,
  ],
  [['sample', 'tori', '--steps', '0'], /--steps takes a whole number from 1 to 1,000,000, not "0"/],
  [['sample', 'tori', '--json'], /--json is for the gearbox/],
  [['sample', '--steps', '3'], /--steps is for samples that move/],
  [
    ['sample', 'rings', '--response'],
    /rings always push one another: --response is for cylinders, tori, heart/,
  ],
  [['sample', 'leaves', '--response'], /leaves moves by itself: --response is for cylinders/],
])('%j', async (words, message) => {
  const { status, err } = await runIn(testFolder(), words);
  expect(status).toBe(2);
  expect(err).toMatch(message);
});
