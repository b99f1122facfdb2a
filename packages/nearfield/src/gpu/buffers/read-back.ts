// Reads results back: pieces of several buffers are copied into one mapped buffer, so that a query waits once.

/** A piece to be read: `bytes` of `buffer` from `offset` on, both multiples of 4. */
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
    // Adjacent pieces of a buffer are copied together, because every copy between buffers waits for the one before.
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

  /** Waits for the submitted copies, then calls `use` with one view per piece. The views die when `use` returns. */
  async read<T>(pieces: readonly Piece[], use: (views: Uint32Array[]) => T): Promise<T> {
    const staging = this.#staging!;
    const total = bytesOf(pieces);
    if (total === 0) return use(emptyViews(pieces));
    await staging.mapAsync(GPUMapMode.READ, 0, total);
    try {
      return use(mappedViews(staging, pieces, total));
    } finally {
      staging.unmap();
    }
  }

  /** The same for views that live until they are released. Nothing else may be read before that. */
  async hold(pieces: readonly Piece[]): Promise<{ views: Uint32Array[]; release: () => void }> {
    const staging = this.#staging!;
    const total = bytesOf(pieces);
    if (total === 0) return { views: emptyViews(pieces), release: () => {} };
    await staging.mapAsync(GPUMapMode.READ, 0, total);
    const release = () => staging.unmap();
    try {
      return { views: mappedViews(staging, pieces, total), release };
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

/** One view per piece of a mapped buffer in which they follow each other. */
function mappedViews(staging: GPUBuffer, pieces: readonly Piece[], total: number): Uint32Array[] {
  const mapped = staging.getMappedRange(0, total);
  const views: Uint32Array[] = [];
  let at = 0;
  for (const { bytes } of pieces) {
    views.push(new Uint32Array(mapped, at, bytes / 4));
    at += bytes;
  }
  return views;
}

const emptyViews = (pieces: readonly Piece[]): Uint32Array[] => pieces.map(() => new Uint32Array(0));

function bytesOf(pieces: readonly Piece[]): number {
  let sum = 0;
  for (const { bytes } of pieces) sum += bytes;
  return sum;
}
