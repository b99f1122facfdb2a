// A paper's evaluation, to be run again: its tables and figures (exhibits), each with the paper's numbers, the published
// algorithm on this machine, and Nearfield's best form beside it.

import type { CpuNearfield, Nearfield } from 'nearfield';
import type { Task, Times } from '../run/measure.ts';

/** A paper and all tables and figures of its evaluation. */
export interface Paper {
  /** The word for the command line. */
  readonly name: string;
  readonly title: string;
  /** Authors, place and year. */
  readonly source: string;
  /** What the paper's algorithm is called here, and where its code is. */
  readonly about: string;
  readonly exhibits: readonly Exhibit[];
}

/** One table or figure. */
export interface Exhibit {
  /** The paper's name for it, such as "Figure 4". */
  readonly name: string;
  readonly title: string;
  /**
   * The experiment, what stands in for what cannot be had, and how our forms differ. To be changed with the columns:
   * earlier pages, whose text is another, then say that they are of an earlier form (page.ts).
   */
  readonly about: string;
  /** False if it can run without a GPU. */
  readonly needsGpu: boolean;
  run(lab: Lab): Promise<Findings>;
}

/** The measured tables and plots of an exhibit. */
export interface Findings {
  readonly tables: readonly PaperTable[];
  readonly plots?: readonly Plot[];
  /** Whole sentences: sizes used, shapes (linear, ratio) with R², what the figures show. */
  readonly notes?: readonly string[];
}

/** Numbers are printed with three significant digits; undefined is an empty cell. */
export type Cell = string | number | undefined;

export interface PaperTable {
  readonly title?: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Axis {
  readonly label: string;
  readonly log?: boolean;
}

/** A plot like the paper's figure. */
export interface Plot {
  /** Used in the file's name: letters, digits and hyphens. */
  readonly id: string;
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
    /** Half the length of a vertical bar per point, such as a standard deviation. */
    readonly bars?: readonly number[];
    /** True if points are drawn as dots, without a line through them. */
    readonly isDots?: boolean;
    /** True for the paper's own numbers, which are drawn dashed. */
    readonly isPaper?: boolean;
  }[];
}

/** Seconds for the page of a paper on a real GPU, so that one call of a rented machine does for all pages. */
export const pageSeconds = 80;

/** The machine as an experiment sees it. */
export interface Lab {
  readonly cpu: CpuNearfield;
  /** Undefined on a machine without a GPU. */
  readonly gpu: Nearfield | undefined;
  /** True if the GPU is a program on the processor. Image methods then run at a smaller size, which the page states. */
  readonly isSoftware: boolean;
  /** Milliseconds that each figure may be measured for. */
  readonly time: number;
  /** Milliseconds that are left for the page, below 0 if it takes longer. Slow rows are then asked about less often. */
  left(): number;
  readonly signal?: AbortSignal | undefined;
  /** The times of each task. The tasks take turns, so that a disturbance hits all of them; pages have the calmest turn's median. */
  measure(...tasks: readonly Task[]): Promise<Times[]>;
  /** Reports what is being measured. */
  log(text: string): void;
}
