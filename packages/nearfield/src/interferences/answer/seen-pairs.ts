// Pairs of bodies as a question saw them, by their place in the answer: the triangles that meet, the relation, a common
// point. Nothing is kept. The thread that was asked uses it, and other threads use it for their part of a large answer.

import { atSnapshot, type SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { decidePairs, type MeetingTriangles } from '../exact.ts';
import { cpuPairs } from '../hierarchy/cpu/driver.ts';
import { commonPoint } from '../points/common-point.ts';
import { type Relation, relationOf } from '../relation/relation.ts';
import { knownCrossing } from '../request.ts';

/** What is needed to decide anything about the pairs. */
export interface Seen {
  /** With detail 'list', the triangle pairs of all candidates. */
  readonly triangles: MeetingTriangles | undefined;
  /** Per candidate, `knownCrossing` if its list of triangle pairs is not complete. */
  readonly known?: Uint32Array | undefined;
  /** Per pair, the index of its candidate. */
  readonly candidates: Uint32Array;
  /** The bodies of pair p are 2p and 2p + 1. Those with the same row are the same. */
  readonly rows: Uint32Array;
  readonly snapshot: { bodyAt(i: number): SnapshotBody };
}

export const relationWords: readonly Relation[] = [
  'separate',
  'touching',
  'coincident',
  'inside',
  'contains',
  'crossing',
];

export class SeenPairs {
  readonly #seen: Seen;
  readonly engine: CpuEngine;
  /**
   * The first body of the pair that was last asked about. Pairs are in order of their first bodies, and what is found of a
   * body, such as its box, is kept with it.
   */
  #first: SnapshotBody | undefined;
  #firstRow = -1;

  constructor(seen: Seen, engine: CpuEngine) {
    this.#seen = seen;
    this.engine = engine;
  }

  /** The triangle pairs of a pair: as the question listed them, or searched now. */
  triangles(place: number): Uint32Array {
    const { triangles: listed, known, candidates } = this.#seen;
    const candidate = candidates[place];
    if (listed === undefined || known?.[candidate] === knownCrossing)
      return this.#atSnapshot(place, (a, b) => this.#meeting(a, b));
    return listed.triangles.subarray(2 * listed.start[candidate], 2 * listed.start[candidate + 1]);
  }

  /** The relation of a pair, given its triangle pairs. */
  relation(place: number, triangles = () => this.triangles(place)): Relation {
    const meeting = triangles();
    return this.#atSnapshot(place, (a, b) => relationOf(finderOf(this.engine), a, b, meeting));
  }

  /** Writes a common point of a pair to out[at…], given its triangle pairs. */
  point(place: number, out: Float64Array, at: number, triangles = () => this.triangles(place)): void {
    const meeting = triangles();
    this.#atSnapshot(place, (a, b) => commonPoint(finderOf(this.engine), a, b, meeting, out, at));
  }

  /** Asks about the two bodies of a pair as the question saw them. */
  #atSnapshot<T>(place: number, ask: (a: SnapshotBody, b: SnapshotBody) => T): T {
    return atSnapshot(this.engine, this.#firstOf(place), this.#seen.snapshot.bodyAt(2 * place + 1), ask);
  }

  #firstOf(place: number): SnapshotBody {
    const { rows, snapshot } = this.#seen;
    if (rows[2 * place] === this.#firstRow && this.#first !== undefined) return this.#first;
    const body = snapshot.bodyAt(2 * place);
    this.#firstRow = rows[2 * place];
    // Positions on the GPU may be read back by the next question.
    this.#first = body.onGpu === undefined ? body : undefined;
    return body;
  }

  #meeting(a: SnapshotBody, b: SnapshotBody): Uint32Array {
    const raw = cpuPairs(this.engine).interfereSync([a, b], {
      detail: 'list',
      candidates: new Uint32Array([0, 1]),
    });
    return decidePairs(raw, i => (i === 0 ? a : b), this.engine).triangles;
  }
}
