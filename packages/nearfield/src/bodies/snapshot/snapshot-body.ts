// One body of a snapshot: its shape and pose when the question was asked. Bodies move and deform while a question waits
// and after it is answered. Whatever is decided later is decided about the snapshot.

import type { Engine } from '../engine.ts';
import type { Placed, Shape, ShapeState } from './snapshot.ts';

/** A body's shape and pose at one moment. Immutable. */
export interface SnapshotBody extends ShapeState, Placed {}

/** Asks a synchronous question about two bodies of a snapshot. A body that has deformed since gets a temporary tree. */
export function atSnapshot<T>(
  engine: Pick<Engine, 'forget'>,
  a: SnapshotBody,
  b: SnapshotBody,
  ask: (a: SnapshotBody, b: SnapshotBody) => T,
): T {
  const [ownA, ownB] = [withOwnShape(a), withOwnShape(b)];
  try {
    return ask(ownA, ownB);
  } finally {
    if (ownA !== a) engine.forget(ownA.shape);
    if (ownB !== b) engine.forget(ownB.shape);
  }
}

/** As `atSnapshot`, for a question that is answered in steps. Neither body may change until the last step. */
export function* atSnapshotInSteps<T>(
  engine: Pick<Engine, 'forget'>,
  a: SnapshotBody,
  b: SnapshotBody,
  ask: (a: SnapshotBody, b: SnapshotBody) => Generator<number, T>,
): Generator<number, T> {
  const [ownA, ownB] = [withOwnShape(a), withOwnShape(b)];
  try {
    return yield* ask(ownA, ownB);
  } finally {
    if (ownA !== a) engine.forget(ownA.shape);
    if (ownB !== b) engine.forget(ownB.shape);
  }
}

/** The body with a shape that has the positions of the snapshot: its own, unless it has deformed since. */
function withOwnShape(body: SnapshotBody): SnapshotBody {
  const { shape, mesh, positions, revision } = body;
  if (shape.revision === revision && shape.positions === positions) return body;
  const own: Shape = { mesh, positions, revision };
  return { ...body, shape: own };
}
