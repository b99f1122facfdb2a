// A week in the life of an assembly: it is checked, two people say what they think of its clashes, the models are edited,
// and it is checked against last week's answer, through the same judge, reuse and files as on the command line. Every part
// has one fate, and every status has to be right.

import { expect, it } from 'vitest';
import type { AssemblyAnswer } from '../assembly/types.ts';
import { groupByPart } from '../groups/by-part.ts';
import { parseRules } from '../rules/parse.ts';
import { isClash, isFailing } from '../severity/failing.ts';
import { finish } from '../steps/steps.ts';
import { updateStatuses } from './statuses/apply.ts';
import { mergeStatuses } from './statuses/merge.ts';
import { noStatuses, parseStatuses, renderStatuses, type Statuses } from './statuses/statuses.ts';
import { asBaseline, changesOf, checkParts, idsOf, namesOf, part } from './testing.ts';

const rules = parseRules(
  'rules.json',
  JSON.stringify({
    sets: { building: { file: ['arch*', 'structure*'] }, services: { file: 'mep*' } },
    tests: [{ name: 'services against building', between: ['services', 'building'] }],
    allow: [{ between: [{ name: 'sleeve*' }, 'building'], reason: 'cast in' }],
  }),
);

const arch = (name: string, id: string, at: number[], size: number[]) =>
  part(name, at, size, { id, file: 'arch.ifc' });
const floor = arch('floor', 'F', [0, 0, 0], [100, 20, 1]);
const wall = arch('wall', 'W', [0, 20, 0], [100, 1, 10]);
const beam = part('beam', [0, 10, 5], [100, 1, 1], { id: 'B', file: 'structure.ifc' });

/** A pipe through the floor, as deep as it stands out above the floor's lower face. */
const pipe = (file: string, name: string, x: number, depth = 2) =>
  part(name, [x, 5, -2], [1, 1, 2 + depth], { file, path: ['Services', 'Water', name] });
const bolt = (file: string, x: number) =>
  part('bolt', [x, 19.5, 8], [0.5, 1, 0.5], { file, path: ['Services', 'bolt'] });
const duct = (file: string) => part('duct', [80, 9, 4], [2, 4, 1.5], { file });

const monday = [
  ...[floor, wall, beam],
  ...['kept', 'renamed', 'pushed', 'lifted', 'deeper', 'removed', 'sleeve', 'ghost'].map((name, i) =>
    pipe('mep.glb', name, 10 * i + 1, name === 'deeper' ? 0.5 : 2),
  ),
  ...[30, 40, 50].map(x => bolt('mep.glb', x)),
  duct('mep.glb'),
];

// The services come in another file and another order. The structure was not sent this time.
const friday = [
  ...[50, 60, 40].map(x => bolt('mep-v2.glb', x)),
  pipe('mep-v2.glb', 'ghost', 71),
  pipe('mep-v2.glb', 'sleeve', 61),
  duct('mep-v2.glb'),
  pipe('mep-v2.glb', 'appeared', 95),
  pipe('mep-v2.glb', 'deeper', 41, 0.8),
  part('lifted', [31, 5, 2], [1, 1, 4], { file: 'mep-v2.glb', path: ['Services', 'Water', 'lifted'] }),
  pipe('mep-v2.glb', 'pushed', 23),
  pipe('mep-v2.glb', 'waste water', 11),
  pipe('mep-v2.glb', 'kept', 1),
  wall,
  floor,
];

/** A later check: its answer, and what the user is told. The statuses go through their file. */
function recheck(parts: typeof monday, last: AssemblyAnswer, statuses: Statuses) {
  const read = parseStatuses('statuses.json', renderStatuses(statuses));
  return checkParts(parts, { rules, baseline: asBaseline(last), statuses: read });
}

