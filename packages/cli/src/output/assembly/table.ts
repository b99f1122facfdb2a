// The answer for people: a table of the pairs that matter, the most important first, and what was found in a few lines.

import {
  type AssemblyAnswer,
  type AssemblyPair,
  bracketInWords,
  byImportance,
  type Group,
  labelsOf,
  verdictOf,
} from '@nearfield/clashes';
import { type Column, inColumns, shortened } from '../columns.ts';
import { count, plural, rounded, roundedUp } from '../sentences.ts';
import { trianglePairs } from '../table.ts';
import { printable } from '../terminal.ts';
import { type Stretch, stretchesOf } from './stretches.ts';
import { isConfirmed, summary } from './summary.ts';

export interface TableOptions {
  /** Also list the pairs of triangles. */
  readonly triangles: boolean;
  /** How many rows are shown. */
  readonly rows: number;
}

const widestName = 40;
/** Members of a group that are listed below it. */
const mostMembers = 3;

export function* assemblyTable(answer: AssemblyAnswer, options: TableOptions): Generator<string> {
  const { bodies, frames, isMotion, backend, method, groups, unitName } = answer;
  const total = bodies.reduce((sum, body) => sum + body.triangles, 0);
  yield `${plural(bodies.length, 'body', 'bodies')}, ${plural(total, 'triangle')}${unitName === undefined ? '' : `, lengths in ${unitName}`}; `;
  yield `method ${method} on ${backend.kind} (${printable(backend.name)})\n\n`;
  const rows = isMotion
    ? stretchesOf(
        frames.map(frame => ({ ...frame, pairs: frame.pairs.filter(isShown) })),
        options.triangles,
      ).map(stretch => ({ ...stretch, group: undefined }))
    : groups === undefined
      ? listed(byImportance(frames[0].pairs).filter(isShown))
      : grouped(frames[0].pairs, groups, options.rows);
  yield* pairTable(answer, rows, options);
  yield* summary(answer);
  const bounds = frames.flatMap(frame => frame.bounds ?? []);
  if (bounds.length > 0) {
    const most = (value: (bound: (typeof bounds)[number]) => number) =>
      roundedUp(Math.max(...bounds.map(value)));
    const unseen = bounds.every(({ complete }) => complete)
      ? ''
      : ' Parts of the scene could not be examined.';
    yield `Sampled: may miss overlaps too thin for a ball of diameter ${most(bound => bound.mayMissBelow)}; may list bodies up to ${most(bound => bound.mayReportWithin)} apart.${unseen}\n`;
  }
}

/** A row of the table: a pair of bodies over some frames, or the title of a group. */
type Row = Stretch & { readonly group: string | undefined };

const rowOf = (pair: AssemblyPair, group?: string): Row => {
  const { triangleCount: found, distance: nearest } = pair;
  return { from: 0, to: 0, least: found, most: found, nearest, pair, group };
};
const listed = (pairs: readonly AssemblyPair[]): Row[] => pairs.map(pair => rowOf(pair));

/** What is forgiven is counted below the table, not listed. */
const isShown = (pair: AssemblyPair): boolean => ['clash', 'too-close', 'touching'].includes(verdictOf(pair));

/** One row per group, with its first members below it. */
function grouped(pairs: readonly AssemblyPair[], groups: readonly Group[], rows: number): Row[] {
  const most = rows === Number.POSITIVE_INFINITY ? rows : mostMembers;
  const byClash = new Map(pairs.map(pair => [pair.clash, pair]));
  return groups.flatMap(({ title, members }) => {
    const more = members.length > most ? `${title} (the first ${most})` : title;
    const shown = members.slice(0, most).map(clash => byClash.get(clash)!);
    return [rowOf(shown[0], more), ...listed(shown)];
  });
}

function* pairTable(
  { bodies, frames, isMotion, groups, unitName }: AssemblyAnswer,
  all: readonly Row[],
  { triangles, rows: most }: TableOptions,
): Generator<string> {
  const rows = all.slice(0, most);
  if (rows.length === 0) return;
  const labels = labelsOf(bodies);
  const nameOf = (index: number) => {
    const name = printable(bodies[index].name);
    const file = printable(labels[index].slice(bodies[index].name.length));
    return `#${index} ${shortened(name, widestName)}${file}`;
  };
  const has = (test: (pair: AssemblyPair) => boolean) => frames.some(({ pairs }) => pairs.some(test));
  const unit = unitName === undefined ? '' : ` (${unitName})`;
  const cells: (Column & { cell(row: Row): string })[] = [
    { head: 'a', cell: ({ pair }) => nameOf(pair.a) },
    { head: 'b', cell: ({ pair }) => nameOf(pair.b) },
    { head: 'relation', cell: ({ pair }) => pair.relation + noteOf(pair) },
  ];
  if (isMotion) {
    cells.unshift({
      head: 'frames',
      cell: ({ from, to }) => (from === to ? `${from}` : `${from}–${to}`),
      isNumber: true,
    });
  }
  if (has(({ clash }) => clash !== undefined))
    cells.unshift({ head: 'clash', cell: ({ pair }) => pair.clash ?? '' });
  if (has(({ change }) => change !== undefined)) {
    cells.push({ head: 'change', cell: ({ pair }) => pair.change ?? '' });
  }
  if (has(({ depth }) => depth !== undefined && depth.upper > 0)) {
    cells.push({
      head: `depth${unit}`,
      cell: ({ pair: { depth } }) => (depth && depth.upper > 0 ? bracketInWords(depth) : ''),
      isNumber: true,
    });
  }
  if (!frames.some(({ bounds }) => bounds !== undefined)) {
    cells.push({
      head: 'triangle pairs',
      cell: ({ least, most }) => (least === most ? count(most) : `${count(least)}–${count(most)}`),
      isNumber: true,
    });
  }
  if (has(({ distance }) => distance !== undefined)) {
    cells.push({
      head: `distance${unit}`,
      cell: ({ nearest }) => (nearest === undefined ? '' : rounded(nearest)),
      isNumber: true,
    });
  }
  const lines = inColumns(
    cells,
    rows.map(row => cells.map(({ cell }) => cell(row))),
  );
  yield* lines.slice(0, 2);
  for (const [i, { pair, group }] of rows.entries()) {
    if (group !== undefined) yield `${i === 0 ? '' : '\n'}${printable(group)}\n`;
    else yield lines[i + 2];
    if (triangles && pair.triangles) yield* trianglePairs(pair.triangles, '    ');
  }
  const left = all.length - rows.length;
  if (left > 0) {
    const what = groups === undefined ? plural(left, 'more pair') : plural(left, 'more row');
    yield `… and ${what} (--rows all lists them; --json and --out FILE.csv have every pair)\n`;
  }
  yield '\n';
}

/** What the relation alone does not say. */
function noteOf(pair: AssemblyPair): string {
  if (!isConfirmed(pair)) return ' (within the bound)';
  if (pair.undecided) return ' (depth undecided)';
  return pair.status?.status === 'fixed' ? ' (said to be fixed)' : '';
}
