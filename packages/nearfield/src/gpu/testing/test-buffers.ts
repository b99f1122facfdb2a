// For tests: buffers of singles as an application has them, with positions or poses, packed or padded.

import type { BufferLayout } from '../../bodies/on-gpu/buffers.ts';

export const usualUsage = (): GPUBufferUsageFlags =>
  GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST | GPUBufferUsage.STORAGE;

/** Items of `numbers` numbers each, laid out as `layout` says; `between` fills the padding. */
export function bufferOf(
  device: GPUDevice,
  values: ArrayLike<number>,
  numbers = 1,
  { offset = 0, stride = 4 * numbers }: BufferLayout = {},
  between = Number.NaN,
): GPUBuffer {
  const count = values.length / numbers;
  const words = new Float32Array(Math.max(16, (offset + stride * count) / 4)).fill(between);
  for (let i = 0; i < values.length; i++) {
    words[offset / 4 + (stride / 4) * Math.floor(i / numbers) + (i % numbers)] = values[i];
  }
  const buffer = device.createBuffer({ size: words.byteLength, usage: usualUsage() });
  device.queue.writeBuffer(buffer, 0, words);
  return buffer;
}
