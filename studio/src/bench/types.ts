// What the page and the worker of the benchmarks say to each other.

import type { Case } from 'nearfield-bench/page';
import type { Limits } from '../engine/types.ts';

/** Milliseconds of one question. */
export interface Times {
  readonly median: number;
  /** Quartiles: half of the runs lie between them. */
  readonly low: number;
  readonly high: number;
  readonly runs: number;
}

/** A case as plain data; bodies share meshes. */
export interface CaseData extends Pick<Case, 'scene' | 'name' | 'question' | 'frames' | 'tolerance'> {
  readonly meshes: readonly {
    readonly positions: Float32Array;
    readonly indices: Uint16Array | Uint32Array;
  }[];
  readonly bodies: readonly { readonly mesh: number; readonly pose: Float64Array }[];
}

export interface MeasureQuestion {
  /** Of a case. */
  readonly key: string;
  /** Milliseconds to spend, about. */
  readonly time: number;
}

/** What the worker does of it. */
export interface BenchTasks {
  /** The case itself, for a GPU of the page. */
  benchCase(key: string, limits?: Limits): Promise<CaseData>;
  benchMeasure(question: MeasureQuestion, limits?: Limits): Promise<Times>;
}
