// What the table of pairs shows in its columns. The report writes the first rows with this, and the page all others, so
// that both look the same. Everything that comes from a file is escaped here.

import { verdictOrder } from '../../severity/order.ts';
import { lengthInWords } from '../../text/sentences.ts';
import { badge, bounds, escapeHtml, number, verdictBadge } from '../html.ts';
import { severity as relationOrder } from '../types.ts';
import type { Column, TableData } from './data.ts';

export interface TableColumn {
  /** By which the page sorts. */
  readonly key: string;
  readonly head: string;
  readonly isNumber?: boolean;
  /** The cell's HTML. */
  readonly cell: (data: TableData, row: number) => string;
  /** Negative if row i comes before row j when the column is sorted for the first time. */
  readonly compare: (data: TableData, i: number, j: number) => number;
  /** Rows without a value come last, however the column is sorted; the column is left out if there are no others. */
  readonly values?: (data: TableData) => Column<unknown>;
}

/** The rows of a column that is known to be there. */
const at = <T>(column: Column<T>, row: number): T | null => column?.[row] ?? null;
const text = (value: string | number | null): string => (value === null ? '' : escapeHtml(String(value)));
const ascending = (column: Column<number>, i: number, j: number): number =>
  (at(column, i) ?? 0) - (at(column, j) ?? 0);
const descending = (column: Column<number>, i: number, j: number): number => ascending(column, j, i);
const { compare: alphabetical } = new Intl.Collator('en', { numeric: true });

const part = (side: 'a' | 'b'): TableColumn => ({
  ...{ key: side, head: side === 'a' ? 'Part A' : 'Part B' },
  cell({ parts, notes, rows }, row) {
    const index = rows[side][row];
    const note = notes[index] === '' ? '' : `<small>${escapeHtml(notes[index])}</small>`;
    const title = escapeHtml(notes[index] === '' ? parts[index] : `${parts[index]} — ${notes[index]}`);
    return `<a class="part" href="#pairs" data-filter='{"part":${index}}' title="${title}">${escapeHtml(parts[index])}</a>${note}`;
  },
  compare: ({ parts, rows }, i, j) => alphabetical(parts[rows[side][i]], parts[rows[side][j]]),
});

/** A column of numbers, the largest first unless `order` says otherwise. */
const measure = (
  key: 'volume' | 'area' | 'distance' | 'frame',
  head: string,
  order = descending,
): TableColumn => ({
  ...{ key, head, isNumber: true },
  cell: ({ rows }, row) => {
    const value = at(rows[key], row);
    return value === null ? '' : key === 'frame' ? number(value) : lengthInWords(value);
  },
  compare: ({ rows }, i, j) => order(rows[key], i, j),
  values: ({ rows }) => rows[key],
});

const word = (
  key: 'severity' | 'change' | 'status' | 'clash' | 'remark' | 'frames',
  head: string,
): TableColumn => ({
  ...{ key, head },
  cell: ({ rows }, row) => {
    const value = at<string>(rows[key], row);
    if (value === null) return '';
    if (key === 'clash') return `<code>${text(value)}</code>`;
    if (key === 'remark') return `<span class="remark" title="${text(value)}">${text(value)}</span>`;
    return key === 'frames' ? text(value) : `<span class="word ${text(value)}">${text(value)}</span>`;
  },
  compare: ({ rows }, i, j) => alphabetical(at<string>(rows[key], i) ?? '', at<string>(rows[key], j) ?? ''),
  values: ({ rows }) => rows[key],
});

const test: TableColumn = {
  ...{ key: 'test', head: 'Test' },
  cell: ({ rows, tests }, row) => {
    const index = at(rows.test, row);
    return index === null ? '' : `<span class="remark">${text(tests![index])}</span>`;
  },
  compare: ({ rows }, i, j) => ascending(rows.test, i, j),
  values: ({ rows }) => rows.test,
};

const columns = (unit: string): readonly TableColumn[] => [
  {
    ...{ key: 'importance', head: '#', isNumber: true },
    cell: ({ pictured }, row) =>
      row < pictured
        ? `<a href="#pair-${row + 1}" data-view="${row}" title="Show its picture">${number(row + 1)}</a>`
        : number(row + 1),
    compare: (_, i, j) => i - j,
  },
  part('a'),
  part('b'),
  {
    ...{ key: 'verdict', head: 'Verdict' },
    cell: ({ rows }, row) =>
      verdictBadge(verdictOrder[rows.verdict[row]]) +
      (at(rows.undecided, row) ? ' <small>undecided</small>' : ''),
    compare: ({ rows }, i, j) => rows.verdict[i] - rows.verdict[j],
  },
  {
    ...{ key: 'relation', head: 'Relation' },
    cell: ({ rows }, row) => badge(relationOrder[rows.relation[row]]),
    compare: ({ rows }, i, j) => rows.relation[i] - rows.relation[j],
  },
  {
    ...{ key: 'depth', head: `Depth${unit}`, isNumber: true },
    cell: ({ rows }, row) => {
      const [lower, upper] = [at(rows.lower, row), at(rows.upper, row)];
      return lower === null || upper === null ? '' : bounds({ lower, upper });
    },
    compare: ({ rows }, i, j) => descending(rows.upper, i, j) || descending(rows.lower, i, j),
    values: ({ rows }) => rows.upper,
  },
  measure('distance', `Distance${unit}`, ascending),
  word('change', 'Change'),
  word('status', 'Status'),
  word('severity', 'Severity'),
  test,
  measure('volume', `Volume${unit.replace(')', '³)')}`),
  measure('area', `Contact area${unit.replace(')', '²)')}`),
  measure('frame', 'Worst in frame', ascending),
  word('frames', 'Found in frames'),
  {
    ...{ key: 'place', head: `Place${unit}` },
    cell: ({ rows: { x, y, z } }, row) =>
      at(x, row) === null ? '' : `<span class="place">${x![row]}, ${y![row]}, ${z![row]}</span>`,
    compare: ({ rows: { x, y, z } }, i, j) => ascending(x, i, j) || ascending(y, i, j) || ascending(z, i, j),
    values: ({ rows }) => rows.x,
  },
  {
    ...{ key: 'triangles', head: 'Triangle pairs', isNumber: true },
    cell: ({ rows }, row) => number(rows.triangles[row]),
    compare: ({ rows }, i, j) => descending(rows.triangles, i, j),
  },
  word('remark', 'Remark'),
  word('clash', 'Clash'),
];

/** The columns that a table has. */
export const columnsOf = (data: TableData): readonly TableColumn[] =>
  columns(data.unit === undefined ? '' : ` (${data.unit})`).filter(
    ({ values }) => values === undefined || values(data) !== undefined,
  );

export function rowHtml(data: TableData, shown: readonly TableColumn[], row: number): string {
  const cells = shown.map(
    ({ cell, isNumber }) => `<td${isNumber ? ' class="n"' : ''}>${cell(data, row)}</td>`,
  );
  return `<tr data-row="${row}">${cells.join('')}</tr>`;
}

export const headHtml = (shown: readonly TableColumn[]): string =>
  shown
    .map(
      ({ key, head, isNumber }) =>
        `<th scope="col"${isNumber ? ' class="n"' : ''}${key === 'importance' ? ' aria-sort="ascending"' : ''}><button type="button" data-sort="${key}">${escapeHtml(head)}</button></th>`,
    )
    .join('');

/** All texts by which a part is found, in lower case. */
export const searched = ({ parts, notes }: TableData): string[] =>
  parts.map((name, i) => `${name} ${notes[i]}`.toLowerCase());
