// The interface between the layers method's questions and the GPU: two bodies and a view go in, one case per pixel
// comes out.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { View } from '../raster/view.ts';
import type { LayersKeep } from './keep.ts';
import type { LayersPhase, LayersRequest } from './options.ts';
import type { SequenceTable } from './sequence.ts';

export interface LayersTask extends Pick<LayersRequest, 'algorithm' | 'layers' | 'spikes' | 'form'> {
  readonly view: View;
  /** Holds A's maps from question to question, as long as shape and view stay the same. */
  readonly keep: LayersKeep | undefined;
  /** Whether the engine may answer that the bodies should be exchanged. */
  readonly mayExchange: boolean;
}

export interface LayersCounts {
  overlapped: number;
  second: number;
  convexA: number;
  convexB: number;
  general: number;
  window: number;
  sortSteps: number;
  mostLayers: number;
  overflows: number;
  reused: boolean;
}

export interface RawLayers {
  /** One case per pixel (cases.ts). */
  readonly cases: Uint8Array;
  /** The sequences of the pixels whose layers were put in order. */
  readonly sequences: SequenceTable;
  /** Pixels whose lines have to be cast exactly. */
  readonly rays: Uint32Array;
  /** Triangles with a part that no line saw: twice their index, plus 0 for a triangle of A or 1 for one of B. */
  readonly spikes: Uint32Array;
  /** The largest error of a stretch's end, in world units. */
  readonly error: number;
  readonly counts: LayersCounts;
  readonly stats: EngineStats;
  /** The phases of the published form; undefined for the other form. */
  readonly phases?: readonly LayersPhase[] | undefined;
}

/** Two bodies viewed along a direction. */
export interface LayersPair {
  readonly a: Placed;
  readonly b: Placed;
  readonly task: LayersTask;
}

export interface LayersTurn {
  /**
   * Answers many pairs at once, one answer per pair. 'exchange' asks for the pair again with A and B exchanged: the task
   * allows that, and it would decide most of the pixels that counting leaves open.
   */
  layers(pairs: readonly LayersPair[]): Promise<(RawLayers | 'exchange')[]>;
}
