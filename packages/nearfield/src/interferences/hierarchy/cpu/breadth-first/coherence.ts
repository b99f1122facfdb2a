// Temporal coherence (Gress & Zachmann, CG-2004-2, §5; G5): what is remembered of a pair of bodies from one question to the
// next, so that the traversal begins further down. Either the level at which it enters both trees, as published, or the
// front it stopped at. Both are guesses: one that is out of date costs tests and does not change the answer.

/** What the last question learnt about a pair of bodies. */
export interface Remembered {
  /** Leaves of the two trees: a front of other trees would not cover these. */
  readonly leavesA: number;
  readonly leavesB: number;
  /** The level to enter at. */
  level: number;
  /** Pairs of nodes, two numbers each, of which the first `frontCount` pairs count; 0 if the roots come first. */
  front: Uint32Array;
  frontCount: number;
  /** Box tests of the last traversal from the roots. */
  testsFromRoots: number;
  /** For how many more questions no front is kept, and for how many the last time. */
  rest: number;
  lastRest: number;
  /** The question it was last used in. */
  used: number;
}

/** After this many questions in which a pair is no candidate, it is forgotten; as on the GPU (entrances.wgsl). */
const lifetime = 16;
/** The most questions in a row that begin at the roots before a front is tried again. */
const mostRest = 63;
/** Pairs of nodes that the fronts of an engine may have in all: 64 MiB. */
const mostFrontPairs = 1 << 23;
/** Pairs of nodes that may be entered at once; as on the GPU. */
export const mostEntries = 1 << 20;

export class Coherence {
  readonly #pairs = new Map<string, Remembered>();
  #question = 0;
  #frontPairs = 0;

  /** Begins a question, and forgets pairs that were not asked about for long. */
  begin(): void {
    this.#question++;
    if (this.#question % lifetime !== 0) return;
    for (const [key, { used, front }] of this.#pairs) {
      if (this.#question - used <= lifetime) continue;
      this.#frontPairs -= front.length / 2;
      this.#pairs.delete(key);
    }
  }

  /** What is known of a pair of bodies: nothing yet, if its trees are other ones. */
  of(key: string, leavesA: number, leavesB: number): Remembered {
    let known = this.#pairs.get(key);
    if (known === undefined || known.leavesA !== leavesA || known.leavesB !== leavesB) {
      if (known !== undefined) this.#frontPairs -= known.front.length / 2;
      known = {
        leavesA,
        leavesB,
        level: 0,
        front: new Uint32Array(0),
        frontCount: 0,
        testsFromRoots: 0,
        rest: 0,
        lastRest: 0,
        used: 0,
      };
      this.#pairs.set(key, known);
    }
    known.used = this.#question;
    return known;
  }

  /**
   * Keeps the front that a traversal of `tests` box tests stopped at. When a front takes more tests than the last traversal
   * from the roots did, the bodies move too fast for fronts: the next questions begin at the roots, twice as many each time.
   */
  keepFront(known: Remembered, pairs: Uint32Array, tests: number): void {
    const count = pairs.length / 2;
    const room = known.front.length / 2;
    const isFromRoots = known.frontCount === 0;
    known.frontCount = 0;
    if (isFromRoots) known.testsFromRoots = tests;
    else if (tests < known.testsFromRoots) known.lastRest = 0;
    else {
      known.rest = known.lastRest = Math.min(mostRest, 1 + 2 * known.lastRest);
      return;
    }
    if (count > room) {
      const wanted = Math.ceil(1.5 * count);
      if (this.#frontPairs - room + wanted > mostFrontPairs) return;
      // Memory may run out here: what follows must not have happened then.
      known.front = new Uint32Array(2 * wanted);
      this.#frontPairs += wanted - room;
    }
    known.front.set(pairs);
    known.frontCount = count;
  }

  clear(): void {
    this.#pairs.clear();
    this.#frontPairs = 0;
  }
}

/**
 * The level at which to enter next time, by the rule that remember-entrances.wgsl derives: one lower, one higher or the same.
 * `entriesAt` gives the pairs of nodes of a level, and undefined above the roots or below the leaves.
 */
export function nextLevel(
  level: number,
  overlapped: number,
  entriesAt: (level: number) => number | undefined,
): number {
  const entries = entriesAt(level)!;
  const below = entriesAt(level + 1);
  const above = entriesAt(level - 1);
  if (above !== undefined && above + (entries / above) * overlapped < entries) return level - 1;
  if (below !== undefined && below <= mostEntries && below * (1 - overlapped / entries) < entries)
    return level + 1;
  return level;
}
