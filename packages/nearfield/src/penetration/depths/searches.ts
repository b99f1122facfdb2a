// The brackets of several pairs: each is found by itself, in this thread or in another.

import type { PackedBodies } from '../../bodies/snapshot/packed-bodies.ts';
import { asThenInSteps, type SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { type Limits, limitsOfPart } from '../../core/limits.ts';
import { toEnd } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { answerItems } from '../../cpu/threads/shared-items.ts';
import { byBoxes, depthOf, type Known } from './depth-of.ts';
import type { Ranked, Searches } from './ranking.ts';

/** The pairs of a question, and when its time is up. */
export interface DeepPairs {
  readonly engine: CpuEngine;
  /** Two rows per pair, the body of lower index first. */
  readonly rows: Uint32Array;
  readonly bodyAt: (row: number) => SnapshotBody;
  /** In milliseconds since 1970, or Infinity. */
  readonly deadline: number;
}

/** The time that a deadline is compared with: the same in all threads. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The bracket of the i-th of some searches. */
export function* search(
  { engine, rows, bodyAt, deadline }: DeepPairs,
  { pairs, ratio, limits, effort }: Searches,
  i: number,
): Generator<unknown, Known> {
  const [a, b] = [bodyAt(rows[2 * pairs[i]]), bodyAt(rows[2 * pairs[i] + 1])];
  if (effort === undefined) return byBoxes(a, b);
  const goal = { ratio, limit: limits?.[i], effort, until: () => now() >= deadline };
  return yield* asThenInSteps(engine, a, b, (p, q) => depthOf(engine, p, q, goal));
}

/** Answers a ranking in this thread, without waiting. */
export function rankSync(asked: DeepPairs, ranking: Generator<Searches, Ranked, readonly Known[]>): Ranked {
  let step = ranking.next([]);
  while (!step.done) {
    const searches = step.value;
    step = ranking.next(Array.from(searches.pairs, (_, i) => toEnd(search(asked, searches, i))));
  }
  return step.value;
}

/** What a round of a ranking gives to other threads. */
export interface GivenSearches extends DeepPairs {
  readonly searches: Searches;
  /** The bodies, packed by the first round that needs it. */
  readonly packed: { bodies?: PackedBodies };
}

/** Answers a ranking on all threads. */
export async function rankOnThreads(
  asked: DeepPairs,
  ranking: Generator<Searches, Ranked, readonly Known[]>,
  limits: Limits,
): Promise<Ranked> {
  const packed = {};
  let step = ranking.next([]);
  while (!step.done) {
    const searches = step.value;
    const found: Known[] = [];
    await answerItems(
      asked.engine,
      {
        job: 'depths',
        count: searches.pairs.length,
        *item(i: number): Generator<unknown, void> {
          found[i] = yield* search(asked, searches, i);
        },
        given: () => ({ ...asked, searches, packed }),
        take(from: number, to: number, result: Float64Array) {
          for (let i = from; i < to; i++) found[i] = knownAt(result, 5 * (i - from));
        },
      },
      limitsOfPart(limits, searches.from, searches.to),
    );
    step = ranking.next(found);
  }
  limits.progress?.(1);
  return step.value;
}

const knownAt = (numbers: Float64Array, at: number): Known => ({
  lower: numbers[at],
  upper: numbers[at + 1],
  translation: numbers.slice(at + 2, at + 5),
});
