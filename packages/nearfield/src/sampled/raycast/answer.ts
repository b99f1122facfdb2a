// The raycast method's answer when pairs are asked for.

import type { Body } from '../../bodies/body.ts';
import { wrong } from '../../core/arguments.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { Interferences, Pair } from '../../interferences/answer/answer.ts';
import type { PairsFound } from '../../interferences/answer/known-pairs.ts';
import type { EdgeHits, RaycastFound, RaycastStats } from './options.ts';

/** Bodies with an edge inside another body, and the bodies that contain those edges. */
export type NamedBodies = Pick<RaycastFound, 'penetrating' | 'penetrated'>;

/**
 * Pairs of bodies that interfere, as far as rays tell. `pair.relation` is computed exactly, so a pair within
 * `mayReportWithin` of each other may turn out to be separate or touching.
 */
export class RaycastInterferences extends Interferences implements RaycastFound {
  /** Whether there is an interference at all. */
  readonly any: boolean;
  /** Bodies that some ray shows not to be closed (`RaycastFound.notClosed`). */
  readonly notClosed: readonly Body[];
  /** How the answer was computed. */
  readonly raycast: RaycastStats;
  readonly #bodies: () => NamedBodies;
  #named: NamedBodies | undefined;
  readonly #hits: ((place: number) => EdgeHits) | undefined;
  #places: Map<Pair, number> | undefined;

  /**
   * Created by `scene.sampledInterferences`. `bodies` names the bodies of all pairs; it is a function because few
   * callers ask for them. `hits` gives the edges of the pair at an index, if edges were asked for.
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

  /** Bodies with an edge inside another. If only rays met two bodies, both are listed. */
  get penetrating(): readonly Body[] {
    return (this.#named ??= this.#bodies()).penetrating;
  }
  /** The bodies that contain those edges. */
  get penetrated(): readonly Body[] {
    return (this.#named ??= this.#bodies()).penetrated;
  }

  /**
   * The points at which edges of the two bodies lie inside one another; undefined unless the question asked for
   * 'edges'.
   */
  edgesOf(pair: Pair): EdgeHits | undefined {
    if (!(pair instanceof Pair)) throw wrong('pair', 'a pair of this answer', pair);
    this.#places ??= new Map(this.pairs.map((known, place) => [known, place]));
    const place = this.#places.get(pair);
    return place === undefined ? undefined : this.#hits?.(place);
  }
}
