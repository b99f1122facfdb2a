import { expect, test } from 'vitest';
import { GrowingBuffer } from '../buffers/buffers.ts';
import { createKernel, Launch, Resources } from '../kernel.ts';
import { readWords, testDevice } from '../testing/test-device.ts';
import { createSortKernels, mostBlocks, mostFew, RadixSort } from './radix-sort.ts';
import scanSource from './scan.wgsl';
import scanModule from './workgroup-scan.wgsl';

/** A row of blocks holds 32,768 keys, so more keys take two or three rows. */
const many = process.env.NEARFIELD_SLOW ? 65536 : 32768;
const sizes = [0, 1, 2, 255, 256, 257, mostFew, mostFew + 1, 1024, 1025, 4095, 4096, 4097, many + 1];

function randomWords(count: number, seed: number, mask: number): Uint32Array<ArrayBuffer> {
  let state = seed;
  return Uint32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state ^ (state >>> 15)) & mask;
  });
}

test('sorts any number of keys, equal ones in order', async () => {
  const { device } = await testDevice();
  const sort = new RadixSort(device, await createSortKernels(device), mostBlocks);
  // One sort leaves its block counts to the next, so many keys come after few, and few after many. The count with
  // three rows has its last row begin after two whole ones.
  for (const count of [...sizes, 300, 65536 + 1, 1025, many]) {
    // Few distinct keys show whether the sort is stable; all bits show whether every pass counts.
    for (const mask of [0xffffffff, 0xf00f]) {
      const keys = randomWords(count, 7 + count, mask);
      const buffer = sort.reserve(Math.max(1, count));
      const pairs = Uint32Array.from({ length: 2 * count }, (_, i) =>
        i % 2 === 0 ? keys[i / 2] : (i - 1) / 2,
      );
      device.queue.writeBuffer(buffer, 0, pairs);
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      sort.encode(pass, count);
      pass.end();
      device.queue.submit([encoder.finish()]);
      const expected = Uint32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b] || a - b);
      const words = await readWords(device, buffer, 2 * count);
      expect(words.length).toBe(2 * count);
      // Find the first that is wrong: comparing them one by one with the matcher takes longer than sorting.
      const wrong = expected.findIndex((i, at) => words[2 * at] !== keys[i] || words[2 * at + 1] !== i);
      expect(wrong, `count ${count} mask ${mask}`).toBe(-1);
    }
  }
  sort.destroy();
});

test('sums lists of any length', async () => {
  const { device } = await testDevice();
  const kernel = await createKernel(device, 'scan', [scanModule, scanSource], { countAt: 3, totalAt: 1 });
  const resources = new Resources();
  const launch = new Launch(device, kernel, resources);
  const scanValues = new GrowingBuffer(device, 'scan values');
  const scanState = new GrowingBuffer(device, 'scan state');
  for (const count of sizes) {
    const values = randomWords(count, 3 + count, 0xfff);
    device.queue.writeBuffer(scanState.reserve(16), 0, new Uint32Array([0, 0, 0, count]));
    device.queue.writeBuffer(scanValues.reserve(4 * count), 0, values);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    resources.set('scanState', scanState.buffer);
    resources.set('scanValues', scanValues.buffer);
    launch.encode(pass, 1);
    pass.end();
    device.queue.submit([encoder.finish()]);
    let total = 0;
    const expected = values.map(value => (total += value) - value);
    expect(await readWords(device, scanValues.buffer, count), `count ${count}`).toEqual(expected);
    expect(await readWords(device, scanState.buffer, 2)).toEqual(new Uint32Array([0, total]));
  }
});
