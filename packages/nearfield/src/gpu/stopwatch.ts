// GPU time of a query, by timestamps around its pass, on devices that have them and only while switched on.

import { type Piece, ReadBack } from './read-back.ts';

export class Stopwatch {
  readonly #querySet: GPUQuerySet | undefined;
  readonly #times: GPUBuffer | undefined;
  /** Set to have the next queries timed. Without timestamps on the device it changes nothing. */
  running = false;
  /** GPU milliseconds of the last query timed. */
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

  /** Part of the pass's descriptor. */
  get pass(): Pick<GPUComputePassDescriptor, 'timestampWrites'> {
    if (!this.#on) return {};
    const querySet = this.#querySet!;
    return { timestampWrites: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } };
  }

  /** After the pass. */
  encode(encoder: GPUCommandEncoder): void {
    if (this.#on) encoder.resolveQuerySet(this.#querySet!, 0, 2, this.#times!, 0);
  }

  get pieces(): Piece[] {
    return this.#on ? [{ buffer: this.#times!, offset: 0, bytes: 16 }] : [];
  }

  /** The piece as read back. */
  take(words: Uint32Array | undefined): void {
    if (!this.#on || words === undefined) return;
    const nanoseconds = (words[2] - words[0]) % 2 ** 32;
    this.milliseconds = (nanoseconds < 0 ? nanoseconds + 2 ** 32 : nanoseconds) / 1e6;
  }

  /** Waits for the piece by itself, where nothing else is read back. */
  async read(device: GPUDevice): Promise<void> {
    if (!this.#on) return;
    const readBack = new ReadBack(device);
    const encoder = device.createCommandEncoder({ label: 'timestamps' });
    readBack.encode(encoder, this.pieces);
    device.queue.submit([encoder.finish()]);
    await readBack.read(this.pieces, ([words]) => this.take(words));
    readBack.destroy();
  }

  destroy(): void {
    this.#querySet?.destroy();
    this.#times?.destroy();
  }
}
