// Work on many items, each of which is answered by itself: by the calling thread in slices of time, and by the engine's
// other threads, which import the library's jobs. Threads take chunks of items by an atomic counter. What an item's answer
// is does not depend on who finds it, and it is put where its item is. So the whole does not depend on the threads.
//
// A chunk that no thread has answered in the end, because its thread failed, ended or could not import the jobs, is
// answered by the calling thread. These chunks come last and in order. So if items cannot be answered, the error is that of
// the first of them, as it is with one thread.

import type { Limits } from '../../core/limits.ts';
import { inSlices } from '../../core/waiting.ts';
import type { CpuEngine } from '../engine.ts';

/** The calling thread is alone for this long: what takes less is not worth sharing. */
const aloneMilliseconds = 16;
/** More items than this are shared at once. */
const manyItems = 10_000;

let keys = 0;

/**
 * The data that other threads need about some items. It is packed when items are first shared, and only once for
 * several rounds.
 */
export class Given {
  readonly key = ++keys;
  /** The name of the job that answers the items in other threads (jobs.ts). */
  readonly job: string;
  /** What the job packs. */
  readonly make: () => unknown;
  /** Held weakly: an answer that keeps this for later rounds does not keep copies of all bodies. */
  packed: WeakRef<object> | undefined;

  constructor(job: string, make: () => unknown) {
    this.job = job;
    this.make = make;
  }
}

/** Items that can be shared. */
export interface SharedItems<R> {
  readonly given: Given;
  /** What is asked about the items in this round. It is cloned. */
  readonly round?: unknown;
  readonly count: number;
  /** Answers one item in this thread: at once, or in steps. */
  item(i: number): Iterator<unknown, unknown> | undefined;
  /** Takes what another thread found of the items [from, to). */
  take(from: number, to: number, result: R): void;
}

/** Answers items that have one answer each. Returns the answers in order. */
export async function answerEach<R>(
  engine: CpuEngine,
  items: Pick<SharedItems<R>, 'given' | 'round' | 'count'> & { item(i: number): Iterator<unknown, R> },
  limits: Limits,
): Promise<R[]> {
  const found: R[] = [];
  const shared: SharedItems<readonly R[]> = {
    ...items,
    *item(i) {
      const steps = items.item(i);
      found[i] = yield* { [Symbol.iterator]: () => steps };
    },
    take: (from, _, result) => result.forEach((answer, k) => void (found[from + k] = answer)),
  };
  await answerItems(engine, shared, limits);
  return found;
}

/** Answers all items. Rejects with the signal's reason, or if the engine is closed. */
export async function answerItems<R>(
  engine: CpuEngine,
  items: SharedItems<R>,
  limits: Limits,
): Promise<void> {
  const { count } = items;
  const start = performance.now();
  const progress = limits.progress && ((done: number) => void (done < 1 && limits.progress!(done)));
  const alone = count > manyItems ? 0 : aloneMilliseconds;
  let isAsked = engine.threads.count === 1;
  let share: Share | undefined;
  /** Answers items until they are to be shared. Returns the next one. */
  function* answerAlone(): Generator<number, number> {
    for (let i = 0; i < count; i++) {
      if (share !== undefined) return i;
      if (!isAsked && performance.now() - start > alone) {
        isAsked = true;
        void load(engine).then(loaded => {
          share = loaded;
        });
      }
      yield* stepsOf(items, i);
      yield (i + 1) / count;
    }
    return count;
  }
  const next = await inSlices(answerAlone(), { ...limits, progress }, () => engine.checkOpen());
  if (next < count) await share!({ engine, items, limits, next });
  limits.progress?.(1);
}

/** The steps of an item, each with the share of the items before it. An item that is answered at once has none. */
export function stepsOf<R>(items: SharedItems<R>, i: number): Iterable<number> {
  const steps = items.item(i);
  return steps === undefined ? none : sharesOf(steps, i / items.count);
}

const none: readonly number[] = [];

function* sharesOf(steps: Iterator<unknown, unknown>, share: number): Generator<number, void> {
  try {
    while (!steps.next().done) yield share;
  } finally {
    // Frees what the steps use if the question was cancelled.
    steps.return?.();
  }
}

/** Items that are to be shared from `next` on. */
export interface Sharing<R> {
  readonly engine: CpuEngine;
  readonly items: SharedItems<R>;
  readonly limits: Limits;
  readonly next: number;
}

/** What the file with the library's jobs has for the calling thread (jobs.ts): answers the rest of the items. */
type Share = <R>(sharing: Sharing<R>) => Promise<void>;

/** Only what is shared needs the code that shares: it comes with the jobs. Undefined if they cannot be imported. */
async function load({ threads }: CpuEngine): Promise<Share | undefined> {
  if (threads.jobs === undefined) return undefined;
  try {
    const jobs: { share: Share } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads.jobs);
    return jobs.share;
  } catch {
    // The file is not where it should be, or the page forbids it: it is not tried again.
    threads.jobs = undefined;
    return undefined;
  }
}
