// What the user wants to see of the bodies: two of them in focus, one of glass, the rest as ghosts or not at all, all of
// them of glass or moved apart. Nothing of it changes the document.

import type { BodyId } from '../engine/types.ts';
import type { Emphasis } from './bodies.ts';

export interface SightState {
  /** Bodies to see alone, unless a pair is chosen. */
  readonly only: readonly BodyId[] | undefined;
  /** The body of the chosen pair that would hide the other. */
  readonly glass: BodyId | undefined;
  /** Whether bodies out of focus are hidden, not ghosts. */
  readonly hidesOthers: boolean;
  readonly isXray: boolean;
  /** Bodies whose surfaces are drawn otherwise, with a map on them. */
  readonly mapped: readonly BodyId[];
  /** How far bodies are moved apart, 0 … 1. */
  readonly apart: number;
}

const plain: SightState = {
  ...{ only: undefined, glass: undefined, hidesOthers: false, isXray: false, mapped: [], apart: 0 },
};

export class Sight {
  #state = plain;
  readonly #listeners = new Set<() => void>();

  get state(): SightState {
    return this.#state;
  }

  set(change: Partial<SightState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emphasis(pair: readonly BodyId[] | undefined, lit: BodyId | undefined): Emphasis {
    const { only, glass, hidesOthers, isXray, mapped: hidden } = this.#state;
    return {
      ...{ only: pair ?? only, rest: hidesOthers ? 'hidden' : 'ghost', isXray, lit, hidden },
      glass: pair && glass !== undefined && pair.includes(glass) ? [glass] : undefined,
    };
  }
}
