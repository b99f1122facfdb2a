// What a question records before itself, until that has been accepted.

import type { Preparation } from '../../../bvh/gpu/trees.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';

export class Opening {
  #preparation: Preparation | undefined;

  constructor(preparation: Preparation | undefined) {
    this.#preparation = preparation;
  }
  get isDone(): boolean {
    return this.#preparation === undefined;
  }
  /** Returns how many dispatches. */
  encode(encoder: GPUCommandEncoder): number {
    return this.#preparation?.encode(encoder) ?? 0;
  }
  get pieces(): readonly Piece[] {
    return this.#preparation?.pieces ?? [];
  }
  /** False where it must be recorded again. */
  accept(views: readonly Uint32Array[]): boolean {
    if (this.#preparation?.accept(views) === false) return false;
    this.#preparation = undefined;
    return true;
  }
}
