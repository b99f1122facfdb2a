import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CheckQuestion } from '../assembly/check.ts';
import type { AssemblyPair, Bracket, Motion } from '../assembly/types.ts';
import { parseRules } from '../rules/parse.ts';
import type { Decision } from '../rules/types.ts';
import { finish } from '../steps/steps.ts';
import { changeOf } from './change.ts';
import { compare } from './compare.ts';
import { pastOf } from './past.ts';
import { asBaseline, changesOf, checkParts, idsOf, moved, type Part, part } from './testing.ts';

const rulesOf = (value: object) => parseRules('rules.json', JSON.stringify(value));

/** A floor at height 0 to 1, and pipes of 1 × 1 × 4 through it. */
const floor = part('floor', [0, 0, 0], [100, 100, 1]);
const pipe = (name: string, x: number, more: Partial<Part> = {}) => part(name, [x, 5, -2], [1, 1, 4], more);

type Options = Partial<CheckQuestion>;

/** Two checks, the second with the first as its baseline. */
async function twoWeeks(
  before: readonly Part[],
  now: readonly Part[],
  then: Options = {},
  today: Options = {},
) {
  const { answer: first } = await checkParts(before, then);
  const { answer: second, notes } = await checkParts(now, { ...today, baseline: asBaseline(first) });
  return { first, second, notes, changes: changesOf(second), counts: second.history!.counts };
}

it('the same assembly in another order has the same clashes', async () => {
  const parts = [floor, pipe('p1', 10), pipe('p2', 20), pipe('p3', 20.5)];
  const { first, second, changes } = await twoWeeks(parts, [...parts].reverse());
  expect(changes).toEqual(['floor | p1: same', 'floor | p2: same', 'floor | p3: same', 'p2 | p3: same']);
  expect(idsOf(second)).toEqual(idsOf(first));
});

it.each<[string, readonly Part[], string[]]>([
  ['a new part', [floor, pipe('p1', 10), pipe('p2', 20)], ['floor | p1: same', 'floor | p2: new']],
  ['a part that goes', [floor], ['floor | p1: removed']],
  ['a part that moves away', [floor, part('p1', [10, 5, 2], [1, 1, 4])], ['floor | p1: resolved']],
  ['a part that moves along', [floor, pipe('p1', 60)], ['floor | p1: moved']],
  ['a part that gets thicker', [floor, part('p1', [10, 5, 0.5], [1, 1, 4])], ['floor | p1: better']],
  ['a part that only touches now', [floor, part('p1', [10, 5, 1], [1, 1, 4])], ['floor | p1: better']],
  ['a part that is renamed', [floor, pipe('waste pipe', 10)], ['floor | waste pipe: same']],
  [
    'a part that is renamed and moved a little',
    [floor, pipe('waste pipe', 11)],
    ['floor | waste pipe: moved'],
  ],
  [
    'a part that is renamed and moved far',
    [floor, pipe('waste pipe', 60)],
    ['floor | p1: removed', 'floor | waste pipe: new'],
  ],
])('%s', async (_, now, expected) => {
  expect((await twoWeeks([floor, pipe('p1', 10)], now)).changes).toEqual(expected);
});

it('worse is deeper, touching after apart, and nearer', async () => {
  const step = (x: number) => [part('a', [0, 0, 0], [2, 2, 2]), part('b', [x, 0, 0], [2, 2, 2])];
  const change = async ([from, to]: readonly number[]) => {
    const options = { clearance: 1 };
    return (await twoWeeks(step(from), step(to), options, options)).changes[0].split(': ')[1];
  };
  const changes = async (...steps: readonly number[][]) => Promise.all(steps.map(change));
  expect(await changes([1.5, 1], [1, 1.5], [2, 1.5], [2.5, 2], [2.5, 2.25])).toEqual([
    'worse',
    'better',
    'worse',
    'worse',
    'worse',
  ]);
  expect(await changes([2, 2.5], [2.25, 2.5], [2.5, 3], [1, 1])).toEqual([
    'better',
    'better',
    'resolved',
    'same',
  ]);
});

