// Snapshots that do not come from a scene's table: a few bodies, or a scene's bodies at other poses. Each gets a table
// number of its own (snapshot.ts, `Snapshot.table`).

import type { Pose } from '../../math/pose.ts';
import type { Placed, ShapeState, Snapshot, SnapshotSource } from './snapshot.ts';

let tables = 0;

/** A table number that was never given out before. */
export const nextTable = (): number => ++tables;

/** The same bodies at other poses. `given` has the pose of each row that matters; the others become all zeros. */
export function withPoses(
  { count, shapeStates, ordinary }: Snapshot,
  given: ReadonlyMap<number, Pose>,
): Snapshot {
  const poses = new Float64Array(16 * count);
  for (const [row, pose] of given) poses.set(pose, 16 * row);
  return { ...newTable(count, poses, shapeStates), ordinary };
}

/** A snapshot that no engine has seen any row of. */
function newTable(
  count: number,
  poses: Float64Array<ArrayBuffer>,
  shapeStates: readonly ShapeState[],
): Snapshot {
  const changed = new Float64Array(count).fill(1);
  const table = nextTable();
  return {
    count,
    poses,
    shapeStates,
    changed,
    replaced: 1,
    table,
    revision: 1,
    shapesChanged: 1,
    ordinary: false,
  };
}

/** A snapshot as it is, or a list of bodies as a new snapshot. */
export const snapshotOf = (list: SnapshotSource): Snapshot => ('table' in list ? list : rowsOf(list));

/** The part of a snapshot that `snapshotLike` compares: poses, but no shapes. */
export type SnapshotPoses = Pick<Snapshot, 'count' | 'poses' | 'table'>;

/**
 * A few bodies as a snapshot. If `before` has the same poses, its table number is reused: an engine then does not write
 * the poses again when a body only deforms.
 */
export function snapshotLike(placed: readonly Placed[], before: SnapshotPoses | undefined): Snapshot {
  const now = rowsOf(placed);
  const { count, poses } = now;
  if (before?.count !== count) return now;
  for (let i = 0; i < 16 * count; i++) if (!Object.is(poses[i], before.poses[i])) return now;
  return { ...now, table: before.table };
}

function rowsOf(placed: readonly Placed[]): Snapshot {
  const count = placed.length;
  const poses = new Float64Array(16 * count);
  const shapeStates: ShapeState[] = [];
  for (let i = 0; i < count; i++) {
    const { shape, pose } = placed[i];
    for (let k = 0; k < 16; k++) poses[16 * i + k] = pose[k];
    const { mesh, positions, revision, onGpu } = shape;
    shapeStates.push({ shape, mesh, positions, revision, onGpu });
  }
  return newTable(count, poses, shapeStates);
}
