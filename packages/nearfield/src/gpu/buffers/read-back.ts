// Reading results: pieces of several buffers are copied into one mapped buffer, so that a query waits once.

import { submit } from '../submit.ts';

/** A piece to be read: `bytes` of `buffer` from `offset` on. All multiples of 4. */
export interface Piece {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly bytes: number;
}

export class ReadBack {
  readonly #device: GPUDevice;
  #staging: GPUBuffer | undefined;
  #size = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Records the copies. Nothing is read before `read`. */
  encode(encoder: GPUCommandEncoder, pieces: readonly Piece[]): void {
    const total = bytesOf(pieces);
    if (this.#staging === undefined || this.#size < total) {
      this.#staging?.destroy();
      this.#size = Math.max(4096, 2 ** Math.ceil(Math.log2(total)));
      const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
      this.#staging = this.#device.createBuffer({ label: 'read-back', size: this.#size, usage });
    }
    // Pieces that follow each other in a buffer are copied together: every copy between buffers waits for the last.
    let at = 0;
    for (let first = 0; first < pieces.length; ) {
      const { buffer, offset } = pieces[first];
      let { bytes } = pieces[first++];
      while (
        first < pieces.length &&
        pieces[first].buffer === buffer &&
        pieces[first].offset === offset + bytes
      )
        bytes += pieces[first++].bytes;
      if (bytes > 0) encoder.copyBufferToBuffer(buffer, offset, this.#staging, at, bytes);
      at += bytes;
    }
  }

  /** Waits for the submitted copies; calls `use` with one view a piece. Views die when `use` returns. */
  async read<T>(pieces: readonly Piece[], use: (views: Uint32Array[]) => T): Promise<T> {
    const { views, release } = await this.hold(pieces);
    try {
      return use(views);
    } finally {
      release();
    }
  }

  /** Submits what was encoded, and the copies behind it; gives back a copy of each piece. */
  submit(encoder: GPUCommandEncoder, pieces: readonly Piece[]): Promise<Uint32Array[]> {
    this.encode(encoder, pieces);
    submit(this.#device, encoder);
    return this.read(pieces, views => views.map(view => view.slice()));
  }

  /** All words of a list of which some are known: read only where those are not all. */
  async rest(known: Uint32Array, words: number, piece: Piece): Promise<Uint32Array> {
    if (words <= known.length) return known.subarray(0, words);
    const encoder = this.#device.createCommandEncoder({ label: 'read the rest' });
    return (await this.submit(encoder, [piece]))[0];
  }

  /** Waits for the submitted copies: one view a piece. They die when they are released; nothing is read before that. */
  async hold(pieces: readonly Piece[]): Promise<{ views: Uint32Array[]; release: () => void }> {
    const staging = this.#staging!;
    const total = bytesOf(pieces);
    if (total === 0) return { views: pieces.map(() => new Uint32Array(0)), release: () => {} };
    await staging.mapAsync(GPUMapMode.READ, 0, total);
    const release = () => staging.unmap();
    try {
      const words = new Uint32Array(staging.getMappedRange(0, total));
      const views: Uint32Array[] = [];
      let at = 0;
      for (const { bytes } of pieces) {
        views.push(words.subarray(at, at + bytes / 4));
        at += bytes / 4;
      }
      return { views, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  destroy(): void {
    this.#staging?.destroy();
    this.#staging = undefined;
  }
}

function bytesOf(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const { bytes } of pieces) sum += bytes;
  return sum;
}
