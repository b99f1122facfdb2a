// Tests that answers left in mapped memory are copied in time, or report an error.

import { expect, it } from 'vitest';
import type { Piece } from '../../../../gpu/buffers/read-back.ts';
import { openDevice } from '../../../../gpu/device/device.ts';
import { PointReader } from './point-reader.ts';

const length = 2 ** 15;

async function create() {
  const { device } = await openDevice();
  const reader = new PointReader(device);
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: 4 * length, usage });
  const pieces: Piece[] = [{ buffer, offset: 0, bytes: 4 * length }];
  const ask = async (value: number) => {
    device.queue.writeBuffer(buffer, 0, new Uint32Array(length).fill(value));
    const encoder = device.createCommandEncoder();
    return reader.read(encoder, pieces, ([points]) => reader.leave(points));
  };
  return { device, reader, ask };
}

it('keeps every answer, whether read or not', async () => {
  const { device, reader, ask } = await create();
  const answers = [await ask(1), await ask(2)];
  expect(answers[1].words[0]).toBe(2);
  answers.push(await ask(3), await ask(4));
  reader.keep();
  reader.destroy();
  device.destroy();
  answers.forEach(({ words }, i) => {
    expect(words).toEqual(new Uint32Array(length).fill(i + 1));
  });
});

it('throws if the device was lost before the answer was read', async () => {
  const { device, reader, ask } = await create();
  const points = await ask(1);
  device.destroy();
  reader.keep();
  expect(() => points.words).toThrow(expect.objectContaining({ code: 'gpu-lost' }));
});
