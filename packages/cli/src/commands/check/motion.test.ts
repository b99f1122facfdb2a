import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const apart = { 'a.obj': boxObj(0, 0, 0), 'b.obj': boxObj(5, 0, 0) };

const shifted = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];

it('sets the poses of one frame, by name or index', async () => {
  for (const name of ['b', '#1']) {
    const folder = testFolder({ ...apart, 'poses.json': JSON.stringify({ [name]: shifted(-4.5) }) });
    const words = ['check', 'a.obj', 'b.obj', '--poses', 'poses.json', '--json', '--backend', 'cpu'];
    const { status, out } = await runIn(folder, words);
    expect(status).toBe(1);
    expect(JSON.parse(out).pairs).toHaveLength(1);
  }
});

it('answers a motion per frame; bodies without a pose return to their place in the file', async () => {
  const motion = [{ b: shifted(-4.5) }, {}, { '#0': shifted(5), b: shifted(0) }];
  const folder = testFolder({ ...apart, 'motion.json': JSON.stringify(motion) });
  const words = ['check', 'a.obj', 'b.obj', '--poses', 'motion.json', '--backend', 'cpu'];
  const { status, out } = await runIn(folder, [...words, '--json']);
  expect(status).toBe(1);
  const answer = JSON.parse(out);
  expect(Object.keys(answer)).toEqual([
    ...['version', 'backend', 'method', 'files', 'bodies', 'question', 'matrix', 'frames', 'timing'],
  ]);
  expect(
    answer.frames.map((frame: { frame: number; pairs: { relation: string }[] }) => [
      frame.frame,
      ...frame.pairs.map(pair => pair.relation),
    ]),
  ).toEqual([[0, 'crossing'], [1], [2, 'coincident']]);
  expect((await runIn(folder, words)).out).toMatch(
    /1 pair meets in 2 of 3 frames: crossing in 1, coincident in 1\./,
  );
});

it('gives each frame of a motion the same answer as that frame alone', async () => {
  const parts = [
    boxObj(0, 0, 0, 2, 'a'),
    boxObj(1, 1, 1, 2, 'b'),
    boxObj(3, 1, 1, 2, 'c'),
    boxObj(9, 0, 0, 2, 'd'),
  ];
  const motion = [
    {},
    { d: shifted(-7) },
    { d: shifted(-7), a: shifted(0.5) },
    { a: shifted(0.5) },
    { c: shifted(-1) },
  ];
  const files = Object.fromEntries(motion.map((frame, i) => [`${i}.json`, JSON.stringify(frame)]));
  const folder = testFolder({ ...files, 'parts.obj': parts.join(''), 'all.json': JSON.stringify(motion) });
  const words = [
    'check',
    'parts.obj',
    '--json',
    '--triangles',
    '--depths',
    'all',
    '--backend',
    'cpu',
    '--poses',
  ];
  const { frames } = JSON.parse((await runIn(folder, [...words, 'all.json'])).out);
  for (const i of motion.keys()) {
    const alone = JSON.parse((await runIn(folder, [...words, `${i}.json`])).out);
    expect(frames[i]).toEqual({ frame: i, pairs: alone.pairs });
  }
  expect(frames.map((frame: { pairs: unknown[] }) => frame.pairs.length)).toEqual([2, 5, 5, 2, 3]);
});

it('reports a motion: every frame with a finding, and each pair in its worst frame', async () => {
  const motion = [{}, { b: shifted(-4) }, { b: shifted(-4.5) }, { b: shifted(-4.25) }, {}];
  const folder = testFolder({ ...apart, 'motion.json': JSON.stringify(motion) });
  const words = ['check', 'a.obj', 'b.obj', '--poses', 'motion.json', '--backend', 'cpu'];
  expect((await runIn(folder, [...words, '--report', 'x.html'])).status).toBe(1);
  const page = readFileSync(join(folder, 'x.html'), 'utf8');
  expect(page).toContain('2 bodies with 24 triangles, 5 frames: 1 pair meets, in 3 frames.');
  expect(page).toContain('<td class="n">2</td><td>1–3</td>');
  expect((await runIn(folder, words)).out).toContain(
    '1 pair meets in 3 of 5 frames: crossing in 2, touching in 1.',
  );
  expect((await runIn(folder, [...words, '--clearance', '5'])).out).toContain(
    'touching in 1; 1 pair is too close in 2 of 5 frames.',
  );
  expect(page.match(/<img /g)).toHaveLength(2);
  // The table has one line per pair, as in its worst frame.
  const lines = (await runIn(folder, words)).out.split('\n').filter(line => line.includes('#0 a'));
  expect(lines.map(line => line.trim().split(/ {2,}/))).toEqual([
    ['#0 a', '#1 b', 'crossing', '1–3', '2', expect.any(String)],
  ]);
  // The report is the same if the triangles of all frames are kept or only those of the worst.
  await runIn(folder, [...words, '--triangles', '--report', 'y.html']);
  const untimed = (text: string) =>
    text.replace(/\d[\d.]* m?s\b|\d\d? \w+ \d{4}, [\d:]+ UTC|datetime="[^"]*"/g, '');
  expect(untimed(readFileSync(join(folder, 'y.html'), 'utf8')) === untimed(page)).toBe(true);
});

it.each([
  ['{"c": []}', /poses\.json: no body is called "c"; the bodies are "a", "b"/],
  ['{"a": [1]}', /"a" must have 16 numbers, column by column/],
  ['{"#7": []}', /there is no body #7; the bodies are #0 to #1/],
  [`{"a": ${JSON.stringify([...shifted(0).slice(1), '1'])}}`, /number 15 is/],
  [`{"a": ${JSON.stringify(shifted(0))}, "#0": ${JSON.stringify(shifted(0))}}`, /already has a pose/],
  [`[{}, {"a": ${JSON.stringify(shifted(0).fill(0, 0, 15))}}]`, /frame 1: a: the pose is singular/],
  ['[[]]', /frame 0: a frame must be an object/],
  ['7', /a frame must be an object/],
  ['{', /not valid JSON/],
])('refuses %s', async (text, message) => {
  const folder = testFolder({ ...apart, 'poses.json': text });
  const words = ['check', 'a.obj', 'b.obj', '--poses', 'poses.json', '--backend', 'cpu'];
  const { status, out, err } = await runIn(folder, words);
  expect([status, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});

it('refuses a name that several bodies share', async () => {
  const folder = testFolder({ ...apart, 'poses.json': `{"a": ${JSON.stringify(shifted(0))}}` });
  const { err } = await runIn(folder, [
    'check',
    'a.obj',
    'a.obj',
    '--poses',
    'poses.json',
    '--backend',
    'cpu',
  ]);
  expect(err).toMatch(/several bodies are called "a"/);
});
