// What other threads can answer, item by item. A thread imports this file, bundled by itself, when it first gets such work
// (cpu/threads/threads.ts). It answers with an engine of its own, so that threads share nothing but the arrays of the task.

import { type CpuEngine, createCpuEngine } from './cpu/engine.ts';
import { chunkCount, itemsOf, type Reply, stopped, type Task, takeChunk } from './cpu/threads/task.ts';
import { pointsJob, relationsJob } from './interferences/seen-pairs.ts';
import { depthsJob } from './penetration/depths/searches.ts';

/** Prepares a job for its data. What it returns answers the items [from, to), in steps. */
type Job<D, R> = (engine: CpuEngine, data: D) => (from: number, to: number) => Generator<unknown, R>;

const jobs: Readonly<Record<string, Job<never, unknown>>> = {
  relations: relationsJob,
  points: pointsJob,
  depths: depthsJob,
};

/** Takes chunks of a task and answers them, until none is left or nobody waits for them. */
export function work(task: Task, reply: (reply: Reply) => void): void {
  const chunks = chunkCount(task);
  let chunk = takeChunk(task);
  if (chunk >= chunks) return;
  const engine = createCpuEngine({ shared: false, threads: 1, maxMemory: task.maxMemory });
  try {
    const answer = jobs[task.job](engine, task.data as never);
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
