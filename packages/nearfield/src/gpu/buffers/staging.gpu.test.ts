// Arrays that are staged arrive whole, question after question, whatever their sizes.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDevice } from '../testing/test-device.ts';
import { Staging } from './staging.ts';

let device: GPUDevice;
let staging: Staging;
let target: GPUBuffer;
let readable: GPUBuffer;
const size = 2 ** 23;

beforeAll(async () => {
  ({ device } = await testDevice());
  staging = new Staging(device);
  const { COPY_DST, COPY_SRC, STORAGE, MAP_READ } = GPUBufferUsage;
  target = device.createBuffer({ size, usage: COPY_DST | COPY_SRC | STORAGE });
  readable = device.createBuffer({ size, usage: COPY_DST | MAP_READ });
});
afterAll(() => {
  staging.destroy();
  target.destroy();
  readable.destroy();
});

test('every write arrives at its offset, round after round', async () => {
  const sizes = [2 ** 19, 2 ** 20, 600_000, 2 ** 20, 2 ** 19 + 1, 2 ** 20];
  let staged = 0;
  for (const [round, words] of sizes.entries()) {
    staging.recycle();
    const data = Uint32Array.from({ length: words + 3 }, (_, i) => i * 2654435761 + round);
    const part = data.subarray(3);
    const at = 4 * round;
    const encoder = device.createCommandEncoder();
    if (staging.write(encoder, target, at, part)) staged++;
    else device.queue.writeBuffer(target, at, part);
    encoder.copyBufferToBuffer(target, 0, readable, 0, size);
    device.queue.submit([encoder.finish()]);
    await readable.mapAsync(GPUMapMode.READ);
    const found = new Uint32Array(readable.getMappedRange(), at, words);
    let wrong = 0;
    for (let i = 0; i < words; i++) if (found[i] !== part[i]) wrong++;
    readable.unmap();
    expect(wrong, `round ${round}`).toBe(0);
  }
  expect(staged).toBe(sizes.length);
});

test('small arrays, and arrays larger than all that is kept, are left to the queue', () => {
  const encoder = device.createCommandEncoder();
  expect(staging.write(encoder, target, 0, new Uint32Array(1024))).toBe(false);
  expect(staging.write(encoder, target, 0, new Uint8Array(2 ** 26 + 4))).toBe(false);
});

test('a stage that is unused for long is destroyed', async () => {
  const made: number[] = [];
  const counting = new Proxy(device, {
    get: (device, name) => {
      if (name !== 'createBuffer') return Reflect.get(device, name);
      return (descriptor: GPUBufferDescriptor) => {
        made.push(descriptor.size);
        return device.createBuffer(descriptor);
      };
    },
  });
  const own = new Staging(counting);
  const data = new Uint8Array(2 ** 21);
  const write = () => {
    const encoder = device.createCommandEncoder();
    expect(own.write(encoder, target, 0, data)).toBe(true);
    device.queue.submit([encoder.finish()]);
  };
  write();
  own.recycle();
  await device.queue.onSubmittedWorkDone();
  await new Promise(resolve => setTimeout(resolve, 20));
  write();
  expect(made.length).toBe(1);
  own.recycle();
  await device.queue.onSubmittedWorkDone();
  await new Promise(resolve => setTimeout(resolve, 20));
  for (let question = 0; question < 100; question++) own.recycle();
  write();
  expect(made.length).toBe(2);
  own.destroy();
});

test('smaller stages give way to ever larger arrays', async () => {
  const own = new Staging(device);
  const large = device.createBuffer({ size: 2 ** 25, usage: GPUBufferUsage.COPY_DST });
  // 72 MiB together, more than is kept.
  for (const megabytes of [4, 8, 12, 20, 28]) {
    const encoder = device.createCommandEncoder();
    const staged = own.write(encoder, large, 0, new Uint8Array(megabytes * 2 ** 20));
    expect(staged, `${megabytes} MiB`).toBe(true);
    device.queue.submit([encoder.finish()]);
    own.recycle();
    await device.queue.onSubmittedWorkDone();
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  own.destroy();
  large.destroy();
});
