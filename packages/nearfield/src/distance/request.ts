// The requests to engines about distances, and their answers. The exact stage decides what they leave open.

import type { Limits } from '../core/limits.ts';
import type { InterferenceStats } from '../interferences/request.ts';
import type { VisibilityOptions } from '../interferences/visibility/options.ts';

export interface NearestRequest extends Limits {
  /** Body indices (a, b), two per pair. Their order says which body is a. */
  readonly candidates: Uint32Array;
  /** Only distances less than this matter, in world units. */
  readonly upTo: number;
  /** Continues the search even if triangles meet or may meet. The caller knows that they do not. */
  readonly evenIfMeeting?: boolean | undefined;
  /**
   * Lists every pair of triangles that may be nearer than `upTo`, instead of the nearest alone. If one candidate has more pairs than
   * this, the search throws `TooManyPairs`.
   */
  readonly listAll?: number | undefined;
}

/** The same request to an engine that finds the candidates itself if none are given: all bodies nearer than `upTo`. */
export interface NearestPairsRequest extends Limits {
  readonly candidates?: Uint32Array | undefined;
  readonly upTo: number;
  /** If given, the engine first leaves out bodies that images of the scene show to be farther from all others. */
  readonly visibility?: VisibilityOptions | undefined;
}

/** The answers of settled candidates. If most candidates are far apart, few are settled, so only those have numbers. */
export interface SettledNearest {
  /** Per candidate, how many of those before it are settled. */
  readonly places: Uint32Array;
  /**
   * Nine numbers per settled candidate: the distance, the point of a, the point of b, all correctly rounded, then the
   * triangle of a and the triangle of b.
   */
  readonly numbers: Float64Array;
}

export const settledNumbers = 9;

/** What is known about a candidate. `collect-near-pairs.wgsl` is compiled with the same numbers. */
export const nearState = {
  /** Certainly nearer than `upTo`. */
  nearer: 1,
  /** Triangles meet or may meet, and the search ended there. */
  mayMeet: 2,
  /** Triangles certainly meet. */
  meets: 4,
  /** Single precision on the GPU is not enough: the CPU has to search. */
  leftToCpu: 8,
  /** Nothing is left to decide. */
  settled: 16,
} as const;

/**
 * The triangles that an engine found to be possibly the nearest, for pairs of bodies. The exact stage decides among
 * them.
 */
export interface RawNearest {
  readonly candidates: Uint32Array;
  /**
   * Candidate c's pairs (triangle of a, triangle of b) that may be the nearest are start[c] to start[c + 1], in any
   * order.
   */
  readonly start: Uint32Array;
  readonly triangles: Uint32Array;
  /** The state per candidate: flags of `nearState`, added up. */
  readonly states: Uint8Array;
  /** What is known of settled candidates. They have no listed pairs. */
  readonly settled?: SettledNearest | undefined;
  /** For candidates whose triangles may meet, if that is decided: the first pair that meets, or an empty array. */
  readonly meetings?: ReadonlyMap<number, Uint32Array> | undefined;
  readonly stats: InterferenceStats;
}

/** What an engine found about the triangles nearest to points. */
export interface RawClosest {
  readonly distances: Float64Array;
  /** Three numbers per point. */
  readonly points: Float64Array;
  /** −1: nothing within reach; then the distance is Infinity. −2: undecided, see `unsure`. */
  readonly triangles: Int32Array;
  /**
   * 0 is the face, 1 an edge, 2 a corner. With coarse distances 1 to 3 are the edges from corner 0 to 1, 1 to 2, 2 to 0,
   * and 4 to 6 the corners.
   */
  readonly features: Uint8Array;
  /** (point, triangle) pairs: the triangles that may be nearest to each undecided point. */
  readonly unsure: Uint32Array;
}

/** The points of a question: the caller's own array until the call has returned, and from then on a copy. */
export interface AskedPoints {
  readonly count: number;
  /** Not to be kept while anything is awaited: it may be the caller's array, which may change after the call. */
  readonly now: Float32Array | Float64Array;
  /** The copy. It is made when it is first needed, at the latest when the call returns. */
  readonly copy: Float64Array;
}

/** What a GPU is asked about the triangles nearest to points. */
export interface NearTrianglesRequest extends Limits {
  readonly upTo: number;
  /** Whether only triangles are wanted, no features. */
  readonly plain: boolean;
  /** Called once while the GPU works. */
  readonly meanwhile?: (() => unknown) | undefined;
}

/** What a GPU found about the triangles nearest to points. */
export interface NearTriangles {
  /**
   * One word per point: its triangle, and the feature in the upper three bits, if both are certain; or one of
   * `nearWord`. If the request was plain: the triangle, −1 if nothing is within reach, and anything for a listed point. The array
   * fills its memory.
   */
  readonly answers: Uint32Array;
  /**
   * Lists of the triangles that may be the nearest: the point, their number, then the triangles. If the request was plain, points that
   * the GPU left open are listed too, without triangles.
   */
  readonly triangles: Uint32Array;
  /** The listed points and the words that name their lists, if the request was plain and there are any. */
  readonly listed?: { readonly points: Uint32Array; readonly words: Uint32Array } | undefined;
}

/** The word of a point whose list has its number of triangles at `place`. Leaves the point to the CPU if a word cannot hold that. */
export const listWord = (place: number): number =>
  nearWord.list + place < nearWord.nothing ? nearWord.list + place : nearWord.open;

/** Words of points without a certain triangle. closest-points.wgsl and answer-given.as.ts have the same numbers. */
export const nearWord = {
  /** The bits of the triangle. */
  triangle: 2 ** 29 - 1,
  /** Plus the place in `triangles` of the number of triangles in the point's list. */
  list: 7 * 2 ** 29,
  /** Nothing is within reach. */
  nothing: 2 ** 32 - 2,
  /** The CPU has to search. */
  open: 2 ** 32 - 1,
} as const;
