import { expect, test } from 'vitest';
import { createRandom } from '../mesh/shapes/index.ts';
import { Uploads } from './uploads.ts';

/** A queue that writes into memory, and counts. */
function memoryQueue() {
  const memory = new Map<object, Uint8Array>();
  let calls = 0;
  const queue = {
    writeBuffer(
      buffer: object,
      at: number,
      data: ArrayBufferView<ArrayBuffer>,
      from = 0,
      size = data.byteLength,
    ) {
      calls++;
      const bytes = memory.get(buffer) ?? new Uint8Array(1 << 20);
      memory.set(buffer, bytes);
      bytes.set(new Uint8Array(data.buffer, data.byteOffset + from, size), at);
    },
  };
  return { queue: queue as unknown as GPUQueue, memory, calls: () => calls };
}

test('writes that follow one another are one, and every byte arrives', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const { queue, memory, calls } = memoryQueue();
    const uploads = new Uploads(queue);
    const buffer = {} as GPUBuffer;
    const expected = new Uint8Array(1 << 20);
    const places: { at: number; data: Float32Array<ArrayBuffer>; room: number }[] = [];
    let at = 0;
    let runs = 0;
    for (let i = 0; i < 50; i++) {
      const data = Float32Array.from({ length: 1 + random.integer(40) }, () => random.between(-1, 1));
      const room = data.byteLength + 4 * random.integer(3);
      const gap = random.integer(4) === 0 ? 4 : 0;
      if (i === 0 || gap > 0) runs++;
      at += gap;
      places.push({ at, data, room });
      expected.set(new Uint8Array(data.buffer), at);
      at += room;
    }
    // Added in any order.
    for (let i = places.length - 1; i > 0; i--) {
      const j = random.integer(i + 1);
      [places[i], places[j]] = [places[j], places[i]];
    }
    for (const { at, data, room } of places) uploads.add(buffer, at, data, room);
    uploads.flush();
    const written = memory.get(buffer)!;
    for (const { at, data } of places) {
      expect(written.subarray(at, at + data.byteLength), `seed ${seed}`).toEqual(
        expected.subarray(at, at + data.byteLength),
      );
    }
    expect(calls(), `seed ${seed}`).toBe(runs);
    uploads.flush();
    expect(calls()).toBe(runs);
  }
});

test('a large write goes as it is, at once', () => {
  const { queue, memory, calls } = memoryQueue();
  const uploads = new Uploads(queue);
  const buffer = {} as GPUBuffer;
  const data = new Float64Array(20_000).fill(3);
  uploads.add(buffer, 16, data);
  expect(calls()).toBe(1);
  expect(memory.get(buffer)!.subarray(16, 16 + data.byteLength)).toEqual(new Uint8Array(data.buffer));
});
