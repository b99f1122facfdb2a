// The answer for people: a table of the pairs that matter, the most important first, the matrix of sets, and what was
// found in a few lines.

import {
  type AssemblyAnswer,
  type AssemblyPair,
  bracketInWords,
  isUnconfirmed,
  labelsOf,
  lengthBelow,
  lengthInWords,
  type PairOverFrames,
  spans,
} from '@nearfield/clashes';
import { type Column, inColumns, shortened, wrapped } from '../columns.ts';
import { count, plural } from '../sentences.ts';
import { trianglePairs } from '../table.ts';
import { printable } from '../terminal.ts';
import { matrixTable } from './matrix.ts';
import { type Section, sectionsOf } from './rows.ts';
import { summary } from './summary.ts';

export interface TableOptions {
  /** Also list the pairs of triangles. */
  readonly triangles: boolean;
  /** How many rows are shown. */
  readonly rows: number;
  /** The width of the terminal; without one, lines may have any length. */
  readonly columns?: number | undefined;
}

const widestName = 40;
/** Ranges of frames in a cell. */
const mostRanges = 3;

export function* assemblyTable(answer: AssemblyAnswer, options: TableOptions): Generator<string> {
  const { bodies, backend, method, unitName } = answer;
  const { columns = Number.POSITIVE_INFINITY } = options;
  const total = bodies.reduce((sum, body) => sum + body.triangles, 0);
  const unit = unitName === undefined ? '' : `, lengths in ${unitName}`;
  const asked = `${plural(bodies.length, 'body', 'bodies')}, ${plural(total, 'triangle')}${unit}`;
  const how = `method ${method} on ${backend.kind} (${printable(backend.name)})`;
  yield `${wrapped(`${asked}; ${how}; ${timesInWords(answer)}`, columns)}\n\n`;
  yield* pairTable(answer, sectionsOf(answer, options.rows), { ...options, columns });
  yield* matrixTable(answer, columns);
  for (const line of summary(answer)) yield `${wrapped(line, columns)}\n`;
}

/** "read 9.6 ms, build 29 ms, query 231 ms, judge 1.2 s" */
const timesInWords = ({ timing }: AssemblyAnswer): string =>
  (['read', 'build', 'query', 'judge'] as const)
    .filter(step => (timing[step] ?? 0) >= 0.05)
    .map(step => `${step} ${timeInWords(timing[step]!)}`)
    .join(', ');

const timeInWords = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;

type Cell = Column & { cell(row: PairOverFrames): string };

function* pairTable(
  answer: AssemblyAnswer,
  sections: readonly Section[],
  { triangles, columns }: TableOptions & { readonly columns: number },
): Generator<string> {
  const rows = sections.flatMap(section => section.rows);
  if (rows.length > 0) {
    const all = cellsOf(answer).map(column => ({ ...column, texts: rows.map(row => column.cell(row)) }));
    const used = all.filter(({ texts }) => texts.some(text => text !== ''));
    const cells = rows.map((_, row) => used.map(({ texts }) => texts[row]));
    const { lines, leftOut } = inColumns(used, cells, columns);
    yield* lines.slice(0, 2);
    const states = triangles && answer.isMotion ? statesOf(answer) : undefined;
    let line = 2;
    for (const [i, section] of sections.filter(({ rows: some }) => some.length > 0).entries()) {
      if (section.title !== undefined) yield `${i === 0 ? '' : '\n'}${titleOf(section, columns)}\n`;
      for (const row of section.rows) {
        yield lines[line++];
        if (triangles) yield* trianglesOf(row, states);
      }
    }
    if (leftOut.length > 0) {
      const what = `not shown in ${columns} columns: ${leftOut.join(', ')} (--out FILE.txt or .csv has all)`;
      yield `${wrapped(what, columns)}\n`;
    }
  }
  const left = sections.reduce((sum, section) => sum + section.left, 0);
  if (left > 0) yield `${wrapped(leftInWords(answer, sections, left), columns)}\n`;
  if (rows.length + left > 0) yield '\n';
}

/** "4 clashes with the slab (the first 3)" */
function titleOf({ title, rows, left }: Section, columns: number): string {
  const cut = left > 0 ? ` (the first ${rows.length === 1 ? 'one' : count(rows.length)})` : '';
  return wrapped(`${printable(title!)}${cut}`, columns);
}

