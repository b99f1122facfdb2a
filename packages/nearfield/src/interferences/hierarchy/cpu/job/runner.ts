// Runs a question's kernel until it is done, in steps between which the caller may look at the clock, and shares long
// questions with other threads (team.ts).

import type { CpuEngine } from '../../../../cpu/engine.ts';
import { done, full, idle, type Kernels } from '../../../../cpu/kernels.ts';
import type { Job } from './job.ts';
import { Team, type TeamRoom } from './team.ts';

/** Works on a job until it is done, an output is full, or `budget` pairs of nodes are opened. */
export type PairKernel = (job: number, budget: number) => number;

/** How a job is done: by one thread, and by several that share it. */
export interface Traversing {
  readonly kernel: PairKernel;
  readonly shared: SharedKernels;
}

/** Kernels, one of which several threads run together (tasks.as.ts). */
export type SharedKernels = Kernels<{
  runTasks(job: number, tasks: number, budget: number, mayWait: number): number;
}>;

/** Node pairs that a kernel may open between two looks at the clock, or at the other threads. */
const slice = 4000;
/** A question longer than this many node pairs, some milliseconds, is worth other threads; as are this many candidates. */
const longQuestion = 40_000;

export class Runner {
  readonly #engine: CpuEngine;
  readonly #rooms: TeamRoom[] = [];

  constructor(engine: CpuEngine) {
    this.#engine = engine;
  }

  /**
   * Runs a kernel to its end. Yields the fraction done. Returns the other threads if there were any; release them after
   * reading what their jobs found.
   */
  *run(job: Job, { kernel, shared }: Traversing): Generator<number, Team | undefined> {
    for (;;) {
      let team: Team | undefined;
      let isOver = false;
      try {
        for (let opened = 0; ; opened += slice) {
          const state =
            team === undefined ? kernel(job.at, slice) : shared.call.runTasks(job.at, team.tasks, slice, 0);
          if (state === done) break;
          if (state === full) job.grow();
          if (team !== undefined) {
            if (state === idle) team.crew.pause();
            else team.crew.gather();
            team.crew.attend();
            if (team.crew.isBroken) break;
          } else if (
            Math.max(opened, job.candidateCount) >= longQuestion &&
            this.#engine.threads.count > 1 &&
            job.isDivisible
          ) {
            team = new Team(this.#engine, shared, this.#rooms, job);
          }
          yield team?.progress() ?? job.progress();
        }
        while (team !== undefined && !team.crew.hasFinished) {
          team.crew.pause();
          yield team.progress();
        }
        isOver = team?.crew.isBroken !== true;
        if (isOver) return team;
      } finally {
        // This also happens after an error, or if the caller gave up.
        if (!isOver) {
          team?.crew.stop();
          team?.release();
        }
      }
      // A thread that failed has lost its part of the answer: the question starts again without it.
      job.again();
    }
  }
}
