// The engine's second thread. It waits on a word of the shared memory, takes tasks of a long question (tasks.as.ts) and
// reports when none is left. The first long question starts it, and it helps from the next one on, since starting takes
// longer than most answers.

import type { CpuEngine } from '../../../../cpu/engine.ts';
import { full } from '../../../../cpu/kernels.ts';
import { startThread, type Thread } from '../../../../cpu/thread.ts';
import * as layout from '../kernels.layout.ts';
import { type PairKernels, pairKernels } from '../kernels.ts';
import { Job } from './job.ts';

// Words of the control block.
const command = 0;
const state = 1;
const jobAt = 2;
const tasksAt = 3;
const ready = 4;
const controlBytes = 64;

/** The state while the thread works. Otherwise the state is the kernel's return value plus 1, or `failure`. */
const working = 0;
const failure = 99;

/** A thread without progress for this long counts as lost: a step takes microseconds. */
const stallMilliseconds = 10_000;

/** Source text, not a function, so that no bundler or instrumenter changes it. */
const body = `({ module, memory, control }) => {
  const { runTasks } = new WebAssembly.Instance(module, { env: { memory } }).exports;
  const words = new Int32Array(memory.buffer, control, 16);
  Atomics.store(words, ${ready}, 1);
  for (let seen = 0; ; ) {
    Atomics.wait(words, ${command}, seen);
    seen = Atomics.load(words, ${command});
    let result = ${failure - 1};
    try {
      result = runTasks(words[${jobAt}], words[${tasksAt}], 0x7fffffff);
    } catch {}
    Atomics.store(words, ${state}, result + 1);
    Atomics.notify(words, ${state});
  }
}`;

interface Room {
  readonly control: number;
  readonly tasks: number;
  readonly entries: number;
  readonly job: Job;
}

function takeRoom(engine: CpuEngine): Room {
  const { memory } = engine.kernels(pairKernels);
  return {
    control: memory.allocate(controlBytes, 'a thread'),
    tasks: memory.allocate(layout.Tasks.bytes, 'a thread'),
    entries: memory.allocate(layout.stackEntries * layout.stackEntryBytes, 'a thread'),
    job: new Job(engine),
  };
}

export class SecondThread {
  readonly #kernels: PairKernels;
  readonly #thread: Thread;
  readonly #words: Int32Array;
  readonly #entries: number;
  readonly tasks: number;
  readonly job: Job;
  #taskCount = 1;
  /** Whether a question uses it. */
  taken = false;

  static start(engine: CpuEngine): SecondThread | undefined {
    const kernels = engine.kernels(pairKernels);
    const { memory, module } = kernels;
    if (module === undefined) return undefined;
    // Allocate all memory first: if that fails, no thread has been started.
    const room = memory.orNothing(() => takeRoom(engine));
    const { control } = room;
    memory.u32.fill(0, control / 4, (control + controlBytes) / 4);
    // Growth leaves this view valid: shared memory never moves.
    const words = new Int32Array(memory.memory.buffer, control, controlBytes / 4);
    const lost = () => {
      Atomics.store(words, ready, 0);
      if (Atomics.load(words, state) === working) Atomics.store(words, state, failure);
    };
    const thread = startThread(body, { module, memory: memory.memory, control }, lost);
    // If no thread could be started, the memory stays allocated: it is small, and starting is not tried again.
    return thread && new SecondThread(kernels, thread, words, room);
  }

  private constructor(kernels: PairKernels, thread: Thread, words: Int32Array, room: Room) {
    this.#kernels = kernels;
    this.#thread = thread;
    this.#words = words;
    this.tasks = room.tasks;
    this.#entries = room.entries;
    this.job = room.job;
  }

  get ready(): boolean {
    return Atomics.load(this.#words, ready) === 1 && !this.taken;
  }

  /** Divides the remaining work of a question and starts working on its share. */
  take(question: Job, self: boolean): void {
    // This may throw for lack of memory; then nothing has been taken.
    this.job.join(question);
    this.taken = true;
    this.#taskCount = Math.max(1, question.divide(this.tasks, this.#entries, self));
    this.#go();
  }

  #go(): void {
    this.#words[jobAt] = this.job.at;
    this.#words[tasksAt] = this.tasks;
    Atomics.store(this.#words, state, working);
    Atomics.add(this.#words, command, 1);
    Atomics.notify(this.#words, command);
  }

  /** Whether its share is done. If its lists are full, grows them and lets it continue. */
  get finished(): boolean {
    const result = Atomics.load(this.#words, state);
    if (result === working) return false;
    if (result - 1 !== full || this.failed) return true;
    this.job.grow();
    this.#go();
    return false;
  }

  /** Whether it failed and its results are lost. */
  get failed(): boolean {
    return Atomics.load(this.#words, state) === failure;
  }

  /** The fraction of the tasks that have been taken. */
  progress(): number {
    const { memory } = this.#kernels;
    const next = Atomics.load(memory.u32, (this.tasks + layout.Tasks.next) >>> 2);
    return Math.min(1, next / this.#taskCount);
  }

  /** Waits for it and blocks this thread. */
  wait(): void {
    let [done, since] = [this.job.testsDone, performance.now()];
    while (!this.finished) {
      try {
        Atomics.wait(this.#words, state, working, 1);
      } catch {
        // A page's main thread must not sleep, so it polls.
      }
      const now = this.job.testsDone;
      if (now !== done) [done, since] = [now, performance.now()];
      else if (performance.now() - since > stallMilliseconds) this.#lose();
    }
  }

  /** Tells it to stop and waits until it has. */
  stop(): void {
    Atomics.store(this.#kernels.memory.u32, (this.tasks + layout.Tasks.stop) >>> 2, 1);
    const since = performance.now();
    while (Atomics.load(this.#words, state) === working) {
      if (performance.now() - since > stallMilliseconds) this.#lose();
    }
  }

  /** Ends a thread that no longer answers, so that it writes nothing more. */
  #lose(): void {
    this.#thread.end();
    Atomics.store(this.#words, ready, 0);
    Atomics.store(this.#words, state, failure);
  }

  /** Call this after its results were read. */
  release(): void {
    this.job.finish();
    this.taken = false;
  }

  end(): void {
    if (this.taken) this.stop();
    Atomics.store(this.#words, ready, 0);
    this.#thread.end();
  }
}
