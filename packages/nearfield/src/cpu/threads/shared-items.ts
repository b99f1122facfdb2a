// Work on many items, each of which is answered by itself: by the calling thread in slices of time, and by the engine's
// other threads, which import the library's jobs. Threads take chunks of items by an atomic counter. What an item's answer
// is does not depend on who finds it, and it is put where its item is. So the whole does not depend on the threads.
//
// A chunk that no thread has answered in the end, because its thread failed, ended or could not import the jobs, is
// answered by the calling thread. These chunks come last and in order. So if items cannot be answered, the error is that of
// the first of them, as it is with one thread.

import type { Limits } from '../../core/limits.ts';
import { nextTask, sliceMilliseconds, throwIfAborted } from '../../core/waiting.ts';
import type { CpuEngine } from '../engine.ts';
import type { Together } from './together.ts';

/** The calling thread is alone for this long: what takes less is not worth sharing. */
const aloneMilliseconds = 16;

/** Items that can be shared. */
export interface SharedItems<R> {
  /** The name of the job that answers them in other threads (jobs.ts). */
  readonly job: string;
  readonly count: number;
  /** Answers one item in this thread: at once, or in steps. */
  item(i: number): Iterator<unknown, unknown> | undefined;
  /** What the job packs for other threads. */
  given(): unknown;
  /** Takes what another thread found of the items [from, to). */
  take(from: number, to: number, result: R): void;
}

/** Answers all items. Rejects with the signal's reason, or if the engine is closed. */
export async function answerItems<R>(
  engine: CpuEngine,
  items: SharedItems<R>,
  limits: Limits,
): Promise<void> {
  throwIfAborted(limits);
  const here = new Slices(engine, items, limits);
  let together: Together<R> | undefined;
  let share: Share | undefined;
  let isAsked = engine.threads.count === 1;
  here.onPause = next => {
    // What takes more than a slice may be shared.
    if (!isAsked) {
      isAsked = true;
      void load(engine).then(loaded => {
        share = loaded;
      });
    }
    if (share !== undefined && here.elapsed > aloneMilliseconds && next < items.count) {
      together = share(engine, items, here, next);
      share = undefined;
    }
    together?.gather();
  };
  try {
    await here.answer(0, items.count, () => together !== undefined);
    await together?.finish();
  } finally {
    together?.stop();
  }
  limits.progress?.(1);
}

/** How the file with the library's jobs shares items (jobs.ts). */
type Share = <R>(
  engine: CpuEngine,
  items: SharedItems<R>,
  here: Slices<R>,
  first: number,
) => Together<R> | undefined;

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

/** The calling thread's part: items in slices of time. */
export class Slices<R> {
  readonly #engine: CpuEngine;
  readonly #items: SharedItems<R>;
  readonly #limits: Limits;
  readonly #started = performance.now();
  #resumed = this.#started;
  #done = 0;
  #shown = 0;
  /** Called after every pause, with the item that comes next. */
  onPause = (_next: number): void => {};

  constructor(engine: CpuEngine, items: SharedItems<R>, limits: Limits) {
    this.#engine = engine;
    this.#items = items;
    this.#limits = limits;
  }

  get elapsed(): number {
    return performance.now() - this.#started;
  }

  /** Answers the items [from, to), or as many as come before `isEnough`. */
  async answer(from: number, to: number, isEnough = () => false): Promise<void> {
    for (let i = from; i < to && !isEnough(); i++) {
      const steps = this.#items.item(i);
      if (steps) await this.#finish(steps, i);
      this.#done++;
      if (this.#isDue) await this.#pause(i + 1);
    }
  }

  async #finish(steps: Iterator<unknown, unknown>, i: number): Promise<void> {
    try {
      while (!steps.next().done) if (this.#isDue) await this.#pause(i + 1);
    } finally {
      // Frees what the steps use if the question was cancelled.
      steps.return?.();
    }
  }

  /** Counts items that others have answered. */
  add(count: number): void {
    this.#done += count;
  }

  /** Throws if the question was cancelled or the engine closed. Reports progress. */
  check(): void {
    throwIfAborted(this.#limits);
    this.#engine.checkOpen();
    // Items that failed are counted twice.
    this.#shown = Math.max(this.#shown, Math.min(1, this.#done / this.#items.count));
    this.#limits.progress?.(this.#shown);
  }

  get #isDue(): boolean {
    return performance.now() - this.#resumed >= sliceMilliseconds;
  }

  async #pause(next: number): Promise<void> {
    await nextTask();
    this.check();
    this.onPause(next);
    this.#resumed = performance.now();
  }
}
