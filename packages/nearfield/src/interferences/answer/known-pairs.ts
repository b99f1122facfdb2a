// The pairs of an answer, by their place in it: what was found, and what has been computed since. All of it is in flat arrays,
// since there may be millions of pairs; objects (answer.ts) are made of those that someone looks at.

import type { Body } from '../../bodies/body.ts';
import type { KeptBodies } from '../../bodies/kept-bodies.ts';
import type { Limits } from '../../core/limits.ts';
import { throwIfAborted } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { answerItems, Given } from '../../cpu/threads/shared-items.ts';
import type { MeetingTriangles } from '../exact.ts';
import type { Relation } from '../relation/relation.ts';
import { knownCrossing } from '../request.ts';
import type { PairsRound } from './pairs-job.ts';
import { relationWords, SeenPairs } from './seen-pairs.ts';

/** The pairs of bodies that were found, sorted, in flat arrays, since there may be very many. */
export interface PairsFound {
  readonly bodies: readonly Body[];
  /** Indices into `bodies`, two per pair. */
  readonly rows: Uint32Array;
  /** With detail 'list', the triangle pairs of all candidates. */
  readonly triangles: MeetingTriangles | undefined;
  /** Per candidate, `knownCrossing` if its relation is 'crossing' and its list of triangle pairs is not complete. */
  readonly known?: Uint32Array | undefined;
  /** Per pair, the index of its candidate. */
  readonly candidates: Uint32Array;
  /** The number of triangle pairs of a pair; undefined with detail 'any'. */
  readonly countOf: ((place: number) => number) | undefined;
  /** The bodies of `rows` as the question saw them. */
  readonly snapshot: KeptBodies;
}

/** A relation that is not known yet. Others are their places in `relationWords`. */
const unknown = 255;

export class KnownPairs extends SeenPairs {
  readonly found: PairsFound;
  #given: Given | undefined;
  /** Per pair, its relation. */
  #relations: Uint8Array | undefined;
  /** Three numbers per pair, once all of them are known. */
  #points: Float64Array | undefined;

  constructor(found: PairsFound, engine: CpuEngine) {
    super(found, engine);
    this.found = found;
  }

  get length(): number {
    return this.found.rows.length / 2;
  }

  /** The relation of a pair. */
  override relation(place: number, triangles?: () => Uint32Array): Relation {
    const relations = this.#allRelations();
    if (relations[place] === unknown)
      relations[place] = relationWords.indexOf(super.relation(place, triangles));
    return relationWords[relations[place]];
  }

  /** The relations of all pairs, found by all threads. */
  async relations(limits: Limits): Promise<Relation[]> {
    const relations = this.#allRelations();
    const all = new Uint32Array(this.length);
    let count = 0;
    relations.forEach((relation, place) => {
      if (relation === unknown) all[count++] = place;
    });
    const places = all.subarray(0, count);
    await this.#answer<Uint8Array>({ relationsOf: places }, places.length, limits, {
      item: i => void this.relation(places[i]),
      take(from, found) {
        for (let i = 0; i < found.length; i++) relations[places[from + i]] = found[i];
      },
    });
    const words: Relation[] = [];
    for (let place = 0; place < relations.length; place++) words.push(relationWords[relations[place]]);
    return words;
  }

  #allRelations(): Uint8Array {
    const { known, candidates } = this.found;
    const crossing = relationWords.indexOf('crossing');
    return (this.#relations ??= new Uint8Array(this.length).map((_, p) =>
      known?.[candidates[p]] === knownCrossing ? crossing : unknown,
    ));
  }

  /** Writes a pair's common point to out[at…]. */
  override point(place: number, out: Float64Array, at: number, triangles?: () => Uint32Array): void {
    if (this.#points !== undefined) out.set(this.#points.subarray(3 * place, 3 * place + 3), at);
    else super.point(place, out, at, triangles);
  }

  /** The common points of all pairs, found by all threads. */
  async points(limits: Limits): Promise<Float64Array> {
    const points = new Float64Array(3 * this.length);
    await this.#answer<Float64Array>('points', this.length, limits, {
      item: place => void this.point(place, points, 3 * place),
      take: (from, found) => points.set(found, 3 * from),
    });
    this.#points = points;
    // A copy: the answer keeps the first.
    return points.slice();
  }

  /** Answers something about every pair, or `count` of them. */
  async #answer<R>(
    round: PairsRound,
    count: number,
    limits: Limits,
    { item, take }: { item(i: number): undefined; take(from: number, found: R): void },
  ): Promise<void> {
    throwIfAborted(limits);
    await this.found.snapshot.read();
    this.#given ??= new Given('pairs', () => this.found);
    const items = {
      ...{ given: this.#given, round, count, item },
      take: (from: number, _: number, found: R) => take(from, found),
    };
    await answerItems(this.engine, items, limits);
  }
}
