// The brackets of several pairs: each is found by itself, in this thread or in another.

import { atSnapshotInSteps, type SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { isOutOfMemory } from '../../core/errors.ts';
import { type Limits, limitsOfPart } from '../../core/limits.ts';
import { toEnd } from '../../core/waiting.ts';
import { type CpuEngine, createCpuEngine } from '../../cpu/engine.ts';
import { answerEach, Given } from '../../cpu/threads/shared-items.ts';
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
  return yield* atSnapshotInSteps(engine, a, b, (p, q) => depthOf(engine, p, q, goal));
}

/**
 * Searches in this thread. Each needs the trees of two bodies only, but the engine keeps those of all that were asked
 * about. If they do not fit together, the next searches get a new engine of the same size, and when that is full,
 * another one. So many pairs need no more memory than the largest of them.
 */
class RoomySearches {
  #own: CpuEngine | undefined;

  constructor(private readonly asked: DeepPairs) {}

  *search(searches: Searches, i: number): Generator<unknown, Known> {
    const { engine } = this.asked;
    try {
      return yield* search({ ...this.asked, engine: this.#own ?? engine }, searches, i);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
    }
    this.close();
    const { stays, maximumBytes } = engine.memory;
    this.#own = createCpuEngine({ shared: stays, threads: 1, maxMemory: maximumBytes });
    return yield* search({ ...this.asked, engine: this.#own }, searches, i);
  }

  close(): void {
    this.#own?.close();
    this.#own = undefined;
  }
}

/** Answers a ranking in this thread, without waiting. */
export function rankSync(asked: DeepPairs, ranking: Generator<Searches, Ranked, readonly Known[]>): Ranked {
  const here = new RoomySearches(asked);
  try {
    let step = ranking.next([]);
    while (!step.done) {
      const searches = step.value;
      step = ranking.next(Array.from(searches.pairs, (_, i) => toEnd(here.search(searches, i))));
    }
    return step.value;
  } finally {
    here.close();
  }
}

/** Answers a ranking on all threads. */
export async function rankOnThreads(
  asked: DeepPairs,
  ranking: Generator<Searches, Ranked, readonly Known[]>,
  limits: Limits,
): Promise<Ranked> {
  const given = new Given('depths', () => asked);
  const here = new RoomySearches(asked);
  try {
    let step = ranking.next([]);
    while (!step.done) {
      const searches = step.value;
      const found = await answerEach(
        asked.engine,
        { given, round: searches, count: searches.pairs.length, item: i => here.search(searches, i) },
        limitsOfPart(limits, searches.from, searches.to),
      );
      step = ranking.next(found);
    }
    limits.progress?.(1);
    return step.value;
  } finally {
    here.close();
  }
}
