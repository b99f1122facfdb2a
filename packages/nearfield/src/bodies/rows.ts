// Bodies that are no scene's: a few, or those of a scene at other poses, as rows of a table of their own (engine.ts, `Bodies`).

import type { Pose } from '../math/pose.ts';
import type { Bodies, BodyList, Form, Placed } from './engine.ts';

let tables = 0;

/** The number of another table: no two have the same. */
export const nextTable = (): number => ++tables;

/** What was seen as a table of its own, with other poses: by row, the pose of every body that matters. */
export function withPoses({ count, forms, ordinary }: Bodies, given: ReadonlyMap<number, Pose>): Bodies {
  const poses = new Float64Array(16 * count);
  for (const [row, pose] of given) poses.set(pose, 16 * row);
  return { ...newTable(count, poses, forms), ordinary };
}

/** Rows that nothing is known of. */
function newTable(count: number, poses: Float64Array<ArrayBuffer>, forms: readonly Form[]): Bodies {
  const changed = new Float64Array(count).fill(1);
  const table = nextTable();
  return { count, poses, forms, changed, replaced: 1, table, revision: 1, formsChanged: 1, ordinary: false };
}

/** Bodies of a scene as they are, or a few as rows of a table of their own. */
export const bodiesOf = (list: BodyList): Bodies => ('table' in list ? list : rowsOf(list));

/** What is kept of a table of a few bodies: nothing of their forms. */
export type KnownPoses = Pick<Bodies, 'count' | 'poses' | 'table'>;

/**
 * A few bodies, as rows of a table that was seen before where that had the same poses: of a body that deforms where it is
 * nothing is written again.
 */
export function bodiesLike(placed: readonly Placed[], before: KnownPoses | undefined): Bodies {
  const now = rowsOf(placed);
  const { count, poses } = now;
  if (before?.count !== count) return now;
  for (let i = 0; i < 16 * count; i++) if (!Object.is(poses[i], before.poses[i])) return now;
  return { ...now, table: before.table };
}

function rowsOf(placed: readonly Placed[]): Bodies {
  const count = placed.length;
  const poses = new Float64Array(16 * count);
  const forms: Form[] = [];
  for (let i = 0; i < count; i++) {
    const { shape, pose } = placed[i];
    for (let k = 0; k < 16; k++) poses[16 * i + k] = pose[k];
    const { mesh, positions, revision, held } = shape;
    forms.push({ shape, mesh, positions, revision, held });
  }
  return newTable(count, poses, forms);
}