it('a difference within the rounding of the files is no change', async () => {
  const change = async (rounding: number) => {
    const parts = (x: number) => [
      part('a', [0, 0, 0], [2, 2, 2], { rounding }),
      part('b', [x, 0, 0], [2, 2, 2], { rounding }),
    ];
    return (await twoWeeks(parts(1.5), parts(1.499))).changes;
  };
  expect(await change(0)).toEqual(['a | b: worse']);
  expect(await change(0.001)).toEqual(['a | b: same']);
});

/** The change of a pair without a box: all its slack is 0. */
const changed = (was: Partial<AssemblyPair>, now: Partial<AssemblyPair>) => {
  const pair = { a: 0, b: 1, relation: 'crossing', triangleCount: 1, verdict: 'clash' } as const;
  const bodies = [{ name: 'a' }, { name: 'b' }] as const;
  return changeOf({ pair: { ...pair, ...was }, bodies }, { pair: { ...pair, ...now }, bodies });
};
const deep = (lower: number, upper: number): { depth: Bracket } => ({ depth: { lower, upper } });

it('a clash is worse unless it is proven no deeper, and better only if that is proven', () => {
  const change = (lower: number, upper: number) => changed(deep(1, 2), deep(lower, upper));
  expect([change(1.9, 3), change(2.1, 3), change(1.9, 2), change(0.1, 0.9), change(0.1, 1.1)]).toEqual([
    'worse',
    'worse',
    'same',
    'better',
    'same',
  ]);
  expect(changed({}, deep(1, 1))).toBe('worse');
});

it('a part that is no solid may become deeper while its surface only touches', () => {
  const touching = { relation: 'touching' } as const;
  expect(changed({ ...touching, verdict: 'touching' }, { ...touching, ...deep(1, 1) })).toBe('worse');
  expect(changed(deep(0.1, 0.1), { ...touching, ...deep(1, 1) })).toBe('worse');
  expect(changed(deep(1, 1), { ...touching, ...deep(0, 0), verdict: 'touching' })).toBe('better');
});

it('a clash cannot grow week by week without being worse', async () => {
  // Depths of plain boxes are known within a few per cent, so a growth of 0.8 % is within the bounds of last week's.
  const week = (i: number) => [
    part('a', [0, 0, 0], [2, 2, 2]),
    part('b', [1 - 0.008 * i, 0.3, 0.3], [2, 1.4, 1.4]),
  ];
  const changes: (string | undefined)[] = [];
  let { answer } = await checkParts(week(0));
  const most = answer.frames[0].pairs[0].depth!.upper;
  for (let i = 1; i < 12; i++) {
    ({ answer } = await checkParts(week(i), { baseline: asBaseline(answer) }));
    const [{ change, depth }] = answer.frames[0].pairs;
    changes.push(change);
    if (!changes.includes('worse')) expect(depth!.upper).toBeLessThanOrEqual(most * (1 + 1e-9));
  }
  expect(changes).toContain('worse');
});

it('bodies with the same name are told apart by place', async () => {
  const bolts = [10, 20, 30, 40].map(x => pipe('bolt', x));
  const { first, second, changes } = await twoWeeks(
    [floor, ...bolts],
    [bolts[2], bolts[3], pipe('bolt', 50), bolts[0], floor],
  );
  // The bolt at 20 is gone and one came at 50: as many as before, so it was moved.
  expect(changes).toEqual([
    'bolt | floor: moved',
    'bolt | floor: same',
    'bolt | floor: same',
    'bolt | floor: same',
  ]);
  const idAt = (answer: typeof first) =>
    new Map(answer.frames[0].pairs.map(pair => [pair.point![0], pair.clash]));
  const [before, after] = [idAt(first), idAt(second)];
  expect([10.5, 30.5, 40.5].map(x => after.get(x))).toEqual([10.5, 30.5, 40.5].map(x => before.get(x)));
  expect(after.get(50.5)).toBe(before.get(20.5));
});

