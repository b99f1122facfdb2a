// Long work on the one thread there is, in slices: it looks at the clock, lets others run and can be cancelled.

import { NearfieldError } from './errors.ts';
import type { Limits } from './limits.ts';

/** How long work may keep others waiting. */
export const sliceMilliseconds = 8;

export function throwIfAborted({ signal }: Limits): void {
  signal?.throwIfAborted();
}

/** What a question rejects with if the library was closed meanwhile, whatever error that caused. */
export function closedUnder(error: unknown): NearfieldError {
  if (error instanceof NearfieldError && error.code === 'closed') return error;
  const message = 'the library was closed while a question was being answered';
  return new NearfieldError('closed', message, { cause: error });
}

/** Waits for work; rejects with 'closed' if what it needs was closed meanwhile. */
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

/** Lets everything that waits in the event loop run once. */
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

/** Runs work that yields the share done every few thousand steps, and lets others run whenever a slice is over. */
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
    // What it holds is let go of.
    work.return(undefined as never);
    throw error;
  }
}

/** Runs the same to its end. */
export function toEnd<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
