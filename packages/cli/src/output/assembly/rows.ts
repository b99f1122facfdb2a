// Which rows does the table have? One per pair of bodies that matters, the most important first; in a motion too, as in
// its worst frame. Groups have a title, and each lists its first members.

import {
  type AssemblyAnswer,
  type AssemblyPair,
  compareImportance,
  type PairOverFrames,
  pairsOverFrames,
  verdictOf,
} from '@nearfield/clashes';

/** Rows with a title of their own, if they are a group. */
export interface Section {
  readonly title?: string | undefined;
  readonly rows: readonly PairOverFrames[];
  /** How many rows are left out. */
  readonly left: number;
}

/** What is forgiven is counted below the table, not listed. */
function isShown(pair: AssemblyPair): boolean {
  const verdict = verdictOf(pair);
  return verdict === 'clash' || verdict === 'too-close' || verdict === 'touching';
}

/** At most `most` rows. */
export function sectionsOf(answer: AssemblyAnswer, most: number): Section[] {
  if (answer.groups === undefined && answer.frames.length === 1) {
    // There may be millions of pairs, of which few are shown.
    const [{ frame, pairs }] = answer.frames;
    let total = 0;
    const counted = (pair: AssemblyPair) => isShown(pair) && ++total > 0;
    const rows = firstBy(pairs, most, compareImportance, counted).map(pair => ({
      ...{ pair, frame, frames: [frame] },
    }));
    return total === 0 ? [] : [{ rows, left: total - rows.length }];
  }
  const frames = answer.frames.map(frame => ({ ...frame, pairs: frame.pairs.filter(isShown) }));
  const found = pairsOverFrames({ ...answer, frames });
  if (answer.groups === undefined) {
    const rows = firstBy(found, most, (p, q) => compareImportance(p.pair, q.pair));
    return found.length === 0 ? [] : [{ rows, left: found.length - rows.length }];
  }
  const byClash = new Map(found.map(row => [row.pair.clash, row]));
  const groups = answer.groups.flatMap(({ title, members }) => {
    const rows = members.flatMap(clash => byClash.get(clash) ?? []);
    return rows.length === 0 ? [] : [{ title, rows }];
  });
  const each = membersPerGroup(
    groups.map(({ rows }) => rows.length),
    most,
  );
  return groups.map(({ title, rows }, i) => {
    const shown = rows.slice(0, i < most ? each : 0);
    return { title, rows: shown, left: rows.length - shown.length };
  });
}

/** More than this many are sorted with the others. */
const fewRows = 1000;

/**
 * The first `most` items in an order, among those that `keep` accepts. Items that are equal in it stay in their
 * sequence.
 */
export function firstBy<T>(
  items: readonly T[],
  most: number,
  compare: (p: T, q: T) => number,
  keep: (item: T) => boolean = () => true,
): T[] {
  if (most > fewRows) return items.filter(keep).sort(compare).slice(0, most);
  const first: T[] = [];
  for (const item of items) {
    if (!keep(item)) continue;
    if (first.length === most && (most === 0 || compare(item, first[most - 1]) >= 0)) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(item, first[middle]) < 0) high = middle;
      else low = middle + 1;
    }
    first.splice(low, 0, item);
    if (first.length > most) first.pop();
  }
  return first;
}

/** How many members of every group can be listed so that there are at most `most` rows; at least one. */
function membersPerGroup(sizes: readonly number[], most: number): number {
  const rowsFor = (count: number) => sizes.reduce((sum, size) => sum + Math.min(size, count), 0);
  // Every group can have `low` members; not every one can have `high`.
  let [low, high] = [1, sizes.reduce((p, q) => Math.max(p, q), 0) + 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (rowsFor(middle) <= most) low = middle;
    else high = middle;
  }
  return low;
}