it('a new clash never gets the identity of one that is gone', async () => {
  const bolts = (...xs: number[]) => xs.map(x => pipe('bolt', x));
  // The first bolt goes: the numbers of all others change. A new one far away makes up another clash.
  const { first, second, counts } = await twoWeeks(
    [floor, ...bolts(10, 20, 30)],
    [floor, ...bolts(20, 30, 70, 80)],
  );
  expect(counts).toMatchObject({ same: 2, new: 2, removed: 1 });
  const before = new Set(first.frames[0].pairs.map(({ clash }) => clash));
  const fresh = second.frames[0].pairs.filter(({ change }) => change === 'new').map(({ clash }) => clash);
  expect(fresh.filter(id => before.has(id))).toEqual([]);
  expect(new Set(second.frames[0].pairs.map(({ clash }) => clash)).size).toBe(4);
});

it('names that an exporter numbers anew do not matter', async () => {
  const numbered = (xs: readonly number[]) => xs.map((x, i) => pipe(`pipe.${i}`, x));
  const { counts } = await twoWeeks(
    [floor, ...numbered([10, 20, 30, 40])],
    [floor, ...numbered([5, 10, 20, 30, 40])],
  );
  expect(counts).toMatchObject({ same: 4, new: 1, moved: 0, removed: 0 });
});

it('an id holds whatever else changes', async () => {
  const before = [part('floor', [0, 0, 0], [100, 100, 1], { id: 'F' }), pipe('p1', 10, { id: 'P' })];
  const now = [
    pipe('renamed', 70, { id: 'P', file: 'new.ifc' }),
    part('slab', [0, 0, 0], [100, 100, 2], { id: 'F', file: 'new.ifc' }),
  ];
  expect((await twoWeeks(before, now)).changes).toEqual(['renamed | slab: moved']);
});

it('the same part in two federated files stays where it is', async () => {
  const slab = (file: string) => part('slab', [0, 0, 0], [100, 100, 1], { id: 'S', file });
  const others = [pipe('p1', 10, { file: 'mep.ifc' })];
  const before = [slab('arch.ifc'), slab('structure.ifc'), ...others];
  const { changes } = await twoWeeks(before, [slab('structure.ifc'), ...others]);
  expect(changes).toEqual(['p1 | slab: same', 'p1 | slab: unchecked', 'slab | slab: unchecked']);
});

it('a file that was not given leaves its clashes unchecked, and a later week finds them again', async () => {
  const mep = { file: 'mep.ifc' };
  const week1 = [floor, pipe('p1', 10, mep), pipe('p2', 20, mep)];
  const { first, second, changes } = await twoWeeks(week1, [floor]);
  expect(changes).toEqual(['floor | p1: unchecked', 'floor | p2: unchecked']);
  expect(second.history!.gone[0].reason).toBe('mep.ifc was not given');
  const baseline = asBaseline(second);
  const { answer: third, notes } = await checkParts(
    [floor, pipe('p1', 10, mep), part('p2', [20, 5, 3], [1, 1, 4], mep)],
    { baseline },
  );
  expect(changesOf(third)).toEqual(['floor | p1: same', 'floor | p2: resolved']);
  expect(idsOf(third).get('floor | p1')).toBe(idsOf(first).get('floor | p1'));
  // The floor alone was examined in the second week, so nothing is known about its pairs.
  expect(notes).toEqual([]);
  const { answer: fourth } = await checkParts([floor, pipe('p2', 20, mep)], { baseline });
  expect(changesOf(fourth)).toEqual(['floor | p1: removed', 'floor | p2: same']);
});

it('a file that was renamed is the same file', async () => {
  const named = (file: string) => [
    part('floor', [0, 0, 0], [100, 100, 1], { file }),
    pipe('p1', 10, { file }),
    pipe('p2', 20, { file }),
  ];
  const { changes } = await twoWeeks(named('house-v3.glb'), [...named('house-v4.glb').slice(0, 2)]);
  expect(changes).toEqual(['floor | p1: same', 'floor | p2: removed']);
  // Parts that moved are found by their names in the renamed file, and one file per part by the part in its place.
  const moved = [
    named('house-v4.glb')[0],
    pipe('p1', 50, { file: 'house-v4.glb' }),
    pipe('p2', 20, { file: 'house-v4.glb' }),
  ];
  expect((await twoWeeks(named('house-v3.glb'), moved)).changes).toEqual([
    'floor | p1: moved',
    'floor | p2: same',
  ]);
  const single = (name: string, x: number) => pipe(name, x, { file: `${name}.stl` });
  const { changes: singles } = await twoWeeks(
    [floor, single('a', 10), single('b', 20)],
    [floor, single('c', 10)],
  );
  expect(singles).toEqual(['b | floor: unchecked', 'c | floor: same']);
});

