type List = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** A growing list of numbers: doubles, unless another kind is given. */
export class Numbers<Values extends List = Float64Array<ArrayBuffer>> {
  values: Values;
  length = 0;
  readonly #kind: new (
    room: number,
  ) => Values;

  constructor(room = 64, kind: unknown = Float64Array) {
    this.#kind = kind as new (room: number) => Values;
    this.values = new this.#kind(room);
  }

  get list(): Values {
    return this.values.subarray(0, this.length) as Values;
  }

  push(...numbers: readonly number[]): void {
    const at = this.extend(numbers.length);
    this.values.set(numbers, at);
  }

  /** Makes room for `count` more and returns the index of the first. The buffer may be replaced. */
  extend(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.values.length) this.reserve(2 * this.length);
    return at;
  }

  /** Makes room for `room` numbers in all. */
  reserve(room: number): void {
    const larger = new this.#kind(room);
    larger.set(this.values);
    this.values = larger;
  }
}
