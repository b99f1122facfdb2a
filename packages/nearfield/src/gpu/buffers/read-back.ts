// Reads results back: pieces of several buffers and textures are copied into one mapped buffer, so that a query waits once.

/** A piece to be read: `bytes` of `buffer` from `offset` on, both multiples of 4. */
export interface Piece {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly bytes: number;
}

/**
 * A texture to be read, row by row: all of it, or its first columns and rows. `bytesPerRow` is a multiple of 256. No
 * other piece may come before it.
 */
export interface TexturePiece {
  readonly texture: GPUTexture;
  readonly aspect?: GPUTextureAspect;
  readonly size?: readonly [columns: number, rows: number];
  readonly bytesPerRow: number;
  readonly bytes: number;
}

export type AnyPiece = Piece | TexturePiece;

export class ReadBack {
  readonly #device: GPUDevice;
  #staging: GPUBuffer | undefined;
  #size = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Records the copies. Nothing is read before `read`. */
  encode(encoder: GPUCommandEncoder, pieces: readonly AnyPiece[]): void {
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
      const piece = pieces[first++];
      if ('texture' in piece) {
        const { texture, aspect = 'all', size = [texture.width, texture.height], bytesPerRow } = piece;
        const to = { buffer: this.#staging, offset: at, bytesPerRow };
        encoder.copyTextureToBuffer({ texture, aspect }, to, size);
        at += piece.bytes;
        continue;
      }
      const { buffer, offset } = piece;
      let { bytes } = piece;
      for (; first < pieces.length; first++) {
        const next = pieces[first];
        if ('texture' in next || next.buffer !== buffer || next.offset !== offset + bytes) break;
        bytes += next.bytes;
      }
      if (bytes > 0) encoder.copyBufferToBuffer(buffer, offset, this.#staging, at, bytes);
      at += bytes;
    }
  }

  /** Waits for the submitted copies, then calls `use` with one view per piece. The views die when `use` returns. */
  async read<T>(pieces: readonly AnyPiece[], use: (views: Uint32Array[]) => T): Promise<T> {
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
  async hold(pieces: readonly AnyPiece[]): Promise<{ views: Uint32Array[]; release: () => void }> {
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
function mappedViews(staging: GPUBuffer, pieces: readonly AnyPiece[], total: number): Uint32Array[] {
  const mapped = staging.getMappedRange(0, total);
  const views: Uint32Array[] = [];
  let at = 0;
  for (const { bytes } of pieces) {
    views.push(new Uint32Array(mapped, at, bytes / 4));
    at += bytes;
  }
  return views;
}

const emptyViews = (pieces: readonly AnyPiece[]): Uint32Array[] => pieces.map(() => new Uint32Array(0));

function bytesOf(pieces: readonly AnyPiece[]): number {
  let sum = 0;
  for (const { bytes } of pieces) sum += bytes;
  return sum;
}
