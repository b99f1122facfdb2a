// Which rows of the table are shown, in which order? Called whenever a reader filters, searches or sorts.

import type { TableColumn } from './columns.ts';
import type { Column, TableData } from './data.ts';

/** All conditions must hold; those left out hold for every row. */
export interface Filters {
  /** Words that must all occur in the names of the two parts, the identity or the remark. */
  readonly text?: string | undefined;
  /** Indices of verdicts, any of which will do. */
  readonly verdict?: readonly number[] | undefined;
  readonly relation?: number | undefined;
  readonly test?: number | undefined;
  readonly severity?: string | undefined;
  readonly change?: string | undefined;
  readonly status?: string | undefined;
  /** Indices of a group, of a part, and of two sets of the matrix. */
  readonly group?: number | undefined;
  readonly part?: number | undefined;
  readonly cell?: readonly [number, number] | undefined;
}

export interface Sorting {
  readonly column: TableColumn;
  readonly isReversed: boolean;
}

/** The rows, the first one first. `texts` are what each part is found by, in lower case. */
export function selectRows(
  data: TableData,
  texts: readonly string[],
  filters: Filters,
  { column, isReversed }: Sorting,
): number[] {
  const { rows } = data;
  const words = (filters.text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (row: number): boolean => {
    const [a, b] = [texts[rows.a[row]], texts[rows.b[row]]];
    const rest = words.filter(word => !a.includes(word) && !b.includes(word));
    if (rest.length === 0) return true;
    const more = `${rows.clash?.[row] ?? ''} ${rows.remark?.[row] ?? ''}`.toLowerCase();
    return rest.every(word => more.includes(word));
  };
  const { verdict, relation, test, severity, change, status, group, part, cell } = filters;
  const shown: number[] = [];
  for (let row = 0; row < rows.a.length; row++) {
    const has = <T>(column: Column<T>, value: T | undefined) =>
      value === undefined || column?.[row] === value;
    if (
      (verdict === undefined || verdict.includes(rows.verdict[row])) &&
      has(rows.relation, relation) &&
      has(rows.test, test) &&
      has<string>(rows.severity, severity) &&
      has<string>(rows.change, change) &&
      has<string>(rows.status, status) &&
      has(rows.group, group) &&
      (part === undefined || rows.a[row] === part || rows.b[row] === part) &&
      (cell === undefined || isBetween(data, row, cell)) &&
      (words.length === 0 || isFound(row))
    ) {
      shown.push(row);
    }
  }
  if (column.key === 'importance') return isReversed ? shown.reverse() : shown;
  const values = column.values?.(data);
  const isEmpty = (row: number) => values !== undefined && values[row] === null;
  const sign = isReversed ? -1 : 1;
  // Equal rows stay in order of importance.
  return shown
    .filter(row => !isEmpty(row))
    .sort((i, j) => sign * column.compare(data, i, j) || i - j)
    .concat(shown.filter(isEmpty));
}

/** Whether one part is in the first set and the other in the second. */
function isBetween(
  { rows, setLists, setsOf }: TableData,
  row: number,
  [p, q]: readonly [number, number],
): boolean {
  const [a, b] = [setLists![setsOf![rows.a[row]]], setLists![setsOf![rows.b[row]]]];
  return (a.includes(p) && b.includes(q)) || (a.includes(q) && b.includes(p));
}
