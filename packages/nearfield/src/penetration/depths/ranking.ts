// Which of many pairs are the deepest? Every pair gets a cheap bracket. Then the brackets of the pairs with the largest upper
// bounds are refined: once those of the first rows are narrow, no other pair can be deeper by more than that ratio, since no
// other has a larger upper bound. The ranking asks for the brackets of several pairs at a time, which threads can share.

import { better, type Known } from './depth-of.ts';

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

/** Brackets that the ranking asks for. */
export interface Searches {
  /** The pairs. */
  readonly pairs: Uint32Array;
  /** A search ends once upper/lower is at most this. */
  readonly ratio: number;
  /** Per pair of `pairs`, a depth: its search ends once it is known whether the pair is deeper. */
  readonly limits?: Float64Array | undefined;
  /** How much work is allowed, as a multiple of the usual amount; undefined for what the boxes say, without a search. */
  readonly effort: number | undefined;
  /** The shares of the progress before and after. */
  readonly from: number;
  readonly to: number;
}

/** The shares of the progress after cheap brackets, and after tolerances. */
const cheapShare = 0.4;
const decidedShare = 0.6;

/**
 * Searches take about a millisecond per pair. If there are more pairs than this, only those that may be among the first are searched;
 * the others keep what their boxes say.
 */
const mostCheap = 5000;

/** Ranks pairs: asks for brackets, and gets one per pair of each request. */
export function* rankByDepth(
  count: number,
  { stopAtRatio, first, tolerances, effort, until }: Wanted,
): Generator<Searches, Ranked, readonly Known[]> {
  const isAll = first >= count;
  const all = Uint32Array.from({ length: count }, (_, i) => i);
  // If every bracket is to be narrow, a cheap search would only be the beginning of the other, made twice.
  const cheap = count > mostCheap && !isAll ? undefined : isAll ? effort : 0;
  const known = [...(yield { pairs: all, ratio: stopAtRatio, effort: cheap, from: 0, to: cheapShare })];
  const improve = function* (searches: Searches): Generator<Searches, void, readonly Known[]> {
    const found = yield searches;
    searches.pairs.forEach((pair, i) => {
      known[pair] = better(known[pair], found[i]);
    });
  };
  if (tolerances !== undefined && !until()) {
    const pairs = all.filter(i => known[i].lower <= tolerances[i] && tolerances[i] < known[i].upper);
    const limits = Float64Array.from(pairs, i => tolerances[i]);
    yield* improve({ pairs, ratio: 1, limits, effort, from: cheapShare, to: decidedShare });
  }
  const deeper = (i: number, j: number): number =>
    known[j].upper - known[i].upper || known[j].lower - known[i].lower || i - j;
  const order = all.slice().sort(deeper);
  const refined = new Uint8Array(count).fill(isAll ? 1 : 0);
  for (let from = decidedShare; !until(); from += (1 - from) / 2) {
    // No upper bound grows, so whatever is among the first rows stays there until it is refined itself.
    const pairs = order
      .subarray(0, Math.min(first, count))
      .filter(i => refined[i] === 0 && !isNarrow(known[i], stopAtRatio));
    if (pairs.length === 0) break;
    for (const i of pairs) refined[i] = 1;
    yield* improve({ pairs, ratio: stopAtRatio, effort, from, to: from + (1 - from) / 2 });
    order.sort(deeper);
  }
  let certain = 0;
  while (certain < count && isCertain(order, known, certain, stopAtRatio)) certain++;
  return { known, order, certain };
}

const isNarrow = ({ lower, upper }: Known, ratio: number): boolean => upper <= ratio * lower || upper === 0;

/** Whether no later pair is deeper than this one by more than a ratio. */
function isCertain(order: Uint32Array, known: readonly Known[], row: number, ratio: number): boolean {
  const next = row + 1 < order.length ? known[order[row + 1]].upper : 0;
  return next <= ratio * known[order[row]].lower || next === 0;
}