it('what the rules leave out is unchecked, and what they forgive is forgiven, not resolved', async () => {
  const parts = [floor, pipe('p1', 10), pipe('p2', 20)];
  const some = rulesOf({ tests: [{ name: 't', between: [{ name: 'floor' }, { name: 'p1' }] }] });
  expect((await twoWeeks(parts, parts, {}, { rules: some })).changes).toEqual([
    'floor | p1: same',
    'floor | p2: unchecked',
  ]);
  const allowing = rulesOf({
    tests: [{ name: 't', all: true }],
    allow: [{ between: [{ name: 'p2' }, { name: '*' }], reason: 'sleeve' }],
  });
  const { changes, second } = await twoWeeks(parts, parts, {}, { rules: allowing });
  expect(changes).toEqual(['floor | p1: same', 'floor | p2: forgiven']);
  expect(second.history!.gone[0].reason).toBe('allowed: sleeve');
  expect((await twoWeeks(parts, parts, {}, { tolerance: 2 })).changes).toEqual([
    'floor | p1: forgiven',
    'floor | p2: forgiven',
  ]);
  // A clash that was mended so far that it is within the tolerance is resolved.
  const mended = [floor, part('p1', [10, 5, 0.9], [1, 1, 4])];
  expect((await twoWeeks([floor, pipe('p1', 10)], mended, {}, { tolerance: 0.2 })).changes).toEqual([
    'floor | p1: resolved',
  ]);
  // And a pair that was forgiven then is new now.
  expect((await twoWeeks(parts.slice(0, 2), parts.slice(0, 2), { tolerance: 2 })).changes).toEqual([
    'floor | p1: new',
  ]);
});

it('what is ignored now was not resolved', async () => {
  const parts = [floor, part('p1', [10, 5, 1], [1, 1, 4])];
  const ignoring = (relation: 'touching' | 'crossing' | 'separate') => ({ ignore: new Set([relation]) });
  expect((await twoWeeks(parts, parts, {}, ignoring('touching'))).changes).toEqual(['floor | p1: forgiven']);
  expect((await twoWeeks([floor, pipe('p1', 10)], parts, {}, ignoring('touching'))).changes).toEqual([
    'floor | p1: resolved',
  ]);
  const less = [floor, part('p1', [10, 5, 0.5], [1, 1, 4])];
  expect((await twoWeeks([floor, pipe('p1', 10)], less, {}, ignoring('crossing'))).changes).toEqual([
    'floor | p1: forgiven',
  ]);
});

it('what is as close as ever is forgiven, not resolved', async () => {
  const parts = [floor, part('p1', [10, 5, 1.5], [1, 1, 4])];
  const near = { clearance: 1 };
  const allowed = rulesOf({
    tests: [{ name: 't', all: true, clearance: 1 }],
    allow: [{ between: [{ name: 'floor' }, { name: 'p1' }], reason: 'as drawn' }],
  });
  const { changes, second } = await twoWeeks(parts, parts, near, { rules: allowed });
  expect(changes).toEqual(['floor | p1: forgiven']);
  expect(second.history!.gone[0].reason).toBe('allowed: as drawn');
  const ignored = await twoWeeks(parts, parts, near, { ...near, ignore: new Set(['separate'] as const) });
  expect(ignored.changes).toEqual(['floor | p1: forgiven']);
});

