// The engine interface, as scenes see it.

import type { Kernels } from '../core/choice.ts';
import type { Costs } from '../core/costs.ts';
import type { Backend } from '../core/stats.ts';
import type { AppBuffers } from './on-gpu/buffers.ts';
import type { Shape } from './snapshot/snapshot.ts';

/** Space for a table's poses in an engine's memory. */
export interface PoseRows {
  /** 16 doubles per row. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** Identifies the memory; `at` is the address in it. */
  readonly memory: object;
  readonly at: number;
}

/** An engine's memory, in which tables may keep their poses. */
export interface PoseMemory {
  /** Space for `rows` poses; undefined if an ordinary array serves better. */
  allocate(rows: number): PoseRows | undefined;
  free(rows: PoseRows): void;
  /** Copies poses, 16 numbers each. Returns whether all of them are plainly valid (`checkPoses`). */
  copy(values: Float64Array, rows: PoseRows): boolean;
  /** Whether the first `count` poses are plainly valid. Only for memory that can be lent to callers for writing. */
  check?(rows: PoseRows, count: number): boolean;
  /** Takes lent space back: returns the same space, and detaches every array that the borrower has of it. */
  reclaim?(rows: PoseRows): PoseRows;
}

/**
 * What scenes need from an engine. An engine runs kernels and knows no question. A question stores its own state with
 * the engine as a part (cpu/engine.ts, gpu/engine.ts).
 */
export interface Engine extends Kernels {
  readonly backend: Backend;
  /** The GPU adapter's description, or 'WebAssembly SIMD' on the CPU. */
  readonly name: string;
  /**
   * What answers take. If it is set, the CPU answers what it is expected to answer sooner, and everything until the engine
   * is ready.
   */
  readonly costs?: Costs | undefined;
  /** Memory in which tables may keep their poses; undefined if the engine's memory moves when it grows. */
  readonly poseMemory?: PoseMemory | undefined;
  /**
   * Copies of positions and poses from an application's buffers on the engine's own device. Only GPU engines have
   * this.
   */
  readonly appBuffers?: AppBuffers | undefined;
  /** Frees everything kept for a shape. */
  forget(shape: Shape): void;
  close(): void;
}
