// The threads that run one kernel together, each with a job of its own in the shared memory. Threads join as soon as they
// are ready. The calling thread runs the same kernel, and between its steps attends to the others: it grows their lists,
// and notices if one of them is lost.

import { isOutOfMemory } from '../../core/errors.ts';
import { full, type Kernels } from '../kernels.ts';
import type { PoolThread, Threads } from './threads.ts';

/** A crew without progress for this long has lost a thread: a step takes microseconds. */
const stallMilliseconds = 10_000;

/** How a crew works. */
export interface CrewWork<F, J> {
  readonly threads: Threads;
  readonly kernels: Kernels<F>;
  /** The kernel. It returns `full` if the job's lists have to grow, anything else if it has finished. */
  readonly name: keyof F & string;
  /** A job for a thread that joins. It may throw for lack of memory. */
  create(): J;
  /** The kernel's arguments. */
  values(job: J): readonly number[];
  grow(job: J): void;
  /** A count that grows while any thread makes progress. */
  steps(): number;
  /** Tells the threads to stop soon. */
  stop(): void;
}

export class Crew<F, J> {
  readonly #work: CrewWork<F, J>;
  readonly #members: { readonly thread: PoolThread; readonly job: J }[] = [];
  #steps = -1;
  #since = 0;
  #isBroken = false;
  #hasRoom = true;

  constructor(work: CrewWork<F, J>) {
    this.#work = work;
  }

  /** The jobs of the threads that joined. */
  get jobs(): readonly J[] {
    return this.#members.map(({ job }) => job);
  }
  /** Whether a thread failed, so that what it found is lost. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Lets threads that are ready join. If there is no memory for one of them, nobody joins any more: the others do the work. */
  gather(): void {
    if (!this.#hasRoom) return;
    let threads: PoolThread[] = [];
    try {
      threads = this.#work.threads.take();
      while (threads.length > 0) {
        const job = this.#work.create();
        const thread = threads.pop()!;
        this.#members.push({ thread, job });
        this.#run(thread, job);
      }
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      this.#hasRoom = false;
    } finally {
      // If memory ran out, some threads did not join.
      for (const thread of threads) thread.release();
    }
  }

  #run(thread: PoolThread, job: J): void {
    thread.run(this.#work.kernels, this.#work.name, this.#work.values(job));
  }

  /**
   * Grows lists, and notices if a thread is lost. Returns whether all threads have finished. A thread may finish at any time, so it is
   * asked only once whether it works: what it then says of its result does not change any more.
   */
  attend(): boolean {
    let isOver = true;
    for (const { thread, job } of this.#members) {
      if (thread.isWorking) isOver = false;
      else if (thread.failed) {
        thread.end();
        this.#isBroken = true;
      } else if (thread.result === full) {
        this.#work.grow(job);
        this.#run(thread, job);
        isOver = false;
      }
    }
    const steps = this.#work.steps();
    const now = performance.now();
    if (steps !== this.#steps || isOver) {
      this.#steps = steps;
      this.#since = now;
    } else if (now - this.#since > stallMilliseconds) this.#lose();
    return isOver;
  }

  /** Whether all threads have finished, or one of them failed. */
  get hasFinished(): boolean {
    const isOver = this.attend();
    return this.#isBroken || isOver;
  }

  /** Blocks until a thread has finished or needs something, or for a millisecond. */
  pause(): void {
    this.#members.find(({ thread }) => thread.isWorking)?.thread.wait(1);
  }

  /** Stops the threads, and blocks until they have. */
  stop(): void {
    this.#work.stop();
    const since = performance.now();
    while (this.#members.some(({ thread }) => thread.isWorking)) {
      this.pause();
      if (performance.now() - since > stallMilliseconds) this.#lose();
    }
  }

  /** Ends threads that no longer answer, so that they write nothing more. */
  #lose(): void {
    for (const { thread } of this.#members) if (thread.isWorking) thread.end();
    this.#isBroken = true;
  }

  /** Frees the threads, which have finished. Read their jobs first. */
  release(): void {
    for (const { thread } of this.#members) thread.release();
    this.#members.length = 0;
  }
}

/** A copy of what several threads listed, one list after the other. */
export function joinLists(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
