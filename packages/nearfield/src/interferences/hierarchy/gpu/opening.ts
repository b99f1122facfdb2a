// What a question records before itself, until that has been accepted.

import type { Preparation } from '../../../bvh/gpu/trees.ts';
import type { Piece } from '../../../gpu/buffers/read-back.ts';

export class Opening {
  #preparation: Preparation | undefined;
  readonly #record: (encoder: GPUCommandEncoder) => void;
  #pending = true;

  constructor(preparation: Preparation | undefined, record: (encoder: GPUCommandEncoder) => void) {
    this.#preparation = preparation;
    this.#record = record;
  }
  encode(encoder: GPUCommandEncoder): void {
    if (this.#pending) this.#record(encoder);
    this.#pending = false;
  }
  get pieces(): readonly Piece[] {
    return this.#preparation?.pieces ?? [];
  }
  /** False where it must be recorded again. */
  accept(views: readonly Uint32Array[]): boolean {
    if (this.#preparation === undefined) return true;
    this.#pending = !this.#preparation.accept(views);
    if (!this.#pending) this.#preparation = undefined;
    return !this.#pending;
  }
}
