// The layers method's answer.

import { Body } from '../../bodies/body.ts';
import { isObject, wrong } from '../../core/arguments.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { Interferences, type Pair, type Reliability } from '../../interferences/answer/answer.ts';
import type { PairsFound } from '../../interferences/answer/known-pairs.ts';
import type { CollisionMap } from './collision-map.ts';
import type { LayersStats } from './options.ts';

/**
 * Pairs of bodies that interfere, as far as lines and spikes tell. `pair.relation` is computed exactly, so a pair
 * within `mayReportWithin` of each other may turn out to be separate or touching.
 */
export class LayersInterferences extends Interferences {
  /** How the answer was computed. */
  readonly layers: LayersStats;
  readonly #maps: readonly (readonly CollisionMap[])[];
  readonly #places = new Map<string, number>();

  /**
   * Created by `scene.sampledInterferences`. `maps` holds the maps of every candidate, one per direction; `indices`
   * holds the candidates' bodies.
   */
  constructor(
    found: PairsFound,
    engine: CpuEngine,
    answer: Reliability & { readonly stats: EngineStats; readonly layers: LayersStats },
    maps: readonly (readonly CollisionMap[])[],
    indices: Uint32Array,
  ) {
    super(found, engine, 'layers', 'gpu', answer.stats, answer);
    this.layers = answer.layers;
    this.#maps = maps;
    maps.forEach((_, c) => {
      this.#places.set(`${indices[2 * c]} ${indices[2 * c + 1]}`, c);
    });
  }

  /**
   * The collision maps of a pair whose first body is A, one per direction. Works for any two bodies that were
   * examined, whether they meet or not. Empty for others; throws 'bad-option' for what are not bodies.
   */
  mapsOf(pair: Pick<Pair, 'a' | 'b'>): readonly CollisionMap[] {
    const { a, b } = isObject(pair) ? pair : ({} as Partial<Pair>);
    if (!(a instanceof Body && b instanceof Body)) throw wrong('pair', 'two bodies, a and b', pair);
    const place = this.#places.get(`${a.index} ${b.index}`);
    return place === undefined ? [] : this.#maps[place];
  }
}
