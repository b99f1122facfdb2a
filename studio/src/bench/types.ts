// The messages between the page and the benchmark worker.

import type { MethodJob, ParticleJob } from 'nearfield-bench/page';
import type { Limits } from '../engine/types.ts';

/** Milliseconds of one question. */
export interface Times {
  readonly median: number;
  /** Quartiles: half of the runs lie between them. */
  readonly low: number;
  readonly high: number;
  readonly runs: number;
}

/** A case as plain data. */
export type CaseData = BodiesData | ParticleJob;

/** Bodies refer to shared meshes. */
export interface BodiesData
  extends Pick<
    MethodJob,
    'scene' | 'name' | 'question' | 'frames' | 'tolerance' | 'images' | 'series' | 'method'
  > {
  readonly meshes: readonly {
    readonly positions: Float32Array;
    readonly indices: Uint16Array | Uint32Array;
  }[];
  readonly bodies: readonly { readonly mesh: number; readonly pose: Float64Array }[];
}

export interface MeasureQuestion {
  /** The key of a case. */
  readonly key: string;
  /** Approximate milliseconds to spend. */
  readonly time: number;
}

/** The tasks of the worker. */
export interface BenchTasks {
  /** The case itself, for the GPU of the page. */
  benchCase(key: string, limits?: Limits): Promise<CaseData>;
  benchMeasure(question: MeasureQuestion, limits?: Limits): Promise<Times>;
}
