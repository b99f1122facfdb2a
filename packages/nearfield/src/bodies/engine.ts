// What an engine is to a scene.

import type { BufferCopy, BufferItems, BufferLayout } from './on-gpu/gpu-positions.ts';
import type { Shape } from './snapshot/snapshot.ts';

/** Room for the poses of a table in an engine's memory. */
export interface PoseRows {
  readonly poses: Float64Array<ArrayBuffer>;
  /** Which memory, and where in it. */
  readonly memory: object;
  readonly at: number;
}

/** An engine's memory, for tables that keep their poses in it. */
export interface PoseMemory {
  /** Undefined where they are better kept in an ordinary array. */
  allocate(rows: number): PoseRows | undefined;
  free(rows: PoseRows): void;
  /** Copies many poses, sixteen numbers each. Says whether all of them are plainly good (`checkPoses`). */
  copy(values: Float64Array, rows: PoseRows): boolean;
  /** Where rooms may be lent to be written to: whether so many poses there are plainly good. */
  check?(rows: PoseRows, count: number): boolean;
  /** The same room, as only who asks can see it: arrays that others have of it are empty from now on. */
  reclaim?(rows: PoseRows): PoseRows;
}

/**
 * What scenes need to know of an engine. It runs kernels and knows no question: what a question keeps with it is one of its
 * parts (cpu/engine.ts, gpu/engine.ts).
 */
export interface Engine {
  readonly backend: 'cpu' | 'gpu';
  /** The adapter or processor, in words. */
  readonly name: string;
  /** Where tables may keep their poses; undefined where its memory moves when it grows. */
  readonly poseMemory?: PoseMemory | undefined;
  /** Copies positions or poses from an application's buffer on the engine's own device. Only engines on a GPU can. */
  hold?(buffer: object, items: BufferItems, layout: BufferLayout, owner: string): BufferCopy;
  /** Frees what is kept for a shape. */
  forget(shape: Shape): void;
  close(): void;
}
