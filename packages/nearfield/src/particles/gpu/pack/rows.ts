// The growing buffer that colliders are packed into.

/** Rows of four words, floats and integers alike. */
export class Rows {
  #words = new Uint32Array(1024);
  #floats = new Float32Array(this.#words.buffer);
  count = 0;

  floats(a = 0, b = 0, c = 0, d = 0): void {
    this.#reserve(1);
    this.#floats.set([a, b, c, d], 4 * this.count++);
  }

  integers(a = 0, b = 0, c = 0, d = 0): void {
    this.#reserve(1);
    this.#words.set([a, b, c, d], 4 * this.count++);
  }

  /** Appends numbers or integers, four per row. Returns the first word. */
  many(values: Float32Array | Uint32Array): number {
    const at = 4 * this.count;
    this.#reserve(Math.ceil(values.length / 4));
    if (values instanceof Float32Array) this.#floats.set(values, at);
    else this.#words.set(values, at);
    this.count += Math.ceil(values.length / 4);
    return at;
  }

  get words(): Uint32Array<ArrayBuffer> {
    return this.#words.slice(0, 4 * Math.max(1, this.count));
  }

  #reserve(rows: number): void {
    const needed = 4 * (this.count + rows);
    if (needed <= this.#words.length) return;
    const grown = new Uint32Array(2 ** Math.ceil(Math.log2(needed)));
    grown.set(this.#words);
    this.#words = grown;
    this.#floats = new Float32Array(grown.buffer);
  }
}
