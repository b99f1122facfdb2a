// The options of the raycast method (Knott, chapter 4) and the facts it reports about its answer.

import type { Body } from '../../bodies/body.ts';
import {
  aFlag,
  bad,
  imageResolution,
  lengthFrom0,
  oneOf,
  type Rules,
  wholeNumber,
} from '../../core/arguments.ts';
import type { Answer, Reliability } from '../../interferences/answer/answer.ts';

/** The content of the answer. */
export type Ask = 'pairs' | 'edges' | 'any' | 'penetrating' | 'both';

/** How the faces before an edge are counted. */
export type Counting = 'lists' | 'stencil' | 'queries' | 'pixels';

/** The options of the raycast method: how it views the bodies. */
export interface RaycastOptions {
  /**
   * 'pairs' (default): which bodies interfere with which. 'edges': the same, plus the edges of one that lie inside the
   * other, with points. 'any': whether there is an interference at all (Knott's Algorithm 1). 'penetrating': bodies
   * with an edge inside another (Algorithms 2 and 3). 'both': those, and the bodies that contain the edges (Algorithm
   * 4).
   */
  readonly ask?: Ask | undefined;
  /**
   * 'lists' (default) tests every edge and every ray against all faces of its pixel; it is complete. 'stencil' draws,
   * as published: only the nearest edge of each pixel, counted in a stencil buffer. It is complete only if everything
   * that could be found was found (proof.md). 'queries' does the same and reads it by occlusion queries (Algorithm 5);
   * it serves 'any', 'penetrating' and 'both'. 'pixels' reads all pixels back and examines them on the CPU, as the
   * thesis does: the stencil for 'any' (Algorithm 1), colours for 'penetrating' (3), 'both' and 'pairs' (4). All three
   * draw any number of bodies in one picture, and give the same answers.
   */
  readonly counting?: Counting | undefined;
  /**
   * Pixels along the longer side of the view, 1 to 8192; default 512. If many pairs of boxes meet, all their common
   * boxes together get about as many pixels as a square of that side has, or up to four times as many: pixels laid on
   * the GPU are a power of two wide.
   */
  readonly resolution?: number | undefined;
  /** How many directions bodies are viewed along; default 1. An interference seen along any of them counts. */
  readonly views?: 1 | 2 | 3 | undefined;
  /**
   * How far edges are moved outward before they are drawn, so that a body does not meet itself, in world units; default
   * two pixels. Not for 'lists', which recognise a body's own faces by their body.
   */
  readonly offset?: number | undefined;
  /**
   * Whether a candidate pair may have a body that is not a solid. By default it may not: the question fails with
   * 'not-solid' and names the body. If true, the published form runs, 'stencil' unless 'queries' is asked for. What an
   * open body seems to enclose may be anything, so an answer about one is not complete and claims no bound. `notClosed`
   * names the bodies that a count below 0 shows not to be closed; it does not find every open body.
   */
  readonly allowOpen?: boolean | undefined;
  /**
   * Levels of detail, 0 to 8; default 0. If more than 0, coarse approximations of two bodies are compared before rays
   * are cast at the full models: up to 2^levels boxes around parts of each surface. A candidate is left out if its
   * boxes prove, exactly, that the two have no common point. If they prove that the two have common points only where
   * their boxes meet, rays are cast only there, in finer pixels for the same resolution. So `mayMissBelow`,
   * `mayReportWithin` and `complete` mean the same with any number of levels. It pays if most boxes of bodies meet while
   * the bodies themselves do not, or only in a small place.
   */
  readonly levels?: number | undefined;
}

export const raycastOptionRules: Rules<RaycastOptions> = {
  ask: oneOf('pairs', 'edges', 'any', 'penetrating', 'both'),
  counting: oneOf('lists', 'stencil', 'queries', 'pixels'),
  resolution: imageResolution,
  views: oneOf(1, 2, 3),
  offset: lengthFrom0,
  allowOpen: aFlag,
  levels: wholeNumber(0, 8),
};

