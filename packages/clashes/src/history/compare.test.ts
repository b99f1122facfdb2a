import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identify } from '../identity/clash-id.ts';
import { parseRules } from '../rules/parse.ts';
import { compare } from './compare.ts';
import { asBaseline, type CheckOptions, changesOf, checkParts, idsOf, type Part, part } from './testing.ts';

/** A floor at height 0 to 1, and pipes of 1 × 1 × 4 through it. */
const floor = part('floor', [0, 0, 0], [100, 100, 1]);
const pipe = (name: string, x: number, more: Partial<Part> = {}) => part(name, [x, 5, -2], [1, 1, 4], more);

function twoWeeks(
  before: readonly Part[],
  now: readonly Part[],
  then: CheckOptions = {},
  today: CheckOptions = {},
) {
  const first = identify(checkParts(before, then).answer);
  const { answer, decide } = checkParts(now, today);
  const second = compare(answer, asBaseline(first), { decide });
  return { first, second, changes: changesOf(second), counts: second.history!.counts };
}

it('the same assembly in another order has the same clashes', () => {
  const parts = [floor, pipe('p1', 10), pipe('p2', 20), pipe('p3', 20.5)];
  const { first, second, changes } = twoWeeks(parts, [...parts].reverse());
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
])('%s', (_, now, expected) => {
  expect(twoWeeks([floor, pipe('p1', 10)], now).changes).toEqual(expected);
});

it('worse is deeper, touching after apart, and nearer', () => {
  const step = (x: number) => [part('a', [0, 0, 0], [2, 2, 2]), part('b', [x, 0, 0], [2, 2, 2])];
  const change = (from: number, to: number) => {
    const options = { clearance: 1 };
    return twoWeeks(step(from), step(to), options, options).changes[0].split(': ')[1];
  };
  expect([change(1.5, 1), change(1, 1.5), change(2, 1.5), change(2.5, 2), change(2.5, 2.25)]).toEqual([
    'worse',
    'better',
    'worse',
    'worse',
    'worse',
  ]);
  expect([change(2, 2.5), change(2.25, 2.5), change(2.5, 3), change(1, 1)]).toEqual([
    'better',
    'better',
    'resolved',
    'same',
  ]);
});

it('a difference within the rounding of the files is none', () => {
  const parts = (x: number) => [part('a', [0, 0, 0], [2, 2, 2]), part('b', [x, 0, 0], [2, 2, 2])];
  const rounded = (x: number, rounding: number) => {
    const { answer, decide } = checkParts(parts(x));
    const bodies = answer.bodies.map(body => ({ ...body, rounding }));
    return { answer: { ...answer, bodies }, decide };
  };
  const change = (rounding: number) => {
    const first = asBaseline(identify(rounded(1.5, rounding).answer));
    const { answer, decide } = rounded(1.499, rounding);
    return changesOf(compare(answer, first, { decide }));
  };
  expect(change(0)).toEqual(['a | b: worse']);
  expect(change(0.001)).toEqual(['a | b: same']);
});

it('brackets that overlap prove nothing', () => {
  const parts = (size: number) => [part('a', [0, 0, 0], [2, 2, 2]), part('b', [0, 0, 1], [2, 2, size])];
  const wide = (size: number, lower: number, upper: number) => {
    const { answer, decide } = checkParts(parts(size));
    const pairs = answer.frames[0].pairs.map(pair => ({ ...pair, depth: { lower, upper } }));
    return { answer: { ...answer, frames: [{ frame: 0, pairs }] }, decide };
  };
  const change = (lower: number, upper: number) => {
    const { answer, decide } = wide(3, lower, upper);
    return changesOf(compare(answer, asBaseline(identify(wide(4, 1, 2).answer)), { decide }))[0];
  };
  expect([change(1.9, 3), change(2.1, 3), change(0.1, 0.9), change(0.1, 1.1)]).toEqual([
    'a | b: same',
    'a | b: worse',
    'a | b: better',
    'a | b: same',
  ]);
});

