// The answer as CSV for spreadsheets (RFC 4180): one row per pair, the most important first; in a motion one row per pair
// and frame, frame by frame. The text begins with a byte order mark, without which Excel takes UTF-8 for another encoding.
// A spreadsheet takes a cell that begins with =, +, - or @ for a formula, and names come from files of strangers: such a
// name gets an apostrophe in front, which spreadsheets show as text. Spaces before the sign do not help, some programs take
// the wide forms of the signs too, and in many countries a semicolon ends a cell, quotes or not.

import type { AssemblyAnswer, AssemblyPair } from '../assembly/types.ts';
import { byImportance, verdictOf } from '../severity/order.ts';
import { each, unwritten } from '../steps/steps.ts';
import { visible } from '../text/escape.ts';
import { pathText } from '../text/paths.ts';

const pathOf = (path: readonly string[] | undefined) => path && pathText(path);

type Cell = string | number | undefined;

interface Column {
  readonly head: string;
  readonly cell: (pair: AssemblyPair, answer: AssemblyAnswer, frame: number) => Cell;
  /** Left out if no pair has a value. */
  readonly optional?: true;
}

const columns: readonly Column[] = [
  { head: 'frame', cell: (_, { isMotion }, frame) => (isMotion ? frame : undefined), optional: true },
  { head: 'clash', cell: ({ clash }) => clash, optional: true },
  { head: 'verdict', cell: verdictOf },
  { head: 'change', cell: ({ change }) => change, optional: true },
  { head: 'severity', cell: ({ severity }) => severity, optional: true },
  {
    head: 'test',
    cell: ({ test }, { tests }) => (test === undefined ? undefined : tests?.[test].name),
    optional: true,
  },
  { head: 'relation', cell: ({ relation }) => relation },
  { head: 'depth lower', cell: ({ depth }) => depth?.lower, optional: true },
  { head: 'depth upper', cell: ({ depth }) => depth?.upper, optional: true },
  { head: 'distance', cell: ({ distance }) => distance, optional: true },
  { head: 'volume', cell: ({ volume }) => volume, optional: true },
  { head: 'area', cell: ({ area }) => area, optional: true },
  { head: 'unit', cell: (_, { unitName }) => unitName, optional: true },
  ...(['x', 'y', 'z'] as const).map((head, axis) => ({
    head,
    cell: ({ point, pointA }: AssemblyPair) => (point ?? pointA)?.[axis],
    optional: true as const,
  })),
  { head: 'triangle pairs', cell: ({ triangleCount }) => triangleCount },
  ...(['a', 'b'] as const).flatMap((side): Column[] => [
    { head: side, cell: (pair, { bodies }) => bodies[pair[side]].name },
    { head: `${side} index`, cell: pair => pair[side] },
    { head: `${side} id`, cell: (pair, { bodies }) => bodies[pair[side]].id, optional: true },
    { head: `${side} type`, cell: (pair, { bodies }) => bodies[pair[side]].type, optional: true },
    {
      head: `${side} path`,
      cell: (pair, { bodies }) => pathOf(bodies[pair[side]].path),
      optional: true,
    },
    { head: `${side} file`, cell: (pair, { bodies }) => bodies[pair[side]].file, optional: true },
  ]),
  { head: 'reason', cell: ({ reason }) => reason, optional: true },
];

/** In pieces, because the rows of a large answer do not fit into one string. Empty pieces are steps of the work. */
export function* assemblyCsv(answer: AssemblyAnswer): Generator<string> {
  const unused = new Set(columns.filter(({ optional }) => optional));
  for (const { pairs, frame } of answer.frames) {
    const search = each(pairs, pair => {
      for (const column of unused) if (column.cell(pair, answer, frame) !== undefined) unused.delete(column);
    });
    yield* unwritten(search);
  }
  const used = columns.filter(column => !unused.has(column));
  yield `\ufeff${used.map(({ head }) => head).join(',')}\r\n`;
  for (const { pairs, frame } of answer.frames) {
    for (const pair of yield* unwritten(byImportance(pairs))) {
      yield `${used.map(({ cell }) => written(cell(pair, answer, frame))).join(',')}\r\n`;
    }
  }
}

function written(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  const text = visible(cell);
  const safe = text.replace(/(^|;)(?=\s*[=+\-@|＝＋－＠])/gu, "$1'");
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
