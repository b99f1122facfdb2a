// A phase of work that is divided into chunks, which several threads take by an atomic counter: the calling one, and a crew
// of others that run the same kernel with scratch memory of their own.

import type { CpuEngine } from '../engine.ts';
import { done, type Kernels } from '../kernels.ts';
import { Crew } from './crew.ts';

/** Takes up to `chunks` chunks of a job. Returns `done` if none is left. */
export type ChunkKernel = (job: number, scratch: number, chunks: number) => number;

export interface Phase<N extends string> {
  readonly engine: CpuEngine;
  readonly kernels: Kernels<Record<N, ChunkKernel>>;
  readonly name: N;
  /** A job begins with two words: the next chunk that no thread has taken, which is 0, and the number of chunks. */
  readonly job: number;
  /** Allocates a thread's scratch memory, which the caller frees. */
  scratch(): number;
  /** Whether other threads help. */
  readonly share: boolean;
}

const unlimited = 0x7fffffff;

/** Does all chunks. Yields 0 now and then. Returns false if a thread failed: then some may not be done. */
export function* runPhase<N extends string>(phase: Phase<N>): Generator<number, boolean> {
  const { engine, kernels, name, job, scratch, share } = phase;
  const { call, memory } = kernels;
  const taken = job >>> 2;
  const own = scratch();
  const crew = new Crew<Record<N, ChunkKernel>, number>({
    threads: engine.threads,
    kernels,
    name,
    create: scratch,
    values: at => [job, at, unlimited],
    grow: () => {},
    steps: () => Atomics.load(memory.u32, taken),
    stop: () => Atomics.store(memory.u32, taken, memory.u32[taken + 1]),
  });
  try {
    while (call[name](job, own, 1) !== done) {
      if (share) crew.gather();
      crew.attend();
      if (crew.isBroken) return false;
      yield 0;
    }
    while (!crew.hasFinished) {
      crew.pause();
      yield 0;
    }
    return !crew.isBroken;
  } finally {
    crew.stop();
    crew.release();
  }
}
