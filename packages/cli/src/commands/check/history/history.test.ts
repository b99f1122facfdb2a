// A week in the life of an assembly: check, accept some clashes, edit the model, check against last week's answer.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { boxObj, type Outcome, runIn, testFolder } from '../../../testing.ts';

const cpu = ['--backend', 'cpu'];

interface Answer {
  readonly bodies: readonly { readonly name: string }[];
  readonly pairs: readonly {
    readonly a: number;
    readonly b: number;
    readonly clash: string;
    readonly change?: string;
  }[];
  readonly history?: { readonly gone: readonly { readonly clash: string; readonly outcome: string }[] };
}

const byNames = ({ bodies, pairs }: Answer) =>
  Object.fromEntries(pairs.map(pair => [`${bodies[pair.a].name} ${bodies[pair.b].name}`, pair]));

/** Boxes of side 2 along x; neighbours that are less than 2 apart clash. */
const monday = {
  'frame.obj': boxObj(0, 0, 0, 2, 'post') + boxObj(10, 0, 0, 2, 'beam') + boxObj(20, 0, 0, 2, 'brace'),
  'pipes.obj':
    boxObj(1, 1, 1, 2, 'duct') +
    boxObj(11, 1, 1, 2, 'drain') +
    boxObj(21, 1, 1, 2, 'vent') +
    boxObj(40, 0, 0, 2, 'tank'),
};
const friday = {
  // The brace was moved away from the vent, the drain is gone, the duct goes deeper, the vent is called riser now.
  'frame.obj': boxObj(0, 0, 0, 2, 'post') + boxObj(10, 0, 0, 2, 'beam') + boxObj(30, 0, 0, 2, 'brace'),
  'pipes.obj':
    boxObj(0.5, 0.5, 0.5, 2, 'duct') +
    boxObj(21, 1, 1, 2, 'riser') +
    boxObj(40, 0, 0, 2, 'tank') +
    boxObj(41, 1, 1, 2, 'valve'),
};

it('tells what is new, worse, resolved and removed since last week', async () => {
  const folder = testFolder(monday);
  const words = ['check', 'frame.obj', 'pipes.obj', ...cpu];
  const first = await runIn(folder, [...words, '--statuses', 'statuses.json', '--out', 'monday.json']);
  expect(first.status).toBe(1);
  expect(first.err).toContain('3 clashes were added to statuses.json');
  const before = JSON.parse(readFileSync(join(folder, 'monday.json'), 'utf8')) as Answer;
  const known = byNames(before);
  expect(Object.keys(known)).toEqual(['post duct', 'beam drain', 'brace vent']);

  for (const [name, text] of Object.entries(friday)) writeFileSync(join(folder, name), text);
  const next = await runIn(folder, [...words, '--baseline', 'monday.json', '--out', 'friday.json']);
  expect(next.status).toBe(1);
  const after = JSON.parse(readFileSync(join(folder, 'friday.json'), 'utf8')) as Answer;
  const now = byNames(after);
  expect(now['post duct']).toMatchObject({ clash: known['post duct'].clash, change: 'worse' });
  expect(now['tank valve']).toMatchObject({ change: 'new' });
  const gone = Object.fromEntries(after.history!.gone.map(({ clash, outcome }) => [clash, outcome]));
  expect(gone).toEqual({ [known['beam drain'].clash]: 'removed', [known['brace vent'].clash]: 'resolved' });

  // Only what is new or worse fails. Accepted, it does not.
  const later = [...words, '--baseline', 'friday.json', '--fail-on', 'new'];
  const passed = await runIn(folder, later);
  expect(passed.status).toBe(0);
  expect(passed.err).toContain('nearfield: --fail-on new: 0 new or worse, 2 still there: exit status 0\n');
  expect((await runIn(folder, [...words, '--baseline', 'monday.json', '--fail-on', 'new'])).status).toBe(1);
});

it('keeps what people said, and lets accepted clashes pass', async () => {
  const folder = testFolder(monday);
  const check = () =>
    runIn(folder, ['check', 'frame.obj', 'pipes.obj', '--statuses', 's.json', '--json', ...cpu]);
  const set = (clash: string, ...more: string[]): Promise<Outcome> =>
    runIn(folder, ['status', 's.json', clash, ...more]);
  const { pairs } = JSON.parse((await check()).out) as Answer;
  for (const [i, status] of (['accepted', 'not-an-issue', 'fixed'] as const).entries()) {
    const said = await set(pairs[i].clash, '--set', status, '--comment', `because ${i}`, '--by', 'Ada');
    expect([said.status, said.err]).toEqual([0, `nearfield: 1 clash set to ${status} in s.json\n`]);
  }
  const again = await check();
  expect(again.status).toBe(1);
  expect(again.err).toMatch(/\(brace and vent\).*fixed/);
  expect(JSON.parse(again.out).pairs.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
    ...['accepted', 'accepted', 'clash'],
  ]);
  const { out } = await runIn(folder, ['status', 's.json']);
  expect(out).toMatch(/accepted\s+post and duct\s+Ada\s+\d{4}-\d\d-\d\d\s+because 0/);
  await set(pairs[2].clash, '--set', 'accepted');
  expect((await check()).status).toBe(0);
});

