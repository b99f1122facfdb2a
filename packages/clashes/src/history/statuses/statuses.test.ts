import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AssemblyPair } from '../../assembly/types.ts';
import { finish } from '../../steps/steps.ts';
import { answerOf } from '../../testing.ts';
import { applyStatuses, updateStatuses } from './apply.ts';
import { mergeStatuses } from './merge.ts';
import { noStatuses, parseStatuses, renderStatuses, type StatusEntry, timeOf } from './statuses.ts';

const [one, two, three] = ['000000000001', '000000000002', '000000000003'];
const fileOf = (clashes: Record<string, unknown>, more: object = {}) =>
  parseStatuses('statuses.json', JSON.stringify({ version: 1, ...more, clashes }));

it('what is written is what was read, with unknown fields, in order', () => {
  const given = fileOf(
    {
      [two]: { status: 'open', priority: { level: 3 } },
      [one]: { by: 'Ada', status: 'accepted', date: '2026-11-18' },
    },
    { project: 'house', $schema: 'x' },
  );
  const text = renderStatuses(given);
  expect(parseStatuses('statuses.json', text)).toEqual(given);
  expect(text).toBe(`{
  "version": 1,
  "project": "house",
  "$schema": "x",
  "clashes": {
    "${two}": {"status":"open","priority":{"level":3}},
    "${one}": {"by":"Ada","status":"accepted","date":"2026-11-18"}
  }
}
`);
  expect(renderStatuses(noStatuses('s'))).toBe('{\n  "version": 1,\n  "clashes": {}\n}\n');
});

it.each<[string, unknown, string]>([
  [
    'a newer version',
    { version: 2, clashes: {} },
    '$.version: expected 1; a newer Nearfield may have written this file, got 2',
  ],
  ['no clashes', { version: 1 }, '$: "clashes" is missing'],
  ['a list', { version: 1, clashes: [] }, '$.clashes: expected an object from identities'],
  [
    'a name as identity',
    { version: 1, clashes: { wall: { status: 'open' } } },
    '$.clashes.wall: expected the identity of a clash',
  ],
  ['no status', { version: 1, clashes: { [one]: {} } }, `$.clashes.${one}: "status" is missing`],
  [
    'a mistyped status',
    { version: 1, clashes: { [one]: { status: 'acepted' } } },
    'did you mean "accepted"?',
  ],
  [
    'a comment that is a number',
    { version: 1, clashes: { [one]: { status: 'open', comment: 1 } } },
    '.comment: expected a text',
  ],
  [
    'a date in words',
    { version: 1, clashes: { [one]: { status: 'open', date: 'today' } } },
    '.date: expected a date such as 2026-11-18',
  ],
  [
    'a day that does not exist',
    { version: 1, clashes: { [one]: { status: 'open', date: '2026-13-40' } } },
    '.date: expected a date',
  ],
  [
    'a depth without sense',
    { version: 1, clashes: { [one]: { status: 'accepted', depth: 'deep' } } },
    '.depth: expected a length',
  ],
  [
    'a negative depth',
    { version: 1, clashes: { [one]: { status: 'accepted', depth: '-1mm' } } },
    '.depth: expected a length',
  ],
])('%s is refused', (_, value, message) => {
  expect(() => parseStatuses('statuses.json', JSON.stringify(value))).toThrowError(message);
});

it('deep values that nobody understands are refused', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(() => parseStatuses('s', `{"version":1,"clashes":{},"x":${deep}}`)).toThrowError(
    'nested more than 64',
  );
});

it('dates with and without time and zone are in order', () => {
  const dates = [
    '2026-11-17T23:30:00Z',
    '2026-11-18',
    '2026-11-18T01:30:00+01:00',
    '2026-11-18T08:15',
    '2026-11-18T08:15:00.5Z',
  ];
  const times = dates.map(date => timeOf(date)!);
  expect([...times].sort((p, q) => p - q)).toEqual(times);
  expect(timeOf('18.11.2026')).toBeUndefined();
});

const entry = (status: string, by: string, date?: string, more: object = {}) => ({
  status,
  by,
  ...(date && { date }),
  ...more,
});

