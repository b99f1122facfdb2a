// The answer of a question about a motion: a list in order, and statistics.

import type { Backend } from '../core/stats.ts';

/** The work for a question about a motion. Bodies that turn are not counted. */
export interface MotionStats {
  /** Pairs of triangles that were compared in doubles, of bodies whose vertices move linearly. */
  pairs: number;
  /** Pairs of corners and triangles, or of edges, that only exact arithmetic could decide. */
  unsure: number;
  /** Pairs of bodies, and bodies alone, whose triangles a GPU searched. The CPU searched those of all others. */
  onGpu: number;
  /** GPU dispatches. */
  dispatches: number;
  /** How often an output buffer of the GPU overflowed, so that the search was repeated with a larger one. */
  growths: number;
}

/** What a question about a motion found, in order of time, and who searched. It is an array. */
export class MotionAnswer<T> extends Array<T> {
  readonly #stats: MotionStats;

  /** Created by the questions about motions. */
  constructor(found: readonly T[], stats: MotionStats) {
    super();
    for (const item of found) this.push(item);
    this.#stats = stats;
  }

  /** `map`, `filter` and their like return ordinary arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** 'gpu' if a GPU searched triangles, 'cpu' if it did not. The CPU decides in both cases. */
  get backend(): Backend {
    return this.#stats.onGpu > 0 ? 'gpu' : 'cpu';
  }

  /** The work for the answer. */
  get stats(): MotionStats {
    return this.#stats;
  }
}

export const newMotionStats = (): MotionStats => ({
  pairs: 0,
  unsure: 0,
  onGpu: 0,
  dispatches: 0,
  growths: 0,
});
