// The hierarchy method (Gress & Zachmann, CG-2004-2) on the CPU, in AssemblyScript with SIMD. Kernels stop and resume,
// so the asynchronous form yields to the event loop.

import type { Snapshot, SnapshotSource } from '../../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../../bodies/snapshot/snapshot-of.ts';
import type { CpuPairFront } from '../../../candidates/cpu/pair-front.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { type EmbeddedTest, loadEmbedded } from '../../relation/solids/embedded-later.ts';
import { oneSidedRows } from '../../relation/solids/star-shaped.ts';
import type { InterfereRequest, RawAnswer } from '../../request.ts';
import type { Job } from './job/job.ts';
import { type Jobs, jobsOf, type TriangleQuestion } from './job/jobs.ts';
import type { PairKernel, Traversing } from './job/runner.ts';
import { type PairKernels, pairKernels } from './kernels.ts';
import { levelSearchesIn, loadLevelSearch } from './level-search.ts';

/** The driver that finds pairs of triangles of different bodies on an engine. */
export const cpuPairs = (engine: CpuEngine): CpuPairs => engine.part(createPairs);

const createPairs = (engine: CpuEngine): CpuPairs => new CpuPairs(engine);

export class CpuPairs {
  readonly #engine: CpuEngine;
  readonly #jobs: Jobs;
  readonly #kernels: PairKernels;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
    this.#jobs = jobsOf(engine);
    this.#kernels = engine.kernels(pairKernels);
  }

  interfereSync(list: SnapshotSource, request: InterfereRequest): RawAnswer {
    return this.#jobs.answerSync(this.#question(snapshotOf(list), request));
  }

  async interfere(source: SnapshotSource, request: InterfereRequest): Promise<RawAnswer> {
    const bodies = snapshotOf(source);
    if (request.traversal === 'breadth-first') await loadLevelSearch(this.#engine);
    const isEmbedded = request.forRelations ? await loadEmbedded?.() : undefined;
    return this.#jobs.answer(this.#question(bodies, request, isEmbedded));
  }

  #question(bodies: Snapshot, request: InterfereRequest, isEmbedded?: EmbeddedTest): TriangleQuestion {
    return {
      request,
      table: bodies.table,
      begin: (job, front) => this.#begin(job, front, bodies, request, isEmbedded),
    };
  }

  /** A yield after every stage that takes tens of milliseconds for 100,000 bodies. */
  *#begin(
    job: Job,
    front: CpuPairFront,
    bodies: Snapshot,
    request: InterfereRequest,
    isEmbedded: EmbeddedTest | undefined,
  ): Generator<number, Traversing> {
    const { traversal = 'auto', candidates, inAnyOrder, most } = request;
    yield* front.take(bodies);
    yield 0;
    front.findCandidates(bodies.count, candidates, inAnyOrder);
    yield 0;
    const oneSided = request.forRelations ? oneSidedRows(bodies, isEmbedded) : undefined;
    yield 0;
    const detail = request.stopAtFirst && request.detail === 'any' ? 'first' : request.detail;
    job.begin(front, front.place(), detail, traversal, most, oneSided);
    return { kernel: this.#traversal(job, front, bodies, request), shared: this.#kernels };
  }

  /** The kernel that answers a job that has begun. */
  #traversal(job: Job, front: CpuPairFront, bodies: Snapshot, request: InterfereRequest): PairKernel {
    if (request.traversal !== 'breadth-first') return this.#kernels.call.traversePairs;
    job.levels = levelSearchesIn(this.#engine).begin(job, front, bodies, request);
    return job.levels.kernel;
  }
}
