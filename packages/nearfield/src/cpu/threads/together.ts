// How the calling thread shares the items of a question that are left with the other threads, and answers its part of
// them (shared-items.ts has the plan). The code is in the file of the library's jobs (jobs.ts), which the calling
// thread imports when it first shares: questions that never share do not carry it.

import { isObject } from '../../core/arguments.ts';
import { isOutOfMemory } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import { rawMemory } from '../../core/raw-memory.ts';
import { inSlices, nextTask, sliceMilliseconds, throwIfAborted } from '../../core/waiting.ts';
import type { CpuEngine } from '../engine.ts';
import { leastMaximum } from '../memory.ts';
import { type Given, type SharedItems, type Sharing, stepsOf } from './shared-items.ts';
import { nextItem, type Reply, stopped, type Task, takeItems } from './task.ts';
import type { PoolThread } from './threads.ts';

/** How often the calling thread looks at the signal while it waits for others. */
const pollMilliseconds = 10;

/** Packs the data of a question for other threads, in steps. Throws 'out-of-memory' if there is no memory for that. */
export type Pack = (given: unknown) => Generator<number, object>;

/** Answers the rest of the items on all threads; if there is no memory for that, in this one alone. */
export async function shareItems<R>({ engine, items, limits, next }: Sharing<R>, pack: Pack): Promise<void> {
  const parts = await ifRoom(async () => ({
    data: await packed(engine, items.given, limits, pack),
    round: sharedRound(items.round),
  }));
  const here = new Slices(engine, items, limits, next);
  if (parts === undefined) return here.answer(next, items.count);
  const { threads, memory } = engine;
  const words = new Int32Array(rawMemory(8, true));
  words[nextItem] = next;
  const together = new Together(engine, items, here, {
    ...{ job: items.given.job, key: items.given.key, ...parts, words },
    maxMemory: Math.max(leastMaximum, Math.floor(memory.maximumBytes / threads.count)),
    ...{ count: items.count, threads: threads.count },
  });
  here.onPause = () => together.gather();
  try {
    together.gather();
    await together.finish();
  } finally {
    together.stop();
  }
}

/** What is made; undefined if there is no memory for it. */
async function ifRoom<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if (isOutOfMemory(error)) return undefined;
    throw error;
  }
}

async function packed(engine: CpuEngine, given: Given, { signal }: Limits, pack: Pack): Promise<object> {
  const known = given.packed?.deref();
  if (known !== undefined) return known;
  const data = await inSlices(pack(given.make()), { signal }, engine.checkOpen);
  given.packed = new WeakRef(data);
  return data;
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
  /** Whether another thread has answered an item, whose steps then end. */
  isAnswered = (_: number): boolean => false;

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
      for (const _ of stepsOf(this.#items, i)) {
        if (this.#isDue) await this.#pause();
        if (this.isAnswered(i)) break;
      }
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
    // Items that failed, or that two threads answered, are counted twice.
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
  readonly #first: number;
  /** Per item, 1 once it is answered. */
  readonly #isAnswered: Uint8Array;
  readonly #others: Others;

  constructor(engine: CpuEngine, items: SharedItems<R>, here: Slices<R>, task: Task) {
    this.#here = here;
    this.#task = task;
    this.#first = task.words[nextItem];
    this.#isAnswered = new Uint8Array(task.count);
    here.isAnswered = i => this.#isAnswered[i] === 1;
    this.#others = new Others(engine, task, (from, to, result) => {
      items.take(from, to, result as R);
      this.#isAnswered.fill(1, from, to);
      here.add(to - from);
    });
  }

  gather(): void {
    this.#others.gather();
  }

  /** Takes items until none is left, and then answers what the other threads have not. */
  async finish(): Promise<void> {
    try {
      for (let chunk = takeItems(this.#task); chunk !== undefined; chunk = takeItems(this.#task)) {
        await this.#answer(chunk.from, chunk.to);
      }
      // Another thread may take much longer: its code is not compiled yet, and it has to prepare the bodies. So this
      // thread does not wait, but answers its items too, the last one first. The first answer counts; both are the
      // same.
      for (let i = this.#task.count - 1; i >= this.#first && this.#others.areWorking; i--) {
        if (this.#isAnswered[i] === 0) await this.#answer(i, i + 1);
      }
    } catch (error) {
      if (this.#here.isOver) throw error;
      // If the question was cancelled, this ends it. Otherwise the items are tried again below, after those before
      // them, on which other threads may still work.
      this.#here.check();
      this.#others.takeNoMore();
    }
    if (this.#isAnswered.indexOf(0, this.#first) < 0) return;
    await this.#others.finish(() => this.#here.check());
    for (let i = this.#first; i < this.#task.count; i++) {
      if (this.#isAnswered[i] === 0) await this.#answer(i, i + 1);
    }
  }

  async #answer(from: number, to: number): Promise<void> {
    await this.#here.answer(from, to);
    this.#isAnswered.fill(1, from, to);
  }

  stop(): void {
    this.#others.stop();
  }
}

/** The other threads that work on a task. */
class Others {
  readonly #engine: CpuEngine;
  readonly #task: Task;
  readonly #take: (from: number, to: number, result: unknown) => void;
  #working = 0;
  /** Whether a thread failed: then no other joins. */
  #hasFailed = false;
  #isOver = false;
  #wake = (): void => {};

  constructor(engine: CpuEngine, task: Task, take: (from: number, to: number, result: unknown) => void) {
    this.#engine = engine;
    this.#task = task;
    this.#take = take;
  }

  get areWorking(): boolean {
    return this.#working > 0;
  }

  /** Lets threads that are ready join, while there is something left to take. */
  gather(): void {
    const { threads } = this.#engine;
    const { words, count } = this.#task;
    if (threads.jobs === undefined || this.#hasFailed) return;
    if (Atomics.load(words, nextItem) >= count) return;
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
    } else if (!this.#isOver) this.#take(reply.from, reply.to, reply.result);
    this.#wake();
  }

  /** Lets nobody take another item. */
  takeNoMore(): void {
    Atomics.store(this.#task.words, nextItem, this.#task.count);
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

/** The same round, with lists in memory that threads share: everything else is cloned for every thread. */
const sharedRound = (round: unknown): unknown =>
  isObject(round)
    ? Object.fromEntries(
        Object.entries(round).map(([key, value]) => [
          key,
          value instanceof Uint32Array ? shared(value) : value,
        ]),
      )
    : round;

/** An array in memory that threads share: a copy, if it is not there. */
export function shared<A extends Uint8Array | Uint32Array | Float32Array | Float64Array>(array: A): A {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => A)(
    rawMemory(array.byteLength, true),
  );
  copy.set(array);
  return copy;
}
