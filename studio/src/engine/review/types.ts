// The messages about pairs: columns of numbers, because an assembly may have a hundred thousand pairs, and typed arrays
// cross into a page without work.

import type { GroupBy, Verdict } from '@nearfield/clashes';
import type { Assembly } from '../types.ts';

export interface PairsQuestion {
  readonly assembly: Assembly;
  /** The GPU's result for the same bodies at the same poses, still to be decided exactly. */
  readonly found?: FoundOnGpu | undefined;
}

/** Pairs of triangles from a GPU: those that certainly meet, and those that may. */
export interface FoundOnGpu {
  /** The two bodies of each pair of bodies that was tested, by number. */
  readonly bodies: Uint32Array;
  /** Three numbers per record: index of the pair of bodies, triangle of the first, triangle of the second. */
  readonly certain: Uint32Array;
  readonly unsure: Uint32Array;
}

/** One row per pair of bodies that meet or are too close, in the order of the placed bodies. */
export interface PairColumns {
  /** The numbers of the two bodies. The first comes before the second in the list of placed bodies. */
  readonly bodies: Uint32Array;
  /** As seen from the first, by its index in `relations` of @nearfield/clashes. */
  readonly relations: Uint8Array;
  readonly triangleCounts: Uint32Array;
  /** For bodies that are separate but too close; NaN otherwise. */
  readonly distances: Float64Array;
  /** Six numbers: the nearest points of both, for separate bodies. NaN otherwise. */
  readonly ends: Float64Array;
  /** By its index in `verdictOrder`. */
  readonly verdicts: Uint8Array;
  /** 1 if the verdict depends on the depth. */
  readonly deep: Uint8Array;
  /** 1 if the depth may be on either side of the tolerance. */
  readonly undecided: Uint8Array;
  /** The test of the rules, by index; -1 for none. */
  readonly tests: Int32Array;
  /** Lower and upper bound of the depth; NaN until it is measured. */
  readonly depths: Float64Array;
  /** An upper bound of the depth that is known without measuring: how far the boxes of the two overlap. */
  readonly bounds: Float64Array;
  /** The identity of the clash: 12 hexadecimal digits as a number. */
  readonly clashes: Float64Array;
  /** The shapes and places of the two, as a hash of the same form. */
  readonly geometries: Float64Array;
  /** 1 if the two bodies are the same surface at the same place. */
  readonly same: Uint8Array;
}

/** A set of the rules, and the bodies that it selects. */
export interface NamedSet {
  readonly name: string;
  readonly ids: Uint32Array;
}

export interface PairsAnswer {
  /** Names the answer: later questions are about its rows. */
  readonly serial: number;
  readonly columns: PairColumns;
  /** The tests and the sets of the rules, and warnings about rules that match nothing. */
  readonly tests: readonly string[];
  readonly sets: readonly NamedSet[];
  readonly notes: readonly string[];
  /** Milliseconds from question to answer. */
  readonly time: number;
  readonly backend: 'cpu' | 'gpu';
}

export interface MeasureQuestion {
  readonly serial: number;
  readonly rows: Uint32Array;
  /** How many of the deepest are measured until their order is certain; the others until their verdicts are. */
  readonly certain: number;
}

/** Undefined columns: the answer that the question was about is gone. */
export type Measured =
  | undefined
  | {
      readonly rows: Uint32Array;
      readonly depths: Float64Array;
      /** Translations of the second body that leave the two without common interior. */
      readonly translations: Float64Array;
      readonly verdicts: Uint8Array;
      readonly undecided: Uint8Array;
    };

export interface TouchedQuestion {
  readonly serial: number;
  readonly rows: Uint32Array;
  /** Subtracted from positions. */
  readonly origin: readonly number[];
  /** No more segments than this, of all pairs together. */
  readonly most: number;
}

/** Six numbers per segment in which two triangles intersect. Coplanar triangles have none. */
export interface Touched {
  readonly segments: Float32Array;
  /** The row of each segment. */
  readonly rows: Uint32Array;
}

export interface StatusesQuestion {
  readonly serial: number;
  /** The text of a statuses file. */
  readonly text: string;
}

/** What the statuses make of the rows that they name. */
export interface AppliedRows {
  readonly rows: Uint32Array;
  /** By its index in `verdictOrder`. */
  readonly verdicts: Uint8Array;
  /** What does not fit: fixed but still there, accepted but deeper now. */
  readonly notes: readonly string[];
}

export interface GroupsQuestion {
  readonly serial: number;
  readonly by: GroupBy;
  /** Rows that people have accepted. They are in no group. */
  readonly accepted: Uint32Array;
}

/** Groups, the most important first. */
export interface Groups {
  readonly titles: readonly string[];
  /** The rows of all groups, one group after the other, the most important first. */
  readonly rows: Uint32Array;
  /** Where each group starts in `rows`, and at the end their number. */
  readonly starts: Uint32Array;
}

/** The digits of an identity. */
export const clashIdOf = (clash: number): string => clash.toString(16).padStart(12, '0');

export type { GroupBy, Verdict };
