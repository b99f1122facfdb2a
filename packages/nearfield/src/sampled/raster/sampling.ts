// The interface between distance maps and the GPU: two bodies and a view go in, lines come out.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { Surfaces } from './exact/measure-line.ts';
import type { View } from './view.ts';

/** The distances along the lines of a view, one entry per pixel, row by row (exact/measure-line.ts). */
export interface RawLines {
  /** In world units; NaN if a line does not meet both bodies. */
  readonly distance: Float32Array;
  /** The depth of the first body's triangle, from the view's origin; NaN if there is none. */
  readonly depth: Float32Array;
  /** 2^32 − 1 if there is none. */
  readonly triangleA: Uint32Array;
  readonly triangleB: Uint32Array;
  /** Pixels, in order, that the engine could not decide. Their entries mean nothing. */
  readonly unsure: Uint32Array;
  /** The largest error of any other distance, before it was rounded to single, in world units. */
  readonly bound: Float32Array;
  readonly stats: EngineStats;
}

export interface LinesTurn {
  /** Undefined if the GPU cannot tell: then the CPU has to answer. */
  lines(a: Placed, b: Placed, view: View, surfaces: Surfaces): Promise<RawLines | undefined>;
}
