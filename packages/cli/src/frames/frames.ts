// The pairs of all frames of a motion, found by several threads while the calling thread goes on with those that are found.
// Every frame is answered by itself, so the answer does not depend on who finds which. The calling thread begins, and starts
// others if that takes long; if there are many frames, it starts them first. Frames that they do not answer, because they fail
// or cannot be started, are found by the calling thread.

import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type CheckQuestion, type FoundPair, type FoundPairs, FrameFinder } from '@nearfield/clashes';
import { type Nearfield, open } from 'nearfield';
import { machineLimits } from '../backend.ts';
import {
  type FrameFound,
  type FramesStart,
  type FramesTask,
  findTimed,
  type PackedFound,
  packQuestion,
  unpackFound,
} from './task.ts';

/**
 * Other threads are started if the calling thread would need longer than this for the frames that are left, in
 * milliseconds. Until another thread has found its first frame, about a third of that passes.
 */
const longMilliseconds = 300;
/** With this many frames or more, other threads are started at once, without measuring how long a frame takes. */
const manyFrames = 256;
/**
 * If so many frames are searched by this many threads or more, the calling thread searches none itself. Its share of the frames would be small, and its V8
 * would compile the code for them as every other thread does, which takes about as long. So it is free for the pairs that arrive.
 */
const manyThreads = 8;
/** The least that an engine can be limited to, in bytes. */
const leastMemory = 2 ** 24;
/** Fewer frames than this are not shared. */
const leastFrames = 8;

/** For tests. */
export interface FramesOptions {
  /** The file that threads run. */
  readonly url?: URL | undefined;
  /** Other threads are started if the frames that are left would take longer than this, in milliseconds. */
  readonly long?: number | undefined;
  /** Whether the calling thread waits until other threads begin. */
  readonly waitsForOthers?: boolean | undefined;
}

/**
 * Starts the search for the pairs of all frames of a motion. Undefined if the frames are to be asked about one after the
 * other: if they are few, a GPU answers, a method samples, there is only one thread, or only the triangles of each pair's
 * worst frame are kept. The caller closes it.
 */
export async function findFrames(
  nf: Nearfield,
  question: CheckQuestion,
  options: FramesOptions = {},
): Promise<FramesSearch | undefined> {
  const { motion, keepTriangles } = question;
  const { threads, maxMemory: mostMemory } = machineLimits();
  const count = motion?.isMotion ? motion.frames.length : 0;
  if (count < leastFrames || threads === 1 || nf.backend !== 'cpu') return undefined;
  if (keepTriangles === 'worst' || question.samples) return undefined;
  // Each thread has an engine, and its share of the memory that all may use.
  const maxMemory = mostMemory && Math.max(leastMemory, Math.floor(mostMemory / threads));
  const next = new Int32Array(new SharedArrayBuffer(4));
  const all: SearchOptions = { ...options, threads, count, start: { next, maxMemory } };
  // Threads load their code while the poses are checked and packed.
  const others = count < manyFrames ? [] : startThreads(all, count);
  let own: Nearfield | undefined;
  try {
    own = await open({ backend: 'cpu', threads: 1, maxMemory });
    const finder = new FrameFinder(own, { ...question, progress: () => {} });
    finder.checkPoses();
    return new FramesSearch(own, finder, question, others, all);
  } catch (error) {
    own?.close();
    for (const other of others) other.end();
    throw error;
  }
}

interface SearchOptions extends FramesOptions {
  readonly threads: number;
  readonly count: number;
  readonly start: FramesStart;
}

/** Starts the threads beside the calling one, at most one per frame, and as many as the system allows. */
function startThreads({ url = frameThread, threads, start }: SearchOptions, frames: number): FrameThread[] {
  const started: FrameThread[] = [];
  try {
    while (started.length < Math.min(threads - 1, frames)) started.push(new FrameThread(url, start));
  } catch {
    // The system refuses another thread.
  }
  return started;
}

const frameThread = new URL('./frames-thread.js', import.meta.url);

/** A search for the pairs of all frames. */
class FramesSearch implements FoundPairs {
  readonly backend: FoundPairs['backend'];
  readonly frames: readonly Promise<readonly FoundPair[]>[];
  readonly #open: Frame[];
  readonly #own: Nearfield;
  readonly #finder: FrameFinder;
  readonly #question: CheckQuestion;
  readonly #options: SearchOptions;
  #others: readonly FrameThread[];
  readonly #start = performance.now();
  readonly #sum = { all: 0, judge: 0 };
  #found = 0;
  #haveAll = (): void => {};
  #end: number | undefined;
  #isClosed = false;

  /** Takes threads that have been started. */
  constructor(
    own: Nearfield,
    finder: FrameFinder,
    question: CheckQuestion,
    others: readonly FrameThread[],
    options: SearchOptions,
  ) {
    this.#own = own;
    this.#finder = finder;
    this.#question = question;
    this.#others = others;
    this.#options = options;
    this.backend = { kind: own.backend, name: own.name };
    this.#open = Array.from({ length: options.count }, () => new Frame());
    this.frames = this.#open.map(({ pairs }) => pairs);
    void this.#run();
  }

  get method(): string {
    return this.#finder.method;
  }

