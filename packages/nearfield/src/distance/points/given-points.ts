// The points of a question. The caller may overwrite its array once the call has returned, so they are copied before that:
// but only after a GPU that is free has begun with them, since the copy takes as long as half of its work.

import type { AskedPoints } from '../request.ts';

export class GivenPoints implements AskedPoints {
  readonly count: number;
  /** The caller's array, until it is copied. */
  #given: Float32Array | Float64Array | undefined;
  readonly #copy: Float64Array;

  /** `provide` gives the memory of the copy. */
  constructor(
    given: Float32Array | Float64Array,
    provide = (length: number): Float64Array => new Float64Array(length),
  ) {
    this.count = given.length / 3;
    this.#given = given;
    this.#copy = provide(given.length);
  }

  get now(): Float64Array {
    return isPlain(this.#given) ? this.#given : this.copy;
  }

  /** It is made when it is first read. */
  get copy(): Float64Array {
    if (this.#given !== undefined) this.#copy.set(this.#given);
    this.#given = undefined;
    return this.#copy;
  }
}

/** Whether a GPU takes an array as it is: doubles, in memory that is neither shared nor resizable. */
const isPlain = (given: Float32Array | Float64Array | undefined): given is Float64Array =>
  given instanceof Float64Array &&
  given.buffer instanceof ArrayBuffer &&
  (given.buffer as { resizable?: boolean }).resizable !== true;
