// Long work on a single thread, in time slices: it yields to the event loop after each slice and can be cancelled.

import { NearfieldError } from './errors.ts';
import type { Limits } from './limits.ts';

/** The length of a time slice: how long work may block the event loop. */
export const sliceMilliseconds = 8;

export function throwIfAborted({ signal }: Limits): void {
  signal?.throwIfAborted();
}

/** The error to reject with if the library was closed meanwhile. `error` is what the closing caused, if anything. */
export function closedUnder(error: unknown): NearfieldError {
  if (error instanceof NearfieldError && error.code === 'closed') return error;
  const message = 'the library was closed while a question was being answered';
  return new NearfieldError('closed', message, { cause: error });
}

/** Waits for work. Rejects with 'closed' if the library was closed meanwhile. */
export async function whileOpen<A>(isClosed: () => boolean, work: () => A | Promise<A>): Promise<A> {
  let answer: A;
  try {
    answer = await work();
  } catch (error) {
    throw isClosed() ? closedUnder(error) : error;
  }
  if (isClosed()) throw closedUnder(undefined);
  return answer;
}

/** Resolves in a new task, after the tasks that are already queued in the event loop. */
export function nextTask(): Promise<void> {
  return new Promise(resolve => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Runs work in time slices. The generator yields the fraction done every few thousand steps. */
export async function inSlices<T>(
  work: Generator<number, T>,
  limits: Limits,
  checkOpen: () => void,
): Promise<T> {
  throwIfAborted(limits);
  let resumed = performance.now();
  try {
    for (;;) {
      const step = work.next();
      if (step.done) {
        limits.progress?.(1);
        return step.value;
      }
      if (performance.now() - resumed < sliceMilliseconds) continue;
      limits.progress?.(step.value);
      await nextTask();
      throwIfAborted(limits);
      checkOpen();
      resumed = performance.now();
    }
  } catch (error) {
    // Runs the generator's `finally` blocks, which free what it uses.
    work.return(undefined as never);
    throw error;
  }
}

/**
 * Runs work as a part of larger work: its progress goes from one share to another. If the larger work is cancelled,
 * so is this.
 */
export function* shareOf<T>(work: Generator<number, T>, from: number, to: number): Generator<number, T> {
  try {
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      yield from + (to - from) * step.value;
    }
  } finally {
    work.return(undefined as never);
  }
}

/** Runs such work to its end without yielding. */
export function toEnd<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