  /**
   * The time on the clock, divided in proportion to the work of the threads. What passes while somebody waits for frames is
   * counted there.
   */
  get timing(): { readonly query: number; readonly judge: number } {
    const { all, judge } = this.#sum;
    const time = (this.#end ?? performance.now()) - this.#start;
    const judged = all > 0 ? (time * judge) / all : 0;
    return { query: -judged, judge: judged };
  }

  /** How many frames other threads have found. */
  get foundByOthers(): number {
    return this.#others.reduce((sum, { found }) => sum + found, 0);
  }

  async #run(): Promise<void> {
    try {
      await this.#find();
    } catch (error) {
      for (const frame of this.#open) frame.reject(error);
    } finally {
      this.close();
    }
  }

  async #find(): Promise<void> {
    const { signal } = this.#question;
    const { count, long = longMilliseconds, waitsForOthers, start } = this.#options;
    const { next } = start;
    const haveAll = new Promise<void>(resolve => {
      this.#haveAll = resolve;
    });
    let isAlone = count < manyFrames;
    if (!isAlone) this.#askOthers();
    const mayFind = this.#others.length + 1 < manyThreads;
    // The first frame takes longer than others do.
    let least = Number.POSITIVE_INFINITY;
    while (mayFind) {
      const frame = Atomics.add(next, 0, 1);
      if (frame >= count) break;
      try {
        const found = await findTimed(this.#finder, frame);
        least = Math.min(least, found.times.all);
        this.#take(found);
      } catch (error) {
        signal?.throwIfAborted();
        if (this.#isClosed) throw error;
        // It is tried again below, after the frames before it, which others may be at.
        Atomics.store(next, 0, count);
      }
      if (isAlone && least * (count - frame - 1) > long) {
        isAlone = false;
        this.#others = startThreads(this.#options, count - this.#found);
        this.#askOthers();
        if (waitsForOthers) await Promise.all(this.#others.map(({ begun }) => begun));
      }
      // Take what other threads have found meanwhile, and let the callers that wait for frames continue.
      await setImmediate();
      signal?.throwIfAborted();
    }
    // A thread takes some time to end after its last frame.
    const areOver = Promise.all(this.#others.map(({ over }) => over));
    await Promise.race([haveAll, areOver, aborted(signal)]);
    signal?.throwIfAborted();
    // Frames that nobody has found yet: in order, so that an error is that of the first of them.
    for (const [i, frame] of this.#open.entries())
      if (!frame.isFound) this.#take(await findTimed(this.#finder, i));
  }

  #take({ frame, pairs, times }: FrameFound): void {
    if (this.#isClosed) return;
    this.#open[frame].resolve(pairs);
    this.#sum.all += times.all;
    this.#sum.judge += times.judge;
    const { count } = this.#options;
    this.#question.progress('checking', ++this.#found / count);
    if (this.#found === count) this.#haveAll();
  }

  /** Sends the task to the other threads. */
  #askOthers(): void {
    try {
      const task = packQuestion(this.#question);
      for (const other of this.#others) other.ask(task, found => this.#take(found));
    } catch {
      // There is no memory for the arrays that all threads would share.
      for (const other of this.#others) other.end();
      this.#others = [];
    }
  }

  /** Ends the search. Frames that are not found yet are never found. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end = performance.now();
    Atomics.store(this.#options.start.next, 0, this.#options.count);
    this.#own.close();
    for (const other of this.#others) other.end();
  }
}

/** The pairs of a frame, found or not. */
class Frame {
  resolve: (pairs: readonly FoundPair[]) => void = () => {};
  reject: (error: unknown) => void = () => {};
  isFound = false;
  readonly pairs: Promise<readonly FoundPair[]>;

  constructor() {
    this.pairs = new Promise((resolve, reject) => {
      this.resolve = pairs => {
        this.isFound = true;
        resolve(pairs);
      };
      this.reject = reject;
    });
    // A caller that waits for a frame gets the error. Rejections of frames that nobody waits for must not end the process.
    this.pairs.catch(() => {});
  }
}

/** Resolves when the signal says to stop. */
const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise(resolve => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });

/** Another thread that finds frames. */
class FrameThread {
  readonly #worker: Worker;
  /** Resolves when it has ended. */
  readonly over: Promise<void>;
  /** Resolves when it has found a frame, or ended. */
  readonly begun: Promise<void>;
  /** How many frames it has found. */
  found = 0;

  constructor(url: URL, start: FramesStart) {
    const worker = new Worker(url, { workerData: start });
    this.#worker = worker;
    this.begun = new Promise(resolve => {
      worker.once('message', () => resolve());
      worker.once('exit', () => resolve());
    });
    this.over = new Promise(resolve => {
      // If it fails, the frames that it did not find are searched again, and an error of theirs appears then.
      worker.on('error', () => resolve());
      worker.on('exit', () => resolve());
    });
  }

  /** Sends the thread its task. It may still be loading its code. */
  ask(task: FramesTask, take: (found: FrameFound) => void): void {
    this.#worker.on('message', (found: PackedFound) => {
      this.found++;
      take(unpackFound(found));
    });
    this.#worker.postMessage(task);
  }

  end(): void {
    void this.#worker.terminate();
  }
}
