// Lists that grow as a search finds more. An empty list has no memory of its own, and the first addition takes just what
// it needs. A question about two bodies finds one answer or a few pairs, and large arrays would take more time than that.

/** A growing list of pairs of 32-bit numbers. */
export class Pairs {
  #values = new Uint32Array(0);
  length = 0;
  /** Appends `count` pairs from `source`. The first is at `at`, the following ones `step` words apart. */
  append(source: Uint32Array, at: number, step: number, count: number): void {
    const needed = this.length + 2 * count;
    if (needed > this.#values.length) {
      const larger = new Uint32Array(Math.max(needed, 2 * this.#values.length));
      larger.set(this.#values);
      this.#values = larger;
    }
    for (let i = 0, from = at, to = this.length; i < count; i++, from += step, to += 2) {
      this.#values[to] = source[from];
      this.#values[to + 1] = source[from + 1];
    }
    this.length = needed;
  }

  /** All of them. Nothing may be appended afterwards. */
  all(): Uint32Array<ArrayBuffer> {
    return this.#values.length === this.length ? this.#values : this.#values.slice(0, this.length);
  }
}

/** A growing list of numbers. */
export class Numbers {
  values = new Float64Array(0);
  length = 0;
  /** Makes room for `count` more. Returns the place of the first. */
  add(count: number): number {
    const place = this.length;
    this.length += count;
    if (this.length > this.values.length) {
      const larger = new Float64Array(Math.max(this.length, 2 * this.values.length));
      larger.set(this.values);
      this.values = larger;
    }
    return place;
  }

  /** All of them. Nothing may be added afterwards. */
  all(): Float64Array<ArrayBuffer> {
    return this.values.length === this.length ? this.values : this.values.slice(0, this.length);
  }
}
