// The engine's other threads. They share the engine's memory and run kernels in it, or import the library's jobs (jobs.ts)
// and answer items of one. They know no question. The first long question starts them, and they join it as soon as they
// run. A thread works for one question at a time.

import { wholeNumber } from '../../core/arguments.ts';
import type { Kernels } from '../kernels.ts';
import type { KernelMemory } from '../memory.ts';
import { jobsUrl, type Reply, type Task } from './task.ts';
import { coreCount, startThread, type Thread } from './thread.ts';

/** The most threads that can be asked for. */
const mostThreads = 256;

export const aThreadCount = /* @__PURE__ */ wholeNumber(1, mostThreads);

// Words of a thread's control block, which fills a cache line.
const state = 0;
const result = 1;
const ready = 2;
const controlBytes = 64;

const working = 0;
const finished = 1;
const failure = 2;

/**
 * What a thread runs: source text, not a function, so that no bundler or instrumenter changes it. A message names a kernel,
 * whose module comes along the first time, or a task of the library's jobs, which are imported from a URL. A message that
 * names neither has the jobs imported ahead.
 */
const body = `({ memory, control }, reply) => {
  const words = new Int32Array(memory.buffer, control, 16);
  const modules = [];
  Atomics.store(words, ${ready}, 1);
  return ({ number, module, name, values, url, task }) => {
    if (!name) {
      import(url)
        .then(({ work }) => task && work(task, reply), () => { throw 'import' })
        .then(() => 'done', error => error === 'import' ? error : 'failed')
        .then(over => task && reply({ over }));
      return;
    }
    let state = ${failure};
    try {
      modules[number] ??= new WebAssembly.Instance(module, { env: { memory } }).exports;
      words[${result}] = modules[number][name](...values);
      state = ${finished};
    } catch {}
    Atomics.store(words, ${state}, state);
    Atomics.notify(words, ${state});
  };
}`;

export class Threads {
  readonly #memory: KernelMemory;
  /** Address of the threads' control blocks. */
  #controls = 0;
  readonly #pool: PoolThread[] = [];
  /** How many other threads can be started. */
  #most: number;
  #closed = false;

  /** How many threads work on a long question, the calling one included. */
  readonly count: number;
  /** Where the library's jobs are; undefined if they are nowhere, or a thread could not import them. */
  jobs: string | undefined = jobsUrl();

  /** By default as many threads as there are cores. Only one if the memory cannot be shared. */
  constructor(memory: KernelMemory, count = coreCount()) {
    this.#memory = memory;
    this.count = memory.stays ? Math.min(count, mostThreads) : 1;
    this.#most = this.count - 1;
  }

  /** How many other threads are waiting for work. */
  get ready(): number {
    return this.#pool.filter(thread => thread.isReady).length;
  }

  /**
   * All other threads that wait for work; the caller releases them. Every call starts as many as have been started and one
   * more, until all have been: starting takes a millisecond, so a question starts only as many as it is long enough for.
   */
  take(): PoolThread[] {
    for (let more = this.#pool.length + 1; more > 0; more--) this.#startOne();
    const taken = this.#pool.filter(thread => thread.isReady);
    for (const thread of taken) thread.take();
    return taken;
  }

  /** Starts all other threads ahead of a long question, and lets them import the library's jobs. */
  startAll(): void {
    try {
      while (this.#pool.length < this.#most && !this.#closed) this.#startOne()?.ask(this.jobs);
    } catch {
      // There is no memory for them now. The question tries again.
    }
  }

  close(): void {
    this.#closed = true;
    for (const thread of this.#pool) thread.end();
  }

  #startOne(): PoolThread | undefined {
    const started = this.#pool.length;
    if (started === this.#most || this.#closed) return undefined;
    const memory = this.#memory;
    if (started === 0) {
      this.#controls = memory.allocate(this.#most * controlBytes, `${this.count} threads`);
      memory.u32.fill(0, this.#controls / 4, (this.#controls + this.#most * controlBytes) / 4);
    }
    const thread = PoolThread.start(memory, this.#controls + started * controlBytes);
    if (thread !== undefined) this.#pool.push(thread);
    // Where a thread cannot be started, starting is not tried again.
    else this.#most = started;
    return thread;
  }
}

/** Another thread. The caller that has taken it gives it one kernel or one task at a time. */
export class PoolThread {
  readonly #words: Int32Array;
  #thread: Thread | undefined;
  #isTaken = false;
  /** Takes what the thread says of its task. */
  #receive: ((reply: Reply) => void) | undefined;
  /** The modules that it has; a message refers to them by number. */
  readonly #modules: WebAssembly.Module[] = [];

  static start(memory: KernelMemory, control: number): PoolThread | undefined {
    // Growth leaves this view valid: shared memory never moves.
    const words = new Int32Array(memory.memory.buffer, control, controlBytes / 4);
    const thread = new PoolThread(words);
    thread.#thread = startThread(
      body,
      { memory: memory.memory, control },
      { receive: message => thread.#take(message as Reply), lost: () => thread.end() },
    );
    return thread.#thread && thread;
  }

  private constructor(words: Int32Array) {
    this.#words = words;
    Atomics.store(words, state, finished);
  }

  get isReady(): boolean {
    return !this.#isTaken && this.#thread !== undefined && Atomics.load(this.#words, ready) === 1;
  }

  take(): void {
    this.#isTaken = true;
  }

  /** Starts a kernel. The memory of the kernels must be shared. */
  run<F>(kernels: Kernels<F>, name: keyof F & string, values: readonly number[]): void {
    const { module } = kernels;
    let number = this.#modules.indexOf(module!);
    const isNew = number < 0;
    if (isNew) number = this.#modules.push(module!) - 1;
    Atomics.store(this.#words, state, working);
    if (this.#thread === undefined) this.end();
    this.#thread?.post({ number, module: isNew ? module : undefined, name, values });
  }

  /**
   * Gives it a task of the library's jobs. The thread is released when the task is over, which is the last that `receive`
   * is called with. Without a task it only imports the jobs: nobody has taken it, and anybody may ask it meanwhile.
   */
  ask(url: string | undefined, task?: Task, receive?: (reply: Reply) => void): void {
    this.#receive = receive;
    if (this.#thread === undefined) this.end();
    this.#thread?.post({ url, task });
  }

  #take(reply: Reply): void {
    const receive = this.#receive;
    if ('over' in reply) {
      this.#receive = undefined;
      this.release();
    }
    receive?.(reply);
  }

  get isWorking(): boolean {
    return Atomics.load(this.#words, state) === working;
  }

  /** Whether it failed and what it did is lost. */
  get failed(): boolean {
    return Atomics.load(this.#words, state) === failure;
  }

  /** What the kernel returned. */
  get result(): number {
    return this.#words[result];
  }

  /** Blocks this thread until the other has finished, or for so many milliseconds. */
  wait(milliseconds: number): void {
    try {
      Atomics.wait(this.#words, state, working, milliseconds);
    } catch {
      // A page's main thread must not sleep, so the caller polls.
    }
  }

  release(): void {
    this.#isTaken = false;
  }

  /** Ends the thread, so that it writes nothing more. */
  end(): void {
    this.#thread?.end();
    this.#thread = undefined;
    if (this.isWorking) Atomics.store(this.#words, state, failure);
    Atomics.store(this.#words, ready, 0);
    this.#take({ over: 'failed' });
  }
}
