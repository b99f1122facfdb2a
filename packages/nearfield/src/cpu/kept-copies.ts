// Memory for copies of arrays that questions are asked about. The system takes longer to provide new memory than to fill it,
// so the memory of one copy is kept for the next question.

/** The most bytes that are kept. */
const mostKept = 2 ** 26;

export class KeptCopies {
  readonly #Buffer: ArrayBufferConstructor | SharedArrayBufferConstructor;
  #spare: Float64Array = new Float64Array(0);

  /** Threads read shared copies where they are. */
  constructor(areShared: boolean) {
    this.#Buffer = areShared ? SharedArrayBuffer : ArrayBuffer;
  }

  /** Memory for so many numbers: the memory that is kept, if it is large enough. */
  readonly take = (length: number): Float64Array => {
    if (length > this.#spare.length) return new Float64Array(new this.#Buffer(8 * length));
    const copy = this.#spare.subarray(0, length);
    this.#spare = new Float64Array(0);
    return copy;
  };

  /** Keeps the memory of a copy that nobody reads any more. */
  giveBack({ buffer }: Float64Array): void {
    if (buffer.byteLength > this.#spare.buffer.byteLength && buffer.byteLength <= mostKept)
      this.#spare = new Float64Array(buffer);
  }
}
