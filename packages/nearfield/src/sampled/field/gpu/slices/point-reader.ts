// Reads the points of answers without waiting for their copy: large answers stay in mapped memory until somebody looks at
// them or the next question is on its way, and are copied then, while the GPU works. Two staging buffers take turns.

import { NearfieldError } from '../../../../core/errors.ts';
import { type Piece, ReadBack } from '../../../../gpu/buffers/read-back.ts';
import { GpuQuery } from '../../../../gpu/gpu-query.ts';
import type { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { submit } from '../../../../gpu/submit.ts';

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

export class PointReader extends GpuQuery {
  readonly #device: GPUDevice;
  readonly #readBacks: readonly [ReadBack, ReadBack];
  #turn = 0;
  /** Ends the mapping of the views that are looked at, unless some of them was left there. */
  #release: (() => void) | undefined;
  /** What may still be in mapped memory, of the buffer whose turn it was. */
  #last: { readonly points: PointWords; readonly turn: number } | undefined;

  constructor(device: GPUDevice, stopwatch?: Stopwatch) {
    super(device, stopwatch);
    this.#device = device;
    this.#readBacks = [new ReadBack(device), new ReadBack(device)];
  }

  /** Views die when `use` returns, but for the one that it leaves in mapped memory. */
  override async read<T>(
    encoder: GPUCommandEncoder,
    pieces: readonly Piece[],
    use: (views: Uint32Array[]) => T,
  ): Promise<T> {
    if (this.#last !== undefined) this.#turn = 1 - this.#last.turn;
    const readBack = this.#readBacks[this.#turn];
    readBack.encode(encoder, pieces);
    submit(this.#device, encoder);
    // The GPU is at work: time for what the question before left.
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

  /** While views are looked at: leaves one of them in mapped memory. */
  leave(view: Uint32Array): PointWords {
    const points = new PointWords(view, this.#release!);
    this.#release = undefined;
    this.#last = { points, turn: this.#turn };
    return points;
  }

  /** Copies what is still in mapped memory. */
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
