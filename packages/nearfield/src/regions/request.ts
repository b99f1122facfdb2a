// The request to an engine about boxes and spheres, and its result.

import type { EngineStats } from '../core/stats.ts';
import type { Detail } from '../interferences/request.ts';
import type { Box } from '../math/box.ts';

/** Regions to search. */
export interface RegionRequest {
  /** Boxes, six doubles each, or spheres, four doubles each. */
  readonly regions: Float64Array;
  readonly spheres: boolean;
  readonly count: number;
  readonly detail: Detail;
}

/** The regions whose boxes meet the box of each body. */
export interface ChosenRegions {
  readonly boxes: readonly Box[];
  readonly byBody: readonly Uint32Array[];
}

/** What an engine found of one body. */
export interface BodyRegions {
  readonly body: number;
  /** The regions that were searched; all others miss the body. */
  readonly chosen: Uint32Array;
  /** Three words per chosen region (`RegionRecord` in cpu/search.as.ts): certain triangles, first word in the list, words. */
  readonly records: Uint32Array;
  /** Words: triangle · 2, plus 1 if it is left to the exact stage. */
  readonly list: Uint32Array;
}

export interface FoundRegions {
  /** In order of bodies, without those that no region can meet. */
  readonly found: readonly BodyRegions[];
  readonly stats: EngineStats;
}
