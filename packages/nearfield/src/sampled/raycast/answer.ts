// What the raycast method answers where pairs are asked for.

import type { Body } from '../../bodies/body.ts';
import { wrong } from '../../core/arguments.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { Interferences, Pair, type PairsFound } from '../../interferences/answer.ts';
import type { EdgeHits, RaycastFound, RaycastStats } from './options.ts';

/** Bodies with an edge in another, and those they are in. */
export type NamedBodies = Pick<RaycastFound, 'penetrating' | 'penetrated'>;

/**
 * Pairs of bodies that interfere, as far as rays tell. `pair.relation` is worked out exactly, so that a pair within
 * `mayReportWithin` of each other may turn out to be separate or touching.
 */
export class RaycastInterferences extends Interferences implements RaycastFound {
  readonly any: boolean;
  readonly notClosed: readonly Body[];
  readonly raycast: RaycastStats;
  readonly #bodies: () => NamedBodies;
  #named: NamedBodies | undefined;
  readonly #hits: ((place: number) => EdgeHits) | undefined;
  #places: Map<Pair, number> | undefined;

  /**
   * Comes from `scene.interferences`. `bodies` names those of all pairs, which of many nobody may ask for; `hits` gives those of
   * the pair at a place, where edges were asked for.
   */
  constructor(
    found: PairsFound,
    engine: CpuEngine,
    answer: Omit<RaycastFound, keyof NamedBodies>,
    bodies: () => NamedBodies,
    hits: ((place: number) => EdgeHits) | undefined,
  ) {
    super(found, engine, answer.method, answer.backend, answer.stats, answer);
    this.any = answer.any;
    this.notClosed = answer.notClosed;
    this.raycast = answer.raycast;
    this.#bodies = bodies;
    this.#hits = hits;
  }

  get penetrating(): readonly Body[] {
    return (this.#named ??= this.#bodies()).penetrating;
  }
  get penetrated(): readonly Body[] {
    return (this.#named ??= this.#bodies()).penetrated;
  }

  /** Where edges of the two lie in one another. Undefined unless the question asked for 'edges'. */
  edgesOf(pair: Pair): EdgeHits | undefined {
    if (!(pair instanceof Pair)) throw wrong('pair', 'a pair of this answer', pair);
    this.#places ??= new Map(this.pairs.map((known, place) => [known, place]));
    const place = this.#places.get(pair);
    return place === undefined ? undefined : this.#hits?.(place);
  }
}
