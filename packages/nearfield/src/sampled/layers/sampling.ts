// The seam between the layers method's questions and the engine that answers them: two bodies and a view in, a case a pixel out.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { View } from '../raster/view.ts';
import type { LayersKeep } from './keep.ts';
import type { LayersRequest } from './options.ts';
import type { SequenceTable } from './sequence.ts';

export interface LayersTask extends Pick<LayersRequest, 'algorithm' | 'layers' | 'spikes'> {
  readonly view: View;
  /** A's maps are kept there from question to question, for as long as shape and view are the same. */
  readonly keep: LayersKeep | undefined;
  /** Whether the answer may be that the bodies should be exchanged. */
  readonly mayExchange: boolean;
}

export interface LayersCounts {
  overlapped: number;
  second: number;
  convexA: number;
  convexB: number;
  general: number;
  window: number;
  mostLayers: number;
  overflows: number;
  reused: boolean;
}

export interface RawLayers {
  /** By pixel (cases.ts). */
  readonly cases: Uint8Array;
  /** By pixel, of those whose layers were put in order. */
  readonly sequences: SequenceTable;
  /** Pixels whose lines are to be cast exactly. */
  readonly rays: Uint32Array;
  /** Triangles that no line saw: twice their number, plus 0 for one of A and 1 for one of B. */
  readonly spikes: Uint32Array;
  /** What ends of stretches are off by at most, world units. */
  readonly error: number;
  readonly counts: LayersCounts;
  readonly stats: EngineStats;
}

/** Two bodies seen along a direction. */
export interface LayersPair {
  readonly a: Placed;
  readonly b: Placed;
  readonly task: LayersTask;
}

export interface LayersTurn {
  /**
   * Of many pairs at once, an answer each: 'exchange' where that was allowed and most of what counting leaves open would be
   * decided with B as A.
   */
  layers(pairs: readonly LayersPair[]): Promise<(RawLayers | 'exchange')[]>;
}
