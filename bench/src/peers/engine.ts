// An engine under measurement, Nearfield or a peer, behind the same few calls.

import type { Case, Frame, Question } from '../case.ts';

export interface Engine {
  readonly name: string;
  readonly version: string;
  /** The scenes it takes part in; if left out, all. */
  readonly only?: readonly string[];
  /** The file of its process, if another build runs it. */
  readonly process?: URL;
  /** Its setting, the best for the question; written beside the figures. */
  setting(question: Question): string;
  /** Why it cannot answer, in plain words; undefined if it can. */
  cannot(job: Case): string | undefined;
  /** Takes the meshes and builds its trees, unless it builds them at the first question. */
  load(job: Case): Session | Promise<Session>;
  close?(): void;
}

export interface Session {
  /** The work of a simulation, not timed: writes the poses of a frame to where the next question expects them. */
  write?(frame: Frame): void;
  /** Moves what the frame moves and answers: this is timed. */
  ask(frame: Frame): unknown;
  /** The same without reading back the list: only the count. */
  count?(frame: Frame): unknown;
  /**
   * The pairs found, not timed: triangle pairs (in the first body, in the second; i < j for one body), or body pairs
   * (a < b). Two numbers per pair, in any order.
   */
  pairs(answer: unknown): Uint32Array;
  close(): void;
}

/**
 * Distances as pairs, for comparison with the exact ones: the index, and the bits in single precision. All engines
 * that work in double agree on these bits, except for a rare distance halfway between two floats.
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