/** How the answer was computed. */
export interface RaycastStats {
  /** Pixels along the longer side of a view, as asked for. */
  readonly resolution: number;
  /** The side of a pixel in world units. */
  readonly pixel: number;
  /** How many directions bodies were viewed along. */
  readonly directions: number;
  /**
   * How many pictures: one per candidate and direction; if bodies have many candidates, one per group of bodies and
   * direction; one of all bodies per direction if they are drawn.
   */
  readonly tiles: number;
  /** Samples of faces that were visited; 0 if the hardware does not report them. */
  readonly fragments: number;
  /** Samples of edges that were visited, likewise. */
  readonly edgeFragments: number;
  /** Pixels whose rays single precision could not decide; they were cast again exactly. */
  readonly recast: number;
  /** Pairs that only rays found. */
  readonly byRaysAlone: number;
  /** Pairs that only edges between rays found. */
  readonly byEdgesAlone: number;
  /**
   * Drawn pixels in which a body's edge seemed to lie inside the body itself, which is not an interference. Undefined
   * with 'queries' and 'pixels', which draw only the faces of other bodies before an edge.
   */
  readonly selfHits?: number | undefined;
  /**
   * Drawn pixels with an edge inside more than one other body; only one of those is named. Undefined with 'queries' and
   * 'pixels', which do not sum pixels up.
   */
  readonly inSeveral?: number | undefined;
  /** Whether the work ended early: nothing was left to find or, for 'any', something was found. */
  readonly early: boolean;
  /** Candidates that coarse approximations rejected; undefined unless `levels` is more than 0. */
  readonly rejected?: number | undefined;
  /** Candidates left whose views coarse approximations narrowed; undefined unless `levels` is more than 0. */
  readonly narrowed?: number | undefined;
  /** The times of the phases; undefined unless `counting` is 'pixels'. */
  readonly phases?: PixelPhases | undefined;
}

/** How long the phases of `counting: 'pixels'` took, in milliseconds (the columns of the thesis's Table 4.1). */
export interface PixelPhases {
  /** From the first command until everything was drawn. */
  readonly render: number;
  /** From there until the pixels were in memory. */
  readonly read: number;
  /** Examining them. */
  readonly parse: number;
}

/** The answer when pairs were not asked for. */
export interface RaycastFound extends Answer, Reliability {
  /** Whether there is an interference at all. */
  readonly any: boolean;
  /** Bodies with an edge inside another, if asked for. If only rays met two bodies, both are listed. */
  readonly penetrating: readonly Body[];
  /** The bodies that contain those edges, if asked for. */
  readonly penetrated: readonly Body[];
  /**
   * Bodies that some ray, cast at an edge, leaves more often than it enters. Their meshes are not closed, and what they
   * meet is not known. Only bodies that `allowOpen` admitted.
   */
  readonly notClosed: readonly Body[];
  /** How the answer was computed. */
  readonly raycast: RaycastStats;
}

/**
 * The points at which edges of two bodies lie inside one another, one per edge and pixel. Sorted by body, then edge,
 * then along the edge.
 */
export interface EdgeHits {
  /** Whose edge it is: 0 a's, 1 b's. */
  readonly body: Uint8Array;
  /** Indices into `mesh.edges`. */
  readonly edge: Uint32Array;
  /** World x, y, z per point. The point lies on the edge and within a pixel's diagonal of the other solid. */
  readonly points: Float64Array;
}

/** The checked options, with defaults filled in. */
export interface RaycastRequest {
  readonly ask: Ask;
  readonly counting: Counting;
  readonly resolution: number;
  readonly views: 1 | 2 | 3;
  readonly offset: number | undefined;
  readonly allowOpen: boolean;
  readonly levels: number;
  /** If levels of detail were compared: how many candidates were rejected, how many windows became narrower. */
  readonly rejected?: number | undefined;
  readonly narrowed?: number | undefined;
  /** The same: six numbers per candidate left, a box around the common part of its bodies. */
  readonly windows?: Float64Array | undefined;
}

/** Fills in the defaults. The options must already obey their rules. */
export function raycastOf(options: RaycastOptions): RaycastRequest {
  const { ask = 'pairs', resolution = 512, views = 1, offset, allowOpen = false, levels = 0 } = options;
  const { counting = allowOpen ? 'stencil' : 'lists' } = options;
  if (offset !== undefined && counting === 'lists') {
    throw bad(`offset is only for counting 'stencil', 'queries' and 'pixels', not for 'lists'`);
  }
  if (allowOpen && counting === 'lists') {
    throw bad(`allowOpen needs counting 'stencil' or 'queries': 'lists' works on solids only`);
  }
  if (allowOpen && counting === 'pixels') {
    throw bad(`allowOpen needs counting 'stencil' or 'queries': 'pixels' does not find counts below 0`);
  }
  if (counting === 'pixels' && ask === 'edges') {
    throw bad(`counting 'pixels' names bodies by colours: ask 'edges' needs counting 'lists' or 'stencil'`);
  }
  if (counting === 'queries' && (ask === 'pairs' || ask === 'edges')) {
    throw bad(
      `counting 'queries' finds bodies only: ask must be 'any', 'penetrating' or 'both', not '${ask}'`,
    );
  }
  return { ask, counting, resolution, views, offset, allowOpen, levels };
}
