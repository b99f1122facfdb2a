// Answers: what a question gives back. Triangle lists are complete and sorted; relations are worked out when
// they are first asked for, from the poses and positions the question saw.

import type { Body } from '../bodies/body.ts';
import type { KeptBodies } from '../bodies/snapshot/kept-bodies.ts';
import { asNow, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { indicesAt } from '../candidates/indices.ts';
import { checkOptions, limitRules } from '../core/arguments.ts';
import type { Limits } from '../core/limits.ts';
import { throwIfAborted, whileOpen } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { decidePairs, type MeetingTriangles } from './exact.ts';
import { cpuPairs } from './hierarchy/cpu/driver.ts';
import type { Method } from './method.ts';
import { type Relation, relationOf } from './relation/relation.ts';
import type { InterferenceStats } from './request.ts';

/** How a question was answered. */
export interface Answer {
  readonly method: Method;
  readonly backend: 'cpu' | 'gpu';
  readonly stats: InterferenceStats;
}

/** How far an answer about interferences is to be relied on, in world units. */
export interface Reliability {
  /**
   * Interference smaller than this may be missed, its size being the diameter of the largest ball that fits into what two
   * solids have in common. 0: nothing is missed. Infinity: nothing is promised.
   */
  readonly mayMissBelow: number;
  /** Bodies that are apart by up to this may be reported. */
  readonly mayReportWithin: number;
  /** False where something could not be examined at all, however large. */
  readonly complete: boolean;
}

export const exactly: Reliability = { mayMissBelow: 0, mayReportWithin: 0, complete: true };

/** Pairs of bodies as a question leaves them, in order: numbers only, since there may be very many. */
export interface PairsFound {
  readonly bodies: readonly Body[];
  /** Places in `bodies`, two a pair. */
  readonly rows: Uint32Array;
  /** With detail 'list', the triangles of all candidates, and which candidate each pair was. */
  readonly triangles: MeetingTriangles | undefined;
  readonly candidates: Uint32Array;
  /** How many triangle pairs each pair has, unless detail is 'any'. */
  readonly counts: Uint32Array | undefined;
  /** The bodies of `rows` as the question saw them. */
  readonly snapshot: KeptBodies;
}

/** Two bodies that share a point, a.index < b.index. */
export class Pair {
  readonly a: Body;
  readonly b: Body;
  /** How many triangle pairs meet; 0 where one body lies within the other. Undefined with detail 'any'. */
  readonly triangleCount: number | undefined;
  readonly #engine: CpuEngine;
  readonly #found: PairsFound;
  readonly #place: number;
  #triangles: Uint32Array | undefined;
  #relation: Relation | undefined;

  /** Comes from an answer. */
  constructor(found: PairsFound, place: number, engine: CpuEngine) {
    this.a = found.bodies[found.rows[2 * place]];
    this.b = found.bodies[found.rows[2 * place + 1]];
    this.triangleCount = found.counts?.[place];
    this.#found = found;
    this.#place = place;
    this.#engine = engine;
  }

  /**
   * (triangle of a, triangle of b) of every pair that meets, sorted: the same order every time. With detail 'count' or
   * 'any' they are worked out at the first use, of the bodies as the question saw them; after `await answer.relations()`
   * where positions or poses came in a GPUBuffer.
   */
  get triangles(): Uint32Array {
    const { triangles: known, candidates } = this.#found;
    if (this.#triangles === undefined && known !== undefined) {
      const candidate = candidates[this.#place];
      this.#triangles = known.triangles.subarray(2 * known.start[candidate], 2 * known.start[candidate + 1]);
    }
    return (this.#triangles ??= this.#asThen((a, b) => this.#meeting(a, b)));
  }

  /**
   * From a's side: `inside` means a is inside b. Decided exactly, of the bodies as the question saw them, even
   * if they have moved or deformed since; worked out at the first use. Where positions or poses came in a GPUBuffer,
   * `await answer.relations()` has to come first.
   */
  get relation(): Relation {
    return (this.#relation ??= this.#asThen((a, b) => {
      const triangles = this.#found.triangles ? this.triangles : (this.#triangles ??= this.#meeting(a, b));
      return relationOf(finderOf(this.#engine), a, b, triangles);
    }));
  }

  /** For `JSON.stringify`: the bodies by index and name, and their relation, which is worked out for it. */
  toJSON(): object {
    const { a, b, relation, triangleCount } = this;
    return { a: a.toJSON(), b: b.toJSON(), relation, triangleCount };
  }

  #asThen<T>(ask: (a: SnapshotBody, b: SnapshotBody) => T): T {
    const { snapshot } = this.#found;
    const [a, b] = [snapshot.bodyAt(2 * this.#place), snapshot.bodyAt(2 * this.#place + 1)];
    return asNow(this.#engine, a, b, ask);
  }

  #meeting(a: SnapshotBody, b: SnapshotBody): Uint32Array {
    const raw = cpuPairs(this.#engine).interfereSync([a, b], {
      detail: 'list',
      candidates: new Uint32Array([0, 1]),
    });
    return decidePairs(raw, i => (i === 0 ? a : b), this.#engine).triangles;
  }
}

/** Every pair of bodies that share a point, in order of a.index, then b.index. */
export class Interferences implements Answer, Reliability, Iterable<Pair> {
  readonly mayMissBelow: number;
  readonly mayReportWithin: number;
  readonly complete: boolean;
  readonly #found: PairsFound;
  readonly #engine: CpuEngine;
  #pairs: readonly Pair[] | undefined;
  #indices: Uint32Array | undefined;

  constructor(
    found: PairsFound,
    engine: CpuEngine,
    readonly method: Method,
    readonly backend: 'cpu' | 'gpu',
    readonly stats: InterferenceStats,
    { mayMissBelow, mayReportWithin, complete }: Reliability = exactly,
  ) {
    this.mayMissBelow = mayMissBelow;
    this.mayReportWithin = mayReportWithin;
    this.complete = complete;
    this.#found = found;
    this.#engine = engine;
  }

  get length(): number {
    return this.#found.rows.length / 2;
  }
  /** Made at the first use. */
  get pairs(): readonly Pair[] {
    return (this.#pairs ??= Array.from({ length: this.length }, (_, place) => {
      return new Pair(this.#found, place, this.#engine);
    }));
  }
  /** (a.index, b.index) of every pair: for many pairs quicker than the pairs themselves. */
  get indices(): Uint32Array {
    return (this.#indices ??= indicesAt(this.#found.rows, this.#found.bodies));
  }
  [Symbol.iterator](): Iterator<Pair> {
    return this.pairs[Symbol.iterator]();
  }
  /**
   * Works out every pair's relation now, with progress and cancel; `pair.relation` is then at hand. Positions and poses
   * that came in a GPUBuffer are read for it: ask before those bodies are deformed again, or all are moved.
   */
  async relations(limits: Limits = {}): Promise<Relation[]> {
    checkOptions(limits, limitRules, 'relations', 'limits');
    return whileOpen(
      () => this.#engine.closed,
      () => this.#relations(limits),
    );
  }

  async #relations(limits: Limits): Promise<Relation[]> {
    throwIfAborted(limits);
    await this.#found.snapshot.read();
    const relations: Relation[] = [];
    let paused = performance.now();
    for (const pair of this.pairs) {
      relations.push(pair.relation);
      if (performance.now() - paused < 10) continue;
      limits.progress?.(relations.length / this.pairs.length);
      await new Promise(resolve => setTimeout(resolve));
      throwIfAborted(limits);
      paused = performance.now();
    }
    limits.progress?.(1);
    return relations;
  }
}

export interface SelfIntersections extends Answer {
  /** (i, j), i < j, sorted: triangles that share more than their common positions. */
  readonly triangles: Uint32Array;
}
