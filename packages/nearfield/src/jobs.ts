// What other threads can answer, item by item. A thread imports this file, bundled by itself, when it first gets such work
// (cpu/threads/threads.ts). It answers with an engine of its own, so that threads share nothing but the arrays of the task.

import { type CpuEngine, createCpuEngine } from './cpu/engine.ts';
import type { Sharing } from './cpu/threads/shared-items.ts';
import { type Reply, stopped, type Task, takeItems } from './cpu/threads/task.ts';
import { shareItems } from './cpu/threads/together.ts';
import { nearestJob, packNearest } from './distance/nearest-job.ts';
import { insideJob, packPoints } from './inside/inside-job.ts';
import { packPairs, pairsJob } from './interferences/answer/pairs-job.ts';
import { depthsJob, packSearches } from './penetration/depths/depths-job.ts';
import { packRays, raysJob } from './rays/rays-job.ts';
import { packRegions, regionsJob } from './regions/regions-job.ts';

/** Answers the items [from, to), in steps. */
type Answer = (from: number, to: number) => Generator<unknown, unknown>;

/** Items of one kind, in several threads. */
interface Job {
  /** Packs the data of a question for other threads, in steps. Large arrays are in shared memory (`shared`). */
  pack(given: never): Generator<number, object>;
  /** Runs in another thread: prepares the packed data. The function that it returns answers a round. */
  prepare(engine: CpuEngine, data: never): (round: never) => Answer;
}

/** A job whose items have one answer each. */
const each = <G, D, Q>(
  pack: (given: G) => Generator<number, object>,
  prepare: (engine: CpuEngine, data: D) => (round: Q) => (i: number) => Generator<unknown, unknown>,
): Job => ({
  pack,
  prepare(engine, data) {
    const prepared = prepare(engine, data);
    return round => {
      const answer = prepared(round);
      return function* (from, to) {
        const found: unknown[] = [];
        for (let i = from; i < to; i++) {
          found.push(yield* answer(i));
          yield;
        }
        return found;
      };
    };
  },
});

const jobs: Readonly<Record<string, Job>> = {
  pairs: { pack: packPairs, prepare: pairsJob },
  depths: each(packSearches, depthsJob),
  nearest: each(packNearest, nearestJob),
  inside: each(packPoints, insideJob),
  rays: each(packRays, raysJob),
  regions: each(packRegions, regionsJob),
};

/** In the calling thread: answers the rest of some items, on all threads. */
export const share = <R>(sharing: Sharing<R>): Promise<void> =>
  shareItems(sharing, given => jobs[sharing.items.given.job].pack(given as never));

/** What a thread has prepared for the data of a task. It is kept for the next round of the same question. */
interface Prepared {
  readonly key: number;
  readonly engine: CpuEngine;
  readonly answer: (round: never) => Answer;
}

let kept: Prepared | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The milliseconds for which it is kept if no further question comes. */
const keptMilliseconds = 1000;

/** Takes items of a task and answers them, until none is left or their answers are no longer wanted. */
export function work(task: Task, reply: (reply: Reply) => void): void {
  let chunk = takeItems(task);
  if (chunk === undefined) return;
  clearTimeout(timer);
  if (kept?.key !== task.key) {
    forget();
    kept = prepare(task);
  }
  try {
    const answer = kept.answer(task.round as never);
    for (; chunk !== undefined; chunk = takeItems(task)) {
      const { from, to } = chunk;
      const steps = answer(from, to);
      let step = steps.next();
      while (!step.done && Atomics.load(task.words, stopped) === 0) step = steps.next();
      if (!step.done) {
        // Frees what the steps use.
        steps.return(undefined);
        break;
      }
      reply({ from, to, result: step.value });
    }
  } catch (error) {
    forget();
    throw error;
  }
  timer = setTimeout(forget, keptMilliseconds);
}

function prepare({ key, job, data, maxMemory }: Task): Prepared {
  const engine = createCpuEngine({ shared: false, threads: 1, maxMemory });
  try {
    return { key, engine, answer: jobs[job].prepare(engine, data as never) };
  } catch (error) {
    engine.close();
    throw error;
  }
}

function forget(): void {
  kept?.engine.close();
  kept = undefined;
}
