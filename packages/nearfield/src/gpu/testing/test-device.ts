// The one device that all GPU tests share. A machine without a GPU fails here; use `npm run soft-gpu` on it.

import { type OpenedDevice, openDevice } from '../device/device.ts';

let opened: Promise<OpenedDevice> | undefined;

export function testDevice(): Promise<OpenedDevice> {
  opened ??= openDevice();
  return opened;
}

/** A device of the caller's own, which the caller may lose. */
export async function deviceToLose(): Promise<GPUDevice> {
  return (await openDevice()).device;
}

/** Reads a whole buffer back, for tests only. */
export async function readWords(device: GPUDevice, buffer: GPUBuffer, words: number): Promise<Uint32Array> {
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST;
  const staging = device.createBuffer({ size: Math.max(4, 4 * words), usage });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, 4 * words);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const copy = new Uint32Array(staging.getMappedRange().slice(0, 4 * words));
  staging.destroy();
  return copy;
}
