// A body at one moment: what a question saw of it. Bodies move and deform while a question waits, and after it
// has been answered; what is decided later is decided of the moment.

import type { Engine } from '../engine.ts';
import type { Placed, Shape, ShapeState } from './snapshot.ts';

/** A body as it stood: what it was made of, and where. Nothing of it is ever written to. */
export interface SnapshotBody extends ShapeState, Placed {}

/** Runs a synchronous question of two moments. One deformed since then gets a tree of its own for the time. */
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

/** The same for a question that is answered in steps: until the last, neither may change. */
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

function revive(moment: SnapshotBody): SnapshotBody {
  const { shape, mesh, positions, revision } = moment;
  if (shape.revision === revision && shape.positions === positions) return moment;
  const then: Shape = { mesh, positions, revision };
  return { ...moment, shape: then };
}
