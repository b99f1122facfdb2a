// How long does it take at least to ask a GPU anything? Copies one number there and reads it back.

import { submit } from '../submit.ts';

/** The first copy also sets the driver up. */
const attempts = 4;

/** The least time of several copies, in milliseconds. */
export async function roundTrip(device: GPUDevice, now: () => number): Promise<number> {
  const from = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
  const to = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
  let least = Infinity;
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const start = now();
      device.queue.writeBuffer(from, 0, new Uint32Array([attempt]));
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(from, 0, to, 0, 4);
      // If it is refused, mapping rejects.
      void submit(device, encoder);
      await to.mapAsync(GPUMapMode.READ);
      to.unmap();
      least = Math.min(least, now() - start);
    }
  } finally {
    from.destroy();
    to.destroy();
  }
  return least;
}
