/** A list of doubles that grows. */
export class Numbers {
  values: Float64Array<ArrayBuffer>;
  length = 0;

  constructor(room = 64) {
    this.values = new Float64Array(room);
  }

  get list(): Float64Array<ArrayBuffer> {
    return this.values.subarray(0, this.length);
  }

  push(...numbers: readonly number[]): void {
    const at = this.extend(numbers.length);
    this.values.set(numbers, at);
  }

  /** Makes room for `count` more and gives the place of the first. */
  extend(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.values.length) {
      const larger = new Float64Array(2 * this.length);
      larger.set(this.values);
      this.values = larger;
    }
    return at;
  }
}
