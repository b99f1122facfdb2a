// The seam between distance maps and an engine that samples by itself: two bodies and a view in, lines out.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { Surfaces } from './exact/measure-line.ts';
import type { View } from './view.ts';

/** What the lines of a view tell, an entry a pixel, rows one after the other (exact/measure-line.ts). */
export interface RawLines {
  /** World units; NaN where a line does not meet both. */
  readonly distance: Float32Array;
  /** Depth of the first body's triangle, from the view's origin; NaN where there is none. */
  readonly depth: Float32Array;
  /** 2^32 − 1 where there is none. */
  readonly triangleA: Uint32Array;
  readonly triangleB: Uint32Array;
  /** Pixels, in order, that the engine could not decide: what stands there means nothing. */
  readonly unsure: Uint32Array;
  /** What any other distance is off by at most, before it was rounded to single, world units. */
  readonly bound: Float32Array;
  readonly stats: EngineStats;
}

export interface LinesTurn {
  /** Undefined where the engine cannot tell: the CPU has to be asked. */
  lines(a: Placed, b: Placed, view: View, surfaces: Surfaces): Promise<RawLines | undefined>;
}
