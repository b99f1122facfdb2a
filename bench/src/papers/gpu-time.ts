// How long the GPU itself works on a question, whatever the question draws and computes: a timestamp before and one
// after everything that is submitted. The time from call to answer has round trips in it, of which a question may
// have several. Two timestamps with nothing between them are apart too; that is measured first and taken off.

import { type Nearfield, open } from 'nearfield';
import { openDevice } from '../peers/device.ts';

export interface TimedGpu {
  readonly nf: Nearfield;
  /** GPU milliseconds between two timestamps with nothing between them, the median of many. */
  readonly empty: number;
  /** GPU milliseconds of all submissions of a task, less those of empty ones. */
  time(task: () => Promise<unknown>): Promise<number>;
  close(): void;
}

/** Submissions that one task may make. */
const mostSubmissions = 256;
/** How many empty submissions are timed. */
const emptySubmissions = 64;

/** Opens another library on a device: the caller's, or one of its own. Undefined if the device has no timestamps. */
export async function openTimed(given?: GPUDevice): Promise<TimedGpu | undefined> {
  const device = given ?? (await openDevice(['timestamp-query', 'depth32float-stencil8']));
  const destroy = () => {
    if (given === undefined) device.destroy();
  };
  if (!device.features.has('timestamp-query')) {
    destroy();
    return undefined;
  }
  const clock = new Clock(device);
  const empty = await timeEmpty(device, clock);
  // From here on the queue submits between timestamps.
  const { queue } = device;
  const { submit } = queue;
  queue.submit = commands => submit.call(queue, clock.around(commands));
  const nf = await open({ device });
  return {
    nf,
    empty,
    async time(task) {
      clock.start();
      await task();
      const times = await clock.stop();
      return times.reduce((sum, time) => sum + Math.max(0, time - empty), 0);
    },
    close() {
      nf.close();
      queue.submit = submit;
      destroy();
    },
  };
}

/**
 * Does work with a library whose GPU time is known: undefined if there is none, or if it is not wanted. The library is closed
 * even if the work fails, because the exhibits that follow run in the same process.
 */
export async function withTimed<T>(
  work: (timed: TimedGpu | undefined) => Promise<T>,
  isWanted = true,
): Promise<T> {
  const timed = isWanted ? await openTimed() : undefined;
  try {
    return await work(timed);
  } finally {
    timed?.close();
  }
}

/** A sentence for the page. */
export const emptyWords = (timed: TimedGpu): string =>
  `Two timestamps with nothing between them are ${(1000 * timed.empty).toFixed(1)} µs apart here, the median of ${emptySubmissions}; that much is taken off per submission.`;

async function timeEmpty(device: GPUDevice, clock: Clock): Promise<number> {
  clock.start();
  for (let i = 0; i < emptySubmissions; i++) {
    device.queue.submit(clock.around([]));
    // As a question does, which waits for its answer before the next one is submitted.
    await device.queue.onSubmittedWorkDone();
  }
  const times = (await clock.stop()).sort((a, b) => a - b);
  return times[emptySubmissions / 2];
}

class Clock {
  readonly #device: GPUDevice;
  readonly #querySet: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #read: GPUBuffer;
  /** Submissions so far; undefined while nothing is timed. */
  #count: number | undefined;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#querySet = device.createQuerySet({ type: 'timestamp', count: 2 * mostSubmissions });
    const size = 16 * mostSubmissions;
    this.#resolved = device.createBuffer({
      size,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
    this.#read = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  }

  start(): void {
    this.#count = 0;
  }

  /** The commands, between two timestamps. */
  around(commands: Iterable<GPUCommandBuffer>): GPUCommandBuffer[] {
    const given = [...commands];
    if (this.#count === undefined) return given;
    if (this.#count === mostSubmissions) throw new Error(`more than ${mostSubmissions} submissions`);
    const first = 2 * this.#count++;
    return [
      this.#stamp({ beginningOfPassWriteIndex: first }),
      ...given,
      this.#stamp({ endOfPassWriteIndex: first + 1 }),
    ];
  }

  /** GPU milliseconds per submission since the start. */
  async stop(): Promise<number[]> {
    const count = this.#count!;
    this.#count = undefined;
    if (count === 0) return [];
    const encoder = this.#device.createCommandEncoder();
    encoder.resolveQuerySet(this.#querySet, 0, 2 * count, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#read, 0, 16 * count);
    this.#device.queue.submit([encoder.finish()]);
    await this.#read.mapAsync(GPUMapMode.READ, 0, 16 * count);
    const stamps = new BigUint64Array(this.#read.getMappedRange(0, 16 * count));
    const times = Array.from({ length: count }, (_, i) => Number(stamps[2 * i + 1] - stamps[2 * i]) / 1e6);
    this.#read.unmap();
    return times;
  }

  #stamp(writes: { beginningOfPassWriteIndex: number } | { endOfPassWriteIndex: number }): GPUCommandBuffer {
    const encoder = this.#device.createCommandEncoder();
    encoder.beginComputePass({ timestampWrites: { querySet: this.#querySet, ...writes } }).end();
    return encoder.finish();
  }
}
