// Reads the points of answers without waiting for their copy: large answers stay in mapped memory until somebody looks at
// them or the next question is on its way, and are copied then, while the GPU works. Two staging buffers take turns.

import { NearfieldError } from '../../../../core/errors.ts';
import { type Piece, ReadBack } from '../../../../gpu/buffers/read-back.ts';

/** Words up to which a copy takes no time worth saving. */
const fewWords = 2 ** 14;

/** Words read back; copied when they are first looked at. */
export class PointWords {
  readonly length: number;
  #view: Uint32Array | undefined;
  #words: Uint32Array | undefined;
  readonly #release: () => void;

  /** The view is mapped memory, until `release` is called. */
  constructor(view: Uint32Array, release: () => void) {
    this.length = view.length;
    this.#view = view;
    this.#release = release;
    if (view.length <= fewWords) this.keep();
  }

  get words(): Uint32Array {
    this.keep();
    if (this.#words !== undefined) return this.#words;
    throw new NearfieldError('gpu-lost', 'the GPU was lost before the points found on it were looked at');
  }

  /** Copies them out of mapped memory, if that has not been done. */
  keep(): void {
    const view = this.#view;
    // Whoever destroys a device takes the memory away that it had mapped.
    if (view === undefined || view.length < this.length) return;
    this.#words = view.slice();
    this.#view = undefined;
    this.#release();
  }
}

export class PointReader {
  readonly #readBacks: readonly [ReadBack, ReadBack];
  #turn = 0;
  /** What may still be in mapped memory, of the buffer whose turn it was. */
  #last: { readonly points: PointWords; readonly turn: number } | undefined;

  constructor(device: GPUDevice) {
    this.#readBacks = [new ReadBack(device), new ReadBack(device)];
  }

  /** Records the copies. */
  encode(encoder: GPUCommandEncoder, pieces: readonly Piece[]): void {
    if (this.#last !== undefined) this.#turn = 1 - this.#last.turn;
    this.#readBacks[this.#turn].encode(encoder, pieces);
  }

  /**
   * Waits for the submitted copies. `use` gets a view a piece, which die when it returns but for the one it returns as
   * `points`: what is left in mapped memory.
   */
  async read<T>(
    pieces: readonly Piece[],
    use: (views: Uint32Array[]) => { points: Uint32Array; rest: T },
  ): Promise<{ points: PointWords; rest: T }> {
    // The GPU is at work: time for what the question before left.
    this.keep();
    const { views, release } = await this.#readBacks[this.#turn].hold(pieces);
    try {
      const { points, rest } = use(views);
      const words = new PointWords(points, release);
      this.#last = { points: words, turn: this.#turn };
      return { points: words, rest };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Copies what is still in mapped memory. */
  keep(): void {
    const last = this.#last;
    this.#last = undefined;
    last?.points.keep();
  }

  destroy(): void {
    for (const readBack of this.#readBacks) readBack.destroy();
  }
}
