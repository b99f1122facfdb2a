// What a question may say about the raycast method (Knott, chapter 4), and what it is told of it.

import type { Body } from '../../bodies/body.ts';
import { aFlag, bad, lengthFrom0, oneOf, type Rules, wholeNumber } from '../../core/arguments.ts';
import type { Answer, Reliability } from '../../interferences/answer.ts';

/** What is wanted of the answer. */
export type Ask = 'pairs' | 'edges' | 'any' | 'penetrating' | 'both';

/** How what lies before an edge is counted. */
export type Counting = 'lists' | 'stencil' | 'queries';

export interface RaycastOptions {
  /**
   * 'pairs' (default): which bodies interfere with which. 'edges': the same, and which edges of one lie in the other, with
   * points. 'any': whether there is an interference at all (Knott's Algorithm 1). 'penetrating': bodies with an edge in another
   * (Algorithms 2 and 3). 'both': those and the bodies they are in (Algorithm 4).
   */
  readonly ask?: Ask | undefined;
  /**
   * 'lists' (default): every edge and every ray against all faces of its pixel; complete. 'stencil': drawn, as published: of each
   * pixel the nearest edge alone, counted in a stencil buffer; complete only where all that could be found was (proof.md).
   * 'queries': the same, read by occlusion queries (Algorithm 5); for 'any', 'penetrating' and 'both'.
   */
  readonly counting?: Counting | undefined;
  /**
   * Pixels along the longer side of what is looked at, 1 to 8192; 512 where left out. Where many pairs of boxes meet, all that they
   * have in common is looked at with about as many pixels together as a square of that side has, or up to four times as many:
   * pixels laid on the GPU are a power of two wide.
   */
  readonly resolution?: number | undefined;
  /** Along how many directions bodies are looked at, 1 where left out. An interference seen along any of them counts. */
  readonly views?: 1 | 2 | 3 | undefined;
  /**
   * How far edges are moved outward before they are drawn, so that a body does not meet itself, world units. Two pixels where
   * left out. Only 'stencil' and 'queries' need it: lists tell a body's own faces by their name.
   */
  readonly offset?: number | undefined;
  /**
   * Whether a candidate pair may have a body that is not a solid. False if left out: such a body is then refused by name
   * ('not-solid'). If true, the published form runs, 'stencil' unless 'queries' is asked for. What an open body seems to enclose
   * may be anything, so an answer about one is not complete and claims no bound. `notClosed` names the bodies that a count below
   * 0 shows not to be closed; not every open body is shown by one.
   */
  readonly allowOpen?: boolean | undefined;
}

export const raycastRules: Rules<RaycastOptions> = {
  ask: oneOf('pairs', 'edges', 'any', 'penetrating', 'both'),
  counting: oneOf('lists', 'stencil', 'queries'),
  resolution: wholeNumber(1, 8192),
  views: oneOf(1, 2, 3),
  offset: lengthFrom0,
  allowOpen: aFlag,
};

/** How an answer came about. */
export interface RaycastStats {
  /** Pixels along the longer side, and how wide one is, world units. */
  readonly resolution: number;
  readonly pixel: number;
  readonly directions: number;
  /** Pictures: one a candidate and direction, or of all bodies at once where they are drawn. */
  readonly tiles: number;
  /** Samples of faces and of edges that were looked at; 0 where the hardware did not tell. */
  readonly fragments: number;
  readonly edgeFragments: number;
  /** Pixels whose rays single precision could not decide, cast again exactly. */
  readonly recast: number;
  /** Pairs that rays alone found, no edge; and that edges alone found, between rays. */
  readonly byRaysAlone: number;
  readonly byEdgesAlone: number;
  /** Drawn pixels in which a body's edge seemed to lie in the body itself: not reported. */
  readonly selfHits: number;
  /** Drawn pixels with an edge in more than one other body, of which one is named. */
  readonly inSeveral: number;
  /** Whether it was over as soon as nothing, or for 'any' something, was found. */
  readonly early: boolean;
}

/** What was found where pairs were not asked for. */
export interface RaycastFound extends Answer, Reliability {
  /** Whether there is an interference at all. */
  readonly any: boolean;
  /** Bodies with an edge in another, where asked for; where only rays met two bodies, both. */
  readonly penetrating: readonly Body[];
  /** The bodies those edges are in, where asked for. */
  readonly penetrated: readonly Body[];
  /**
   * Bodies that some ray, cast at an edge, leaves more often than it enters: their meshes are not closed, and what they meet is
   * not known. Only bodies that `allowOpen` let in.
   */
  readonly notClosed: readonly Body[];
  readonly raycast: RaycastStats;
}

/** Where edges of two bodies lie in one another, of each edge and pixel one point. Sorted by body, edge, and along the edge. */
export interface EdgeHits {
  /** Whose edge it is: 0 a's, 1 b's. */
  readonly body: Uint8Array;
  /** Numbers of `mesh.edges`. */
  readonly edge: Uint32Array;
  /** World x, y, z of each: on the edge, and within a pixel's diagonal of the other solid. */
  readonly points: Float64Array;
}

/** Checked, with what was left out filled in. */
export interface RaycastRequest {
  readonly ask: Ask;
  readonly counting: Counting;
  readonly resolution: number;
  readonly views: 1 | 2 | 3;
  readonly offset: number | undefined;
  readonly allowOpen: boolean;
}

/** Of options that obey their rules. */
export function raycastOf(options: RaycastOptions): RaycastRequest {
  const { ask = 'pairs', resolution = 512, views = 1, offset, allowOpen = false } = options;
  const { counting = allowOpen ? 'stencil' : 'lists' } = options;
  if (offset !== undefined && counting === 'lists') {
    throw bad(`counting 'lists' needs no offset; it is for 'stencil' and 'queries'`);
  }
  if (allowOpen && counting === 'lists') {
    throw bad(`counting 'lists' is of solids: allowOpen goes with 'stencil' or 'queries'`);
  }
  if (counting === 'queries' && (ask === 'pairs' || ask === 'edges')) {
    throw bad(`occlusion queries name bodies: ask 'any', 'penetrating' or 'both', not '${ask}'`);
  }
  return { ask, counting, resolution, views, offset, allowOpen };
}
