// The answers to questions about interferences. Triangle lists are complete and sorted. Relations are computed at their
// first use, from the poses and positions that the question saw.

import type { Body } from '../../bodies/body.ts';
import { indicesAt } from '../../candidates/indices.ts';
import { checkOptions, limitRules } from '../../core/arguments.ts';
import type { Limits } from '../../core/limits.ts';
import { whileOpen } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { Method } from '../method.ts';
import type { Relation } from '../relation/relation.ts';
import type { AnswerStats, InterferenceStats } from '../request.ts';
import { KnownPairs, type PairsFound } from './known-pairs.ts';

/** How a question was answered. */
export interface Answer {
  /** The method that was used: what 'auto' chose. */
  readonly method: Method;
  /** Where triangles were searched. The CPU decides exactly what a GPU leaves unsure. */
  readonly backend: 'cpu' | 'gpu';
  /** How much work it was, and for which backend. */
  readonly stats: AnswerStats;
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

/** Two bodies that share a point, a.index < b.index. */
export class Pair {
  /** The body with the lower index. */
  readonly a: Body;
  /** The body with the higher index. */
  readonly b: Body;
  /** How many triangle pairs meet; 0 if one body lies within the other without contact. Undefined with detail 'any'. */
  readonly triangleCount: number | undefined;
  readonly #known: KnownPairs;
  readonly #place: number;
  #triangles: Uint32Array | undefined;
  #point: Float64Array | undefined;

  /** Created by `Interferences`. */
  constructor(known: KnownPairs, place: number) {
    const { bodies, rows, countOf } = known.found;
    this.a = bodies[rows[2 * place]];
    this.b = bodies[rows[2 * place + 1]];
    this.triangleCount = countOf?.(place);
    this.#known = known;
    this.#place = place;
  }

  /**
   * (triangle of a, triangle of b) for every triangle pair that meets, sorted. With another detail than 'list' they may be
   * computed at the first use, for the bodies as the question saw them. If positions or poses came in a GPUBuffer, that
   * throws 'unsupported' until `await answer.relations()`.
   */
  get triangles(): Uint32Array {
    return (this.#triangles ??= ofItsOwn(this.#known.triangles(this.#place)));
  }

  /**
   * The relation from a's side: `inside` means a is inside b. Decided exactly, for the bodies as the question saw them,
   * even if they have moved or deformed since. Computed at the first use. If positions or poses came in a GPUBuffer,
   * that throws 'unsupported' until `await answer.relations()`.
   */
  get relation(): Relation {
    return this.#known.relation(this.#place, () => this.triangles);
  }

  /**
   * A world point that both bodies have, x, y, z: in the middle of where their triangles meet, or inside the inner one of two
   * solids. It lies within 2^-40 of the size of the triangles there plus 2^-50 of its largest coordinate of both bodies.
   * Computed at the first use, for the bodies as the question saw them. NaN if the relation is 'separate', which only methods
   * that sample report. If positions or poses came in a GPUBuffer, that throws 'unsupported' until `await answer.points()`.
   */
  get point(): Float64Array {
    if (this.#point === undefined) {
      this.#point = new Float64Array(3);
      this.#known.point(this.#place, this.#point, 0, () => this.triangles);
    }
    return this.#point.slice();
  }

  /** For `JSON.stringify`: the bodies by index and name, their relation (computed if needed) and the triangle count. */
  toJSON(): object {
    const { a, b, relation, triangleCount } = this;
    return { a: a.toJSON(), b: b.toJSON(), relation, triangleCount };
  }
}

/** The array, or a copy if it lies in shared memory, which many functions of the platform refuse. */
const ofItsOwn = (array: Uint32Array): Uint32Array =>
  typeof SharedArrayBuffer !== 'undefined' && array.buffer instanceof SharedArrayBuffer
    ? array.slice()
    : array;

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
  /** How much work it was, and for which backend. */
  readonly stats: AnswerStats;
  readonly #found: PairsFound;
  readonly #engine: CpuEngine;
  #knownPairs: KnownPairs | undefined;
  #pairs: readonly Pair[] | undefined;
  #indices: Uint32Array | undefined;

  constructor(
    found: PairsFound,
    engine: CpuEngine,
    /** The method that was used: what 'auto' chose. */
    readonly method: Method,
    /** Where triangles were searched. */
    readonly backend: 'cpu' | 'gpu',
    stats: InterferenceStats,
    { mayMissBelow, mayReportWithin, complete }: Reliability = exactly,
  ) {
    // Fields are named one by one: spreading an object takes several times as long, which slows down small questions.
    const { triangleTests, unsure, boxTests, dispatches, growths, visibility } = stats;
    this.stats = { triangleTests, unsure, boxTests, dispatches, growths, visibility, backend };
    this.mayMissBelow = mayMissBelow;
    this.mayReportWithin = mayReportWithin;
    this.complete = complete;
    this.#found = found;
    this.#engine = engine;
  }

  /** Made when a pair is first asked about. */
  get #known(): KnownPairs {
    return (this.#knownPairs ??= new KnownPairs(this.#found, this.#engine));
  }

  /** The number of pairs. */
  get length(): number {
    return this.#found.rows.length / 2;
  }
  /** The pairs as objects, created at the first use. */
  get pairs(): readonly Pair[] {
    return (this.#pairs ??= Array.from({ length: this.length }, (_, place) => new Pair(this.#known, place)));
  }
  /** (a.index, b.index) of every pair, two numbers per pair. With many pairs this is faster than `pairs`. */
  get indices(): Uint32Array {
    const { rows, bodies } = this.#found;
    return (this.#indices ??= indicesAt(rows, bodies));
  }
  /**
   * The number of triangle pairs of every pair, as `pair.triangleCount`. Undefined with detail 'any'. With many pairs this is
   * faster than `pairs`.
   */
  get triangleCounts(): Uint32Array | undefined {
    const { countOf } = this.#found;
    return countOf && new Uint32Array(this.length).map((_, place) => countOf(place));
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
      () => this.#known.relations(limits),
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
      () => this.#known.points(limits),
    );
  }
}

/** The triangles of one body that share more than their common positions. */
export interface SelfIntersections extends Answer {
  /** (i, j), i < j, two numbers per pair, sorted: triangles that share more than their common positions. */
  readonly triangles: Uint32Array;
}
