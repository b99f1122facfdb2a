// Arrays that grow while a file is read. They double when full, so memory stays within a small multiple of the file's
// actual contents, whatever its header promised.

export class GrowingFloats {
  private values = new Float64Array(3072);
  length = 0;

  push3(x: number, y: number, z: number): void {
    if (this.length + 3 > this.values.length) {
      const larger = new Float64Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = x;
    this.values[this.length++] = y;
    this.values[this.length++] = z;
  }

  at(index: number): number {
    return this.values[index];
  }

  /** The pushed values, in an array of exact size. */
  finish(): Float64Array {
    return this.values.slice(0, this.length);
  }
}

export class GrowingIndices {
  private values = new Uint32Array(3072);
  length = 0;

  push3(a: number, b: number, c: number): void {
    if (this.length + 3 > this.values.length) {
      const larger = new Uint32Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = a;
    this.values[this.length++] = b;
    this.values[this.length++] = c;
  }

  /** The values pushed from `start` on, in an array of exact size. */
  finish(start = 0): Uint32Array {
    return this.values.slice(start, this.length);
  }
}
