import { expect, test } from 'vitest';
import { KernelMemory } from '../../packages/nearfield/src/cpu/memory.ts';

// Addresses past 2^31 were shifted as signed numbers, so a block that grew there took the wrong bytes along. The memory
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
