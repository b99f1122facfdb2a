// GPU memory that is kept between queries: buffers that grow on demand, and an allocator of ranges within a buffer.

import { NearfieldError } from '../../core/errors.ts';

/**
 * The largest binding per device. It is cached because reading a device's limits leaves JavaScript, and queries ask
 * often.
 */
const bindings = new WeakMap<GPUDevice, number>();

/** The most bytes one storage binding may have on this device. */
export function largestBinding(device: GPUDevice): number {
  let known = bindings.get(device);
  if (known === undefined) {
    const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
    known = Math.floor(Math.min(maxBufferSize, maxStorageBufferBindingSize) / 16) * 16;
    bindings.set(device, known);
  }
  return known;
}

/** The capacity, in records, to give a list that needed `count`: a quarter more, as far as the device allows. */
export function roomFor(device: GPUDevice, recordBytes: number, count: number): number {
  const most = Math.floor(largestBinding(device) / recordBytes);
  return Math.max(count, Math.min(most, Math.ceil(1.25 * count)));
}

/**
 * How contents move to a larger buffer: `encoder` records the copy, and `retired` buffers may be destroyed once it is
 * submitted.
 */
export interface Keeper {
  readonly encoder: GPUCommandEncoder;
  readonly retired: GPUBuffer[];
}

let replacements = 0;

/**
 * Counts the replacements of growing buffers. While it stays the same, every buffer bound earlier is still current.
 */
export const buffersReplaced = (): number => replacements;

/** A storage buffer that is replaced by a larger one when asked for more. */
export class GrowingBuffer {
  readonly #device: GPUDevice;
  readonly #label: string;
  readonly #usage: GPUBufferUsageFlags;
  #buffer: GPUBuffer | undefined;
  /** The buffer's size in bytes, 0 before there is one. */
  bytes = 0;

  constructor(device: GPUDevice, label: string, extraUsage: GPUBufferUsageFlags = 0) {
    this.#device = device;
    this.#label = label;
    this.#usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC | extraUsage;
  }

  /** Returns the buffer, at least `bytes` long. With `keep`, the old contents are copied over. */
  reserve(bytes: number, keep?: Keeper): GPUBuffer {
    const old = this.#buffer;
    if (old !== undefined && this.bytes >= bytes) return old;
    const limit = largestBinding(this.#device);
    if (bytes > limit) {
      const message = `${this.#label}: needs ${bytes} bytes, but this device binds at most ${limit}`;
      throw new NearfieldError('out-of-memory', message);
    }
    const held = this.bytes;
    const wanted = Math.max(bytes, 1.5 * held);
    const size = Math.min(limit, Math.max(256, Math.ceil(wanted / 256) * 256));
    this.#buffer = this.#device.createBuffer({ label: this.#label, size, usage: this.#usage });
    replacements++;
    this.bytes = size;
    if (keep === undefined) old?.destroy();
    else if (old !== undefined) {
      keep.encoder.copyBufferToBuffer(old, 0, this.#buffer, 0, held);
      keep.retired.push(old);
    }
    return this.#buffer;
  }

  get buffer(): GPUBuffer {
    return this.#buffer ?? this.reserve(256);
  }

  destroy(): void {
    this.#buffer?.destroy();
    this.#buffer = undefined;
    replacements++;
    this.bytes = 0;
  }
}

/** Hands out ranges of elements, first fit; neighbouring free ranges are joined. Knows nothing of buffers. */
export class RangeAllocator {
  /** Free ranges in ascending order. No two touch, and the last one has no end. */
  #free: { start: number; end: number }[] = [{ start: 0, end: Number.POSITIVE_INFINITY }];
  /** Elements up to the end of the last range handed out. A buffer must hold that many. */
  extent = 0;

  take(count: number): number {
    let index = 0;
    while (this.#free[index].end - this.#free[index].start < count) index++;
    const range = this.#free[index];
    const start = range.start;
    range.start += count;
    if (range.start === range.end) this.#free.splice(index, 1);
    if (start + count > this.extent) this.extent = start + count;
    return start;
  }

  give(start: number, count: number): void {
    if (count === 0) return;
    const end = start + count;
    const after = this.#firstFrom(end);
    const before = this.#free[after - 1];
    const next = this.#free[after];
    const joinsBefore = before !== undefined && before.end === start;
    const joinsNext = next.start === end;
    if (joinsBefore && joinsNext) {
      before.end = next.end;
      this.#free.splice(after, 1);
    } else if (joinsBefore) before.end = end;
    else if (joinsNext) next.start = start;
    else this.#free.splice(after, 0, { start, end });
    this.extent = this.#free[this.#free.length - 1].start;
  }

  /**
   * The index of the first free range that starts at `place` or later. The last one, which has no end, always does.
   */
  #firstFrom(place: number): number {
    let low = 0;
    let high = this.#free.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#free[middle].start >= place) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
