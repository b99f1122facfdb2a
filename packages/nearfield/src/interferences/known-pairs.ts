// The pairs of an answer, by their place in it: what was found, and what has been computed since. All of it is in flat arrays,
// since there may be millions of pairs; objects (answer.ts) are made of those that someone looks at.

import type { Body } from '../bodies/body.ts';
import type { KeptBodies } from '../bodies/snapshot/kept-bodies.ts';
import { asThen, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { decidePairs, type MeetingTriangles } from './exact.ts';
import { cpuPairs } from './hierarchy/cpu/driver.ts';
import { commonPoint } from './points/common-point.ts';
import { type Relation, relationOf } from './relation/relation.ts';

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

const words: readonly Relation[] = ['separate', 'touching', 'coincident', 'inside', 'contains', 'crossing'];

export class KnownPairs {
  readonly found: PairsFound;
  readonly engine: CpuEngine;
  /** Per pair, the place of its relation among the words plus one; 0 if it is not known yet. */
  #relations: Uint8Array | undefined;
  /** Three numbers per pair, once all of them are known. */
  #points: Float64Array | undefined;

  constructor(found: PairsFound, engine: CpuEngine) {
    this.found = found;
    this.engine = engine;
  }

  get length(): number {
    return this.found.rows.length / 2;
  }

  /** The triangle pairs of a pair: as the question listed them, or searched now. */
  triangles(place: number): Uint32Array {
    const { triangles: listed, candidates } = this.found;
    if (listed === undefined) return this.#asThen(place, (a, b) => this.#meeting(a, b));
    const candidate = candidates[place];
    return listed.triangles.subarray(2 * listed.start[candidate], 2 * listed.start[candidate + 1]);
  }

  /** The relation of a pair. */
  relation(place: number, triangles = () => this.triangles(place)): Relation {
    const known = this.#relations?.[place] ?? 0;
    if (known > 0) return words[known - 1];
    const pairs = triangles();
    const relation = this.#asThen(place, (a, b) => relationOf(finderOf(this.engine), a, b, pairs));
    this.#relations ??= new Uint8Array(this.length);
    this.#relations[place] = 1 + words.indexOf(relation);
    return relation;
  }

  /** Writes a pair's common point to out[at…]. */
  point(place: number, out: Float64Array, at: number, triangles = () => this.triangles(place)): void {
    if (this.#points !== undefined) {
      out.set(this.#points.subarray(3 * place, 3 * place + 3), at);
      return;
    }
    const pairs = triangles();
    this.#asThen(place, (a, b) => commonPoint(finderOf(this.engine), a, b, pairs, out, at));
  }

  /** Keeps the common points of all pairs. */
  keepPoints(points: Float64Array): void {
    this.#points = points;
  }

  /** Asks about the two bodies of a pair as the question saw them. */
  #asThen<T>(place: number, ask: (a: SnapshotBody, b: SnapshotBody) => T): T {
    const { snapshot } = this.found;
    return asThen(this.engine, snapshot.bodyAt(2 * place), snapshot.bodyAt(2 * place + 1), ask);
  }

  #meeting(a: SnapshotBody, b: SnapshotBody): Uint32Array {
    const raw = cpuPairs(this.engine).interfereSync([a, b], {
      detail: 'list',
      candidates: new Uint32Array([0, 1]),
    });
    return decidePairs(raw, i => (i === 0 ? a : b), this.engine).triangles;
  }
}
