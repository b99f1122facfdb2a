// Bodies as engines and questions see them: what they are made of, where they are, and what an engine is to a scene.

import type { Box } from '../math/box.ts';
import type { Pose } from '../math/pose.ts';
import type { Mesh, Positions } from '../mesh/mesh.ts';
import type { BufferLayout, HeldCopy, HeldItems, HeldPositions } from './held.ts';
import type { HeldPoses } from './held-poses.ts';

/**
 * What a body is made of: a mesh's triangles over the mesh's own positions, or over those the body was last
 * deformed to. Engines keep their trees by the shape object and refit or rebuild them when `revision` grew.
 * Vertices that `mesh.welds` identifies have equal positions in every revision.
 */
export interface Shape {
  readonly mesh: Mesh;
  /** Replaced, never written into, together with `revision`: who holds the array holds that revision. */
  positions: Positions;
  revision: number;
  /** The box of all vertices in this revision, where it was found when they were checked. */
  extent?: Box | undefined;
  /** Grows where a new revision shall have a tree of its own rather than a refitted one. */
  builds?: number;
  /** Set where the positions are on the GPU alone. `positions` can then be read only once they have been fetched. */
  held?: HeldPositions | undefined;
}

/** One body as engines see it. */
export interface Placed {
  readonly shape: Shape;
  readonly pose: Pose;
  /** Grows with every new pose, so an engine need not compare numbers. */
  readonly poseRevision: number;
}

/** What a body is made of at one moment. Never written to: a body that deforms gets another. */
export interface Form {
  readonly shape: Shape;
  /** The shape's mesh, positions and revision then. */
  readonly mesh: Mesh;
  readonly positions: Positions;
  readonly revision: number;
  readonly held?: HeldPositions | undefined;
}

/**
 * Many bodies as engines see them, one row a body, as they stood when the question was asked. While the question
 * waits nothing of it changes. Rows are those of a scene's table (table.ts), so that an engine that has seen the table
 * before takes over only what has changed since, and the poses in one copy.
 */
export interface Bodies {
  readonly count: number;
  /** Sixteen doubles a row. The array may be longer. Where they are held and not read, asking for them throws. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** Set where all poses came in a GPUBuffer. */
  readonly held?: HeldPoses | undefined;
  /** Where they lie in an engine's own memory, if they do: that engine need not copy them. */
  readonly room?: PoseRows | undefined;
  readonly forms: readonly Form[];
  /** Which table; no two have the same number. */
  readonly table: number;
  /** Grows with every change to the table. A lower one than before means an older state of it. */
  readonly revision: number;
  /** By row, the table's revision when the body's pose last changed or another body took the row. */
  readonly changed: Float64Array;
  /** The table's revision when all poses were last replaced at once. */
  readonly replaced: number;
  /** Linear parts are below 10^30 and translations below 10^60. */
  readonly ordinary: boolean;
  /** The table's revision when the list of bodies or any body's form last changed. */
  readonly formsChanged: number;
}

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

/** Bodies of a scene's table, or a few of one's own. */
export type BodyList = Bodies | readonly Placed[];

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
  hold?(buffer: object, items: HeldItems, layout: BufferLayout, owner: string): HeldCopy;
  /** Frees what is kept for a shape. */
  forget(shape: Shape): void;
  close(): void;
}
