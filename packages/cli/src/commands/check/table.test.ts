// The table for people: which rows and columns it has, in which order, and that it fits the terminal.

import columnsOf from 'string-width';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const cpu = ['--backend', 'cpu'];
const shifted = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];

/** A beam that pipes of various depths go into, and a wall that one of them goes into a little. */
const parts = [
  boxObj(0, 0, 0, 10, 'beam'),
  boxObj(8, 0, 0, 2.5, 'pipe of the sprinklers 1'),
  boxObj(9, 4, 0, 2, 'pipe of the sprinklers 2'),
  boxObj(9.5, 8, 0, 1.9, 'pipe of the sprinklers 3'),
  boxObj(11.25, 8, 0, 2, 'wall'),
];
const rules = {
  sets: { pipes: { name: 'pipe*' }, beams: { name: 'beam' }, walls: { name: 'wall' } },
  tests: [
    { name: 'pipes into beams', between: ['pipes', 'beams'] },
    { name: 'pipes into walls', between: ['pipes', 'walls'], severity: 'critical' },
  ],
};
const folderOf = (more: Record<string, unknown> = {}) =>
  testFolder({
    'parts.obj': parts.join(''),
    'rules.json': JSON.stringify(rules),
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, JSON.stringify(value)])),
  });
const check = (folder: string, words: readonly string[], outColumns?: number) =>
  runIn(folder, ['check', 'parts.obj', ...words, ...cpu], { outColumns });
/** The cells of the rows that begin with a body or an identity. */
const rowsIn = (out: string) =>
  [...out.matchAll(/^(?:[0-9a-f]{12} {2})?#.*$/gm)].map(([line]) => line.split(/ {2,}/));

it('lists what the most severe test finds first, with severity, test and matrix', async () => {
  const { out } = await check(folderOf(), ['--rules', 'rules.json', '--volumes']);
  expect(out).toMatch(/a +b +relation +severity +depth +volume +triangle pairs +test\n/);
  expect(rowsIn(out).map(cells => [cells[1], cells[3], cells.at(-1)])).toEqual([
    ['#4 wall', 'critical', 'pipes into walls'],
    ['#1 pipe of the sprinklers 1', 'major', 'pipes into beams'],
    ['#2 pipe of the sprinklers 2', 'major', 'pipes into beams'],
    ['#3 pipe of the sprinklers 3', 'major', 'pipes into beams'],
  ]);
  expect(out).toContain('Sets against sets: pairs to fix, of pairs found; – is not checked.\n');
  expect(out).toMatch(/\n +pipes +beams +walls\n.*\npipes +– +3 +1\nbeams +– +–\nwalls +–\n/);
});

it('measures the rows that are shown, which the severity chooses', async () => {
  const { out } = await check(folderOf(), ['--rules', 'rules.json', '--rows', '1', '--json']);
  const { pairs } = JSON.parse(out);
  const critical = pairs.find((pair: { severity: string }) => pair.severity === 'critical');
  expect(critical.depth.upper / critical.depth.lower).toBeLessThanOrEqual(1.1);
});

it('prints the matrix of --between, and what touches beside what is to be fixed', async () => {
  const folder = testFolder({ 'parts.obj': `${parts.join('')}${boxObj(-1, 0, 0, 1, 'pipe 4')}` });
  const { out } = await check(folder, ['--between', 'pipe*', 'beam']);
  expect(out).toMatch(/\n +pipe\* +beam\n.*\npipe\* +– +3 of 4\nbeam +–\n/);
  expect(out).not.toMatch(/severity|pipe\* against beam/);
});

it.each([50, 60, 80, 120, 160])(
  'has no line wider than %d columns, and says what it leaves out',
  async width => {
    const words = ['--rules', 'rules.json', '--volumes', '--group', 'part', '--statuses', 's.json'];
    const { out } = await check(folderOf(), words, width);
    for (const line of out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(width);
    expect(rowsIn(out)).toHaveLength(4);
    expect(out.includes(`not shown in ${width} columns: `)).toBe(width < 160);
  },
);

it('lists the cells of a matrix that is too wide', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `set number ${i}`);
  const sets = Object.fromEntries(names.map((name, i) => [name, { name: i < 2 ? '*' : 'beam' }]));
  const tests = [{ name: 'all', all: true }];
  const { out } = await check(folderOf({ 'wide.json': { sets, tests } }), ['--rules', 'wide.json'], 80);
  expect(out).toContain('\nset number 0 against set number 0: 4\n');
  for (const line of out.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(80);
});

it('cuts groups evenly, so that there are as many rows as asked for', async () => {
  const folder = folderOf();
  const all = await check(folder, ['--group', 'part']);
  expect(rowsIn(all.out)).toHaveLength(4);
  expect(all.out).not.toContain('the first');
  const two = (await check(folder, ['--group', 'part', '--rows', '2'])).out;
  expect(rowsIn(two)).toHaveLength(2);
  expect(two).toContain('\n3 clashes with beam (the first one)\n');
  expect(two).toContain('\npipe of the sprinklers 3 and wall\n');
  expect(two).toContain('… and 2 more clashes (--rows all lists them');
  const one = (await check(folder, ['--group', 'part', '--rows', '1'])).out;
  expect(one).toContain('… and 3 more clashes, 1 whole group among them (--rows all lists them');
  expect((await check(folder, ['--rows', '0'])).out).toContain('… and 4 more pairs (--rows all');
});

it('has one row per clash of a motion, with its worst frame, and groups that count it once', async () => {
  const motion = [
    { wall: shifted(5) },
    {},
    { wall: shifted(5) },
    { wall: shifted(-0.5) },
    { wall: shifted(-0.25) },
    { wall: shifted(-0.1), '#1': shifted(5) },
  ];
  const folder = folderOf({ 'motion.json': motion });
  const words = ['--poses', 'motion.json', '--depths', 'shown'];
  const plain = (await check(folder, words)).out;
  expect(plain).toMatch(/a +b +relation +frames +worst +depth +triangle pairs\n/);
  expect(rowsIn(plain).map(cells => cells.slice(0, 5))).toEqual([
    ['#0 beam', '#1 pipe of the sprinklers 1', 'crossing', '0–4', '0'],
    ['#0 beam', '#2 pipe of the sprinklers 2', 'crossing', '0–5', '0'],
    ['#3 pipe of the sprinklers 3', '#4 wall', 'crossing', '1, 3–5', '3'],
    ['#0 beam', '#3 pipe of the sprinklers 3', 'crossing', '0–5', '0'],
  ]);
  const grouped = (await check(folder, [...words, '--group', 'part'])).out;
  expect(grouped).toContain('\n3 clashes with beam\n');
  expect(rowsIn(grouped)).toHaveLength(4);
  const cut = (await check(folder, [...words, '--group', 'part', '--rows', '2'])).out;
  expect(cut).toContain('\n3 clashes with beam (the first one)\n');
  const unmeasured = (await check(folder, ['--poses', 'motion.json'])).out;
  expect(unmeasured).toContain('4 clashes have no depth: in a motion depths are measured only if asked for');
});
