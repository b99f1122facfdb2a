// The bodies at one moment: what a question sees, and what engines read. Bodies move and deform while a question waits; a snapshot does not.

import type { Box } from '../../math/box.ts';
import type { Pose } from '../../math/pose.ts';
import type { Mesh, Positions } from '../../mesh/mesh.ts';
import type { PoseRows } from '../engine.ts';
import type { GpuPoses } from '../on-gpu/gpu-poses.ts';
import type { GpuPositions } from '../on-gpu/gpu-positions.ts';

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
  onGpu?: GpuPositions | undefined;
}

/** One body as engines see it. */
export interface Placed {
  readonly shape: Shape;
  readonly pose: Pose;
  /** Grows with every new pose, so an engine need not compare numbers. */
  readonly poseRevision: number;
}

/** What a body is made of at one moment. Never written to: a body that deforms gets another. */
export interface ShapeState {
  readonly shape: Shape;
  /** The shape's mesh, positions and revision then. */
  readonly mesh: Mesh;
  readonly positions: Positions;
  readonly revision: number;
  readonly onGpu?: GpuPositions | undefined;
}

/**
 * Many bodies as engines see them, one row a body, as they stood when the question was asked. While the question
 * waits nothing of it changes. Rows are those of a scene's table (table.ts), so that an engine that has seen the table
 * before takes over only what has changed since, and the poses in one copy.
 */
export interface Snapshot {
  readonly count: number;
  /** Sixteen doubles a row. The array may be longer. Where they are on the GPU and not read, asking for them throws. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** Set where all poses came in a GPUBuffer. */
  readonly onGpu?: GpuPoses | undefined;
  /** Where they lie in an engine's own memory, if they do: that engine need not copy them. */
  readonly room?: PoseRows | undefined;
  readonly shapeStates: readonly ShapeState[];
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
  readonly shapesChanged: number;
}

/** Bodies of a scene's table, or a few of one's own. */
export type SnapshotSource = Snapshot | readonly Placed[];
