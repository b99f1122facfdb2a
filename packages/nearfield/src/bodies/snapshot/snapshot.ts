// The bodies at one moment: what a question sees and what engines read. Bodies move and deform while a question waits;
// a snapshot does not change.

import type { Box } from '../../math/box.ts';
import type { Pose } from '../../math/pose.ts';
import type { Mesh, Positions } from '../../mesh/mesh.ts';
import type { PoseRows } from '../engine.ts';
import type { GpuPoses } from '../on-gpu/gpu-poses.ts';
import type { GpuPositions } from '../on-gpu/gpu-positions.ts';

/**
 * The local geometry of a body: a mesh's triangles over the mesh's own positions, or over those the body was last
 * deformed to. Engines keep one tree per shape object and refit or rebuild it when `revision` has grown.
 * Vertices that `mesh.welds` identifies have equal positions in every revision.
 */
export interface Shape {
  readonly mesh: Mesh;
  /**
   * Never written into. Deforming replaces the array and increases `revision`, so an array always belongs to one
   * revision.
   */
  positions: Positions;
  revision: number;
  /** The box of all vertices in this revision, if the check for finite positions found it. */
  extent?: Box | undefined;
  /** Grows when a new revision needs a rebuilt tree instead of a refitted one. */
  builds?: number;
  /**
   * Set if the positions came in a GPUBuffer. `positions` cannot be read then; `readable` gives them after a read-back.
   */
  onGpu?: GpuPositions | undefined;
}

/** A shape placed by a pose: one body as engines see it. */
export interface Placed {
  readonly shape: Shape;
  readonly pose: Pose;
  /** Grows with every new pose, so that an engine need not compare the numbers. */
  readonly poseRevision: number;
}

/** A shape at one moment. Immutable: a body that deforms gets a new one. */
export interface ShapeState {
  readonly shape: Shape;
  /** The shape's mesh, positions and revision at that moment. */
  readonly mesh: Mesh;
  readonly positions: Positions;
  readonly revision: number;
  readonly onGpu?: GpuPositions | undefined;
}

/**
 * All bodies as they were when the question was asked, one row per body. It does not change while the question waits.
 * Rows are those of a scene's table (table.ts): an engine that has seen the table before takes over only what has
 * changed since, and copies the poses in one go.
 */
export interface Snapshot {
  readonly count: number;
  /** 16 doubles per row, column-major. The array may be longer. Throws 'unsupported' if they are on the GPU alone. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** Set if all poses came in a GPUBuffer. */
  readonly onGpu?: GpuPoses | undefined;
  /** Set if the poses lie in an engine's own memory. That engine need not copy them. */
  readonly room?: PoseRows | undefined;
  readonly shapeStates: readonly ShapeState[];
  /** The number of the table. No two tables have the same. */
  readonly table: number;
  /** Grows with every change to the table. A lower number means an older state. */
  readonly revision: number;
  /** Per row, the table's revision when the body's pose last changed or another body took the row. */
  readonly changed: Float64Array;
  /** The table's revision when all poses were last replaced at once. */
  readonly replaced: number;
  /** Whether all linear parts are below 10^30 and all translations below 10^60. */
  readonly ordinary: boolean;
  /** The table's revision when the list of bodies or any body's shape last changed. */
  readonly shapesChanged: number;
}

/** A snapshot, or a few placed shapes that `snapshotOf` makes one from. */
export type SnapshotSource = Snapshot | readonly Placed[];
