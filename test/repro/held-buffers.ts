// Buffers of singles as an application has them, for what was found about poses and positions that stay on the GPU.

export function bufferOf(device: GPUDevice, values: ArrayLike<number>): GPUBuffer {
  const words = Float32Array.from(values);
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST | GPUBufferUsage.STORAGE;
  const buffer = device.createBuffer({ size: Math.max(64, words.byteLength), usage });
  device.queue.writeBuffer(buffer, 0, words);
  return buffer;
}

/** A pose that only translates. */
export const at = (x: number, y = 0, z = 0): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
