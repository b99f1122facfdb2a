// The answers to questions about interferences. Triangle lists are complete and sorted. Relations are computed at their
// first use, from the poses and positions that the question saw.

import type { Body } from '../bodies/body.ts';
import type { KeptBodies } from '../bodies/snapshot/kept-bodies.ts';
import { asThen, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import { indicesAt } from '../candidates/indices.ts';
import { checkOptions, limitRules } from '../core/arguments.ts';
import type { Limits } from '../core/limits.ts';
import { throwIfAborted, whileOpen } from '../core/waiting.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { decidePairs, type MeetingTriangles } from './exact.ts';
import { cpuPairs } from './hierarchy/cpu/driver.ts';
import type { Method } from './method.ts';
import { commonPoint } from './points/common-point.ts';
import { type Relation, relationOf } from './relation/relation.ts';
import type { InterferenceStats } from './request.ts';

/** How a question was answered. */
export interface Answer {
  /** The method that was used: what 'auto' chose. */
  readonly method: Method;
  /** Where triangles were searched. The CPU decides exactly what a GPU leaves unsure. */
  readonly backend: 'cpu' | 'gpu';
  /** How much work it was. */
  readonly stats: InterferenceStats;
}

/** What an answer about interferences may miss or wrongly report. Lengths are in world units. */
export interface Reliability {
  /**
   * Interferences smaller than this may be missed. The size of an interference is the diameter of the largest ball that
   * fits into the solids' intersection. 0: nothing is missed. Infinity: nothing is promised.
   */
  readonly mayMissBelow: number;
  /** Pairs of bodies that are up to this far apart may be reported. */
  readonly mayReportWithin: number;
  /** False if something, of whatever size, could not be examined at all. */
  readonly complete: boolean;
}

export const exactly: Reliability = { mayMissBelow: 0, mayReportWithin: 0, complete: true };

/** The pairs of bodies that were found, sorted, in flat arrays, since there may be very many. */
export interface PairsFound {
  readonly bodies: readonly Body[];
  /** Indices into `bodies`, two per pair. */
  readonly rows: Uint32Array;
  /** With detail 'list', the triangle pairs of all candidates. */
  readonly triangles: MeetingTriangles | undefined;
  /** Per pair, the index of its candidate. */
  readonly candidates: Uint32Array;
  /** Per pair, the number of triangle pairs; undefined with detail 'any'. */
  readonly counts: Uint32Array | undefined;
  /** The bodies of `rows` as the question saw them. */
  readonly snapshot: KeptBodies;
}

/** Writes a pair's common point to out[at…]; the pair keeps it there. Only for `Interferences`, so that a method is not public. */
let writePoint: (pair: Pair, out: Float64Array, at: number) => void;

/** Two bodies that share a point, a.index < b.index. */
export class Pair {
  /** The body with the lower index. */
  readonly a: Body;
  /** The body with the higher index. */
  readonly b: Body;
  /** How many triangle pairs meet; 0 if one body lies within the other without contact. Undefined with detail 'any'. */
  readonly triangleCount: number | undefined;
  readonly #engine: CpuEngine;
  readonly #found: PairsFound;
  readonly #place: number;
  #triangles: Uint32Array | undefined;
  #relation: Relation | undefined;
  #point: Float64Array | undefined;

  /** Created by `Interferences`. */
  constructor(found: PairsFound, place: number, engine: CpuEngine) {
    this.a = found.bodies[found.rows[2 * place]];
    this.b = found.bodies[found.rows[2 * place + 1]];
    this.triangleCount = found.counts?.[place];
    this.#found = found;
    this.#place = place;
    this.#engine = engine;
  }

  /**
   * (triangle of a, triangle of b) for every triangle pair that meets, sorted. With detail 'count' or 'any' they are
   * computed at the first use, for the bodies as the question saw them. If positions or poses came in a GPUBuffer, that
   * throws 'unsupported' until `await answer.relations()`.
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
   * The relation from a's side: `inside` means a is inside b. Decided exactly, for the bodies as the question saw them,
   * even if they have moved or deformed since. Computed at the first use. If positions or poses came in a GPUBuffer,
   * that throws 'unsupported' until `await answer.relations()`.
   */
  get relation(): Relation {
    return (this.#relation ??= this.#asThen((a, b) => {
      const triangles = this.#found.triangles ? this.triangles : (this.#triangles ??= this.#meeting(a, b));
      return relationOf(finderOf(this.#engine), a, b, triangles);
    }));
  }

  /**
   * A world point that both bodies have, x, y, z: in the middle of where their triangles meet, or inside the inner one of two
   * solids. It lies within 2^-40 of the size of the triangles there plus 2^-50 of its largest coordinate of both bodies.
   * Computed at the first use, for the bodies as the question saw them. NaN if the relation is 'separate', which only methods
   * that sample report. If positions or poses came in a GPUBuffer, that throws 'unsupported' until `await answer.points()`.
   */
  get point(): Float64Array {
    if (this.#point === undefined) this.#writePoint(new Float64Array(3), 0);
    return this.#point!.slice();
  }

  static {
    writePoint = (pair, out, at) => pair.#writePoint(out, at);
  }

  #writePoint(out: Float64Array, at: number): void {
    if (this.#point === undefined) {
      this.#asThen((a, b) => {
        const triangles = this.#found.triangles ? this.triangles : (this.#triangles ??= this.#meeting(a, b));
        commonPoint(finderOf(this.#engine), a, b, triangles, out, at);
      });
      this.#point = out.subarray(at, at + 3);
    } else out.set(this.#point, at);
  }

  /** For `JSON.stringify`: the bodies by index and name, their relation (computed if needed) and the triangle count. */
  toJSON(): object {
    const { a, b, relation, triangleCount } = this;
    return { a: a.toJSON(), b: b.toJSON(), relation, triangleCount };
  }

  #asThen<T>(ask: (a: SnapshotBody, b: SnapshotBody) => T): T {
    const { snapshot } = this.#found;
    const [a, b] = [snapshot.bodyAt(2 * this.#place), snapshot.bodyAt(2 * this.#place + 1)];
    return asThen(this.#engine, a, b, ask);
  }

  #meeting(a: SnapshotBody, b: SnapshotBody): Uint32Array {
    const raw = cpuPairs(this.#engine).interfereSync([a, b], {
      detail: 'list',
      candidates: new Uint32Array([0, 1]),
    });
    return decidePairs(raw, i => (i === 0 ? a : b), this.#engine).triangles;
  }
}

/** Every pair of bodies that share a point, sorted by a.index, then b.index. */
export class Interferences implements Answer, Reliability, Iterable<Pair> {
  /** See `Reliability`: 0 if the answer is exact. */
  readonly mayMissBelow: number;
  /** See `Reliability`: 0 if the answer is exact. */
  readonly mayReportWithin: number;
  /**
   * See `Reliability`: false only with `culling: 'may-miss'`, or if a method that samples could not look everywhere.
   */
  readonly complete: boolean;
  readonly #found: PairsFound;
  readonly #engine: CpuEngine;
  #pairs: readonly Pair[] | undefined;
  #indices: Uint32Array | undefined;

  constructor(
    found: PairsFound,
    engine: CpuEngine,
    /** The method that was used: what 'auto' chose. */
    readonly method: Method,
    /** Where triangles were searched. */
    readonly backend: 'cpu' | 'gpu',
    /** How much work it was. */
    readonly stats: InterferenceStats,
    { mayMissBelow, mayReportWithin, complete }: Reliability = exactly,
  ) {
    this.mayMissBelow = mayMissBelow;
    this.mayReportWithin = mayReportWithin;
    this.complete = complete;
    this.#found = found;
    this.#engine = engine;
  }

  /** The number of pairs. */
  get length(): number {
    return this.#found.rows.length / 2;
  }
  /** The pairs as objects, created at the first use. */
  get pairs(): readonly Pair[] {
    return (this.#pairs ??= Array.from({ length: this.length }, (_, place) => {
      return new Pair(this.#found, place, this.#engine);
    }));
  }
  /** (a.index, b.index) of every pair, two numbers per pair. With many pairs this is faster than `pairs`. */
  get indices(): Uint32Array {
    return (this.#indices ??= indicesAt(this.#found.rows, this.#found.bodies));
  }
  /** The pairs, in order. */
  [Symbol.iterator](): Iterator<Pair> {
    return this.pairs[Symbol.iterator]();
  }
  /**
   * Computes every pair's relation, with progress and cancellation. After that `pair.relation` costs nothing. Positions
   * and poses that came in a GPUBuffer are read back; if they have been replaced meanwhile, this rejects with 'closed'.
   */
  async relations(limits: Limits = {}): Promise<Relation[]> {
    checkOptions(limits, limitRules, 'relations', 'limits');
    return whileOpen(
      () => this.#engine.closed,
      () => this.#relations(limits),
    );
  }

  /**
   * Computes every pair's common point, with progress and cancellation: three numbers per pair, in the order of `pairs`. After
   * that `pair.point` costs nothing; it describes the points. Positions and poses that came in a GPUBuffer are read back; if
   * they have been replaced meanwhile, this rejects with 'closed'.
   */
  async points(limits: Limits = {}): Promise<Float64Array> {
    checkOptions(limits, limitRules, 'points', 'limits');
    return whileOpen(
      () => this.#engine.closed,
      async () => {
        const points = new Float64Array(3 * this.length);
        await this.#forEach(limits, (pair, i) => writePoint(pair, points, 3 * i));
        // A copy: the pairs keep the first.
        return points.slice();
      },
    );
  }

  async #relations(limits: Limits): Promise<Relation[]> {
    const relations: Relation[] = [];
    await this.#forEach(limits, pair => relations.push(pair.relation));
    return relations;
  }

  /** Does something with every pair, in slices of time. */
  async #forEach(limits: Limits, action: (pair: Pair, i: number) => void): Promise<void> {
    throwIfAborted(limits);
    await this.#found.snapshot.read();
    let paused = performance.now();
    for (let i = 0; i < this.pairs.length; i++) {
      action(this.pairs[i], i);
      if (performance.now() - paused < 10) continue;
      limits.progress?.((i + 1) / this.pairs.length);
      await new Promise(resolve => setTimeout(resolve));
      throwIfAborted(limits);
      paused = performance.now();
    }
    limits.progress?.(1);
  }
}

/** The triangles of one body that share more than their common positions. */
export interface SelfIntersections extends Answer {
  /** (i, j), i < j, two numbers per pair, sorted: triangles that share more than their common positions. */
  readonly triangles: Uint32Array;
}