function leftInWords({ groups }: AssemblyAnswer, sections: readonly Section[], left: number): string {
  const what = groups === undefined ? plural(left, 'more pair') : plural(left, 'more clash', 'more clashes');
  const hidden = sections.filter(({ rows, title }) => title !== undefined && rows.length === 0).length;
  const where = hidden > 0 ? `, ${plural(hidden, 'whole group')} among them` : '';
  return `… and ${what}${where} (--rows all lists them; --json and --out FILE.csv have every pair)`;
}

/** All columns; those without any text are left out. */
function cellsOf({ bodies, isMotion, frames, tests = [], unitName }: AssemblyAnswer): Cell[] {
  const labels = labelsOf(bodies);
  const nameOf = (index: number) => {
    const name = printable(bodies[index].name);
    const file = printable(labels[index].slice(bodies[index].name.length));
    return `#${index} ${shortened(name, widestName)}${file}`;
  };
  const testOf = ({ test }: AssemblyPair) =>
    test === undefined ? '' : shortened(printable(tests[test].name), widestName);
  const unit = (power = '') => (unitName === undefined ? '' : ` (${unitName}${power})`);
  const isSampled = frames.some(({ bounds }) => bounds !== undefined);
  // If every test is as severe as one that does not say, the column would say nothing; nor would the only test.
  const isRanked = tests.some(({ severity }) => severity !== 'major');
  return [
    { head: 'clash', leaveOut: 4, cell: ({ pair }) => pair.clash ?? '' },
    { head: 'a', isName: true, cell: ({ pair }) => nameOf(pair.a) },
    { head: 'b', isName: true, cell: ({ pair }) => nameOf(pair.b) },
    { head: 'relation', cell: ({ pair }) => pair.relation },
    { head: 'frames', leaveOut: 2, cell: row => (isMotion ? spans(row.frames, mostRanges) : '') },
    { head: 'worst', isNumber: true, leaveOut: 1, cell: ({ frame }) => (isMotion ? `${frame}` : '') },
    { head: 'severity', leaveOut: 3, cell: ({ pair }) => (isRanked && pair.severity) || '' },
    { head: 'change', leaveOut: 1, cell: ({ pair }) => pair.change ?? '' },
    {
      ...{ head: `depth${unit()}`, isNumber: true },
      cell: ({ pair: { depth } }) => (depth && depth.upper > 0 ? bracketInWords(depth) : ''),
    },
    {
      ...{ head: `distance${unit()}`, isNumber: true },
      cell: ({ pair: { distance } }) => (distance === undefined ? '' : lengthBelow(distance)),
    },
    {
      ...{ head: `volume${unit('³')}`, isNumber: true, leaveOut: 5 },
      cell: ({ pair: { volume } }) => (volume ? lengthInWords(volume) : ''),
    },
    {
      ...{ head: 'triangle pairs', isNumber: true, leaveOut: 7 },
      cell: ({ pair }) => (isSampled ? '' : count(pair.triangleCount)),
    },
    { head: 'note', leaveOut: 2, cell: ({ pair }) => noteOf(pair) },
    { head: 'test', leaveOut: 6, cell: ({ pair }) => (tests.length > 1 ? testOf(pair) : '') },
  ];
}

/** The pairs of each frame by their bodies. */
const statesOf = ({ frames }: AssemblyAnswer): Map<string, AssemblyPair>[] =>
  frames.map(({ pairs }) => new Map(pairs.map(pair => [`${pair.a} ${pair.b}`, pair])));

/** The triangles of a pair; in a motion frame by frame. */
function* trianglesOf(
  { pair, frames }: PairOverFrames,
  states: readonly Map<string, AssemblyPair>[] | undefined,
): Generator<string> {
  if (states === undefined) {
    yield* trianglePairs(pair.triangles ?? new Uint32Array(0), '    ');
    return;
  }
  for (const frame of frames) {
    const { relation, triangles = new Uint32Array(0) } = states[frame].get(`${pair.a} ${pair.b}`)!;
    yield `  frame ${frame}: ${relation}\n`;
    yield* trianglePairs(triangles, '    ');
  }
}

/** What the relation alone does not say. */
function noteOf(pair: AssemblyPair): string {
  if (isUnconfirmed(pair)) return 'within the bound';
  if (pair.undecided) return 'depth undecided';
  return pair.status?.status === 'fixed' ? 'said to be fixed' : '';
}
