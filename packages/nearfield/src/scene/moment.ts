// A body at one moment: what a question saw of it. Bodies move and deform while a question waits, and after it
// has been answered; what is decided later is decided of the moment.

import type { Mesh, Positions } from '../mesh/mesh.ts';
import type { Placed, Shape, SyncEngine } from './engine.ts';

/** A body as it stands: what engines read, and the shape's mesh and positions beside it. */
export interface Standing extends Placed {
  readonly mesh: Mesh;
  readonly positions: Positions;
}

/** A body as it stood. Nothing of it is ever written to. */
export interface Moment extends Standing {
  readonly revision: number;
}

export function momentOf({ shape, mesh, positions, pose, poseRevision }: Standing): Moment {
  return { shape, mesh, positions, revision: shape.revision, pose: pose.slice(), poseRevision };
}

/** Runs a synchronous question of two moments. One deformed since then gets a tree of its own for the time. */
export function asNow<T>(engine: SyncEngine, a: Moment, b: Moment, ask: (a: Moment, b: Moment) => T): T {
  const [nowA, nowB] = [revive(a), revive(b)];
  try {
    return ask(nowA, nowB);
  } finally {
    if (nowA !== a) engine.forget(nowA.shape);
    if (nowB !== b) engine.forget(nowB.shape);
  }
}

function revive(moment: Moment): Moment {
  const { shape, mesh, positions, revision } = moment;
  if (shape.revision === revision && shape.positions === positions) return moment;
  const then: Shape = { mesh, positions, revision };
  return { ...moment, shape: then };
}

/**
 * The moments of the bodies that an answer names. Poses are copied into one array; a moment is made of them when
 * it is asked for, which for most pairs of a large answer is never.
 */
export class Snapshot {
  readonly #slots: Int32Array;
  readonly #seen: Pick<Moment, 'shape' | 'mesh' | 'positions' | 'revision' | 'poseRevision'>[] = [];
  readonly #moments: Moment[] = [];
  #poses: Float64Array;

  constructor(bodyCount: number, expected: number) {
    this.#slots = new Int32Array(bodyCount).fill(-1);
    this.#poses = new Float64Array(16 * Math.max(2, expected));
  }

  add(i: number, standing: Standing): void {
    if (this.#slots[i] >= 0) return;
    const slot = this.#seen.length;
    this.#slots[i] = slot;
    const { shape, mesh, positions, pose, poseRevision } = standing;
    this.#seen.push({ shape, mesh, positions, revision: shape.revision, poseRevision });
    if (16 * slot === this.#poses.length) {
      const larger = new Float64Array(2 * this.#poses.length);
      larger.set(this.#poses);
      this.#poses = larger;
    }
    const poses = this.#poses;
    for (let k = 0; k < 16; k++) poses[16 * slot + k] = pose[k];
  }

  momentAt(i: number): Moment {
    const slot = this.#slots[i];
    return (this.#moments[slot] ??= {
      ...this.#seen[slot],
      pose: this.#poses.slice(16 * slot, 16 * slot + 16),
    });
  }
}