it('too close is resolved only if the clearance asks for as much', async () => {
  const apart = (gap: number) => [floor, part('p1', [10, 5, 1 + gap], [1, 1, 4])];
  const change = async (gap: number, clearance: number) =>
    (await twoWeeks(apart(0.5), apart(gap), { clearance: 1 }, { clearance })).changes;
  expect(await change(2, 1)).toEqual(['floor | p1: resolved']);
  expect(await change(0.5, 0.25)).toEqual(['floor | p1: unchecked']);
  expect(await change(0.5, 0.5)).toEqual(['floor | p1: unchecked']);
  expect(await change(0.75, 0.75)).toEqual(['floor | p1: resolved']);
});

it('a method that samples resolves nothing', async () => {
  const parts = [floor, pipe('p1', 10)];
  const { answer } = await checkParts(parts);
  const bounds = { mayMissBelow: 1, mayReportWithin: 1, complete: true };
  const sampled = { ...answer, frames: [{ frame: 0, pairs: [], bounds }] };
  const compared = finish(
    compare(sampled, pastOf(asBaseline(answer), answer), { decide: () => ({}) as Decision }),
  );
  expect(changesOf(compared)).toEqual(['floor | p1: unchecked']);
});

/** Poses of body 1, a pipe at x = 10, per frame: how far up it is moved. */
const lifts = (...heights: number[]): Motion => ({
  isMotion: true,
  frames: heights.map(z => new Map([[1, moved(10, 5, -2 + z)]])),
});

it('in a motion the worst frame counts', async () => {
  const parts = [floor, pipe('p1', 10)];
  const { second } = await twoWeeks(parts, parts, { motion: lifts(9, 2.5, 0) }, { motion: lifts(0, 2.5, 9) });
  expect(second.frames.map(frame => frame.pairs.map(pair => pair.change))).toEqual([['same'], ['same'], []]);
});

it('in a motion a clash is resolved only if the parts move as they did', async () => {
  const parts = [floor, pipe('p1', 10)];
  const thin = [part('floor', [0, 0, 0], [100, 100, 0.25]), parts[1]];
  const outcome = async (then: Options, now: readonly Part[], today: Options) => {
    const { second } = await twoWeeks(parts, now, then, today);
    return second.history!.gone.map(({ outcome, reason }) => `${outcome}: ${reason}`);
  };
  const motion = lifts(2.5, 9);
  expect(await outcome({ motion }, thin, { motion })).toEqual(['resolved: checked again']);
  const elsewhere = { motion: lifts(9, 9.5) };
  expect(await outcome({ motion }, parts, elsewhere)).toEqual([
    'unchecked: the parts do not move as they did',
  ]);
  expect(await outcome({ motion }, thin, {})).toEqual([]);
  const lifted = [floor, part('p1', [10, 5, 3], [1, 1, 4])];
  expect(await outcome({ motion }, lifted, {})).toEqual(['unchecked: it was found in a motion']);
  expect(await outcome({}, parts, elsewhere)).toEqual(['unchecked: it was found without a motion']);
});

it('a clash of a motion stays unchecked over weeks without that motion', async () => {
  const parts = [floor, pipe('p1', 10)];
  const lifted = [floor, part('p1', [10, 5, 3], [1, 1, 4])];
  let { answer } = await checkParts(parts, { motion: lifts(2.5, 9) });
  for (const motion of [undefined, undefined, lifts(9, 9), undefined]) {
    ({ answer } = await checkParts(lifted, { motion, baseline: asBaseline(answer) }));
    expect(answer.history!.gone.map(({ outcome }) => outcome)).toEqual(['unchecked']);
  }
  ({ answer } = await checkParts(lifted, { motion: lifts(2.5, 9), baseline: asBaseline(answer) }));
  expect(answer.frames[0].pairs.map(({ change }) => change)).toEqual(['same']);
});

it('an open part that is entered in a later frame is not resolved', async () => {
  const room = part('room', [0, 0, 0], [8, 8, 8], { isOpen: true });
  const parts = [room, part('p1', [4, 4, 7.5], [1, 1, 1])];
  const small = [room, part('p1', [4, 4, 7.5], [0.25, 0.25, 0.25])];
  const at = (z: number) => new Map([[1, moved(4, 4, z)]]);
  // In the second frame the part is wholly within the room, and no surface meets.
  const motion = { isMotion: true, frames: [at(20), at(7.5)] };
  const { second } = await twoWeeks(parts, small, { motion }, { motion });
  expect(second.history!.gone.map(({ outcome }) => outcome)).toEqual(['unchecked']);
});

