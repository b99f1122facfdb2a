// Copies of positions and poses that an application has in GPUBuffers. A copy is recorded in the queue when it is
// asked for, so it has what the buffer had then. Memory is reused: a body that deforms every frame alternates
// between two copies at most.

import type { BufferCopy, BufferItems, BufferLayout } from '../../bodies/on-gpu/buffers.ts';
import { NearfieldError } from '../../core/errors.ts';
import { type Loss, lossOf } from '../device/loss.ts';
import { make, reasonOf, refusal, submit } from '../submit.ts';
import { largestBinding } from './buffers.ts';

/** How many spare buffers are kept per size, and how many to read back through. */
const mostSpare = 2;

/**
 * Buffer sizes per doubling. Few sizes are used because bodies added one by one would otherwise need a new size each
 * time.
 */
const sizesApart = 8;

/** A buffer for copies. */
interface Memory {
  readonly buffer: GPUBuffer;
  readonly size: number;
  /** Why the device did not create the buffer; undefined if it did. */
  readonly refused: Promise<string | undefined>;
  /** Whether the device is known to have created it. A buffer that was refused, or may yet be, is not reused. */
  isMade: boolean;
}

export class AppCopies {
  readonly #device: GPUDevice;
  readonly #loss: Loss;
  #closed = false;
  readonly #spare = new Map<number, Memory[]>();
  readonly #stages: { readonly buffer: GPUBuffer; readonly size: number }[] = [];

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#loss = lossOf(device);
  }

  /** Throws if the buffer cannot hold the items. Errors that only the device can find reject `copied`. */
  copy(given: object, items: BufferItems, layout: BufferLayout, owner: string): BufferCopy {
    const { count, numbers } = items;
    const { offset = 0, stride = 4 * numbers } = layout;
    const source = checkBuffer(given, items, offset, stride, owner);
    const device = this.#device;
    const bytes = Math.max(stride, stride * count);
    const memory = this.#take(bytes);
    const { buffer } = memory;
    let refused: Promise<string | undefined>;
    device.pushErrorScope('validation');
    try {
      const encoder = device.createCommandEncoder();
      if (count > 0) encoder.copyBufferToBuffer(source, offset, buffer, 0, bytesOf(items, stride));
      device.queue.submit([encoder.finish()]);
    } catch (error) {
      buffer.destroy();
      throw error;
    } finally {
      refused = reasonOf(device.popErrorScope());
    }
    const copied = this.#whyNotCopied(memory, refused, owner).then(error => {
      if (error !== undefined) throw error;
    });
    // The next question awaits the promise and fails; until then the rejection must not count as unhandled.
    copied.catch(() => {});
    return {
      buffer,
      stride: stride / 4,
      copied,
      read: wanted => this.#read(buffer, stride, items, copied, wanted),
      release: () => this.#giveBack(memory),
    };
  }

  destroy(): void {
    this.#closed = true;
    for (const list of this.#spare.values()) for (const { buffer } of list) buffer.destroy();
    this.#spare.clear();
    for (const { buffer } of this.#stages.splice(0)) buffer.destroy();
  }

  /** The error for questions about a copy that the device did not make; undefined if it made it. */
  async #whyNotCopied(
    memory: Memory,
    refused: Promise<string | undefined>,
    owner: string,
  ): Promise<NearfieldError | undefined> {
    const notMade = await memory.refused;
    const notCopied = await refused;
    const reason = notMade ?? notCopied;
    if (reason === undefined) return undefined;
    if (this.#loss.hasHappened)
      return new NearfieldError('gpu-lost', `${owner}: the GPU was lost (${reason})`);
    if (notMade !== undefined) {
      const message = `${owner}: there was no memory on the GPU for a copy of the buffer; give it again`;
      return new NearfieldError('out-of-memory', `${message} (${reason})`);
    }
    const message = `${owner}: the buffer could not be copied; it must belong to the device that the backend was opened with, and not be destroyed`;
    return new NearfieldError('bad-array', `${message} (${reason})`);
  }

  #take(bytes: number): Memory {
    const size = this.#sizeFor(bytes);
    const spare = this.#spare.get(size)?.pop();
    if (spare !== undefined) return spare;
    const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST | GPUBufferUsage.STORAGE;
    const device = this.#device;
    const [buffer, refused] = make(device, () => device.createBuffer({ label: 'app copy', size, usage }));
    const memory: Memory = { buffer, size, refused, isMade: false };
    refused.then(reason => {
      memory.isMade = reason === undefined;
    });
    return memory;
  }

  /** Rounds up to one of few sizes, at most an eighth larger, unless that is more than can be bound. */
  #sizeFor(bytes: number): number {
    const step = Math.max(64, 2 ** Math.floor(Math.log2(bytes)) / sizesApart);
    const size = step * Math.ceil(bytes / step);
    return size <= largestBinding(this.#device) ? size : bytes;
  }

  #giveBack(memory: Memory): void {
    const { buffer, size } = memory;
    let spare = this.#spare.get(size);
    if (spare === undefined) this.#spare.set(size, (spare = []));
    if (memory.isMade && !this.#closed && spare.length < mostSpare) spare.push(memory);
    else buffer.destroy();
  }

  /**
   * Reads what the buffer holds now. The read is in the queue before it waits, so the buffer may be reused meanwhile.
   */
  async #read(
    buffer: GPUBuffer,
    stride: number,
    { count, numbers }: BufferItems,
    copied: Promise<void>,
    wanted: readonly number[] | undefined,
  ): Promise<Float32Array> {
    const device = this.#device;
    const bytes = wanted === undefined ? stride * count : 4 * numbers * wanted.length;
    const stage = this.#takeStage(bytes);
    try {
      const encoder = device.createCommandEncoder();
      if (wanted === undefined) encoder.copyBufferToBuffer(buffer, 0, stage.buffer, 0, bytes);
      else {
        wanted.forEach((item, i) => {
          encoder.copyBufferToBuffer(buffer, stride * item, stage.buffer, 4 * numbers * i, 4 * numbers);
        });
      }
      const refused = submit(device, encoder);
      await copied;
      await stage.buffer.mapAsync(GPUMapMode.READ, 0, bytes);
      const reason = await refused;
      if (reason !== undefined) throw refusal(reason);
      if (this.#closed) throw new Error('closed meanwhile');
      const words = new Float32Array(stage.buffer.getMappedRange(0, bytes));
      const packed = wanted !== undefined || stride === 4 * numbers;
      const values = packed ? words.slice() : unpadded(words, stride / 4, numbers);
      stage.buffer.unmap();
      if (this.#stages.length < mostSpare && !this.#closed) this.#stages.push(stage);
      else stage.buffer.destroy();
      return values;
    } catch (error) {
      stage.buffer.destroy();
      if (error instanceof NearfieldError) throw error;
      throw await this.#whyNotRead(error);
    }
  }

  /**
   * The error for a failed read. A device refuses to map a buffer that it did not create, or that no longer exists.
   */
  async #whyNotRead(cause: unknown): Promise<NearfieldError> {
    // A loss may be reported after the failure it caused.
    await new Promise(resolve => setTimeout(resolve, 0));
    const what = 'the copy of the GPUBuffer cannot be read back';
    if (this.#closed) return new NearfieldError('closed', `the engine was closed: ${what}`, { cause });
    if (this.#loss.hasHappened) return new NearfieldError('gpu-lost', `the GPU was lost: ${what}`, { cause });
    return new NearfieldError('out-of-memory', `${what}: most likely the GPU is out of memory`, { cause });
  }

  #takeStage(bytes: number): { readonly buffer: GPUBuffer; readonly size: number } {
    const i = this.#stages.findIndex(({ size }) => size >= bytes);
    if (i >= 0) return this.#stages.splice(i, 1)[0];
    const size = Math.max(4096, 2 ** Math.ceil(Math.log2(bytes)));
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    return { buffer: this.#device.createBuffer({ label: 'app copy, read', size, usage }), size };
  }
}

/** The numbers of items that lie `stride` words apart, without the padding between them. */
function unpadded(words: Float32Array, stride: number, numbers: number): Float32Array {
  const count = words.length / stride;
  const values = new Float32Array(numbers * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < numbers; k++) values[numbers * i + k] = words[stride * i + k];
  }
  return values;
}

function checkBuffer(
  given: object,
  items: BufferItems,
  offset: number,
  stride: number,
  owner: string,
): GPUBuffer {
  const wrong = (what: string) => new NearfieldError('bad-array', `${owner}: ${what}`);
  const buffer = given as GPUBuffer;
  // Textures and three.js attributes have a `usage` too.
  if (typeof buffer.size !== 'number' || typeof buffer.mapAsync !== 'function') {
    throw wrong('expected a GPUBuffer');
  }
  if (!Number.isInteger(offset / 4) || offset < 0) {
    throw wrong(`the offset is ${offset} bytes; it must be a multiple of 4, and not negative`);
  }
  const { what, count, numbers } = items;
  if (!Number.isInteger(stride / 4) || stride < 4 * numbers) {
    throw wrong(`the stride is ${stride} bytes; it must be a multiple of 4, and at least ${4 * numbers}`);
  }
  const needed = count === 0 ? 0 : offset + bytesOf(items, stride);
  if (buffer.size < needed) {
    throw wrong(`${count} ${what} take ${needed} bytes, but the buffer has ${buffer.size}`);
  }
  if ((buffer.usage & GPUBufferUsage.COPY_SRC) === 0) {
    throw wrong('the buffer must be created with GPUBufferUsage.COPY_SRC');
  }
  if (buffer.mapState !== undefined && buffer.mapState !== 'unmapped') {
    throw wrong('the buffer is mapped: unmap it first');
  }
  return buffer;
}

/** Bytes from the first number of the first item to the last number of the last. */
const bytesOf = ({ count, numbers }: BufferItems, stride: number): number =>
  stride * (count - 1) + 4 * numbers;
