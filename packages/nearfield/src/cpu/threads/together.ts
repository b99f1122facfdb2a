// The items of a question that all threads share, from some item on. The file with the library's jobs has this (jobs.ts): the calling
// thread imports it when it first shares.

import type { Limits } from '../../core/limits.ts';
import { nextTask, sliceMilliseconds, throwIfAborted } from '../../core/waiting.ts';
import type { CpuEngine } from '../engine.ts';
import { leastMaximum } from '../memory.ts';
import { type SharedItems, type Sharing, stepsOf } from './shared-items.ts';
import { chunkCount, itemsOf, nextChunk, type Reply, stopped, type Task, takeChunk } from './task.ts';
import type { PoolThread } from './threads.ts';

/** How long a chunk takes, about. */
const chunkMilliseconds = 8;
/** A thread gets at least so many chunks, about, so that all end at about the same time. */
const leastChunks = 8;
/** How often the calling thread looks at the signal while it waits for others. */
const pollMilliseconds = 10;

/**
 * Answers the rest of the items on all threads. `pack` makes of what the question gives what other threads need. If there is no
 * memory for that, the calling thread answers them alone.
 */
export async function shareItems<R>(
  { engine, items, limits, next, elapsed }: Sharing<R>,
  pack: (given: unknown) => unknown,
): Promise<void> {
  const here = new Slices(engine, items, limits, next);
  const together = Together.on(engine, items, here, next, elapsed / next, pack);
  if (together === undefined) return here.answer(next, items.count);
  here.onPause = () => together.gather();
  try {
    together.gather();
    await together.finish();
  } finally {
    together.stop();
  }
}

/** The calling thread's part: items in slices of time. */
class Slices<R> {
  readonly #engine: CpuEngine;
  readonly #items: SharedItems<R>;
  readonly #limits: Limits;
  #resumed = performance.now();
  #done: number;
  #shown = 0;
  /** Whether the question was cancelled, the engine closed, or `progress` threw. */
  isOver = false;
  /** Called after every pause. */
  onPause = (): void => {};

  /** `done` items have been answered already. */
  constructor(engine: CpuEngine, items: SharedItems<R>, limits: Limits, done: number) {
    this.#engine = engine;
    this.#items = items;
    this.#limits = limits;
    this.#done = done;
  }

  /** Answers the items [from, to). */
  async answer(from: number, to: number): Promise<void> {
    for (let i = from; i < to; i++) {
      for (const _ of stepsOf(this.#items, i)) if (this.#isDue) await this.#pause();
      this.#done++;
      if (this.#isDue) await this.#pause();
    }
  }

  /** Counts items that others have answered. */
  add(count: number): void {
    this.#done += count;
  }

  /** Throws if the question was cancelled or the engine closed. Reports progress. */
  check(): void {
    const wasOver = this.isOver;
    this.isOver = true;
    throwIfAborted(this.#limits);
    this.#engine.checkOpen();
    // Items that failed are counted twice.
    this.#shown = Math.max(this.#shown, Math.min(1, this.#done / this.#items.count));
    this.#limits.progress?.(this.#shown);
    this.isOver = wasOver;
  }

  get #isDue(): boolean {
    return performance.now() - this.#resumed >= sliceMilliseconds;
  }

  async #pause(): Promise<void> {
    await nextTask();
    this.check();
    this.onPause();
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
    perItem: number,
    pack: (given: unknown) => unknown,
  ): Together<R> | undefined {
    const { threads, memory } = engine;
    const { job, count } = items;
    try {
      const data = pack(items.given());
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
      } catch (error) {
        if (this.#here.isOver) throw error;
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
    for (const thread of this.#taken()) {
      this.#working++;
      thread.ask(threads.jobs, this.#task, reply => this.#receive(reply));
    }
  }

  /** Threads that are ready. None if there is no memory to start them. */
  #taken(): PoolThread[] {
    try {
      return this.#engine.threads.take();
    } catch {
      this.#hasFailed = true;
      return [];
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
