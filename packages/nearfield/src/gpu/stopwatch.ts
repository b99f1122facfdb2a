// GPU time of a query, by timestamps around its pass, on devices that have them and only while switched on.

import { type Piece, ReadBack } from './buffers/read-back.ts';

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

  /** The pass's descriptor, with timestamps where they are wanted: around it, or around all from the first to the last. */
  passOf(descriptor: GPUComputePassDescriptor, part?: 'first' | 'last'): GPUComputePassDescriptor {
    if (!this.#on) return descriptor;
    const querySet = this.#querySet!;
    const begin = part === 'last' ? {} : { beginningOfPassWriteIndex: 0 };
    const end = part === 'first' ? {} : { endOfPassWriteIndex: 1 };
    return { ...descriptor, timestampWrites: { querySet, ...begin, ...end } };
  }

  /** After the pass. */
  encode(encoder: GPUCommandEncoder): void {
    if (this.#on) encoder.resolveQuerySet(this.#querySet!, 0, 2, this.#times!, 0);
  }

  /** To be read back, where it runs. */
  get piece(): Piece | undefined {
    return this.#on ? { buffer: this.#times!, offset: 0, bytes: 16 } : undefined;
  }

  /** The piece as read back. */
  take(words: Uint32Array | undefined): void {
    if (!this.#on || words === undefined) return;
    const nanoseconds = (words[2] - words[0]) % 2 ** 32;
    this.milliseconds = (nanoseconds < 0 ? nanoseconds + 2 ** 32 : nanoseconds) / 1e6;
  }

  /** Waits for the piece by itself, where nothing else is read back. */
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
