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

  /** To be written with the next `flush`. */
  set(at: number, record: Uint32Array): void {
    const end = at + record.length;
    if (end > this.#words.length) {
      const words = new Uint32Array(2 ** Math.ceil(Math.log2(end)));
      words.set(this.#words);
      this.#words = words;
    }
    this.#words.set(record, at);
    this.#first = Math.min(this.#first, at);
    this.#end = Math.max(this.#end, end);
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

export class Uploads {
  readonly #queue: GPUQueue;
  readonly #writes = new Map<GPUBuffer, Write[]>();
  #joined = new Uint8Array(0);

  constructor(queue: GPUQueue) {
    this.#queue = queue;
  }

  /** To be written before the next submission; `data` must not change until `flush`. */
  add(buffer: GPUBuffer, at: number, data: ArrayBufferView<ArrayBuffer>, room = data.byteLength): void {
    if (data.byteLength > smallBytes) {
      this.#queue.writeBuffer(buffer, at, data);
      return;
    }
    const writes = this.#writes.get(buffer);
    if (writes === undefined) this.#writes.set(buffer, [{ at, data, room }]);
    else writes.push({ at, data, room });
  }

  flush(): void {
    for (const [buffer, writes] of this.#writes) {
      writes.sort((a, b) => a.at - b.at);
      for (let first = 0; first < writes.length; ) {
        let end = first + 1;
        while (end < writes.length && writes[end].at === writes[end - 1].at + writes[end - 1].room) end++;
        this.#write(buffer, writes, first, end);
        first = end;
      }
    }
    this.#writes.clear();
  }

  #write(buffer: GPUBuffer, writes: readonly Write[], first: number, end: number): void {
    const { at, data } = writes[first];
    if (end === first + 1) {
      this.#queue.writeBuffer(buffer, at, data);
      return;
    }
    const last = writes[end - 1];
    const bytes = last.at + last.data.byteLength - at;
    if (this.#joined.length < bytes) this.#joined = new Uint8Array(2 ** Math.ceil(Math.log2(bytes)));
    const joined = this.#joined;
    for (let i = first; i < end; i++) {
      const { at: place, data } = writes[i];
      joined.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), place - at);
    }
    this.#queue.writeBuffer(buffer, at, joined, 0, bytes);
  }
}