it('every status is right', async () => {
  // Monday: the first check. Everything is open.
  const { answer: first } = await checkParts(monday, { rules });
  const ids = idsOf(first);
  const idOf = (names: string) => ids.get(names)!;
  const boltIds = first.frames[0].pairs
    .filter(pair => namesOf(first, pair) === 'bolt | wall')
    .map(({ clash }) => clash!);
  expect(boltIds).toHaveLength(3);
  const file = finish(updateStatuses(noStatuses('statuses.json'), first, '2026-11-16'));
  expect(file.clashes.size).toBe(first.frames[0].pairs.filter(isClash).length);
  expect(file.clashes.has(idOf('floor | sleeve'))).toBe(false);
  expect(finish(groupByPart(first.bodies, first.frames[0].pairs.filter(isClash)))[0].title).toBe(
    '7 clashes with floor',
  );

  // Tuesday: Ada and Bob edit their own copies of the file.
  const edited = (edits: Record<string, object>) => {
    const value = JSON.parse(renderStatuses(file));
    for (const [id, edit] of Object.entries(edits)) Object.assign(value.clashes[id], edit);
    return parseStatuses('statuses.json', JSON.stringify(value));
  };
  const ada = edited({
    [idOf('floor | kept')]: { status: 'accepted', by: 'Ada', date: '2026-11-17', comment: 'sleeve to come' },
    [idOf('deeper | floor')]: { status: 'accepted', by: 'Ada', date: '2026-11-17' },
    [idOf('floor | removed')]: { status: 'accepted', by: 'Ada', date: '2026-11-17' },
    [idOf('floor | lifted')]: { status: 'fixed', by: 'Ada', date: '2026-11-17' },
    [boltIds[1]]: { status: 'not-an-issue', by: 'Ada', date: '2026-11-17' },
    [idOf('floor | ghost')]: { status: 'open', by: 'Ada', date: '2026-11-17', comment: 'who owns this?' },
  });
  const bob = edited({
    [idOf('floor | renamed')]: { status: 'not-an-issue', by: 'Bob', date: '2026-11-17' },
    [idOf('floor | ghost')]: { status: 'fixed', by: 'Bob', date: '2026-11-18' },
    [idOf('beam | duct')]: { status: 'accepted', by: 'Bob', date: '2026-11-18' },
  });
  const { statuses: agreed, conflicts } = mergeStatuses(ada, bob);
  expect(conflicts).toEqual([]);
  expect(agreed.clashes.get(idOf('floor | ghost'))).toMatchObject({ by: 'Bob', earlier: [{ by: 'Ada' }] });

  // Friday: the second check.
  const { answer: second, notes } = await recheck(friday, first, agreed);
  expect(changesOf(second)).toEqual([
    'appeared | floor: new',
    'beam | duct: unchecked',
    'bolt | wall: moved',
    'bolt | wall: same',
    'bolt | wall: same',
    'deeper | floor: worse',
    'floor | ghost: same',
    'floor | kept: same',
    'floor | lifted: resolved',
    'floor | pushed: moved',
    'floor | removed: removed',
    'floor | waste water: same',
  ]);
  const now = new Map(second.frames[0].pairs.map(pair => [pair.clash, pair]));
  const verdict = (names: string) => now.get(idOf(names))?.verdict;
  expect(verdict('floor | kept')).toBe('accepted');
  expect(verdict('floor | renamed')).toBe('accepted');
  expect(verdict('floor | ghost')).toBe('clash');
  expect(verdict('deeper | floor')).toBe('clash');
  expect(verdict('floor | pushed')).toBe('clash');
  expect(verdict('floor | sleeve')).toBe('allowed');
  // The bolt at 40 is not an issue; the one that went from 30 to 60 took its identity along.
  expect(now.get(boltIds[1])).toMatchObject({ verdict: 'accepted', change: 'same' });
  expect(Math.floor(now.get(boltIds[1])!.point![0])).toBe(40);
  expect(now.get(boltIds[0])).toMatchObject({ verdict: 'clash', change: 'moved' });
  const accepted = agreed.clashes.get(idOf('deeper | floor'))!.depthFound;
  expect(accepted).toBeCloseTo(0.5, 1);
  expect(notes).toEqual([
    '9 of 14 bodies are as in last.json: pairs among them are taken from it, not computed again',
    `${idOf('floor | ghost')} (ghost and floor) is marked as fixed but is still there`,
    `${idOf('deeper | floor')} (deeper and floor) is accepted up to a depth of ${accepted} and is deeper now`,
  ]);
  const failing = second.frames[0].pairs
    .filter(pair => isFailing(pair, 'new'))
    .map(pair => namesOf(second, pair));
  expect(failing.sort()).toEqual(['appeared | floor', 'deeper | floor']);

  // The file is brought up to date: nothing that anybody said is gone, also not about clashes that are not there.
  const updated = finish(updateStatuses(agreed, second, '2026-11-20'));
  for (const [id, said] of agreed.clashes)
    expect(updated.clashes.get(id)).toMatchObject({ status: said.status });
  expect(updated.clashes.size).toBe(agreed.clashes.size + 1);
  expect(parseStatuses('statuses.json', renderStatuses(updated)).clashes).toEqual(updated.clashes);

  // Next week the structure is back, and the bolts are named like nothing before.
  const monday2 = [beam, ...friday].map(each =>
    each.name === 'bolt' ? { ...each, name: 'M12', path: ['x', 'M12'] } : each,
  );
  const { answer: third } = await recheck(monday2, second, updated);
  const later = new Map(third.frames[0].pairs.map(pair => [pair.clash, pair]));
  expect(later.get(idOf('beam | duct'))).toMatchObject({ change: 'same', verdict: 'accepted' });
  expect(later.get(boltIds[1])).toMatchObject({ change: 'same', verdict: 'accepted' });
  // What got worse on Friday is no worse now, but nobody has accepted it at that depth.
  expect(updated.clashes.get(idOf('deeper | floor'))).toMatchObject({ depth: accepted });
  expect(later.get(idOf('deeper | floor'))).toMatchObject({ change: 'same', verdict: 'clash' });
  expect(third.history!.counts).toMatchObject({ new: 0, worse: 0, moved: 0, removed: 0, unchecked: 0 });
});
