// Runs a question's kernel until it is done, in steps between which the caller may look at the clock, and shares long
// questions with other threads (team.ts).

import type { CpuEngine } from '../../../../cpu/engine.ts';
import { done, full, idle } from '../../../../cpu/kernels.ts';
import { type PairKernels, pairKernels } from '../kernels.ts';
import type { Job } from './job.ts';
import { Team, type TeamRoom } from './team.ts';

/** Works on a job until it is done, an output is full, or `budget` pairs of nodes are opened. */
export type PairKernel = (job: number, budget: number) => number;

/** Node pairs that a kernel may open between two looks at the clock, or at the other threads. */
const slice = 4000;
/** A question longer than this many node pairs, some milliseconds, is worth other threads. */
const longQuestion = 40_000;

export class Runner {
  readonly #engine: CpuEngine;
  readonly #kernels: PairKernels;
  readonly #rooms: TeamRoom[] = [];

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#kernels = engine.kernels(pairKernels);
  }

  /**
   * Runs a kernel to its end. Yields the fraction done. Returns the other threads if there were any; release them after
   * reading what their jobs found.
   */
  *run(job: Job, kernel: PairKernel, self: boolean): Generator<number, Team | undefined> {
    for (;;) {
      const team = yield* this.#attempt(job, kernel, self);
      if (team?.crew.isBroken !== true) return team;
      // A thread that failed has lost its part of the answer: the question starts again without it.
      team.release();
      job.again();
    }
  }

  *#attempt(job: Job, kernel: PairKernel, self: boolean): Generator<number, Team | undefined> {
    let team: Team | undefined;
    let isOver = false;
    try {
      for (let opened = 0; ; opened += slice) {
        const state =
          team === undefined
            ? kernel(job.at, slice)
            : this.#kernels.call.runTasks(job.at, team.tasks, slice, 0);
        if (state === done) break;
        if (state === full) job.grow();
        if (team !== undefined) {
          if (state === idle) team.crew.pause();
          else team.crew.gather();
          team.crew.attend();
          if (team.crew.isBroken) break;
        } else if (opened >= longQuestion && this.#engine.threads.count > 1 && job.isDivisible) {
          team = new Team(this.#engine, this.#rooms, job, self);
        }
        yield team?.progress() ?? job.progress();
      }
      while (team !== undefined && !team.crew.hasFinished) {
        team.crew.pause();
        yield team.progress();
      }
      isOver = team?.crew.isBroken !== true;
      return team;
    } finally {
      // Also after an error, or if the caller gave up.
      if (!isOver) team?.crew.stop();
      if (!isOver && team?.crew.isBroken !== true) team?.release();
    }
  }
}
