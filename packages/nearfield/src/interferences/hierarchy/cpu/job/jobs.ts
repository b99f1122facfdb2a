// The questions about triangles that an engine is asked: each takes a front and a job, runs, and gives both back.

import { groupLists } from '../../../../bvh/cpu/sort/group-lists.ts';
import type { GroupedRecords } from '../../../../bvh/cpu/sort/records.ts';
import { type CpuPairFront, type CpuPairFronts, frontsOf } from '../../../../candidates/cpu/pair-front.ts';
import { inSlices, toEnd } from '../../../../core/waiting.ts';
import type { CpuEngine } from '../../../../cpu/engine.ts';
import type { InterfereRequest, RawAnswer } from '../../../request.ts';
import { Job } from './job.ts';
import { Runner, type Traversing } from './runner.ts';

/** A question about triangles. */
export interface TriangleQuestion {
  readonly request: InterfereRequest;
  /** The table of the bodies, which fronts keep; 0 for a single body. */
  readonly table: number;
  /** Prepares the job for the bodies of the front, in steps. */
  begin(job: Job, front: CpuPairFront): Generator<number, Traversing>;
}

/** The jobs of an engine. */
export const jobsOf = (engine: CpuEngine): Jobs => engine.part(createJobs);

const createJobs = (engine: CpuEngine): Jobs => new Jobs(engine);

export class Jobs {
  readonly #engine: CpuEngine;
  readonly #fronts: CpuPairFronts;
  readonly #runner: Runner;
  readonly #idle: Job[] = [];

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#fronts = frontsOf(engine);
    this.#runner = new Runner(engine);
  }

  answerSync(question: TriangleQuestion): RawAnswer {
    return toEnd(this.#answer(question));
  }

  /** The same in slices of time. */
  async answer(question: TriangleQuestion): Promise<RawAnswer> {
    return inSlices(this.#answer(question), question.request, this.#engine.checkOpen);
  }

  *#answer(question: TriangleQuestion): Generator<number, RawAnswer> {
    const { request, table, begin } = question;
    const front = this.#fronts.take(request, table);
    let job: Job | undefined;
    try {
      job = this.#take();
      return yield* this.#run(job, yield* begin(job, front), request);
    } finally {
      this.#giveBack(front, job);
    }
  }

  close(): void {
    this.#idle.length = 0;
  }

  /** An idle job, or a new one. If memory runs out, nothing stays allocated. */
  #take(): Job {
    return this.#idle.pop() ?? this.#engine.memory.orNothing(() => new Job(this.#engine));
  }

  #giveBack(front: CpuPairFront, job: Job | undefined): void {
    job?.finish();
    if (this.#engine.closed) return;
    if (job !== undefined) this.#idle.push(job);
    this.#fronts.giveBack(front);
  }

  /** Runs a kernel, and reads what this and other threads found. Yields the fraction done. */
  *#run(
    job: Job,
    traversing: Traversing,
    { detail, mayGroup }: InterfereRequest,
  ): Generator<number, RawAnswer> {
    const team = yield* this.#runner.run(job, traversing);
    try {
      const others = team?.jobs ?? alone;
      const lists = mayGroup ? job.listsToGroup(others) : undefined;
      let grouped: GroupedRecords | undefined;
      if (lists !== undefined) {
        team?.freeThreads();
        const grouping = groupLists(this.#engine, lists, job.candidateCount, this.#engine.threads.count > 1);
        let step = grouping.next();
        try {
          for (; !step.done; step = grouping.next()) yield 1;
        } finally {
          // Threads stop if the caller gave up.
          if (!step.done) grouping.return(undefined);
        }
        grouped = step.value;
      }
      return job.answer(detail, others, grouped);
    } finally {
      team?.release();
    }
  }
}

/** The other jobs of a question that no other thread joined. */
const alone: readonly Job[] = [];
