// What is asked of the engines about distances, and what they answer. The exact stage decides what they leave open.

import type { Limits } from '../core/limits.ts';
import type { InterferenceStats } from '../interferences/request.ts';
import type { VisibilityOptions } from '../interferences/visibility/options.ts';

export interface NearestRequest extends Limits {
  /** Body indices (a, b), two a pair, whose order says which is a. */
  readonly candidates: Uint32Array;
  /** Only what is nearer than this matters, world units. */
  readonly upTo: number;
  /** Go on where triangles meet or may: whoever asks knows that they do not. */
  readonly evenIfMeeting?: boolean | undefined;
}

/** The same, of an engine that finds bodies nearer than `upTo` itself where no candidates are given. */
export interface NearestPairsRequest extends Limits {
  readonly candidates?: Uint32Array | undefined;
  readonly upTo: number;
  /** Where given, bodies that images of the scene show to be farther from all others are left out first. */
  readonly visibility?: VisibilityOptions | undefined;
}

export const settledNumbers = 9;

/** What may be known of a candidate. `settle-pairs.wgsl` has the same numbers. */
export const nearState = {
  /** Certainly nearer than `upTo`. */
  nearer: 1,
  /** Triangles meet or may meet, which ended the search. */
  mayMeet: 2,
  /** They certainly do. */
  meets: 4,
  /** Too much for a GPU's single precision: the CPU is to search. */
  leftToCpu: 8,
  /** Nothing is left to decide. */
  settled: 16,
} as const;

/** What an engine found of the nearest triangles of pairs of bodies. The exact stage decides among them. */
export interface RawNearest {
  readonly candidates: Uint32Array;
  /** Pairs that may be the nearest (triangle of a, triangle of b), in any order: of candidate c start[c] to start[c + 1]. */
  readonly start: Uint32Array;
  readonly triangles: Uint32Array;
  /** By candidate, what is known of it: flags of `nearState`, added up. */
  readonly states: Uint8Array;
  /**
   * Of candidates that are settled, nine numbers each: the distance, the point of a, that of b, all correctly rounded, the
   * triangle of a and that of b. No pairs are listed of them.
   */
  readonly settled?: Float64Array | undefined;
  /** For candidates whose triangles may meet, where that has been decided: the first pair that meets, or none. */
  readonly meetings?: ReadonlyMap<number, Uint32Array> | undefined;
  readonly stats: InterferenceStats;
}

/** What an engine found of the triangles nearest to points. */
export interface RawClosest {
  readonly distances: Float64Array;
  /** Three numbers a point. */
  readonly points: Float64Array;
  /** −1: nothing within reach; −2: to be decided. */
  readonly triangles: Int32Array;
  /** 0 the face, 1 to 3 the edges from corner 0 to 1, 1 to 2, 2 to 0, 4 to 6 the corners. */
  readonly features: Uint8Array;
  /** (point, triangle) pairs: for each point to be decided, the triangles that may be its nearest. */
  readonly unsure: Uint32Array;
}

/** For each point the triangles that may be its nearest. */
export interface NearTriangles {
  /** Two words a point: its first among `triangles`, and how many; 2^32 − 1 where it is left open. */
  readonly ranges: Uint32Array;
  readonly triangles: Uint32Array;
}