it('two people: the later word holds, and the earlier is kept', () => {
  const disk = fileOf({
    [one]: entry('accepted', 'Ada', '2026-11-17'),
    [two]: entry('open', 'Ada', '2026-11-18'),
  });
  const ours = fileOf({
    [one]: entry('fixed', 'Bob', '2026-11-18'),
    [two]: entry('fixed', 'Bob', '2026-11-17'),
    [three]: entry('open', 'Bob'),
  });
  const { statuses, conflicts } = mergeStatuses(disk, ours);
  expect(conflicts).toEqual([]);
  expect([...statuses.clashes]).toEqual([
    [one, { ...entry('fixed', 'Bob', '2026-11-18'), earlier: [entry('accepted', 'Ada', '2026-11-17')] }],
    [two, { ...entry('open', 'Ada', '2026-11-18'), earlier: [entry('fixed', 'Bob', '2026-11-17')] }],
    [three, entry('open', 'Bob')],
  ]);
  // The other way round gives the same, but for the order.
  const other = mergeStatuses(ours, disk).statuses.clashes;
  for (const [id, each] of statuses.clashes) expect(other.get(id)).toEqual(each);
});

it('if dates do not tell, the entry on the disk stays, and the conflict is reported', () => {
  const disk = fileOf({ [one]: entry('accepted', 'Ada') });
  const { statuses, conflicts } = mergeStatuses(disk, fileOf({ [one]: entry('fixed', 'Bob', '2026-11-18') }));
  expect(statuses.clashes.get(one)).toEqual({
    ...entry('accepted', 'Ada'),
    earlier: [entry('fixed', 'Bob', '2026-11-18')],
  });
  expect(conflicts).toEqual([
    { clash: one, kept: entry('accepted', 'Ada'), other: entry('fixed', 'Bob', '2026-11-18') },
  ]);
});

it('what a check wrote gives way to what a person says, whenever that was', () => {
  const written = { status: 'open', found: '2026-11-18T10:00:00Z', parts: ['a', 'b'] };
  const said = entry('accepted', 'Ada', '2026-11-01');
  for (const [p, q] of [
    [written, said],
    [said, written],
  ]) {
    const { statuses, conflicts } = mergeStatuses(fileOf({ [one]: p }), fileOf({ [one]: q }));
    expect(conflicts).toEqual([]);
    expect(statuses.clashes.get(one)).toEqual(said);
  }
});

it('merging loses nobody’s word, and merging again changes nothing', () => {
  const one = fc.record(
    {
      status: fc.constantFrom('open', 'accepted', 'fixed'),
      by: fc.constantFrom('Ada', 'Bob'),
      date: fc.constantFrom('2026-11-16', '2026-11-17', '2026-11-18'),
      comment: fc.constantFrom('x', 'y'),
      ticket: fc.nat(2),
    },
    { requiredKeys: ['status', 'by'] },
  );
  const file = fc
    .dictionary(fc.constantFrom('000000000001', '000000000002'), one)
    .map(clashes => fileOf(clashes));
  const words = (each: StatusEntry | undefined): Set<string> => {
    if (each === undefined) return new Set();
    const { earlier = [], ...head } = each;
    return new Set([head, ...earlier].map(said => JSON.stringify(Object.entries(said).sort())));
  };
  const property = fc.property(file, file, file, (a, b, c) => {
    const merged = mergeStatuses(mergeStatuses(a, b).statuses, c).statuses;
    for (const source of [a, b, c]) {
      for (const [id, said] of source.clashes) {
        const kept = [...words(merged.clashes.get(id))].map(text => JSON.parse(text) as [string, unknown][]);
        // Somebody says all that was said here, and perhaps more.
        const isKept = kept.some(fields =>
          Object.entries(said).every(([name, value]) => fields.some(([n, v]) => n === name && v === value)),
        );
        expect(isKept).toBe(true);
      }
      expect(renderStatuses(mergeStatuses(merged, source).statuses)).toBe(renderStatuses(merged));
    }
    expect(mergeStatuses(merged, merged).conflicts).toEqual([]);
  });
  fc.assert(property, { numRuns: 500 });
});

