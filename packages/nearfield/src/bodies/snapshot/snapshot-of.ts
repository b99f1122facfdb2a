// Bodies that are no scene's: a few, or those of a scene at other poses, as rows of a table of their own (engine.ts, `Bodies`).

import type { Pose } from '../../math/pose.ts';
import type { Placed, ShapeState, Snapshot, SnapshotSource } from './snapshot.ts';

let tables = 0;

/** The number of another table: no two have the same. */
export const nextTable = (): number => ++tables;

/** What was seen as a table of its own, with other poses: by row, the pose of every body that matters. */
export function withPoses(
  { count, shapeStates, ordinary }: Snapshot,
  given: ReadonlyMap<number, Pose>,
): Snapshot {
  const poses = new Float64Array(16 * count);
  for (const [row, pose] of given) poses.set(pose, 16 * row);
  return { ...newTable(count, poses, shapeStates), ordinary };
}

/** Rows that nothing is known of. */
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

/** Bodies of a scene as they are, or a few as rows of a table of their own. */
export const snapshotOf = (list: SnapshotSource): Snapshot => ('table' in list ? list : rowsOf(list));

/** What is kept of a table of a few bodies: nothing of their forms. */
export type SnapshotPoses = Pick<Snapshot, 'count' | 'poses' | 'table'>;

/**
 * A few bodies, as rows of a table that was seen before where that had the same poses: of a body that deforms where it is
 * nothing is written again.
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
