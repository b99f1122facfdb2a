// For tests of work that threads share: waits until threads are ready, and counts what they answer.

import type { CpuEngine } from '../engine.ts';

/** Starts the other threads of an engine, and waits until they are ready: they join questions that are asked from then on. */
export async function allStarted({ threads }: CpuEngine): Promise<void> {
  while (threads.ready < threads.count - 1) {
    for (const thread of threads.take()) thread.release();
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}

/** Waits until the other threads of an engine are ready, and have imported the library's jobs. */
export async function allReady({ threads }: CpuEngine): Promise<void> {
  const imported = new Set<object>();
  const nothing = {
    ...{ job: 'none', data: 0, key: 0, round: 0 },
    ...{ maxMemory: 0, count: 0, threads: 1, words: new Int32Array(2) },
  };
  while (imported.size < threads.count - 1) {
    for (const thread of threads.take()) thread.ask(threads.jobs!, nothing, () => imported.add(thread));
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  while (threads.ready < threads.count - 1) await new Promise(resolve => setTimeout(resolve, 10));
}

/** Counts the results that the other threads of an engine give from now on. Calls `asked` whenever one gets a task. */
export function countResults({ threads }: CpuEngine, asked = () => {}): () => number {
  const take = threads.take.bind(threads);
  let count = 0;
  threads.take = () => {
    const taken = take();
    for (const thread of taken) {
      const ask = thread.ask.bind(thread);
      thread.ask = (url, task, receive) => {
        ask(url, task, reply => {
          if ('result' in reply) count++;
          receive?.(reply);
        });
        asked();
      };
    }
    return taken;
  };
  return () => count;
}

/** Decides when other threads may join the calling one. */
export interface Joining {
  /** At which of the calling thread's looks for others they may join first, from 0 on; Infinity if never. */
  from: number;
  /** How often the calling thread has looked for threads, and how many joined. Both may be set back to 0. */
  looks: number;
  joined: number;
}

/** From now on, the other threads of an engine join only when a test lets them. */
export function controlJoining({ threads }: CpuEngine): Joining {
  const take = threads.take.bind(threads);
  const joining: Joining = { from: 0, looks: 0, joined: 0 };
  threads.take = () => {
    const taken = take();
    if (joining.looks++ < joining.from) {
      for (const thread of taken.splice(0)) thread.release();
    }
    joining.joined += taken.length;
    return taken;
  };
  return joining;
}