const pair = (b: number, more: Partial<AssemblyPair>): AssemblyPair => ({
  ...{ a: 0, b, relation: 'crossing', triangleCount: 1, verdict: 'clash', clash: `00000000000${b}` },
  ...{ depth: { lower: 4, upper: 5 } },
  ...more,
});
const plain = (length: number | string) => Number(length);

it('accepted clashes pass; clashes marked as fixed that are still there fail, with a note', () => {
  const answer = answerOf(
    ['floor', 'p1', 'p2', 'p3', 'p4', 'p5'],
    [
      pair(1, { change: 'same' }),
      pair(2, {}),
      pair(3, { change: 'moved' }),
      pair(4, { verdict: 'within-tolerance' }),
      pair(5, { change: 'worse' }),
    ],
  );
  const statuses = fileOf({
    [one]: { status: 'accepted', comment: 'sleeve', by: 'Ada', secret: 1 },
    [two]: { status: 'fixed' },
    [three]: { status: 'not-an-issue' },
    '000000000004': { status: 'accepted' },
    '000000000005': { status: 'accepted' },
    ffffffffffff: { status: 'accepted' },
  });
  const { answer: applied, notes } = applyStatuses(answer, statuses, plain);
  const { pairs } = applied.frames[0];
  expect(pairs.map(({ verdict }) => verdict)).toEqual([
    'accepted',
    'clash',
    'accepted',
    'within-tolerance',
    'clash',
  ]);
  expect(pairs[0].status).toEqual({ status: 'accepted', comment: 'sleeve', by: 'Ada' });
  expect(notes).toEqual([
    '000000000002 (floor and p2) is marked as fixed but is still there',
    '000000000005 (floor and p5) is accepted and has become worse since the baseline',
  ]);
});

it('what was accepted up to a depth is a clash again when it is deeper', () => {
  const answer = answerOf(['floor', 'p1'], [pair(1, {})]);
  const verdict = (depth: number | string) =>
    applyStatuses(answer, fileOf({ [one]: { status: 'accepted', depth } }), plain).answer.frames[0].pairs[0]
      .verdict;
  // Its depth is between 4 and 5, so up to 4.5 it is not proven.
  expect([verdict(5), verdict('4.5'), verdict(3.9)]).toEqual(['accepted', 'clash', 'clash']);
});

it('accepts no overlap of parts that were accepted as too close or touching', () => {
  for (const near of [
    pair(1, { relation: 'separate', distance: 1, verdict: 'too-close', depth: undefined }),
    pair(1, { relation: 'touching', verdict: 'touching', depth: undefined }),
  ]) {
    const found = finish(updateStatuses(noStatuses('s'), answerOf(['floor', 'p1'], [near]), '2026-11-18'));
    const accepted = fileOf({ [one]: { ...found.clashes.get(one), status: 'accepted' } });
    const verdict = (now: AssemblyPair) =>
      applyStatuses(answerOf(['floor', 'p1'], [now]), accepted, plain).answer.frames[0].pairs[0].verdict;
    expect([verdict(near), verdict(pair(1, {}))]).toEqual(['accepted', 'clash']);
  }
});

it('what is accepted is the depth that the last check had found, not what the next one finds', () => {
  const checked = (statuses: ReturnType<typeof fileOf>, upper: number) => {
    const answer = answerOf(['floor', 'p1'], [pair(1, { depth: { lower: upper, upper } })]);
    const { answer: applied, notes } = applyStatuses(answer, statuses, plain);
    return {
      verdict: applied.frames[0].pairs[0].verdict,
      notes,
      after: finish(updateStatuses(statuses, applied, '2026-11-18')),
    };
  };
  const { after: found } = checked(noStatuses('s'), 0.001);
  // By hand: only the status is changed.
  const accepted = fileOf({ [one]: { ...found.clashes.get(one), status: 'accepted' } });
  expect(checked(accepted, 0.001).verdict).toBe('accepted');
  const { verdict, notes, after } = checked(accepted, 0.8);
  expect(verdict).toBe('clash');
  expect(notes).toEqual([`${one} (floor and p1) is accepted up to a depth of 0.001 and is deeper now`]);
  expect(after.clashes.get(one)).toMatchObject({ depth: 0.001, depthFound: 0.8 });
  expect(checked(after, 0.8).verdict).toBe('clash');
});

