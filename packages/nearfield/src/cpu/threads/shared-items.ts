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
import { leastMaximum } from '../memory.ts';
import { chunkCount, itemsOf, nextChunk, type Reply, stopped, type Task, takeChunk } from './task.ts';

/** The calling thread is alone for this long: what takes less is not worth sharing. */
const aloneMilliseconds = 16;
/** How long a chunk takes, about. */
const chunkMilliseconds = 8;
/** A thread gets at least so many chunks, about, so that all end at about the same time. */
const leastChunks = 8;
/** How often the calling thread looks at the signal while it waits for others. */
const pollMilliseconds = 10;

/** Items that can be shared. */
export interface SharedItems<R> {
  /** The name of the job that answers them in other threads (jobs.ts). */
  readonly job: string;
  readonly count: number;
  /** Answers one item in this thread: at once, or in steps. */
  item(i: number): Iterator<unknown, unknown> | undefined;
  /** What other threads need; undefined if it cannot be given to them. Large arrays are in shared memory (`shared`). */
  pack(): unknown;
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
  let isAlone = engine.threads.count === 1;
  here.onPause = next => {
    if (!isAlone && here.elapsed > aloneMilliseconds && next < items.count) {
      isAlone = true;
      together = Together.on(engine, items, here, next);
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

/** The calling thread's part: items in slices of time. */
class Slices<R> {
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

/** The items that all threads share, from some item on. */
class Together<R> {
  readonly #here: Slices<R>;
  readonly #task: Task;
  readonly #chunks: number;
  readonly #isAnswered: Uint8Array;
  readonly #others: Others;

  /** Undefined if the items cannot be shared: there may be no memory for what threads need. */
  static on<R>(
    engine: CpuEngine,
    items: SharedItems<R>,
    here: Slices<R>,
    first: number,
  ): Together<R> | undefined {
    const { threads, memory } = engine;
    if (threads.jobs === undefined) return undefined;
    const perItem = here.elapsed / first;
    const { job, count } = items;
    try {
      const data = items.pack();
      if (data === undefined) return undefined;
      const most = Math.ceil((count - first) / (leastChunks * threads.count));
      const size = Math.max(1, Math.min(Math.floor(chunkMilliseconds / perItem), most));
      const words = new Int32Array(new SharedArrayBuffer(8));
      const maxMemory = Math.max(leastMaximum, Math.floor(memory.maximumBytes / threads.count));
      return new Together(engine, items, here, { job, data, maxMemory, first, count, size, words });
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  private constructor(engine: CpuEngine, items: SharedItems<R>, here: Slices<R>, task: Task) {
    this.#here = here;
    this.#task = task;
    this.#chunks = chunkCount(task);
    this.#isAnswered = new Uint8Array(this.#chunks);
    this.#others = new Others(engine, task, (chunk, result) => {
      const { from, to } = itemsOf(task, chunk);
      items.take(from, to, result as R);
      this.#isAnswered[chunk] = 1;
      here.add(to - from);
    });
  }

  gather(): void {
    this.#others.gather();
  }

  /** Takes chunks until none is left, waits for the other threads, and answers what they did not. */
  async finish(): Promise<void> {
    for (let chunk = takeChunk(this.#task); chunk < this.#chunks; chunk = takeChunk(this.#task)) {
      try {
        await this.#answer(chunk);
      } catch {
        // If the question was cancelled, that ends it. Else the chunk is tried again below, after the chunks before it, which
        // others may be at.
        this.#here.check();
        this.#others.takeNoMore();
      }
    }
    await this.#others.finish(() => this.#here.check());
    for (let chunk = 0; chunk < this.#chunks; chunk++) {
      if (this.#isAnswered[chunk] === 0) await this.#answer(chunk);
    }
  }

  async #answer(chunk: number): Promise<void> {
    const { from, to } = itemsOf(this.#task, chunk);
    await this.#here.answer(from, to);
    this.#isAnswered[chunk] = 1;
  }

  stop(): void {
    this.#others.stop();
  }
}

/** The other threads that work on a task. */
class Others {
  readonly #engine: CpuEngine;
  readonly #task: Task;
  readonly #take: (chunk: number, result: unknown) => void;
  #working = 0;
  /** Whether a thread failed: then no other joins. */
  #hasFailed = false;
  #isOver = false;
  #wake = (): void => {};

  constructor(engine: CpuEngine, task: Task, take: (chunk: number, result: unknown) => void) {
    this.#engine = engine;
    this.#task = task;
    this.#take = take;
  }

  /** Lets threads that are ready join, while there is something left to take. */
  gather(): void {
    const { threads } = this.#engine;
    const { words } = this.#task;
    if (threads.jobs === undefined || this.#hasFailed) return;
    if (Atomics.load(words, nextChunk) >= chunkCount(this.#task)) return;
    for (const thread of threads.take()) {
      this.#working++;
      thread.ask(threads.jobs, this.#task, reply => this.#receive(reply));
    }
  }

  #receive(reply: Reply): void {
    if ('over' in reply) {
      this.#working--;
      this.#hasFailed ||= reply.over !== 'done';
      // One failure is enough: the file is not where it should be, or the page forbids it.
      if (reply.over === 'import') this.#engine.threads.jobs = undefined;
    } else if (!this.#isOver) this.#take(reply.chunk, reply.result);
    this.#wake();
  }

  /** Lets nobody take another chunk. */
  takeNoMore(): void {
    Atomics.store(this.#task.words, nextChunk, chunkCount(this.#task));
  }

  /** Waits until all threads have replied. */
  async finish(check: () => void): Promise<void> {
    while (this.#working > 0) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, pollMilliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      check();
    }
  }

  /** Nobody waits for answers any more. Threads return to the pool as soon as they notice. */
  stop(): void {
    this.#isOver = true;
    this.takeNoMore();
    Atomics.store(this.#task.words, stopped, 1);
  }
}

/** A copy of an array in memory that threads share. */
export function shared<A extends Uint8Array | Uint32Array | Float32Array | Float64Array>(array: A): A {
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => A)(
    new SharedArrayBuffer(array.byteLength),
  );
  copy.set(array);
  return copy;
}