it('bodies with the same name are told apart by place', () => {
  const bolts = [10, 20, 30, 40].map(x => pipe('bolt', x));
  const { first, second, changes } = twoWeeks(
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

it('a new clash never gets the identity of one that is gone', () => {
  const bolts = (...xs: number[]) => xs.map(x => pipe('bolt', x));
  // The first bolt goes: the numbers of all others change. A new one far away makes up another clash.
  const { first, second, counts } = twoWeeks(
    [floor, ...bolts(10, 20, 30)],
    [floor, ...bolts(20, 30, 70, 80)],
  );
  expect(counts).toMatchObject({ same: 2, new: 2, removed: 1 });
  const before = new Set(first.frames[0].pairs.map(({ clash }) => clash));
  const fresh = second.frames[0].pairs.filter(({ change }) => change === 'new').map(({ clash }) => clash);
  expect(fresh.filter(id => before.has(id))).toEqual([]);
  expect(new Set(second.frames[0].pairs.map(({ clash }) => clash)).size).toBe(4);
});

it('names that an exporter numbers anew do not matter', () => {
  const numbered = (xs: readonly number[]) => xs.map((x, i) => pipe(`pipe.${i}`, x));
  const { counts } = twoWeeks(
    [floor, ...numbered([10, 20, 30, 40])],
    [floor, ...numbered([5, 10, 20, 30, 40])],
  );
  expect(counts).toMatchObject({ same: 4, new: 1, moved: 0, removed: 0 });
});

it('an id holds whatever else changes', () => {
  const before = [part('floor', [0, 0, 0], [100, 100, 1], { id: 'F' }), pipe('p1', 10, { id: 'P' })];
  const now = [
    pipe('renamed', 70, { id: 'P', file: 'new.ifc' }),
    part('slab', [0, 0, 0], [100, 100, 2], { id: 'F', file: 'new.ifc' }),
  ];
  expect(twoWeeks(before, now).changes).toEqual(['renamed | slab: moved']);
});

it('the same part in two federated files stays where it is', () => {
  const slab = (file: string) => part('slab', [0, 0, 0], [100, 100, 1], { id: 'S', file });
  const others = [pipe('p1', 10, { file: 'mep.ifc' })];
  const before = [slab('arch.ifc'), slab('structure.ifc'), ...others];
  const { changes } = twoWeeks(before, [slab('structure.ifc'), ...others]);
  expect(changes).toEqual(['p1 | slab: same', 'p1 | slab: unchecked', 'slab | slab: unchecked']);
});

it('a file that was not given leaves its clashes unchecked, and a later week finds them again', () => {
  const mep = { file: 'mep.ifc' };
  const week1 = [floor, pipe('p1', 10, mep), pipe('p2', 20, mep)];
  const { first, second, changes } = twoWeeks(week1, [floor]);
  expect(changes).toEqual(['floor | p1: unchecked', 'floor | p2: unchecked']);
  expect(second.history!.gone[0].reason).toBe('mep.ifc was not given');
  const { answer, decide } = checkParts([floor, pipe('p1', 10, mep), part('p2', [20, 5, 3], [1, 1, 4], mep)]);
  const third = compare(answer, asBaseline(second), { decide });
  expect(changesOf(third)).toEqual(['floor | p1: same', 'floor | p2: resolved']);
  expect(idsOf(third).get('floor | p1')).toBe(idsOf(first).get('floor | p1'));
  const without = checkParts([floor, pipe('p2', 20, mep)]);
  const fourth = compare(without.answer, asBaseline(second), without);
  expect(changesOf(fourth)).toEqual(['floor | p1: removed', 'floor | p2: same']);
});

it('a file that was renamed is the same file', () => {
  const named = (file: string) => [
    part('floor', [0, 0, 0], [100, 100, 1], { file }),
    pipe('p1', 10, { file }),
    pipe('p2', 20, { file }),
  ];
  const { changes } = twoWeeks(named('house-v3.glb'), [...named('house-v4.glb').slice(0, 2)]);
  expect(changes).toEqual(['floor | p1: same', 'floor | p2: removed']);
  // Parts that moved are found by their names in the renamed file, and one file per part by the part in its place.
  const moved = [
    named('house-v4.glb')[0],
    pipe('p1', 50, { file: 'house-v4.glb' }),
    pipe('p2', 20, { file: 'house-v4.glb' }),
  ];
  expect(twoWeeks(named('house-v3.glb'), moved).changes).toEqual(['floor | p1: moved', 'floor | p2: same']);
  const single = (name: string, x: number) => pipe(name, x, { file: `${name}.stl` });
  const { changes: singles } = twoWeeks([floor, single('a', 10), single('b', 20)], [floor, single('c', 10)]);
  expect(singles).toEqual(['b | floor: unchecked', 'c | floor: same']);
});

const rulesOf = (value: object) => parseRules('rules.json', JSON.stringify(value));

it('what the rules leave out is unchecked, and what they forgive is forgiven, not resolved', () => {
  const parts = [floor, pipe('p1', 10), pipe('p2', 20)];
  const some = rulesOf({ tests: [{ name: 't', between: [{ name: 'floor' }, { name: 'p1' }] }] });
  expect(twoWeeks(parts, parts, {}, { rules: some }).changes).toEqual([
    'floor | p1: same',
    'floor | p2: unchecked',
  ]);
  const allowing = rulesOf({
    tests: [{ name: 't', all: true }],
    allow: [{ between: [{ name: 'p2' }, { name: '*' }], reason: 'sleeve' }],
  });
  const { changes, second } = twoWeeks(parts, parts, {}, { rules: allowing });
  expect(changes).toEqual(['floor | p1: same', 'floor | p2: forgiven']);
  expect(second.history!.gone[0].reason).toBe('allowed: sleeve');
  expect(twoWeeks(parts, parts, {}, { tolerance: 2 }).changes).toEqual([
    'floor | p1: forgiven',
    'floor | p2: forgiven',
  ]);
  // A clash that was mended so far that it is within the tolerance is resolved.
  const mended = [floor, part('p1', [10, 5, 0.9], [1, 1, 4])];
  expect(twoWeeks([floor, pipe('p1', 10)], mended, {}, { tolerance: 0.2 }).changes).toEqual([
    'floor | p1: resolved',
  ]);
  // And a pair that was forgiven then is new now.
  expect(twoWeeks(parts.slice(0, 2), parts.slice(0, 2), { tolerance: 2 }).changes).toEqual([
    'floor | p1: new',
  ]);
});

it('touching that is ignored now was not resolved', () => {
  const parts = [floor, part('p1', [10, 5, 1], [1, 1, 4])];
  expect(twoWeeks(parts, parts, {}, { ignore: ['touching'] }).changes).toEqual(['floor | p1: forgiven']);
  expect(twoWeeks([floor, pipe('p1', 10)], parts, {}, { ignore: ['touching'] }).changes).toEqual([
    'floor | p1: resolved',
  ]);
});

it('too close is resolved only if the clearance asks for as much', () => {
  const apart = (gap: number) => [floor, part('p1', [10, 5, 1 + gap], [1, 1, 4])];
  const change = (gap: number, clearance: number) =>
    twoWeeks(apart(0.5), apart(gap), { clearance: 1 }, { clearance }).changes;
  expect(change(2, 1)).toEqual(['floor | p1: resolved']);
  expect(change(0.5, 0.25)).toEqual(['floor | p1: unchecked']);
  expect(change(0.5, 0.5)).toEqual(['floor | p1: unchecked']);
  expect(change(0.75, 0.75)).toEqual(['floor | p1: resolved']);
});

it('a method that samples resolves nothing', () => {
  const bounds = { mayMissBelow: 1, mayReportWithin: 1, complete: true };
  const today = { more: { frames: [{ frame: 0, pairs: [], bounds }] } };
  expect(twoWeeks([floor, pipe('p1', 10)], [floor, pipe('p1', 10)], {}, today).changes).toEqual([
    'floor | p1: unchecked',
  ]);
});

it('in a motion the worst frame counts, and fewer frames resolve nothing', () => {
  const { answer, decide } = checkParts([floor, pipe('p1', 10)]);
  const [{ pairs }] = answer.frames;
  const frames = (...some: (readonly unknown[])[]) =>
    some.map((list, frame) => ({ frame, pairs: list as typeof pairs }));
  const shallow = pairs.map(pair => ({ ...pair, depth: { lower: 0.1, upper: 0.1 } }));
  const moving = identify({ ...answer, isMotion: true, frames: frames([], shallow, pairs) });
  const same = compare(
    { ...answer, isMotion: true, frames: frames(pairs, shallow, []) },
    asBaseline(moving),
    { decide },
  );
  expect(same.frames.map(frame => frame.pairs.map(pair => pair.change))).toEqual([['same'], ['same'], []]);
  const fewer = compare({ ...answer, isMotion: true, frames: frames([], []) }, asBaseline(moving), {
    decide,
  });
  expect(fewer.history!.gone.map(({ outcome }) => outcome)).toEqual(['unchecked']);
  const all = compare({ ...answer, isMotion: true, frames: frames([], [], []) }, asBaseline(moving), {
    decide,
  });
  expect(all.history!.gone.map(({ outcome }) => outcome)).toEqual(['resolved']);
});

it('units are brought together', () => {
  const scaled = (factor: number) =>
    [floor, pipe('p1', 10)].map(each => ({
      ...each,
      at: each.at.map(value => value * factor),
      size: each.size.map(value => value * factor),
    }));
  const { changes } = twoWeeks(scaled(1000), scaled(1), { more: { unit: 0.001 } }, { more: { unit: 1 } });
  expect(changes).toEqual(['floor | p1: same']);
});

it('an answer of an older version is used as far as it goes', () => {
  const parts = [floor, pipe('p1', 10), pipe('p2', 20)];
  const { answer } = checkParts(parts);
  // Version 0.1.0 wrote names and files, and neither fingerprints, identities nor verdicts.
  const old = {
    ...answer,
    bodies: answer.bodies.map(({ fingerprint, ...body }) => body),
    frames: [{ frame: 0, pairs: answer.frames[0].pairs.map(({ verdict, depth, ...pair }) => pair) }],
  };
  const today = checkParts([pipe('p3', 30), pipe('p2', 20), floor]);
  const compared = compare(today.answer, asBaseline(old), today);
  // Without a depth then, nobody knows that p2 is no deeper now.
  expect(changesOf(compared)).toEqual(['floor | p1: removed', 'floor | p2: worse', 'floor | p3: new']);
});

// Whatever happens, every clash of both weeks is accounted for exactly once, and identities stay unique.
it('no clash is lost or counted twice', () => {
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
  const property = fc.property(parts, parts, fc.boolean(), (before, now, forgiving) => {
    const { first, second, counts } = twoWeeks(before, now, {}, forgiving ? { tolerance: 1 } : {});
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
    const again = twoWeeks(before, [...before].reverse());
    expect(again.counts.same).toBe(first.frames[0].pairs.length);
  });
  fc.assert(property, { numRuns: 400 });
});
