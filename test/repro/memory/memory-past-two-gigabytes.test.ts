import { expect, test } from 'vitest';
import { groupRecords } from '../../../packages/nearfield/src/bvh/cpu/sort/records.ts';
import { CpuEngine } from '../../../packages/nearfield/src/cpu/engine.ts';
import { KernelMemory } from '../../../packages/nearfield/src/cpu/memory.ts';

// Addresses past 2^31 were shifted as signed numbers, so a block that grew there copied the wrong bytes. The memory
// reserved here is never touched.
test('a block past two gigabytes keeps its contents when it grows', () => {
  const memory = new KernelMemory(true);
  memory.start(1024);
  memory.allocate(2.2e9, 'something large');
  const words = Uint32Array.from({ length: 256 }, (_, i) => i + 1);
  const at = memory.allocate(words.byteLength, 'a block');
  memory.u32.set(words, at / 4);
  const to = memory.enlarge(at, 4096, 'a block');
  expect(memory.u32.slice(to / 4, to / 4 + words.length)).toEqual(words);
});

// The kernel's answer, an address past 2^31, came back as a negative number, and pairs were taken from elsewhere.
test('sorting past two gigabytes keeps the given records', async () => {
  const engine = new CpuEngine({ shared: true });
  engine.memory.allocate(2.2e9, 'something large');
  const records = Uint32Array.from({ length: 3 * 100 }, (_, i) => (i * 7919) % 10);
  const third = 99;
  const { start, pairs } = groupRecords(engine, records.subarray(0, third), records.subarray(third), 10);
  const given: string[] = [];
  for (let i = 0; i < records.length; i += 3) given.push(records.subarray(i, i + 3).join());
  const found: string[] = [];
  for (let group = 0; group < 10; group++)
    for (let i = start[group]; i < start[group + 1]; i++)
      found.push([group, pairs[2 * i], pairs[2 * i + 1]].join());
  expect(found).toEqual(given.sort());
  engine.close();
});
