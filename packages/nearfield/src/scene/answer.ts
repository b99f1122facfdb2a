// Answers: what a question gives back. Triangle lists are complete and sorted; relations are worked out when
// they are first asked for, from the poses and positions the question saw.

import { NearfieldError } from '../errors.ts';
import type { Body } from './body.ts';
import type { EngineStats, Limits, SyncEngine } from './engine.ts';
import { decidePairs, type MeetingTriangles } from './exact.ts';
import { asNow, type Moment, type Snapshot } from './moment.ts';
import { type Relation, relationOf } from './relation/relation.ts';

/** How a question was answered. */
export interface Answer {
  readonly method: 'hierarchy';
  readonly backend: 'cpu' | 'gpu';
  readonly stats: EngineStats;
}

/** Two bodies that share a point, a.index < b.index. */
export class Pair {
  readonly #engine: SyncEngine;
  readonly #snapshot: Snapshot;
  readonly #i: number;
  readonly #j: number;
  readonly #found: MeetingTriangles | undefined;
  readonly #candidate: number;
  #triangles: Uint32Array | undefined;
  #relation: Relation | undefined;

  /** i and j are the places of a and b in the snapshot; `found` has the triangles of the candidate, if known. */
  constructor(
    readonly a: Body,
    readonly b: Body,
    i: number,
    j: number,
    /** How many triangle pairs meet; 0 where one body lies within the other. Undefined with detail 'any'. */
    readonly triangleCount: number | undefined,
    found: MeetingTriangles | undefined,
    candidate: number,
    snapshot: Snapshot,
    engine: SyncEngine,
  ) {
    this.#i = i;
    this.#j = j;
    this.#found = found;
    this.#candidate = candidate;
    this.#snapshot = snapshot;
    this.#engine = engine;
  }

  /** (triangle of a, triangle of b) of every pair that meets, sorted: the same order every time. */
  get triangles(): Uint32Array {
    if (this.#triangles === undefined && this.#found !== undefined) {
      const { start, triangles } = this.#found;
      this.#triangles = triangles.subarray(2 * start[this.#candidate], 2 * start[this.#candidate + 1]);
    }
    return (this.#triangles ??= this.#asThen((a, b) => this.#meeting(a, b)));
  }

  /**
   * From a's side: `inside` means a is inside b. Decided exactly, of the bodies as the question saw them, even
   * if they have moved or deformed since; worked out at the first use.
   */
  get relation(): Relation {
    return (this.#relation ??= this.#asThen((a, b) => {
      const triangles = this.#found ? this.triangles : (this.#triangles ??= this.#meeting(a, b));
      return relationOf(this.#engine, a, b, triangles);
    }));
  }

  #asThen<T>(ask: (a: Moment, b: Moment) => T): T {
    return asNow(this.#engine, this.#snapshot.momentAt(this.#i), this.#snapshot.momentAt(this.#j), ask);
  }

  #meeting(a: Moment, b: Moment): Uint32Array {
    const raw = this.#engine.interfereSync([a, b], { detail: 'list', candidates: new Uint32Array([0, 1]) });
    return decidePairs(raw, i => (i === 0 ? a : b), this.#engine).triangles;
  }
}

/** Every pair of bodies that share a point, in order of a.index, then b.index. */
export class Interferences implements Answer, Iterable<Pair> {
  constructor(
    readonly pairs: readonly Pair[],
    readonly method: 'hierarchy',
    readonly backend: 'cpu' | 'gpu',
    readonly stats: EngineStats,
  ) {}
  get length(): number {
    return this.pairs.length;
  }
  [Symbol.iterator](): Iterator<Pair> {
    return this.pairs[Symbol.iterator]();
  }
  /** Works out every pair's relation now, with progress and cancel; `pair.relation` is then at hand. */
  async relations({ signal, progress }: Limits = {}): Promise<Relation[]> {
    const relations: Relation[] = [];
    let paused = performance.now();
    for (const pair of this.pairs) {
      relations.push(pair.relation);
      if (performance.now() - paused < 10) continue;
      progress?.(relations.length / this.pairs.length);
      await new Promise(resolve => setTimeout(resolve));
      if (signal?.aborted) throw new NearfieldError('aborted', 'the question was cancelled');
      paused = performance.now();
    }
    progress?.(1);
    return relations;
  }
}

export interface SelfIntersections extends Answer {
  /** (i, j), i < j, sorted: triangles that share more than their common positions. */
  readonly triangles: Uint32Array;
}
