// The data that the next question reuses (Myszkowski et al., end of section 4). While one body moves against another,
// the other's maps stay the same in its own frame, and so does the view. The two roles may be exchanged if many pixels
// also needed the near side.

import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import type { Pose } from '../../math/pose.ts';
import type { View } from '../raster/view.ts';

/** The view of a body in its own frame, and the inputs from which it was chosen. */
export interface KeptView {
  readonly shape: Shape;
  readonly revision: number;
  readonly asked: string;
  readonly view: View;
}

/** What the layers method reuses from question to question. Pass the same object to each, and close it after the last. */
export class LayersKeep {
  #closed = false;
  readonly #freed = new Set<() => void>();
  /** Which body is A at the next question. @internal */
  order: 'ab' | 'ba' = 'ab';
  /** Whether the order was chosen because the other body is not convex along many lines: then it stays. @internal */
  isChosen = false;
  /** @internal */
  view: KeptView | undefined;

  /** Whether it was closed: a question that is given it then throws 'closed'. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Frees what it holds on the GPU. */
  close(): void {
    this.#closed = true;
    this.view = undefined;
    for (const free of this.#freed) free();
    this.#freed.clear();
  }

  /** Registers a function to be called on closing. @internal */
  whenClosed(free: () => void): void {
    this.#freed.add(free);
  }
}

/**
 * Tells whether a pose only turns and moves, up to rounding: then lengths are the same in a body's frame and in the
 * world.
 */
export function isRigid(pose: Pose): boolean {
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) {
      let dot = i === j ? -1 : 0;
      for (let k = 0; k < 3; k++) dot += pose[4 * i + k] * pose[4 * j + k];
      if (!(Math.abs(dot) < 2 ** -44)) return false;
    }
  }
  return true;
}
