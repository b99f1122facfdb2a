// Runs a question's kernel until it is done, at once or in time slices, and shares long questions with a second thread
// (second-thread.ts).

import { NearfieldError } from '../../../../core/errors.ts';
import type { Limits } from '../../../../core/limits.ts';
import { nextTask, sliceMilliseconds, throwIfAborted } from '../../../../core/waiting.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import { done, full } from '../../../../cpu/kernels.ts';
import { type PairKernels, pairKernels } from '../kernels.ts';
import type { Job } from './job.ts';
import { SecondThread } from './second-thread.ts';

/** Works on a job until it is done, an output is full, or `budget` pairs of nodes are opened. */
export type PairKernel = (job: number, budget: number) => number;

/** Node pairs that a kernel may open between two looks at the clock. */
const slice = 4000;
const unlimited = 0x7fffffff;
/** A question longer than this many node pairs, some milliseconds, is worth a second thread. */
const longQuestion = 40_000;

export class Runner {
  readonly #engine: CpuEngine;
  readonly #kernels: PairKernels;
  /** Started by the first long question; null if no thread can be started. */
  #second: SecondThread | undefined | null;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#kernels = engine.kernels(pairKernels);
  }

  get secondThreadReady(): boolean {
    return this.#second?.ready === true;
  }

  close(): void {
    this.#second?.end();
  }

  /** Runs a kernel to its end. Returns the second thread if it took part; release it after reading its share. */
  toEnd(job: Job, kernel: PairKernel, self: boolean): SecondThread | undefined {
    let state = this.#begin(job, kernel);
    if (state === done) return undefined;
    const second = this.#shareWork(job, self);
    try {
      while (state !== done) {
        if (state === full) job.grow();
        state =
          second === undefined
            ? kernel(job.at, unlimited)
            : this.#kernels.call.runTasks(job.at, second.tasks, unlimited);
      }
      second?.wait();
    } catch (error) {
      second?.stop();
      second?.release();
      throw error;
    }
    if (second?.failed !== true) return second;
    this.#giveUp(second, job);
    return this.toEnd(job, kernel, self);
  }

  /** The same in time slices, with progress and cancellation. */
  async inSlices(
    job: Job,
    kernel: PairKernel,
    self: boolean,
    limits: Limits,
  ): Promise<SecondThread | undefined> {
    let resumed = performance.now();
    let before = 0;
    let second: SecondThread | undefined;
    let opened = 0;
    let state = full;
    try {
      while (state !== done || second?.finished === false) {
        if (state !== done && performance.now() - resumed < sliceMilliseconds) {
          state =
            second === undefined
              ? kernel(job.at, slice)
              : this.#kernels.call.runTasks(job.at, second.tasks, slice);
          if (state === full) job.grow();
          opened += slice;
          if (second === undefined && state !== done && opened >= longQuestion) {
            before = job.progress();
            second = this.#shareWork(job, self);
            opened = 0;
          }
          continue;
        }
        if (second === undefined) limits.progress?.(job.progress());
        else limits.progress?.(before + (1 - before) * second.progress());
        await nextTask();
        throwIfAborted(limits);
        if (this.#engine.closed) {
          throw new NearfieldError('closed', 'the engine was closed while a question was being answered');
        }
        resumed = performance.now();
      }
      if (second?.failed !== true) {
        limits.progress?.(1);
        return second;
      }
    } catch (error) {
      second?.stop();
      second?.release();
      throw error;
    }
    this.#giveUp(second, job);
    return this.inSlices(job, kernel, self, limits);
  }

  /** The first part of a question, which is enough for most. Grows lists that are full. */
  #begin(job: Job, kernel: PairKernel): number {
    for (;;) {
      const state = kernel(job.at, longQuestion);
      if (state !== full) return state;
      job.grow();
    }
  }

  #shareWork(job: Job, self: boolean): SecondThread | undefined {
    if (!job.divisible || this.#second === null) return undefined;
    if (this.#second === undefined) {
      this.#second = SecondThread.start(this.#engine) ?? null;
      return undefined;
    }
    if (!this.#second.ready) return undefined;
    this.#second.take(job, self);
    return this.#second;
  }

  /** A thread that failed has lost its share of the work: the question restarts without it. */
  #giveUp(second: SecondThread, job: Job): void {
    second.release();
    second.end();
    this.#second = null;
    job.again();
  }
}
