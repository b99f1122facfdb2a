// One body of a snapshot: its shape and pose when the question was asked. Bodies move and deform while a question waits
// and after it is answered. Whatever is decided later is decided about the snapshot.

import type { Engine } from '../engine.ts';
import type { Placed, Shape, ShapeState } from './snapshot.ts';

/** A body's shape and pose at one moment. Immutable. */
export interface SnapshotBody extends ShapeState, Placed {}

/** Runs a synchronous question about two bodies as they were then. A body that has deformed since gets a temporary tree. */
export function asThen<T>(
  engine: Pick<Engine, 'forget'>,
  a: SnapshotBody,
  b: SnapshotBody,
  ask: (a: SnapshotBody, b: SnapshotBody) => T,
): T {
  const [thenA, thenB] = [revive(a), revive(b)];
  try {
    return ask(thenA, thenB);
  } finally {
    if (thenA !== a) engine.forget(thenA.shape);
    if (thenB !== b) engine.forget(thenB.shape);
  }
}

/** As `asThen`, for a question that is answered in steps. Neither body may change until the last step. */
export function* asThenInSteps<T>(
  engine: Pick<Engine, 'forget'>,
  a: SnapshotBody,
  b: SnapshotBody,
  ask: (a: SnapshotBody, b: SnapshotBody) => Generator<number, T>,
): Generator<number, T> {
  const [thenA, thenB] = [revive(a), revive(b)];
  try {
    return yield* ask(thenA, thenB);
  } finally {
    if (thenA !== a) engine.forget(thenA.shape);
    if (thenB !== b) engine.forget(thenB.shape);
  }
}

function revive(body: SnapshotBody): SnapshotBody {
  const { shape, mesh, positions, revision } = body;
  if (shape.revision === revision && shape.positions === positions) return body;
  const then: Shape = { mesh, positions, revision };
  return { ...body, shape: then };
}
