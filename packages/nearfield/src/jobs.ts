// What other threads can answer, item by item. A thread imports this file, bundled by itself, when it first gets such work
// (cpu/threads/threads.ts). It answers with an engine of its own, so that threads share nothing but the arrays of the task.

import { type CpuEngine, createCpuEngine } from './cpu/engine.ts';
import type { Sharing } from './cpu/threads/shared-items.ts';
import { chunkCount, itemsOf, type Reply, stopped, type Task, takeChunk } from './cpu/threads/task.ts';
import { shareItems } from './cpu/threads/together.ts';
import { packPairs, pointsJob, relationsJob } from './interferences/pairs-job.ts';
import { depthsJob, packSearches } from './penetration/depths/depths-job.ts';

/** Items of one kind, in several threads. */
interface Job {
  /** What other threads need, of what the question gives. Large arrays are in shared memory (`shared`). */
  pack(given: never): unknown;
  /** In another thread: prepares for what was packed. What it returns answers the items [from, to), in steps. */
  answer(engine: CpuEngine, data: never): (from: number, to: number) => Generator<unknown, unknown>;
}

const jobs: Readonly<Record<string, Job>> = {
  relations: { pack: packPairs, answer: relationsJob },
  points: { pack: packPairs, answer: pointsJob },
  depths: { pack: packSearches, answer: depthsJob },
};

/** In the calling thread: answers the rest of some items, on all threads. */
export const share = <R>(sharing: Sharing<R>): Promise<void> =>
  shareItems(sharing, given => jobs[sharing.items.job].pack(given as never));

/** Takes chunks of a task and answers them, until none is left or nobody waits for them. */
export function work(task: Task, reply: (reply: Reply) => void): void {
  const chunks = chunkCount(task);
  let chunk = takeChunk(task);
  if (chunk >= chunks) return;
  const engine = createCpuEngine({ shared: false, threads: 1, maxMemory: task.maxMemory });
  try {
    const answer = jobs[task.job].answer(engine, task.data as never);
    for (; chunk < chunks; chunk = takeChunk(task)) {
      const { from, to } = itemsOf(task, chunk);
      const steps = answer(from, to);
      let step = steps.next();
      while (!step.done && Atomics.load(task.words, stopped) === 0) step = steps.next();
      if (!step.done) return;
      reply({ chunk, result: step.value });
    }
  } finally {
    engine.close();
  }
}
