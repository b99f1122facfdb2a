// Work on a list of items that a kernel takes chunk by chunk, by an atomic counter: the calling thread runs it step by step, and a
// crew of others runs it too, if the work is long. Each thread has a part of its own, in which it lists what it finds.

import type { CpuEngine } from '../engine.ts';
import { done, full, type Kernels } from '../kernels.ts';
import { Crew, joinLists } from './crew.ts';

/** One thread's part: its job in memory and what it found. */
export interface Part {
  /** The address of its job. */
  readonly at: number;
  /** The next item that it takes up. */
  readonly next: number;
  /** Makes room for the item at which it stopped. */
  grow(): void;
  readonly found: Uint32Array;
}

/** Works on up to `most` items of the job at this address. Returns `done` if none is left, `full` if the job has to grow. */
type PartKernel = (job: number, most: number) => number;

/** All items, and who works on them. */
export interface Parts<N extends string, P extends Part> {
  readonly engine: CpuEngine;
  readonly kernels: Kernels<Record<N, PartKernel>>;
  readonly name: N;
  readonly count: number;
  /** Address of the counter of items that were taken. */
  readonly taken: number;
  /** Makes a part for a thread. */
  create(): P;
  /** Called with the calling thread's part before any other is made. */
  begin?(own: P): void;
  /** How many items the calling thread works on between two looks at the clock. */
  readonly step: number;
  /** Whether other threads help. */
  readonly share: boolean;
  /** Called after a step. Parts take up items in order, so all items before the least `next` are done. */
  stepped?(parts: readonly P[]): void;
}

const unlimited = 0x7fffffff;

/** Works on all items. Returns what all parts found, one part after the other. Yields the share done. */
export function* runParts<N extends string, P extends Part>(
  work: Parts<N, P>,
): Generator<number, Uint32Array> {
  const { engine, kernels, name, count, step } = work;
  const { call, memory } = kernels;
  const taken = work.taken >>> 2;
  const setTaken = (first: number) => Atomics.store(memory.u32, taken, first);
  for (let isShared = work.share; ; isShared = false) {
    setTaken(0);
    const own = work.create();
    work.begin?.(own);
    const crew: Crew<Record<N, PartKernel>, P> = new Crew({
      threads: engine.threads,
      kernels,
      name,
      create: () => work.create(),
      values: ({ at }) => [at, unlimited],
      grow: part => part.grow(),
      steps: () => crew.jobs.reduce((sum, part) => sum + part.next, own.next),
      stop: () => setTaken(count),
    });
    const parts = () => [own, ...crew.jobs];
    try {
      for (;;) {
        const state = call[name](own.at, step);
        if (state === done) break;
        if (state === full) own.grow();
        if (isShared) crew.gather();
        crew.attend();
        if (crew.isBroken) break;
        work.stepped?.(parts());
        yield Math.min(1, Atomics.load(memory.u32, taken) / count);
      }
      while (!crew.hasFinished) {
        crew.pause();
        yield 1;
      }
      // If a thread has failed, its findings are lost, and the calling thread starts again alone.
      if (!crew.isBroken) return joinLists(parts().map(part => part.found));
    } finally {
      crew.stop();
      crew.release();
    }
  }
}