it('gives the same answer if unchanged parts are not computed again', async () => {
  const folder = testFolder(monday);
  const words = [
    'check',
    'frame.obj',
    'pipes.obj',
    '--json',
    '--depths',
    'all',
    '--clearance',
    '12',
    '--volumes',
    ...cpu,
  ];
  writeFileSync(join(folder, 'monday.json'), (await runIn(folder, words)).out);
  for (const [name, text] of Object.entries(friday)) writeFileSync(join(folder, name), text);
  const plain = JSON.parse((await runIn(folder, words)).out);
  const { out, err } = await runIn(folder, [...words, '--baseline', 'monday.json']);
  expect(err).toMatch(
    /4 of 7 bodies are as in monday\.json: pairs among them are taken from it, not computed again/,
  );
  const measured = ({ pairs }: { pairs: Record<string, unknown>[] }) =>
    pairs.map(({ clash, change, depthBefore, ...pair }) => pair);
  expect(measured(JSON.parse(out))).toEqual(measured(plain));
});

it('fails on a clash that became deeper, also in a motion and if nobody asked for depths', async () => {
  const shifted = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
  const folder = testFolder({
    'parts.obj': boxObj(0, 0, 0, 2, 'a') + boxObj(1.9, 0, 0, 2, 'b'),
    'one.json': JSON.stringify([{}, { b: shifted(-0.1) }]),
    'two.json': JSON.stringify([{}, { b: shifted(-0.9) }]),
  });
  const words = ['check', 'parts.obj', ...cpu];
  await runIn(folder, [...words, '--depths', 'none', '--poses', 'one.json', '--out', 'last.json']);
  const compared = [...words, '--baseline', 'last.json', '--fail-on', 'new'];
  expect((await runIn(folder, [...compared, '--poses', 'two.json'])).status).toBe(1);
});

it('calls a clash of a motion the same if nothing moves differently, though no depth was asked for', async () => {
  const shifted = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
  const folder = testFolder({
    'parts.obj': boxObj(0, 0, 0, 2, 'a') + boxObj(5, 0, 0, 2, 'b'),
    'motion.json': JSON.stringify([{}, { b: shifted(-3.5) }]),
    'other.json': JSON.stringify([{}, { b: shifted(-3.6) }]),
  });
  const words = ['check', 'parts.obj', ...cpu, '--poses'];
  await runIn(folder, [...words, 'motion.json', '--out', 'last.json']);
  const changeIn = async (motion: string) => {
    const { out } = await runIn(folder, [...words, motion, '--baseline', 'last.json', '--json']);
    return JSON.parse(out).frames[1].pairs[0].change;
  };
  expect(await changeIn('motion.json')).toBe('same');
  expect(await changeIn('other.json')).toBe('worse');
});

it('never calls a clash resolved that may be hidden inside an open part', async () => {
  const open = (x: number) => {
    const box = boxObj(0, 0, 0, 4, 'room');
    return box.slice(0, box.lastIndexOf('f ')) + boxObj(x, 1, 1, 1, 'part');
  };
  const folder = testFolder({ 'parts.obj': open(-0.5) });
  await runIn(folder, ['check', 'parts.obj', '--out', 'last.json', ...cpu]);
  writeFileSync(join(folder, 'parts.obj'), open(1));
  const { out } = await runIn(folder, ['check', 'parts.obj', '--baseline', 'last.json', '--json', ...cpu]);
  expect(JSON.parse(out).history.gone).toMatchObject([{ outcome: 'unchecked' }]);
});

it('a joint may have any name', async () => {
  const link = (name: string) =>
    `<link name="${name}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>`;
  const joint = (name: string, parent: string, child: string) =>
    `<joint name="${name}" type="prismatic"><parent link="${parent}"/><child link="${child}"/><axis xyz="1 0 0"/><limit lower="0" upper="9" effort="1" velocity="1"/></joint>`;
  const folder = testFolder({
    'r.urdf': `<robot name="r">${link('a')}${link('b')}${link('c')}${joint('toString', 'a', 'b')}${joint('slide', 'b', 'c')}</robot>`,
    'j.json': '{ "slide": 4 }',
  });
  const { status, err } = await runIn(folder, ['check', 'r.urdf', '--joints', 'j.json', ...cpu]);
  expect([status, err]).toEqual([0, '']);
});
