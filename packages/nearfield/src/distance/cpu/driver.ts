// Distances on the CPU, in an asynchronous and a synchronous form. Searches are kept and reused.

import type { Placed, SnapshotSource } from '../../bodies/snapshot/snapshot.ts';
import { snapshotOf } from '../../bodies/snapshot/snapshot-of.ts';
import { frontsOf } from '../../candidates/cpu/pair-front.ts';
import type { Limits } from '../../core/limits.ts';
import { inSlices, throwIfAborted, toEnd } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { KeptCopies } from '../../cpu/kept-copies.ts';
import type { NearestRequest, NearTriangles, RawClosest, RawNearest } from '../request.ts';
import { distanceKernels } from './kernels.ts';
import { PointsRoom } from './points/points-room.ts';
import { DistanceSearch } from './search.ts';

/** The engine's part that finds nearest triangles. */
export const cpuDistances = (engine: CpuEngine): CpuDistances => engine.part(createDistances);

const createDistances = (engine: CpuEngine): CpuDistances => new CpuDistances(engine);

export class CpuDistances {
  readonly #engine: CpuEngine;
  /** Copies of the points of questions. */
  readonly copies = new KeptCopies(false);
  readonly #idle: DistanceSearch[] = [];

  constructor(engine: CpuEngine) {
    this.#engine = engine;
  }

  nearestSync(list: SnapshotSource, request: NearestRequest): RawNearest {
    return toEnd(this.nearestInSteps(list, request));
  }

  /** The same in steps. Yields the share done. */
  *nearestInSteps(list: SnapshotSource, request: NearestRequest): Generator<number, RawNearest> {
    const bodies = snapshotOf(list);
    const fronts = frontsOf(this.#engine);
    const front = fronts.take(request, bodies.table);
    let search: DistanceSearch | undefined;
    try {
      search = this.#take({});
      yield* front.take(bodies);
      return yield* search.nearest(front, bodies, request);
    } finally {
      fronts.giveBack(front);
      if (search !== undefined) this.#idle.push(search);
    }
  }

  async nearest(list: SnapshotSource, request: NearestRequest): Promise<RawNearest> {
    return inSlices(this.nearestInSteps(list, request), request, this.#engine.checkOpen);
  }

  /** Nearest triangles to world points, three doubles per point. Only triangles nearer than `upTo` count. */
  closestPointsSync(body: Placed, points: Float64Array, upTo: number, limits: Limits): RawClosest {
    const search = this.#take(limits);
    try {
      return toEnd(search.closest(body, points, upTo));
    } finally {
      this.#idle.push(search);
    }
  }

  /** The asynchronous form. If a GPU already found the near triangles, only those in `near` are measured. */
  async closestPoints(
    body: Placed,
    points: Float64Array,
    upTo: number,
    limits: Limits,
    known?: { readonly near: NearTriangles; readonly room?: PointsRoom | undefined },
  ): Promise<RawClosest> {
    const search = this.#take(limits);
    try {
      return await inSlices(search.closest(body, points, upTo, known), limits, this.#engine.checkOpen);
    } finally {
      this.#idle.push(search);
    }
  }

  /** Room for points and their answers, to be prepared while a GPU searches. The caller releases it. */
  roomFor(points: Float64Array): PointsRoom {
    return new PointsRoom(this.#engine.kernels(distanceKernels), points);
  }

  #take(limits: Limits): DistanceSearch {
    this.#engine.checkOpen();
    throwIfAborted(limits);
    return this.#idle.pop() ?? this.#engine.memory.orNothing(() => new DistanceSearch(this.#engine));
  }
}
