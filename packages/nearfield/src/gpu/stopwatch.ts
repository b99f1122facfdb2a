// The GPU time of a query, measured by timestamps around its pass. It needs a device that has them, and to be
// switched on.

import { type Piece, ReadBack } from './buffers/read-back.ts';

export class Stopwatch {
  readonly #querySet: GPUQuerySet | undefined;
  readonly #times: GPUBuffer | undefined;
  /** Set it to have the next queries timed. It has no effect if the device has no timestamps. */
  running = false;
  /** GPU milliseconds of the last query that was timed. */
  milliseconds: number | undefined;

  constructor(device: GPUDevice) {
    if (!device.features.has('timestamp-query')) return;
    this.#querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
    this.#times = device.createBuffer({ label: 'timestamps', size: 16, usage });
  }

  get #on(): boolean {
    return this.running && this.#querySet !== undefined;
  }

  /**
   * The pass's descriptor, with timestamps while it is running: around this pass, or from the first of several to the
   * last.
   */
  passOf(descriptor: GPUComputePassDescriptor, part?: 'first' | 'last'): GPUComputePassDescriptor {
    if (!this.#on) return descriptor;
    const querySet = this.#querySet!;
    const begin = part === 'last' ? {} : { beginningOfPassWriteIndex: 0 };
    const end = part === 'first' ? {} : { endOfPassWriteIndex: 1 };
    return { ...descriptor, timestampWrites: { querySet, ...begin, ...end } };
  }

  /** Records the resolution of the timestamps. Call it after the pass. */
  encode(encoder: GPUCommandEncoder): void {
    if (this.#on) encoder.resolveQuerySet(this.#querySet!, 0, 2, this.#times!, 0);
  }

  /** The piece to read back, while it is running. */
  get piece(): Piece | undefined {
    return this.#on ? { buffer: this.#times!, offset: 0, bytes: 16 } : undefined;
  }

  /** Takes the piece as it was read back. */
  take(words: Uint32Array | undefined): void {
    if (!this.#on || words === undefined) return;
    const nanoseconds = (words[2] - words[0]) % 2 ** 32;
    this.milliseconds = (nanoseconds < 0 ? nanoseconds + 2 ** 32 : nanoseconds) / 1e6;
  }

  /** Reads the piece back by itself, for a query that reads nothing else back. */
  async read(device: GPUDevice): Promise<void> {
    const { piece } = this;
    if (piece === undefined) return;
    const readBack = new ReadBack(device);
    const encoder = device.createCommandEncoder({ label: 'timestamps' });
    readBack.encode(encoder, [piece]);
    device.queue.submit([encoder.finish()]);
    await readBack.read([piece], ([words]) => this.take(words));
    readBack.destroy();
  }

  destroy(): void {
    this.#querySet?.destroy();
    this.#times?.destroy();
  }
}
