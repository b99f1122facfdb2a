import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jawStages } from '@nearfield/samples';
import { expect, test } from 'vitest';
import { runIn, testFolder } from '../../testing.ts';
import { sceneNames, withResponse } from './scene.ts';

test('a moving scene prints a table of its steps, and reports its last step', async () => {
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
    'ms per step',
  ]);
  expect(lines.slice(3).map(line => line.trim().split(/\s+/)[0])).toEqual(['1', '2', '3', '4']);
  expect(err).toContain('the report is in end.html');
  expect(readFileSync(join(folder, 'end.html'), 'utf8')).toContain('The sample cylinders after 4 steps');
});

test('every scene runs, with a response if it is optional', async () => {
  // The jaws follow, in a test of their own.
  for (const name of sceneNames.filter(each => each !== 'jaws')) {
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
    // Hail has one line per object (9).
    expect(out.split('\n').length, name).toBe(name === 'hail' ? 17 : 5);
  }
});

test('jaws show a map per stage, and the last one per tooth and as a picture', async () => {
  const folder = testFolder();
  const { status, out, err } = await runIn(folder, [
    'sample',
    'jaws',
    '--backend',
    'cpu',
    '--out',
    'bite.png',
  ]);
  expect([status, err]).toEqual([0, 'nearfield: the map is in bite.png\n']);
  const lines = out.trimEnd().split('\n');
  // One line per tooth (28) after the heading and the stages.
  expect(lines.length).toBe(38);
  expect(lines.slice(3, 7).map(line => line.trim().split(/\s+/)[1])).toEqual([...jawStages]);
  const overlaps = lines.slice(3, 7).map(line => Number(line.trim().split(/\s+/)[4]));
  expect(overlaps[0]).toBe(0);
  expect([...overlaps].sort((a, b) => a - b)).toEqual(overlaps);
  const teeth = lines.slice(10).map(line => line.trim().split(/\s{2,}/)[0]);
  expect([teeth[0], teeth.at(-1)]).toEqual(['upper 11', 'lower 47']);
  expect(readFileSync(join(folder, 'bite.png')).subarray(1, 4).toString('latin1')).toBe('PNG');
});

test.each([
  [
    ['sample', 'teapots'],
    /there is no sample "teapots"; choose one of cylinders, tori, heart, rings, breaking, leaves, folding-cloth, bunnies, jaws, hail/,
  ],
  [['sample', 'tori', '--steps', '0'], /--steps takes a whole number from 1 to 1,000,000, not "0"/],
  [['sample', 'tori', '--json'], /--json is for the gearbox/],
  [['sample', 'tori', '--out', 'x.png'], /--out is for the gearbox/],
  [['sample', 'jaws', '--out', 'x.json'], /--out writes the picture of a map and must end in \.png/],
  [['sample', '--steps', '3'], /--steps is for samples that move/],
  [
    ['sample', 'rings', '--response'],
    /rings always push one another: use --response with cylinders, tori, heart/,
  ],
  [['sample', 'leaves', '--response'], /leaves moves by itself: use --response with cylinders/],
])('%j', async (words, message) => {
  const { status, err } = await runIn(testFolder(), words);
  expect(status).toBe(2);
  expect(err).toMatch(message);
});
