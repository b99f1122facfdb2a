// Which of many pairs are the deepest? Every pair gets a cheap bracket. Then the brackets of the pairs with the largest upper
// bounds are refined, one after the other: once those of the first rows are narrow, no other pair can be deeper by more
// than that ratio, since no other has a larger upper bound.

import { asThenInSteps, type SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { better, byBoxes, depthOf, type Goal, type Known } from './depth-of.ts';

export type { Known } from './depth-of.ts';

/** What is asked of the ranking. */
export interface Wanted {
  readonly stopAtRatio: number;
  /** How many of the deepest pairs are wanted. */
  readonly first: number;
  /** Per pair, a depth to compare with: the ranking finds out whether the pair is deeper. */
  readonly tolerances: ArrayLike<number> | undefined;
  readonly effort: number;
  readonly until: () => boolean;
}

export interface Ranked {
  readonly known: readonly Known[];
  readonly order: Uint32Array;
  readonly certain: number;
}

/** The shares of the progress after cheap brackets, and after tolerances. */
const cheapShare = 0.4;
const decidedShare = 0.6;

/**
 * Searches take about a millisecond per pair. If there are more pairs than this, only those that may be among the first are searched;
 * the others keep what their boxes say.
 */
export const mostCheap = 5000;

/** Ranks pairs, two rows each, the body of lower index first. */
export function* rankByDepth(
  engine: CpuEngine,
  bodyAt: (row: number) => SnapshotBody,
  rows: Uint32Array,
  { stopAtRatio, first, tolerances, effort, until }: Wanted,
): Generator<number, Ranked> {
  const count = rows.length / 2;
  const known: Known[] = [];
  const search = (i: number, goal: Goal): Generator<number, Known> =>
    asThenInSteps(engine, bodyAt(rows[2 * i]), bodyAt(rows[2 * i + 1]), (p, q) =>
      depthOf(engine, p, q, goal),
    );
  const isAll = first >= count;
  for (let i = 0; i < count; i++) {
    if (count > mostCheap && first < count) {
      known.push(byBoxes(bodyAt(rows[2 * i]), bodyAt(rows[2 * i + 1])));
      if (i % 1024 === 0) yield (cheapShare * i) / count;
      continue;
    }
    // If every bracket is to be narrow, a cheap search would only be the beginning of the other, made twice.
    const cheap = search(i, { ratio: stopAtRatio, effort: isAll ? effort : 0, until });
    known.push(yield* during(cheap, (cheapShare * i) / count));
    // A search that a single proof ends has not yielded.
    yield (cheapShare * i) / count;
  }
  for (let i = 0; tolerances !== undefined && i < count && !until(); i++) {
    const limit = tolerances[i];
    if (!(known[i].lower <= limit && limit < known[i].upper)) continue;
    const decided = search(i, { ratio: 1, limit, effort, until });
    const done = cheapShare + ((decidedShare - cheapShare) * i) / count;
    known[i] = better(known[i], yield* during(decided, done));
    yield done;
  }
  const deeper = (i: number, j: number): number =>
    known[j].upper - known[i].upper || known[j].lower - known[i].lower || i - j;
  const order = known.map((_, i) => i).sort(deeper);
  const most = Math.min(first, count);
  const refined = new Set<number>(isAll ? order : []);
  for (let row = 0; row < most && !until(); ) {
    const i = order[row];
    if (refined.has(i) || isNarrow(known[i], stopAtRatio)) {
      row++;
      continue;
    }
    refined.add(i);
    const narrow = search(i, { ratio: stopAtRatio, effort, until });
    const done = decidedShare + ((1 - decidedShare) * row) / most;
    known[i] = better(known[i], yield* during(narrow, done));
    yield done;
    // Its upper bound has not grown, so it stays or moves down.
    order.splice(row, 1);
    let [low, high] = [row, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (deeper(order[middle], i) < 0) low = middle + 1;
      else high = middle;
    }
    order.splice(low, 0, i);
  }
  let certain = 0;
  while (certain < count && isCertain(order, known, certain, stopAtRatio)) certain++;
  return { known, order: Uint32Array.from(order), certain };
}

const isNarrow = ({ lower, upper }: Known, ratio: number): boolean => upper <= ratio * lower || upper === 0;

/** Whether no later pair is deeper than this one by more than a ratio. */
function isCertain(order: readonly number[], known: readonly Known[], row: number, ratio: number): boolean {
  const next = row + 1 < order.length ? known[order[row + 1]].upper : 0;
  return next <= ratio * known[order[row]].lower || next === 0;
}

/** Runs some work during which the share done stays the same. */
function* during<T>(work: Generator<number, T>, done: number): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield done;
  }
}
