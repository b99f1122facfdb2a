import { expect, test } from 'vitest';
import { KernelMemory } from './memory.ts';

const larger = 2 ** 33;

function started(): KernelMemory {
  const memory = new KernelMemory();
  memory.start(1024);
  return memory;
}

test('a block that cannot be replaced stays, with or without neighbours on both sides', () => {
  for (const [before, after] of [
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ]) {
    const memory = started();
    const first = memory.allocate(256, 'first');
    const block = memory.allocate(128, 'block');
    const last = memory.allocate(512, 'last');
    if (!before) memory.free(first);
    if (!after) memory.free(last);
    memory.u32.fill(7, block / 4, block / 4 + 32);
    const { usedBytes } = memory;
    expect(() => memory.replace(block, larger, 'too large')).toThrow(
      expect.objectContaining({ code: 'out-of-memory' }),
    );
    expect(memory.usedBytes).toBe(usedBytes);
    // No other block overlaps it.
    const others = Array.from({ length: 40 }, (_, i) => memory.allocate(64 * (1 + (i % 3)), 'other'));
    for (const at of others) expect(at >= block + 128 || at + 64 * 3 <= block || at + 64 <= block).toBe(true);
    expect([...memory.u32.subarray(block / 4, block / 4 + 32)]).toEqual(new Array(32).fill(7));
  }
});

test('a replacement block reuses the old block’s space, or takes other space', () => {
  const memory = started();
  const block = memory.allocate(128, 'block');
  expect(memory.replace(block, 256, 'block')).toBe(block);
  memory.allocate(64, 'next');
  const moved = memory.replace(block, 512, 'block');
  expect(moved).not.toBe(block);
  expect(memory.allocate(256, 'in its place')).toBe(block);
  expect(memory.replace(0, 64, 'none before')).toBeGreaterThan(0);
});

// Regression: of several lists that grow together, one had grown when memory ran out for the next; then fewer rows were
// asked for.
test('shrinking a block leaves the blocks behind it unchanged', () => {
  const memory = started();
  const large = memory.allocate(4096, 'large');
  memory.u32.fill(9, large / 4, large / 4 + 1024);
  const hole = memory.allocate(128, 'hole');
  const behind = memory.allocate(1024, 'behind');
  memory.u32.fill(5, behind / 4, behind / 4 + 256);
  memory.free(hole);
  const small = memory.enlarge(large, 128, 'smaller');
  expect(small).toBe(hole);
  expect([...memory.u32.subarray(small / 4, small / 4 + 32)]).toEqual(new Array(32).fill(9));
  expect([...memory.u32.subarray(behind / 4, behind / 4 + 256)]).toEqual(new Array(256).fill(5));
});

test('work that fails halfway frees all blocks it took, nested or not', () => {
  const memory = started();
  const take = () => memory.allocate(64, 'part');
  const fail = () => {
    take();
    take();
    memory.allocate(larger, 'too large');
  };
  expect(() => memory.orNothing(fail)).toThrow();
  expect(memory.usedBytes).toBe(0);
  const both = () => {
    memory.orNothing(take);
    expect(() => memory.orNothing(fail)).toThrow();
    fail();
  };
  expect(() => memory.orNothing(both)).toThrow();
  expect(memory.usedBytes).toBe(0);
  memory.orNothing(take);
  expect(memory.usedBytes).toBe(64);
});