it('units are brought together', async () => {
  const scaled = (factor: number) =>
    [floor, pipe('p1', 10)].map(each => ({
      ...each,
      at: each.at.map(value => value * factor),
      size: each.size.map(value => value * factor),
    }));
  const { changes } = await twoWeeks(scaled(1000), scaled(1), { unit: 0.001 }, { unit: 1 });
  expect(changes).toEqual(['floor | p1: same']);
});

it('if only one side states its unit, nothing is called no worse', async () => {
  const parts = (z: number) => [floor, part('p1', [10, 5, z], [1, 1, 4])];
  for (const [then, today] of [[0.001], [undefined, 0.001]]) {
    const { changes, notes } = await twoWeeks(parts(0.5), parts(0.75), { unit: then }, { unit: today });
    expect(changes).toEqual(['floor | p1: worse']);
    expect(notes).toEqual([expect.stringContaining('not state a unit')]);
  }
  expect((await twoWeeks(parts(0.5), parts(0.75))).changes).toEqual(['floor | p1: better']);
});

it('an answer of an older version is used as far as it goes', async () => {
  const parts = [floor, pipe('p1', 10), pipe('p2', 20)];
  const { answer } = await checkParts(parts);
  // Version 0.1.0 wrote names and files, and neither fingerprints, identities nor verdicts.
  const pairs = answer.frames[0].pairs.map(({ verdict, depth, clash, ...pair }) => pair);
  const bodies = answer.bodies.map(({ fingerprint, ...body }) => body);
  const baseline = asBaseline({ ...answer, bodies, frames: [{ frame: 0, pairs }] });
  const { answer: compared } = await checkParts([pipe('p3', 30), pipe('p2', 20), floor], { baseline });
  // Without a depth then, nobody knows that p2 is no deeper now.
  expect(changesOf(compared)).toEqual(['floor | p1: removed', 'floor | p2: worse', 'floor | p3: new']);
});

// Whatever happens, every clash of both weeks is accounted for exactly once, and identities stay unique.
it('no clash is lost or counted twice', async () => {
  const random = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    x: fc.integer({ min: 0, max: 6 }),
    size: fc.constantFrom(1, 2, 3),
    file: fc.constantFrom('one.stl', 'two.stl'),
    id: fc.option(fc.constantFrom('1', '2'), { nil: undefined }),
  });
  const parts = fc.array(
    random.map(({ name, x, size, file, id }) =>
      part(name, [x, 0, 0], [size, 1, 1], { file, ...(id && { id }) }),
    ),
    { maxLength: 7 },
  );
  const property = fc.asyncProperty(parts, parts, fc.boolean(), async (before, now, forgiving) => {
    const { first, second, counts } = await twoWeeks(before, now, {}, forgiving ? { tolerance: 1 } : {});
    const { pairs } = second.frames[0];
    const clashes = pairs.filter(({ verdict }) => verdict !== 'within-tolerance');
    expect(clashes.every(({ change }) => change !== undefined)).toBe(true);
    expect(new Set(pairs.map(({ clash }) => clash)).size).toBe(pairs.length);
    const old = new Set(first.frames[0].pairs.map(({ clash }) => clash));
    const kept = clashes.filter(({ change }) => change !== 'new').map(({ clash }) => clash);
    const gone = second.history!.gone.map(({ clash }) => clash);
    expect([...kept, ...gone].sort()).toEqual([...old].sort());
    const { new: fresh, same, worse, better, moved } = counts;
    expect(fresh + same + worse + better + moved).toBe(clashes.length);
    // The same files again change nothing.
    const again = await twoWeeks(before, [...before].reverse());
    expect(again.counts.same).toBe(first.frames[0].pairs.length);
  });
  await fc.assert(property, { numRuns: process.env.NEARFIELD_SLOW ? 400 : 20 });
});
