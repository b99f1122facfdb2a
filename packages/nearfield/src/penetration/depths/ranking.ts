// Which of many pairs are the deepest? Every pair gets a cheap bracket. Then the brackets of the pairs with the largest upper
// bounds are refined, one after the other: once those of the first rows are narrow, no other pair can be deeper by more
// than that ratio, since no other has a larger upper bound.

import { asThenInSteps, type SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { depthOf, type Goal, type Known } from './depth-of.ts';

export type { Known } from './depth-of.ts';

/** What is asked of the ranking. */
export interface Wanted {
  readonly stopAtRatio: number;
  /** How many of the deepest pairs are wanted. */
  readonly first: number;
  /** Per pair, a depth on which side of which its own is to be known. */
  readonly tolerances: ArrayLike<number> | undefined;
  readonly effort: number;
  readonly until: () => boolean;
}

export interface Ranked {
  readonly known: readonly Known[];
  readonly order: Uint32Array;
  readonly certain: number;
}

/** The share of the progress that cheap brackets take. */
const cheapShare = 0.4;

/** Ranks pairs, two rows each, the body of lower index first. */
export function* rankByDepth(
  engine: CpuEngine,
  bodyAt: (row: number) => SnapshotBody,
  rows: Uint32Array,
  { stopAtRatio, first, tolerances, effort, until }: Wanted,
): Generator<number, Ranked> {
  const count = rows.length / 2;
  const known: Known[] = [];
  const refine = (i: number, goal: Goal): Generator<number, Known> =>
    asThenInSteps(engine, bodyAt(rows[2 * i]), bodyAt(rows[2 * i + 1]), (p, q) =>
      depthOf(engine, p, q, goal),
    );
  for (let i = 0; i < count; i++) {
    known.push(
      yield* silently(refine(i, { ratio: stopAtRatio, effort: 0, until }), (cheapShare * i) / count),
    );
  }
  const order = known.map((_, i) => i);
  const deeper = (i: number, j: number): number =>
    known[j].upper - known[i].upper || known[j].lower - known[i].lower || i - j;
  const refined = new Set<number>();
  const update = function* (i: number, goal: Goal): Generator<number, void> {
    const found = yield* silently(refine(i, goal), cheapShare + ((1 - cheapShare) * refined.size) / count);
    const { upper, translation } = found.upper < known[i].upper ? found : known[i];
    known[i] = { lower: Math.max(known[i].lower, found.lower), upper, translation };
  };
  if (tolerances !== undefined) {
    for (let i = 0; i < count && !until(); i++) {
      const limit = tolerances[i];
      if (known[i].lower <= limit && known[i].upper > limit)
        yield* update(i, { ratio: 1, limit, effort, until });
    }
  }
  for (;;) {
    order.sort(deeper);
    const next = order.slice(0, first).find(i => !refined.has(i) && !isNarrow(known[i], stopAtRatio));
    if (next === undefined || until()) break;
    refined.add(next);
    yield* update(next, { ratio: stopAtRatio, effort, until });
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

/** Runs some work, and reports a share of its own. */
function* silently<T>(work: Generator<number, T>, share: number): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield share;
  }
}
