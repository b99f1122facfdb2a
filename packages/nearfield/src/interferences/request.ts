// What is asked of the engines about triangles that meet, and what they answer: certain pairs, and unsure ones that the exact stage
// decides (exact.ts). Nothing is decided that is not proven.

import type { Limits } from '../core/limits.ts';
import type { EngineStats } from '../core/stats.ts';
import type { VisibilityOptions, VisibilityRequest, VisibilityStats } from './visibility/options.ts';

/**
 * How pairs of triangles are found: a walk, on the CPU depth first through pairs of nodes, on the GPU a thread for every leaf
 * through the other tree; both trees level by level, all pairs of nodes at once (Greß and Zachmann, section 4.2); or every triangle against every triangle, no trees (section 3).
 */
export type Traversal = 'auto' | 'walk' | 'breadth-first' | 'brute-force';

/** How much of the answer is wanted: every triangle pair, how many, or only whether there is one. */
export type Detail = 'list' | 'count' | 'any';

export interface InterfereRequest extends Limits {
  readonly detail: Detail;
  /** Body indices (a, b), a < b, two a pair. Without it, the engine's own broad phase finds the candidates. */
  readonly candidates?: Uint32Array | undefined;
  /**
   * With detail 'any', an engine may stop at a candidate's first pair that meets or may, and say so. Where touching
   * is common, deciding one pair exactly is far less work than collecting all that are unsure.
   */
  readonly stopAtFirst?: boolean | undefined;
  /** How trees are traversed. Every way gives the same answer; 'auto' chooses. */
  readonly traversal?: Traversal | undefined;
  /** So many pairs of triangles are worth listing: an engine that finds more gives up with `TooManyPairs`. */
  readonly most?: number | undefined;
  /** Where given, bodies and triangles are left out by what images of the scene show. Only engines on a GPU can. */
  readonly visibility?: VisibilityRequest | undefined;
}

export interface SelfRequest extends Limits {
  /** Where given, triangles that images show to be clear of all but their own patch are left out. */
  readonly visibility?: VisibilityOptions | undefined;
}

/** With what the visibility method left at each stage, where it was asked. */
export interface InterferenceStats extends EngineStats {
  visibility?: VisibilityStats | undefined;
}

export interface RawAnswer {
  /** Pairs of body indices (a, b), a < b, whose boxes meet. */
  readonly candidates: Uint32Array;
  /**
   * Records of three: index of the candidate pair, triangle of a, triangle of b. In any order.
   * With detail 'any', one record or more for each candidate that has a certain pair. With 'count', empty.
   */
  readonly certain: Uint32Array;
  /** With detail 'count': how many certain pairs each candidate has. */
  readonly counts?: Uint32Array | undefined;
  /** Records of the same form, not decided. With 'any' they may be left out for candidates with a certain pair. */
  readonly unsure: Uint32Array;
  /**
   * Where positions are on the GPU alone: eighteen words an unsure record, the bits of x, y, z of the three corners of
   * the triangle of a, then of b, as given. Those of bodies whose positions are known say nothing.
   */
  readonly unsureCorners?: Uint32Array | undefined;
  /**
   * By candidate, 1 where boxes around the bodies, turned with them, certainly have no point in common, as far as that was
   * looked at: no solid among them then holds a part of the other.
   */
  readonly apart?: Uint32Array | undefined;
  /**
   * By candidate of which no two triangles meet, as far as that was looked at: 1 where a corner of a certainly lies outside
   * the solid of b, 2 added where one of b lies outside that of a.
   */
  readonly outside?: Uint32Array | undefined;
  /**
   * Whether the search of each candidate ended with its first record, certain or unsure; or by candidate, 1 where it ended
   * with unsure ones alone and there may be more.
   */
  readonly stoppedAtFirst?: boolean | Uint8Array | undefined;
  readonly stats: InterferenceStats;
}

/** All triangles of the one pair there is in a question about two bodies. */
export const thePair: InterfereRequest = { detail: 'list', candidates: new Uint32Array([0, 1]) };
