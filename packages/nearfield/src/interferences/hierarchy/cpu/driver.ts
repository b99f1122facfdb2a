// The hierarchy method (Gress & Zachmann, CG-2004-2) on the CPU, in AssemblyScript with SIMD. Kernels stop and resume,
// so the asynchronous form yields to the event loop.

import type { Placed, Snapshot, SnapshotSource } from '../../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../../bodies/snapshot/snapshot-of.ts';
import { type CpuPairFront, frontsOf } from '../../../candidates/cpu/pair-front.ts';
import type { Limits } from '../../../core/limits.ts';
import { inSlices, toEnd } from '../../../core/waiting.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import type { Detail, InterfereRequest, RawAnswer } from '../../request.ts';
import { Job } from './job/job.ts';
import { type PairKernel, Runner } from './job/runner.ts';
import { pairKernels } from './kernels.ts';
import { levelSearchesIn, loadLevelSearch } from './level-search.ts';
import { prepareSelf } from './self/fans.ts';

/** The driver that finds pairs of triangles on an engine. */
export const cpuPairs = (engine: CpuEngine): CpuPairs => engine.part(createPairs);

const createPairs = (engine: CpuEngine): CpuPairs => new CpuPairs(engine);

export class CpuPairs {
  readonly #engine: CpuEngine;
  readonly #runner: Runner;
  readonly #idle: Job[] = [];

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#runner = new Runner(engine);
  }

  interfereSync(list: SnapshotSource, request: InterfereRequest): RawAnswer {
    const bodies = snapshotOf(list);
    return this.#withJob(request, bodies.table, (job, front) => {
      this.#begin(job, front, bodies, request);
      const kernel = this.#traversal(job, front, bodies, request);
      const raw = toEnd(this.#answer(job, kernel, request.detail, false));
      return { ...raw, stoppedAtFirst: mayStopAtFirst(request) };
    });
  }

  async interfere(source: SnapshotSource, request: InterfereRequest): Promise<RawAnswer> {
    const bodies = snapshotOf(source);
    if (request.traversal === 'breadth-first') await loadLevelSearch(this.#engine);
    const front = frontsOf(this.#engine).take(request, bodies.table);
    let job: Job | undefined;
    try {
      job = this.#takeJob();
      this.#begin(job, front, bodies, request);
      const kernel = this.#traversal(job, front, bodies, request);
      front.hold();
      const work = this.#answer(job, kernel, request.detail, false);
      const raw = await inSlices(work, request, this.#engine.checkOpen);
      return { ...raw, stoppedAtFirst: mayStopAtFirst(request) };
    } finally {
      this.#giveBack(front, job);
    }
  }

  selfIntersectSync(body: Placed, limits: Limits): RawAnswer {
    return this.#withJob(limits, 0, (job, front) => {
      this.#beginSelf(job, front, body);
      return toEnd(this.#answer(job, this.#traverseSelf, 'list', true));
    });
  }

  async selfIntersect(body: Placed, limits: Limits): Promise<RawAnswer> {
    const front = frontsOf(this.#engine).take(limits);
    let job: Job | undefined;
    try {
      job = this.#takeJob();
      this.#beginSelf(job, front, body);
      front.hold();
      const work = this.#answer(job, this.#traverseSelf, 'list', true);
      return await inSlices(work, limits, this.#engine.checkOpen);
    } finally {
      this.#giveBack(front, job);
    }
  }

  close(): void {
    this.#idle.length = 0;
  }

  #withJob<A>(limits: Limits, table: number, ask: (job: Job, front: CpuPairFront) => A): A {
    const front = frontsOf(this.#engine).take(limits, table);
    let job: Job | undefined;
    try {
      job = this.#takeJob();
      return ask(job, front);
    } finally {
      this.#giveBack(front, job);
    }
  }

  /** An idle job, or a new one. If memory runs out, nothing stays allocated. */
  #takeJob(): Job {
    return this.#idle.pop() ?? this.#engine.memory.orNothing(() => new Job(this.#engine));
  }

  #giveBack(front: CpuPairFront, job: Job | undefined): void {
    job?.finish();
    if (this.#engine.closed) return;
    if (job !== undefined) this.#idle.push(job);
    frontsOf(this.#engine).giveBack(front);
  }

  #begin(job: Job, front: CpuPairFront, bodies: Snapshot, request: InterfereRequest): void {
    front.update(bodies, request.candidates);
    const detail = mayStopAtFirst(request) ? 'first' : request.detail;
    job.begin(front, front.place(), detail, request.traversal ?? 'auto', request.most);
  }

  #beginSelf(job: Job, front: CpuPairFront, body: Placed): void {
    front.rows.single(body);
    prepareSelf(this.#engine, body.shape);
    job.beginSelf(front);
  }

  /** The kernel that answers a job that has begun. */
  #traversal(job: Job, front: CpuPairFront, bodies: Snapshot, request: InterfereRequest): PairKernel {
    if (request.traversal !== 'breadth-first') return this.#engine.kernels(pairKernels).call.traversePairs;
    job.levels = levelSearchesIn(this.#engine).begin(job, front, bodies, request);
    return job.levels.kernel;
  }

  /** Runs a kernel, and reads what this and other threads found. Yields the fraction done. */
  *#answer(job: Job, kernel: PairKernel, detail: Detail, self: boolean): Generator<number, RawAnswer> {
    const team = yield* this.#runner.run(job, kernel, self);
    try {
      return job.answer(detail, self, team?.crew.jobs ?? []);
    } finally {
      team?.release();
    }
  }

  get #traverseSelf(): PairKernel {
    return this.#engine.kernels(pairKernels).call.traverseSelf;
  }
}

const mayStopAtFirst = ({ detail, stopAtFirst }: InterfereRequest): boolean =>
  detail === 'any' && stopAtFirst === true;