it('an acceptance without any depth holds only if the baseline proves that it is no worse', () => {
  const verdict = (change?: AssemblyPair['change']) => {
    const answer = answerOf(['floor', 'p1'], [pair(1, { change })]);
    const { answer: applied, notes } = applyStatuses(
      answer,
      fileOf({ [one]: { status: 'accepted' } }),
      plain,
    );
    return [applied.frames[0].pairs[0].verdict, notes.length];
  };
  expect([verdict(), verdict('new'), verdict('worse')]).toEqual(Array(3).fill(['clash', 1]));
  expect([verdict('same'), verdict('moved'), verdict('better')]).toEqual(Array(3).fill(['accepted', 0]));
});

it('an acceptance does not move to another part with the same name', () => {
  const answer = (place: string, more: Partial<AssemblyPair> = {}) => {
    const named = answerOf(['floor', 'bolt', 'bolt'], [pair(1, more)]);
    const bodies = named.bodies.map((body, i) => ({
      ...body,
      fingerprint: { mesh: 'm', pose: i === 1 ? place : `${i}` },
    }));
    return { ...named, bodies };
  };
  const found = finish(updateStatuses(noStatuses('s'), answer('x = 5'), '2026-11-18'));
  const statuses = fileOf({ [one]: { ...found.clashes.get(one), status: 'accepted' } });
  const applied = (given: ReturnType<typeof answer>) => {
    const { answer: result, notes } = applyStatuses(given, statuses, plain);
    return [result.frames[0].pairs[0].verdict, notes.join()];
  };
  expect(applied(answer('x = 5'))).toEqual(['accepted', '']);
  expect(applied(answer('x = 1'))).toEqual(['clash', expect.stringContaining('only --baseline tells')]);
  expect(applied(answer('x = 1', { change: 'new' }))[0]).toBe('clash');
  // The baseline has told the two apart.
  expect(applied(answer('x = 6', { change: 'moved' }))[0]).toBe('accepted');
});

it('a check adds what is new, and changes nothing that anybody said', () => {
  const statuses = fileOf({
    [one]: { status: 'accepted', note: 'x' },
    [two]: { status: 'fixed' },
    ffffffffffff: { status: 'open' },
  });
  const answer = answerOf(
    ['floor', 'p1', 'p2', 'p3', 'p4'],
    [pair(1, { change: 'same' }), pair(2, {}), pair(3, {}), pair(4, { verdict: 'ignored' })],
  );
  const applied = applyStatuses(answer, statuses, plain).answer;
  const inMm = (depth: number) => `${depth} mm`;
  const updated = finish(updateStatuses(statuses, applied, '2026-11-18', inMm));
  const depthFound = '5 mm';
  expect([...updated.clashes]).toEqual([
    [one, { status: 'accepted', note: 'x', depth: '5 mm', depthFound }],
    [two, { status: 'fixed', depthFound }],
    ['ffffffffffff', { status: 'open' }],
    [three, { status: 'open', found: '2026-11-18', parts: ['floor', 'p3'], depthFound }],
  ]);
  expect(finish(updateStatuses(updated, applied, '2026-11-19', inMm))).toEqual(updated);
  expect(mergeStatuses(statuses, updated).conflicts).toEqual([]);
});

it('merging keeps the depth that the newer check found, unless somebody accepted the older one meanwhile', () => {
  const open = (depthFound: number) => ({ status: 'open', found: '2026-11-16', depthFound });
  const merged = (disk: object, ours: object) =>
    mergeStatuses(fileOf({ [one]: disk }), fileOf({ [one]: ours })).statuses.clashes.get(one);
  expect(merged(open(1), open(2))).toEqual(open(2));
  const accepted = { ...open(1), status: 'accepted', by: 'Ada' };
  expect(merged(accepted, open(2))).toEqual(accepted);
});
