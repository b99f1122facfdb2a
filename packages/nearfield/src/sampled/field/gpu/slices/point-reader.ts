// Reads back the points of answers without waiting for their copy. Large answers stay in mapped memory until they are
// read or the next question is submitted. They are copied then, while the GPU works. Two staging buffers alternate.

import { NearfieldError } from '../../../../core/errors.ts';
import { type Piece, ReadBack } from '../../../../gpu/buffers/read-back.ts';
import { GpuQuery } from '../../../../gpu/gpu-query.ts';
import type { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { submit } from '../../../../gpu/submit.ts';

/** Up to this many words are copied at once, since that takes hardly any time. */
const fewWords = 2 ** 14;

/** Words that were read back. They are copied when they are first read. */
export class PointWords {
  readonly length: number;
  #view: Uint32Array | undefined;
  #words: Uint32Array | undefined;
  readonly #release: () => void;

  /** `view` is mapped memory until `release` is called. */
  constructor(view: Uint32Array, release: () => void) {
    this.length = view.length;
    this.#view = view;
    this.#release = release;
    if (view.length <= fewWords) this.keep();
  }

  get words(): Uint32Array {
    this.keep();
    if (this.#words !== undefined) return this.#words;
    throw new NearfieldError('gpu-lost', 'the GPU was lost before the points found on it were read');
  }

  /** Copies the words out of mapped memory, unless that is done. */
  keep(): void {
    const view = this.#view;
    // Destroying a device takes away the memory that it had mapped.
    if (view === undefined || view.length < this.length) return;
    this.#words = view.slice();
    this.#view = undefined;
    this.#release();
  }
}

export class PointReader extends GpuQuery {
  readonly #device: GPUDevice;
  readonly #readBacks: readonly [ReadBack, ReadBack];
  #turn = 0;
  /** Unmaps the views being read, unless one of them was left in mapped memory. */
  #release: (() => void) | undefined;
  /** The points that may still be in mapped memory, and which of the two buffers holds them. */
  #last: { readonly points: PointWords; readonly turn: number } | undefined;

  constructor(device: GPUDevice, stopwatch?: Stopwatch) {
    super(device, stopwatch);
    this.#device = device;
    this.#readBacks = [new ReadBack(device), new ReadBack(device)];
  }

  /** Views are invalid after `use` returns, except the one that it leaves in mapped memory. */
  override async read<T>(
    encoder: GPUCommandEncoder,
    pieces: readonly Piece[],
    use: (views: Uint32Array[]) => T,
  ): Promise<T> {
    if (this.#last !== undefined) this.#turn = 1 - this.#last.turn;
    const readBack = this.#readBacks[this.#turn];
    readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    // The GPU is working now, so copy what the previous question left.
    this.keep();
    const { views, release } = await readBack.hold(pieces);
    this.#release = release;
    try {
      return use(views);
    } finally {
      this.#release?.();
      this.#release = undefined;
    }
  }

  /** Leaves a view in mapped memory. To be called while views are being read. */
  leave(view: Uint32Array): PointWords {
    const points = new PointWords(view, this.#release!);
    this.#release = undefined;
    this.#last = { points, turn: this.#turn };
    return points;
  }

  /** Copies whatever is still in mapped memory. */
  keep(): void {
    const last = this.#last;
    this.#last = undefined;
    last?.points.keep();
  }

  override destroy(): void {
    super.destroy();
    for (const readBack of this.#readBacks) readBack.destroy();
  }
}
