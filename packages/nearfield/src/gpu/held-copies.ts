// Copies of positions that an application has in GPUBuffers, made in the queue's order at the time of asking. Memory is
// used again: a body that deforms every frame takes two copies in turn at most.

import { NearfieldError } from '../errors.ts';
import type { BufferLayout, HeldCopy } from '../scene/bodies/held.ts';

/** Spare buffers of one size that are kept. */
const mostSpare = 2;

export class HeldCopies {
  readonly #device: GPUDevice;
  readonly #spare = new Map<number, GPUBuffer[]>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** Throws where the buffer cannot be what is wanted; what only the device can tell comes with `copied`. */
  copy(given: object, vertexCount: number, layout: BufferLayout, owner: string): HeldCopy {
    const { offset = 0, stride = 12 } = layout;
    const source = checkBuffer(given, vertexCount, offset, stride, owner);
    const device = this.#device;
    const bytes = Math.max(stride, stride * vertexCount);
    const buffer = this.#take(bytes);
    device.pushErrorScope('validation');
    const encoder = device.createCommandEncoder({ label: 'positions' });
    if (vertexCount > 0) {
      encoder.copyBufferToBuffer(source, offset, buffer, 0, stride * (vertexCount - 1) + 12);
    }
    device.queue.submit([encoder.finish()]);
    const copied = device.popErrorScope().then(error => {
      if (error === null) return;
      const message = `${owner}: the buffer could not be copied; it must be of the device given to open(), and not destroyed`;
      throw new NearfieldError('bad-array', `${message} (${error.message})`);
    });
    // Whoever asks a question hears of it; until then it is not unhandled.
    copied.catch(() => {});
    return {
      buffer,
      stride: stride / 4,
      vertexCount,
      copied,
      read: async () => {
        await copied;
        return this.#read(buffer, stride / 4, vertexCount);
      },
      release: () => this.#giveBack(buffer),
    };
  }

  destroy(): void {
    for (const buffers of this.#spare.values()) for (const buffer of buffers) buffer.destroy();
    this.#spare.clear();
  }

  #take(bytes: number): GPUBuffer {
    const spare = this.#spare.get(bytes)?.pop();
    if (spare !== undefined) return spare;
    const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    return this.#device.createBuffer({ label: 'held positions', size: bytes, usage });
  }

  #giveBack(buffer: GPUBuffer): void {
    let buffers = this.#spare.get(buffer.size);
    if (buffers === undefined) this.#spare.set(buffer.size, (buffers = []));
    if (buffers.length < mostSpare) buffers.push(buffer);
    else buffer.destroy();
  }

  async #read(buffer: GPUBuffer, stride: number, vertexCount: number): Promise<Float32Array> {
    const device = this.#device;
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
    const staging = device.createBuffer({ label: 'positions read', size: buffer.size, usage });
    try {
      const encoder = device.createCommandEncoder({ label: 'positions read' });
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, buffer.size);
      device.queue.submit([encoder.finish()]);
      await staging.mapAsync(GPUMapMode.READ);
      const words = new Float32Array(staging.getMappedRange());
      const positions = new Float32Array(3 * vertexCount);
      for (let v = 0; v < vertexCount; v++) {
        for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] = words[stride * v + axis];
      }
      return positions;
    } finally {
      staging.destroy();
    }
  }
}

function checkBuffer(
  given: object,
  vertexCount: number,
  offset: number,
  stride: number,
  owner: string,
): GPUBuffer {
  const wrong = (what: string) => new NearfieldError('bad-array', `${owner}: ${what}`);
  const buffer = given as GPUBuffer;
  if (!Number.isInteger(offset / 4) || offset < 0) {
    throw wrong(`the offset is ${offset} bytes, which is not a multiple of 4`);
  }
  if (!Number.isInteger(stride / 4) || stride < 12) {
    throw wrong(`the stride is ${stride} bytes: a multiple of 4, and 12 at least`);
  }
  const needed = vertexCount === 0 ? 0 : offset + stride * (vertexCount - 1) + 12;
  if (buffer.size < needed) {
    throw wrong(`${vertexCount} vertices take ${needed} bytes, and the buffer has ${buffer.size}`);
  }
  if ((buffer.usage & GPUBufferUsage.COPY_SRC) === 0) {
    throw wrong('the buffer must be created with GPUBufferUsage.COPY_SRC');
  }
  if (buffer.mapState !== undefined && buffer.mapState !== 'unmapped') {
    throw wrong('the buffer is mapped: unmap it first');
  }
  return buffer;
}
