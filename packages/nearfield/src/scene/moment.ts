// A body at one moment: what a question saw of it. Bodies move and deform while a question waits, and after it
// has been answered; what is decided later is decided of the moment.

import type { Pose } from '../math/pose.ts';
import type { Mesh, Positions } from '../mesh/mesh.ts';
import type { Placed, Shape, SyncEngine } from './engine.ts';

export interface Moment {
  readonly shape: Shape;
  readonly mesh: Mesh;
  readonly positions: Positions;
  readonly revision: number;
  readonly pose: Pose;
  readonly poseRevision: number;
}

export function momentOf({ shape, pose, poseRevision }: Placed): Moment {
  return {
    shape,
    mesh: shape.mesh,
    positions: shape.positions,
    revision: shape.revision,
    pose,
    poseRevision,
  };
}

/** Runs a synchronous question of two moments. One deformed since then gets a tree of its own for the time. */
export function asNow<T>(engine: SyncEngine, a: Moment, b: Moment, ask: (a: Placed, b: Placed) => T): T {
  const [placedA, placedB] = [revive(a), revive(b)];
  try {
    return ask(placedA, placedB);
  } finally {
    if (placedA.shape !== a.shape) engine.forget(placedA.shape);
    if (placedB.shape !== b.shape) engine.forget(placedB.shape);
  }
}

function revive(moment: Moment): Placed {
  const { shape, mesh, positions, revision, pose, poseRevision } = moment;
  if (shape.revision === revision && shape.positions === positions) return { shape, pose, poseRevision };
  return { shape: { mesh, positions, revision: 0 }, pose, poseRevision };
}
