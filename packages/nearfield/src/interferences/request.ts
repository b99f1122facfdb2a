// Requests to the engines for triangles that meet, and their answers: certain pairs, and unsure pairs, which the exact
// stage decides (exact.ts). An engine calls a pair certain only if that is proven.

import type { GroupedRecords } from '../bvh/cpu/sort/records.ts';
import type { Limits } from '../core/limits.ts';
import type { Backend, EngineStats } from '../core/stats.ts';
import type { VisibilityOptions, VisibilityRequest, VisibilityStats } from './visibility/options.ts';

/**
 * How triangle pairs are found. 'walk': on the CPU depth first through pairs of nodes, on the GPU one thread per leaf
 * through the other tree. 'breadth-first': both trees level by level, all node pairs of a level at once (Greß and
 * Zachmann, section 4.2). 'brute-force': every triangle against every triangle, without trees (section 3).
 */
export type Traversal = 'auto' | 'walk' | 'breadth-first' | 'brute-force';

/** The bounding volumes of a breadth-first traversal: boxes, or polytopes of 18 faces, on the CPU alone. */
export type BoundingVolumes = 'boxes' | '18-dops';

/**
 * How the leaves of the trees of a breadth-first traversal are ordered. 'splits': by median splits, on the CPU alone.
 * 'hilbert': along a Hilbert curve, as a GPU does.
 */
export type LeafOrder = 'splits' | 'hilbert';

/**
 * Where a breadth-first traversal of the same two bodies begins the next time. 'none': at the roots. 'level': at the level
 * that took the fewest box tests (Greß and Zachmann, section 5). 'front': at the pairs of nodes where it ended the last time,
 * on the CPU alone.
 */
export type LevelCoherence = 'none' | 'level' | 'front';

/** How trees are traversed level by level. */
export interface LevelOptions {
  readonly volumes?: BoundingVolumes | undefined;
  readonly coherence?: LevelCoherence | undefined;
  readonly leaves?: LeafOrder | undefined;
}

/** How much of the answer is wanted: every triangle pair, their number, or only whether there is one. */
export type Detail = 'list' | 'count' | 'any';

export interface InterfereRequest extends Limits {
  readonly detail: Detail;
  /**
   * Pairs of rows (a, b), a < b, two numbers per pair. If left out, the engine's own broad phase finds the candidates.
   */
  readonly candidates?: Uint32Array | undefined;
  /**
   * With detail 'list', lets an engine stop listing the triangle pairs of two star-shaped or embedded solids once two triangles are found to
   * cross. The other pairs that cross are only counted. `RawAnswer.known` marks such candidates.
   */
  readonly forRelations?: boolean | undefined;
  /**
   * With detail 'any', lets an engine stop a candidate's search early: the CPU at the first pair that meets or may
   * meet, a GPU at the first that meets or at a few unsure pairs. The answer's `stoppedAtFirst` says for which
   * candidates. If many bodies touch, deciding a few pairs exactly is far less work than collecting all unsure pairs.
   */
  readonly stopAtFirst?: boolean | undefined;
  /** How trees are traversed. All ways give the same answer; 'auto' chooses. */
  readonly traversal?: Traversal | undefined;
  /** For traversal 'breadth-first'. */
  readonly levels?: LevelOptions | undefined;
  /** Whether the candidates that an engine finds may come in any order. Otherwise they are sorted. */
  readonly inAnyOrder?: boolean | undefined;
  /**
   * With detail 'list', lets an engine group the records of pairs that certainly meet where it found them
   * (`RawAnswer.grouped`).
   */
  readonly mayGroup?: boolean | undefined;
  /** How many triangle pairs are worth listing. An engine that finds more throws `TooManyPairs`. */
  readonly most?: number | undefined;
  /** If given, images of the scene are used to exclude bodies and triangles. Only GPU engines can do this. */
  readonly visibility?: VisibilityRequest | undefined;
}

export interface SelfRequest extends Limits {
  /** If given, triangles that images show to be clear of all but their own patch are excluded. */
  readonly visibility?: VisibilityOptions | undefined;
}

/** Adds what the visibility method left at each stage, if it was used. */
export interface InterferenceStats extends EngineStats {
  /** What images left at each stage; undefined unless method 'visibility' was used. */
  visibility?: VisibilityStats | undefined;
}

/** How much work an answer took, and for whom. */
export interface AnswerStats extends InterferenceStats {
  /** The backend that did it. On a GPU that `open()` chose, it depends on the question. */
  readonly backend: Backend;
}

/** What a driver found: candidates, and triangles that meet or may meet. */
export interface RawAnswer {
  /** Pairs of rows (a, b), a < b, whose boxes meet. Sorted, unless the request allows any order. */
  readonly candidates: Uint32Array;
  /**
   * Records of three numbers, in any order: index of the candidate, triangle of a, triangle of b. With detail 'any', at
   * least one record per candidate that has a certain pair. With 'count', empty.
   */
  readonly certain: Uint32Array;
  /** Further pairs that certainly meet, by candidate, if the request allows that: many are grouped on all threads. */
  readonly grouped?: GroupedRecords | undefined;
  /** The number of certain pairs per candidate that are not listed: with detail 'count', and if the request is `forRelations`. */
  readonly counts?: Uint32Array | undefined;
  /** Records of undecided pairs. With 'any' they may be left out for candidates that have a certain pair. */
  readonly unsure: Uint32Array;
  /**
   * If positions are on the GPU alone: 18 words per unsure record, the bits of x, y, z of the three corners of a's
   * triangle, then of b's, in local coordinates. For bodies whose positions are on the CPU the words are undefined.
   */
  readonly unsureCorners?: Uint32Array | undefined;
  /** What is known per candidate: `isApart`, `knownCrossing`, or nothing if it is another number. */
  readonly known?: Uint32Array | undefined;
  /**
   * Per candidate: `firstOutside` if a corner of a certainly lies outside the solid b, plus `secondOutside` if a corner of b
   * certainly lies outside the solid a. What was not tested is left out, as it is on a GPU if triangles meet.
   */
  readonly outside?: Uint32Array | undefined;
  /**
   * True if every candidate's search stopped at its first record, certain or unsure. An array says per candidate: 1 if
   * its search stopped with unsure records alone, so that there may be more.
   */
  readonly stoppedAtFirst?: boolean | Uint8Array | undefined;
  /** True if it was found without trees. Then none may be built to complete it. */
  readonly treeless?: boolean | undefined;
  readonly stats: InterferenceStats;
}

/** In `RawAnswer.known` and in `RawAnswer.outside`: the numbers that the kernels write (job.as.ts). */
export {
  bothOutside,
  firstOutside,
  isApart,
  knownCrossing,
  secondOutside,
} from './hierarchy/cpu/kernels.layout.ts';

/** The request for all triangles of the one pair in a question about two bodies. */
export const thePair: InterfereRequest = { detail: 'list', candidates: new Uint32Array([0, 1]) };
