// Joins many small writes into a few large ones. Each call of the queue leaves JavaScript and stages its bytes anew;
// for hundreds of bodies that deform in every frame that took longer than all their triangles. Writes to adjacent
// ranges of a buffer are joined in memory first.

/**
 * Small records in a buffer on the GPU, with a copy in memory. However many of them change, they are written at once,
 * from the first that changed to the last.
 */
export class Records {
  readonly #queue: GPUQueue;
  #words = new Uint32Array(256);
  #first = Infinity;
  #end = 0;

  constructor(queue: GPUQueue) {
    this.#queue = queue;
  }

  /**
   * Returns all words, for the caller to write `length` of them from `at` on. The next `flush` writes these to the
   * buffer.
   */
  claim(at: number, length: number): Uint32Array {
    const end = at + length;
    if (end > this.#words.length) {
      const words = new Uint32Array(2 ** Math.ceil(Math.log2(end)));
      words.set(this.#words);
      this.#words = words;
    }
    if (at < this.#first) this.#first = at;
    if (end > this.#end) this.#end = end;
    return this.#words;
  }

  /**
   * Writes what was claimed. The buffer, or the one it was replaced by, must hold everything that was flushed before.
   */
  flush(buffer: GPUBuffer): void {
    if (this.#end === 0) return;
    this.#queue.writeBuffer(buffer, 4 * this.#first, this.#words, this.#first, this.#end - this.#first);
    this.#first = Infinity;
    this.#end = 0;
  }
}

interface Write {
  readonly at: number;
  readonly data: ArrayBufferView<ArrayBuffer>;
  /** Bytes from `at` on that belong to the writer. Past the data they may hold anything afterwards. */
  readonly room: number;
}

/** Larger arrays are written directly: one more copy would cost more than the call. */
const smallBytes = 65536;

interface Writes {
  readonly buffer: GPUBuffer;
  readonly list: Write[];
  /** Whether the writes are in ascending order of `at`. */
  inOrder: boolean;
}

export class Uploads {
  readonly #queue: GPUQueue;
  /**
   * One entry per buffer; there are few. A map that is cleared again and again keeps what it held until a full
   * collection.
   */
  #writes: Writes[] = [];
  /** The memory in which writes are joined, as bytes, and as floats since most writes are floats. */
  #bytes = new Uint8Array(0);
  #floats = new Float32Array(0);

  constructor(queue: GPUQueue) {
    this.#queue = queue;
  }

  /** Queues a write for the next `flush`. `data` must not change until then. */
  add(buffer: GPUBuffer, at: number, data: ArrayBufferView<ArrayBuffer>, room = data.byteLength): void {
    if (data.byteLength > smallBytes) {
      this.#queue.writeBuffer(buffer, at, data);
      return;
    }
    let own = 0;
    while (own < this.#writes.length && this.#writes[own].buffer !== buffer) own++;
    if (own === this.#writes.length) {
      this.#writes.push({ buffer, list: [{ at, data, room }], inOrder: true });
      return;
    }
    const { list } = this.#writes[own];
    if (at < list[list.length - 1].at) this.#writes[own].inOrder = false;
    list.push({ at, data, room });
  }

  flush(): void {
    for (const { buffer, list, inOrder } of this.#writes) {
      if (!inOrder) list.sort((a, b) => a.at - b.at);
      for (let first = 0; first < list.length; ) {
        let end = first + 1;
        while (end < list.length && list[end].at === list[end - 1].at + list[end - 1].room) end++;
        this.#write(buffer, list, first, end);
        first = end;
      }
    }
    this.#writes = [];
  }

  #write(buffer: GPUBuffer, writes: readonly Write[], first: number, end: number): void {
    const { at, data } = writes[first];
    if (end === first + 1) {
      this.#queue.writeBuffer(buffer, at, data);
      return;
    }
    const last = writes[end - 1];
    const bytes = last.at + last.data.byteLength - at;
    if (this.#bytes.length < bytes) {
      this.#bytes = new Uint8Array(2 ** Math.ceil(Math.log2(bytes)));
      this.#floats = new Float32Array(this.#bytes.buffer);
    }
    for (let i = first; i < end; i++) {
      const { at: place, data } = writes[i];
      // Floats are copied bit by bit; a byte view would be one more object per write.
      if (data instanceof Float32Array) this.#floats.set(data, (place - at) / 4);
      else this.#bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), place - at);
    }
    this.#queue.writeBuffer(buffer, at, this.#bytes, 0, bytes);
  }
}
