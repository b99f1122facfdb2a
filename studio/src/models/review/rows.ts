// Which pairs does the list show, and in which order? All of it is done on columns, so that a hundred thousand pairs
// take milliseconds.

import { relations, type Status, type Verdict, verdictOrder } from '@nearfield/clashes';
import type { Relation } from 'nearfield';
import { clashIdOf } from '../../engine/review/types.ts';
import type { BodyId } from '../../engine/types.ts';
import { orderBy } from '../order-by.ts';
import type { PairTable } from '../table.ts';

export type Sort = 'importance' | 'depth' | 'distance' | 'name';

/** Which pairs the list shows, and in which order. */
export interface RowFilter {
  /** All of these words occur in the names of the two bodies, in their files, or begin the identity of the clash. */
  readonly search: string;
  readonly verdict: Verdict | undefined;
  readonly relation: Relation | undefined;
  /** 'none' for clashes that nobody has said anything about. */
  readonly status: Status | 'none' | undefined;
  /** The index of a test of the rules. */
  readonly test: number | undefined;
  /** One of the two bodies is one of these. */
  readonly parts: ReadonlySet<BodyId> | undefined;
  /** One of the two bodies is in this set of the rules. */
  readonly inSet: ReadonlySet<BodyId> | undefined;
  readonly sort: Sort;
}

export const everything: RowFilter = {
  ...{ search: '', verdict: undefined, relation: undefined, status: undefined, test: undefined },
  ...{ parts: undefined, inSet: undefined, sort: 'importance' },
};

interface NamedBody {
  readonly id: BodyId;
  readonly name: string;
  readonly file?: string | undefined;
}

/** The rows that pass the filter, in its order. */
export function filteredRows(table: PairTable, bodies: readonly NamedBody[], filter: RowFilter): Uint32Array {
  const rows = new Uint32Array(table.count);
  const isThere = flagsOf(bodies.map(({ id }) => id));
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = words.map(word => matchesOf(word, bodies));
  const { bodies: ids, relations: kinds, tests, clashes } = table.columns;
  const verdict = filter.verdict && verdictOrder.indexOf(filter.verdict);
  const relation = filter.relation && relations.indexOf(filter.relation);
  let count = 0;
  for (let row = 0; row < table.count; row++) {
    const a = ids[2 * row];
    const b = ids[2 * row + 1];
    if (!isThere[a] || !isThere[b]) continue;
    if (verdict !== undefined && table.verdicts[row] !== verdict) continue;
    if (relation !== undefined && kinds[row] !== relation) continue;
    if (filter.test !== undefined && tests[row] !== filter.test) continue;
    if (filter.parts && !filter.parts.has(a) && !filter.parts.has(b)) continue;
    if (filter.inSet && !filter.inSet.has(a) && !filter.inSet.has(b)) continue;
    if (filter.status !== undefined && (table.statuses.get(row) ?? 'none') !== filter.status) continue;
    const isFound = matches.every(
      (match, i) => match[a] || match[b] || clashIdOf(clashes[row]).startsWith(words[i]),
    );
    if (isFound) rows[count++] = row;
  }
  return sorted(table, rows.subarray(0, count), bodies, filter.sort);
}

/** 1 for these numbers. */
function flagsOf(ids: readonly number[]): Uint8Array {
  const flags = new Uint8Array(ids.reduce((most, id) => Math.max(most, id), -1) + 1);
  for (const id of ids) flags[id] = 1;
  return flags;
}

function matchesOf(word: string, bodies: readonly NamedBody[]): Uint8Array {
  const has = (text: string | undefined) => text?.toLowerCase().includes(word) ?? false;
  return flagsOf(bodies.flatMap(({ id, name, file }) => (has(name) || has(file) ? [id] : [])));
}

function sorted(table: PairTable, rows: Uint32Array, bodies: readonly NamedBody[], sort: Sort): Uint32Array {
  const { distances, triangleCounts, bodies: ids } = table.columns;
  const depthKey = (row: number) => -table.deepest(row);
  const distanceKey = (row: number) => (Number.isNaN(distances[row]) ? 0 : distances[row]);
  if (sort === 'depth') return orderBy(rows, depthKey);
  if (sort === 'distance') {
    // Those that meet come after those that do not: a distance is what is looked for.
    return orderBy(rows, row => (Number.isNaN(distances[row]) ? Number.MAX_VALUE : distances[row]));
  }
  if (sort === 'name') {
    const order = [...bodies].sort((p, q) => (p.name < q.name ? -1 : p.name > q.name ? 1 : 0));
    const rank = new Map(order.map(({ id }, i) => [id, i]));
    return orderBy(rows, row => rank.get(ids[2 * row])! * bodies.length + rank.get(ids[2 * row + 1])!);
  }
  // As `compareImportance` orders them, but for depths that are not measured yet: the boxes say how deep they may be.
  const byCount = orderBy(rows, row => -triangleCounts[row]);
  const byMeasure = orderBy(byCount, row => depthKey(row) || distanceKey(row));
  return orderBy(byMeasure, row => table.verdicts[row]);
}
