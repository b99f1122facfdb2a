// Many small writes as few large ones: each call of the queue leaves JavaScript and stages its bytes anew, which for hundreds of
// bodies that deform in every frame took longer than all their triangles. Writes that lie one after the other in a
// buffer are joined in memory first.

/**
 * A buffer of small records as it is on the GPU, kept in memory too: however many of them change, all is one write, from the
 * first to the last.
 */
export class Records {
  readonly #queue: GPUQueue;
  #words = new Uint32Array(256);
  #first = Infinity;
  #end = 0;

  constructor(queue: GPUQueue) {
    this.#queue = queue;
  }

  /** All words, of which the caller writes those from `at` on now; they are written to the buffer with the next `flush`. */
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

  /** The buffer, or one that took its place, holds what was written before. */
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
  /** Bytes from `at` on that are the writer's own, whatever they hold afterwards. */
  readonly room: number;
}

/** Larger ones are written as they are: copying them once more would cost more than the call. */
const smallBytes = 65536;

interface Writes {
  readonly buffer: GPUBuffer;
  readonly list: Write[];
  /** Whether each lies behind the one before. */
  inOrder: boolean;
}

export class Uploads {
  readonly #queue: GPUQueue;
  /** One for each of the few buffers. A map that is cleared again and again keeps what it held until a full collection. */
  #writes: Writes[] = [];
  /** Where writes are joined, as bytes and as what most of them are made of. */
  #bytes = new Uint8Array(0);
  #floats = new Float32Array(0);

  constructor(queue: GPUQueue) {
    this.#queue = queue;
  }

  /** To be written before the next submission; `data` must not change until `flush`. */
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
      // Floats are copied as they are, bit by bit; a view of their bytes would be one more object each.
      if (data instanceof Float32Array) this.#floats.set(data, (place - at) / 4);
      else this.#bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), place - at);
    }
    this.#queue.writeBuffer(buffer, at, this.#bytes, 0, bytes);
  }
}
