import { expect, test } from 'vitest';
import { createRandom } from '../../shapes/index.ts';
import { Records, Uploads } from './uploads.ts';

/** A queue that writes into memory and counts its calls. */
function memoryQueue() {
  const memory = new Map<object, Uint8Array>();
  let calls = 0;
  const queue = {
    writeBuffer(
      buffer: object,
      at: number,
      data: ArrayBufferView<ArrayBuffer>,
      from = 0,
      size = (data as Uint8Array).length,
    ) {
      calls++;
      const bytes = memory.get(buffer) ?? new Uint8Array(1 << 20);
      memory.set(buffer, bytes);
      const each = (data as Uint8Array).BYTES_PER_ELEMENT;
      bytes.set(new Uint8Array(data.buffer, data.byteOffset + each * from, each * size), at);
    },
  };
  return { queue: queue as unknown as GPUQueue, memory, calls: () => calls };
}

/** The first index at which the two differ, or -1. The matcher is slow on long arrays. */
const firstDifference = (written: ArrayLike<number>, expected: Uint8Array | Uint32Array): number =>
  expected.findIndex((value, i) => value !== written[i]);

test('adjacent writes are joined into one, and every byte arrives', () => {
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
    // They are added in random order.
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

test('a large write goes to the queue directly, at once', () => {
  const { queue, memory, calls } = memoryQueue();
  const uploads = new Uploads(queue);
  const buffer = {} as GPUBuffer;
  const data = new Float64Array(20_000).fill(3);
  uploads.add(buffer, 16, data);
  expect(calls()).toBe(1);
  expect(firstDifference(memory.get(buffer)!.subarray(16), new Uint8Array(data.buffer))).toBe(-1);
});

test('changed records are one write, and all others stay as they were', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const { queue, memory, calls } = memoryQueue();
    const records = new Records(queue);
    let buffer = {} as GPUBuffer;
    const expected = new Uint32Array(16 * 200);
    for (let round = 0; round < 6; round++) {
      for (let i = random.integer(20); i >= 0; i--) {
        const at = 16 * random.integer(30 * (round + 1));
        const record = Uint32Array.from({ length: 16 }, () => random.integer(2 ** 31));
        records.claim(at, record.length).set(record, at);
        expected.set(record, at);
      }
      if (round === 3) {
        // When a buffer is replaced, its contents are copied over.
        const before = memory.get(buffer)!;
        buffer = {} as GPUBuffer;
        memory.set(buffer, before.slice());
      }
      records.flush(buffer);
      records.flush(buffer);
      expect(calls(), `seed ${seed}`).toBe(round + 1);
      const held = new Uint32Array(memory.get(buffer)!.buffer, 0, expected.length);
      expect(firstDifference(held, expected), `seed ${seed}, round ${round}`).toBe(-1);
    }
  }
});
