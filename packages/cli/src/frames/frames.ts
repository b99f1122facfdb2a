// The pairs of all frames of a motion, found by several threads. Every frame is answered by itself, so the answer does not
// depend on who finds which. The calling thread begins, and starts others if that takes long. Frames that they do not
// answer, because they fail or cannot be started, are found by the calling thread.

import { Worker } from 'node:worker_threads';
import { type CheckQuestion, type FoundPair, type FoundPairs, FrameFinder } from '@nearfield/clashes';
import { type Nearfield, open } from 'nearfield';
import { machineLimits } from '../backend.ts';
import {
  type FrameFound,
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
/** The least that an engine can be limited to, in bytes. */
const leastMemory = 2 ** 24;
/** Fewer frames than this are not shared. */
const leastFrames = 8;

/** For tests. */
export interface FramesOptions {
  /** The file that threads run. */
  readonly url?: URL | undefined;
  /** From which time for the frames that are left on other threads are started, in milliseconds. */
  readonly long?: number | undefined;
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
    long = longMilliseconds,
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
  let takenAll = () => {};
  const haveAll = new Promise<void>(resolve => {
    takenAll = resolve;
  });
  const sum = { all: 0, judge: 0 };
  const take = ({ frame, pairs, times }: FrameFound) => {
    frames[frame] = pairs;
    sum.all += times.all;
    sum.judge += times.judge;
    question.progress('checking', ++done / count);
    if (done === count) takenAll();
  };
  let isAlone = true;
  const startOthers = () => {
    isAlone = false;
    const task: FramesTask = { ...packQuestion(question), next, maxMemory };
    const most = Math.min(threads - 1, count - done);
    for (let i = 0; i < most; i++) others.push(new FrameThread(url, task, take));
  };
  try {
    const finder = new FrameFinder(own, { ...question, progress: () => {} });
    finder.checkPoses();
    // The first frame takes longer than others do.
    let least = Number.POSITIVE_INFINITY;
    for (let frame = Atomics.add(next, 0, 1); frame < count; frame = Atomics.add(next, 0, 1)) {
      try {
        const found = await findTimed(finder, frame);
        least = Math.min(least, found.times.all);
        take(found);
      } catch {
        signal?.throwIfAborted();
        // It is tried again below, after the frames before it, which others may be at.
        Atomics.store(next, 0, count);
      }
      if (!isAlone || least * (count - frame - 1) <= long) continue;
      startOthers();
      if (foundByOthers) await Promise.all(others.map(({ begun }) => begun));
    }
    // A thread takes some time to end after its last frame.
    const areOver = Promise.all(others.map(({ over }) => over));
    await Promise.race([haveAll, areOver, aborted(signal)]);
    signal?.throwIfAborted();
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

  constructor(url: URL, task: FramesTask, take: (found: FrameFound) => void) {
    const worker = new Worker(url, { workerData: task });
    this.#worker = worker;
    this.begun = new Promise(resolve => {
      worker.once('message', () => resolve());
      worker.once('exit', () => resolve());
    });
    this.over = new Promise(resolve => {
      worker.on('message', (found: PackedFound) => {
        this.found++;
        take(unpackFound(found));
      });
      // What it did not find is found again: an error shows itself then.
      worker.on('error', () => resolve());
      worker.on('exit', () => resolve());
    });
  }

  end(): void {
    void this.#worker.terminate();
  }
}
