// An engine under measurement: Nearfield or a peer, behind the same few calls.

import type { Case, Frame, Question } from '../case.ts';

export interface Engine {
  readonly name: string;
  readonly version: string;
  /** The scenes it takes part in; all, where left out. */
  readonly only?: readonly string[];
  /** The file its process runs, where another build plays it. */
  readonly process?: URL;
  /** The setting it runs at, its best for the question; written beside the figures. */
  setting(question: Question): string;
  /** Why it cannot answer, in plain words; undefined where it can. */
  cannot(job: Case): string | undefined;
  /** Takes the meshes and makes its trees, unless it makes them with the first question. */
  load(job: Case): Session | Promise<Session>;
  close?(): void;
}

export interface Session {
  /** What a simulation does, not timed: writes the poses of a frame where the next question about it has them. */
  write?(frame: Frame): void;
  /** Moves what the frame moves and answers: this is what is timed. */
  ask(frame: Frame): unknown;
  /** The same without fetching the list: how many. */
  count?(frame: Frame): unknown;
  /**
   * What was found, not timed: triangle pairs (in the first body, in the second; i < j for one body), or body
   * pairs (a < b). Two numbers a pair, in any order.
   */
  pairs(answer: unknown): Uint32Array;
  close(): void;
}

/**
 * Distances as pairs, to be compared with the exact ones: which of them it is, and its bits in single precision, which every
 * engine that works in double agrees on but for the rare one between two floats.
 */
export function distancePairs(distances: ArrayLike<number>): Uint32Array {
  const pairs = new Uint32Array(2 * distances.length);
  const bits = new Uint32Array(Float32Array.from(distances).buffer);
  bits.forEach((word, i) => {
    pairs[2 * i] = i;
    pairs[2 * i + 1] = word;
  });
  return pairs;
}

/** The answer to a yes-or-no question as pairs of bodies. */
export const onePair = (meet: boolean): Uint32Array => Uint32Array.from(meet ? [0, 1] : []);
