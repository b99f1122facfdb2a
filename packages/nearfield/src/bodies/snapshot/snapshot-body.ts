// One body of a snapshot: its shape and pose when the question was asked. Bodies move and deform while a question waits
// and after it is answered. Whatever is decided later is decided about the snapshot.

import type { Engine } from '../engine.ts';
import type { Placed, Shape, ShapeState } from './snapshot.ts';

/** A body's shape and pose at one moment. Immutable. */
export interface SnapshotBody extends ShapeState, Placed {}

/** Runs a synchronous question about two snapshot bodies. A body that has deformed since gets a temporary tree. */
export function asNow<T>(
  engine: Pick<Engine, 'forget'>,
  a: SnapshotBody,
  b: SnapshotBody,
  ask: (a: SnapshotBody, b: SnapshotBody) => T,
): T {
  const [nowA, nowB] = [revive(a), revive(b)];
  try {
    return ask(nowA, nowB);
  } finally {
    if (nowA !== a) engine.forget(nowA.shape);
    if (nowB !== b) engine.forget(nowB.shape);
  }
}

/** As `asNow`, for a question that is answered in steps. Neither body may change until the last step. */
export function* asNowInSteps<T>(
  engine: Pick<Engine, 'forget'>,
  a: SnapshotBody,
  b: SnapshotBody,
  ask: (a: SnapshotBody, b: SnapshotBody) => Generator<number, T>,
): Generator<number, T> {
  const [nowA, nowB] = [revive(a), revive(b)];
  try {
    return yield* ask(nowA, nowB);
  } finally {
    if (nowA !== a) engine.forget(nowA.shape);
    if (nowB !== b) engine.forget(nowB.shape);
  }
}

function revive(body: SnapshotBody): SnapshotBody {
  const { shape, mesh, positions, revision } = body;
  if (shape.revision === revision && shape.positions === positions) return body;
  const then: Shape = { mesh, positions, revision };
  return { ...body, shape: then };
}
