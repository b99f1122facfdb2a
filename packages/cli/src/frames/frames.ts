// The pairs of all frames of a motion, found by several threads. Every frame is answered by itself, so the answer does not
// depend on who finds which. The calling thread begins, and starts others if that takes long. Frames that they do not
// answer, because they fail or cannot be started, are found by the calling thread.

import { Worker } from 'node:worker_threads';
import { type CheckQuestion, type FoundPair, type FoundPairs, FrameFinder } from '@nearfield/clashes';
import { type Nearfield, open } from 'nearfield';
import { machineLimits } from '../backend.ts';
import { type FrameFound, type FramesTask, findTimed, packQuestion } from './task.ts';

/** The calling thread is alone for this long, in milliseconds. To start another takes about as long. */
const aloneMilliseconds = 300;
/** The least that an engine can be limited to, in bytes. */
const leastMemory = 2 ** 24;
/** Fewer frames than this are not shared. */
const leastFrames = 8;

/** For tests. */
export interface FramesOptions {
  /** The file that threads run. */
  readonly url?: URL | undefined;
  /** How long the calling thread is alone. */
  readonly alone?: number | undefined;
  /** Called with the number of frames that other threads have found. The calling thread then first waits until they begin. */
  readonly foundByOthers?: ((frames: number) => void) | undefined;
}

/**
 * The pairs of the frames of a motion, or undefined if the frames are to be asked about one after the other: if they are
 * few, a GPU answers, there is one thread only, or of each pair the triangles of one frame are kept, whichever is worst.
 */
export async function findFrames(
  nf: Nearfield,
  question: CheckQuestion,
  {
    url = new URL('./frames-thread.js', import.meta.url),
    alone = aloneMilliseconds,
    foundByOthers,
  }: FramesOptions = {},
): Promise<FoundPairs | undefined> {
  const { motion, signal, keepTriangles } = question;
  const { threads, maxMemory: mostMemory } = machineLimits();
  const count = motion?.isMotion ? motion.frames.length : 0;
  if (count < leastFrames || threads === 1 || nf.backend !== 'cpu') return undefined;
  if (keepTriangles === 'worst' || question.samples) return undefined;
  const start = performance.now();
  const frames: (readonly FoundPair[] | undefined)[] = [];
  const next = new Int32Array(new SharedArrayBuffer(4));
  // Each thread has an engine, and its share of the memory that all may use.
  const maxMemory = mostMemory && Math.max(leastMemory, Math.floor(mostMemory / threads));
  const own = await open({ backend: 'cpu', threads: 1, maxMemory });
  const others: FrameThread[] = [];
  let done = 0;
  const sum = { all: 0, judge: 0 };
  const take = ({ frame, pairs, times }: FrameFound) => {
    frames[frame] = pairs;
    sum.all += times.all;
    sum.judge += times.judge;
    question.progress('checking', ++done / count);
  };
  let isAlone = true;
  const startOthers = () => {
    isAlone = false;
    const task: FramesTask = { ...packQuestion(question), next, maxMemory };
    for (let i = 1; i < threads; i++) others.push(new FrameThread(url, task, take));
  };
  try {
    const finder = new FrameFinder(own, { ...question, progress: () => {} });
    finder.checkPoses();
    for (let frame = Atomics.add(next, 0, 1); frame < count; frame = Atomics.add(next, 0, 1)) {
      try {
        take(await findTimed(finder, frame));
      } catch {
        signal?.throwIfAborted();
        // It is tried again below, after the frames before it, which others may be at.
        Atomics.store(next, 0, count);
      }
      if (!isAlone || performance.now() - start <= alone) continue;
      startOthers();
      if (foundByOthers) await Promise.all(others.map(({ begun }) => begun));
    }
    for (const other of others) await other.finish(signal);
    // Frames that nobody has found yet: in order, so that an error is that of the first of them.
    for (let frame = 0; frame < count; frame++)
      if (frames[frame] === undefined) take(await findTimed(finder, frame));
    foundByOthers?.(others.reduce((sum, { found }) => sum + found, 0));
    // Time on the clock, divided in proportion to the work of the threads.
    const time = performance.now() - start;
    const judge = sum.all > 0 ? (time * sum.judge) / sum.all : 0;
    return {
      ...{ method: finder.method, backend: { kind: nf.backend, name: nf.name } },
      timing: { query: time - judge, judge },
      frames: frames as (readonly FoundPair[])[],
    };
  } finally {
    own.close();
    for (const other of others) other.end();
  }
}

/** Another thread that finds frames. */
class FrameThread {
  readonly #worker: Worker;
  readonly #over: Promise<void>;
  /** Resolves when it has found a frame, or ended. */
  readonly begun: Promise<void>;
  /** How many frames it has found. */
  found = 0;

  constructor(url: URL, task: FramesTask, take: (found: FrameFound) => void) {
    const worker = new Worker(url, { workerData: task });
    this.#worker = worker;
    this.begun = new Promise(resolve => {
      worker.once('message', () => resolve());
      worker.once('exit', () => resolve());
    });
    this.#over = new Promise(resolve => {
      worker.on('message', (found: FrameFound) => {
        this.found++;
        take(found);
      });
      // What it did not find is found again: an error shows itself then.
      worker.on('error', () => resolve());
      worker.on('exit', () => resolve());
    });
  }

  /** Waits until it has ended, or the signal says to stop. */
  async finish(signal: AbortSignal | undefined): Promise<void> {
    const isStopped = new Promise<void>(resolve => {
      if (signal?.aborted) resolve();
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([this.#over, isStopped]);
    signal?.throwIfAborted();
  }

  end(): void {
    void this.#worker.terminate();
  }
}
