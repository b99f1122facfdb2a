import { expect, it } from 'vitest';
import { finish } from '../../steps/steps.ts';
import { cube, inputOf } from '../test-bodies.ts';
import type { ReportPair } from '../types.ts';
import { columnsOf, rowHtml, searched } from './columns.ts';
import { tableData } from './data.ts';
import { type Filters, selectRows } from './select.ts';

/** A generator of numbers below n (mulberry32), the same every time. */
function generator(seed: number): (n: number) => number {
  let state = seed;
  return n => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const seed = 19;
const random = generator(seed);
const bodies = Array.from({ length: 40 }, (_, i) => ({
  ...{ ...cube(`part-${i}-`, [i, 0, 0], 1), type: i % 3 === 0 ? 'IfcWall' : undefined },
}));
const verdicts = ['clash', 'too-close', 'touching', 'within-rounding'] as const;
const pairs = Array.from({ length: 500 }, (_, i): ReportPair => {
  const verdict = verdicts[random(4)];
  const relation = verdict === 'too-close' ? 'separate' : verdict === 'touching' ? 'touching' : 'crossing';
  const upper = (1 + random(1000)) / 100;
  return {
    ...{ a: random(20), b: 20 + random(20), relation, verdict, triangleCount: random(50) },
    triangles: new Uint32Array(0),
    clash: i.toString(16).padStart(12, '0'),
    ...(relation === 'separate' && { distance: random(100) / 10 }),
    ...(relation === 'crossing' && { depth: { lower: upper / 2, upper } }),
    ...(random(2) === 0 && { change: (['new', 'same', 'worse'] as const)[random(3)] }),
    ...(random(3) === 0 && { status: { status: 'open' as const, comment: `ask-${random(9)}` } }),
  };
});
const matrix = { sets: ['even', 'odd'], cells: [], setsOf: bodies.map((_, i) => [i % 2]) };
const input = { ...inputOf(bodies, pairs), matrix, unitName: 'mm' };
const data = finish(tableData(input, pairs, [], 3));
const texts = searched(data);
const columns = columnsOf(data);
const column = (key: string) => columns.find(each => each.key === key)!;
const plain = { column: columns[0], isReversed: false };

/** What the reader would find by reading every pair. */
const cases: [string, Filters, (pair: ReportPair) => boolean][] = [
  ['everything', {}, () => true],
  ['a verdict', { verdict: [0] }, ({ verdict }) => verdict === 'clash'],
  ['two verdicts', { verdict: [0, 1] }, ({ verdict }) => verdict === 'clash' || verdict === 'too-close'],
  ['a relation', { relation: 4 }, ({ relation }) => relation === 'touching'],
  ['a change', { change: 'worse' }, ({ change }) => change === 'worse'],
  ['a status', { status: 'open' }, ({ status }) => status?.status === 'open'],
  [
    'a part',
    { part: data.parts.indexOf('part-7-') },
    ({ a, b }) => bodies[a].name === 'part-7-' || bodies[b].name === 'part-7-',
  ],
  ['a cell on the diagonal', { cell: [1, 1] }, ({ a, b }) => a % 2 === 1 && b % 2 === 1],
  ['a cell off it', { cell: [0, 1] }, ({ a, b }) => a % 2 !== b % 2],
  [
    'words in any order and case',
    { text: ' IFCWALL  Part-3' },
    ({ a, b }) => (a % 3 === 0 || b % 3 === 0) && [a, b].some(i => `part-${i}-`.includes('part-3')),
  ],
  ['an identity', { text: '00000000001f' }, ({ clash }) => clash === '00000000001f'],
  ['a comment', { text: 'ask-4' }, ({ status }) => status?.comment === 'ask-4'],
  [
    'several at once',
    { verdict: [0], change: 'new', cell: [0, 1] },
    ({ verdict, change, a, b }) => verdict === 'clash' && change === 'new' && a % 2 !== b % 2,
  ],
];

it.each(cases)(`filters by %s (seed ${seed})`, (_, filters, isWanted) => {
  const wanted = pairs.flatMap((pair, i) => (isWanted(pair) ? [i] : []));
  expect(selectRows(data, texts, filters, plain)).toEqual(wanted);
});

it('sorts by any column, equal rows by importance, and rows without a value last', () => {
  const deepest = selectRows(data, texts, {}, { column: column('depth'), isReversed: false });
  const shallowest = selectRows(data, texts, {}, { column: column('depth'), isReversed: true });
  for (const [rows, sign] of [
    [deepest, -1],
    [shallowest, 1],
  ] as const) {
    const depths = rows.map(row => pairs[row].depth?.upper);
    const known = depths.filter(depth => depth !== undefined);
    expect(depths.slice(0, known.length)).toEqual(known);
    expect(known).toEqual([...known].sort((p, q) => sign * (p - q)));
  }
  const nearest = selectRows(
    data,
    texts,
    { verdict: [1] },
    { column: column('distance'), isReversed: false },
  );
  const distances = nearest.map(row => pairs[row].distance!);
  expect(distances).toEqual([...distances].sort((p, q) => p - q));
  // Numbers in names count as numbers.
  const named = selectRows(data, texts, {}, { column: column('a'), isReversed: false });
  expect(named.map(row => pairs[row].a)).toEqual(pairs.map(({ a }) => a).sort((p, q) => p - q));
  expect(selectRows(data, texts, {}, { ...plain, isReversed: true })).toEqual(pairs.map((_, i) => 499 - i));
});

it('writes rows of what is there: depth with its unit in the head, no empty columns', () => {
  expect(columns.map(({ head }) => head)).toEqual([
    ...['#', 'Part A', 'Part B', 'Verdict', 'Relation', 'Depth (mm)', 'Distance (mm)', 'Change', 'Status'],
    ...['Triangle pairs', 'Remark', 'Clash'],
  ]);
  const deep: ReportPair = {
    ...pairs[0],
    relation: 'crossing',
    verdict: 'clash',
    depth: { lower: 1.23456, upper: 1.23567 },
  };
  const one = finish(tableData({ ...input, pairs: [deep] }, [deep], [], 0));
  expect(rowHtml(one, columnsOf(one), 0)).toContain('<td class="n">1.23 to 1.24</td>');
  const wide = finish(tableData(input, [{ ...deep, depth: { lower: 1e-9, upper: 0.5 } }], [], 0));
  expect(rowHtml(wide, columnsOf(wide), 0)).toContain('<td class="n">up to 0.5</td>');
});

it('a hundred thousand rows take little room and are found in no time', () => {
  const many = Array.from(
    { length: 100_000 },
    (_, i): ReportPair => ({ ...pairs[i % 500], clash: i.toString(16).padStart(12, '0') }),
  );
  const large = finish(tableData(input, many, [], 0));
  const text = JSON.stringify(large);
  expect(text.length / many.length).toBeLessThan(100);
  const read = JSON.parse(text);
  expect(selectRows(read, searched(read), { text: 'part-7-' }, plain).length).toBe(
    200 * selectRows(data, texts, { text: 'part-7-' }, plain).length,
  );
});
