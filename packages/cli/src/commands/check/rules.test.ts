// Rules that match nothing: a check that looked at nothing must not pass, and one that
// looked at some pairs says which rules matched none.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, runIn, testFolder } from '../../testing.ts';

const cpu = ['--backend', 'cpu'];
const folderOf = (rules?: unknown) =>
  testFolder({
    'arch.obj': boxObj(0, 0, 0, 2, 'Wall_1') + boxObj(9, 0, 0, 2, 'Wall_2'),
    'mep.obj': boxObj(5, 0, 0, 1, 'Pipe'),
    ...(rules !== undefined && { 'rules.json': JSON.stringify(rules) }),
  });
const check = (folder: string, ...words: string[]) =>
  runIn(folder, ['check', 'arch.obj', 'mep.obj', ...words, ...cpu]);

it.each<[string, string, string]>([
  ['wlal*', 'mep', 'no file and no name matches "wlal*"; did you mean "wall*"?'],
  [
    'arch*',
    'struct*',
    'no file and no name matches "struct*"; there are "arch.obj", "mep.obj", "Wall_1", "Wall_2" and 1 more',
  ],
  [
    'mep.obj',
    'Pipe',
    'the test "mep.obj against Pipe" matches no pair of bodies: both sides are the same body',
  ],
])('--between %s %s checks nothing: status 2', async (a, b, why) => {
  const { status, out, err } = await check(folderOf(), '--between', a, b);
  expect([status, out]).toEqual([2, '']);
  expect(err.toLowerCase()).toBe(
    `nearfield: --between: no pair of bodies is named, so nothing was checked: ${why}\n`.toLowerCase(),
  );
});

it('refuses rules that name no pair, and writes nothing', async () => {
  const folder = folderOf({
    sets: { ducts: { class: 'IfcDuct*' }, walls: { name: 'wall*' } },
    tests: [{ name: 'ducts', between: ['ducts', 'walls'] }],
  });
  const { status, out, err } = await check(folder, '--rules', 'rules.json', '--out', 'x.xml');
  expect([status, out]).toEqual([2, '']);
  expect(err).toBe(
    'nearfield: rules.json: no pair of bodies is named, so nothing was checked: the set "ducts" matches no body: there is no class\n',
  );
  expect(() => readFileSync(join(folder, 'x.xml'))).toThrow();
});

it('says which rules match nothing if others do: on stderr, in the JSON, skipped in JUnit', async () => {
  const folder = folderOf({
    sets: { pipes: { name: 'pipe' }, walls: { name: 'wall*' }, doors: { name: 'dor*' } },
    tests: [
      { name: 'pipes', between: ['pipes', 'walls'] },
      { name: 'doors', between: ['doors', 'walls'] },
      { name: 'again', between: ['walls', 'pipes'] },
    ],
    allow: [{ between: ['doors', 'pipes'], reason: 'sleeve' }],
  });
  const words = ['--rules', 'rules.json', '--out', 'x.json', '--out', 'x.xml', '--out', 'x.html'];
  const { status, err } = await check(folder, ...words);
  expect(status).toBe(0);
  const noPair = 'matches no pair of bodies: no body is in "doors"';
  const unmatched = [
    'rules.json: the set "doors" matches no body: no name matches "dor*"; there are "Wall_1", "Wall_2" and "Pipe"',
    `rules.json: $.allow[0] ("sleeve") ${noPair}`,
  ];
  for (const line of [...unmatched, `rules.json: the test "doors" ${noPair}`]) {
    expect(err).toContain(`nearfield: ${line}\n`);
  }
  const answer = JSON.parse(readFileSync(join(folder, 'x.json'), 'utf8'));
  expect(answer.warnings).toEqual(unmatched);
  expect(answer.tests.map(({ skipped }: { skipped?: string }) => skipped)).toEqual([
    ...[undefined, noPair, 'never decides: earlier tests name all of its pairs'],
  ]);
  const junit = readFileSync(join(folder, 'x.xml'), 'utf8');
  expect(junit).toMatch(/<testsuites name="nearfield check" tests="5" failures="0" errors="0" skipped="4"/);
  expect(junit).toMatch(/name="pipes" tests="1" failures="0" errors="0" skipped="0"/);
  expect(junit.match(/<skipped /g)).toHaveLength(4);
  expect(readFileSync(join(folder, 'x.html'), 'utf8')).toContain('never decides: earlier tests');
});
