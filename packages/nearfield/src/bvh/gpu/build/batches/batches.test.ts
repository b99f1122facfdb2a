import { expect, test } from 'vitest';
import { createRandom } from '../../../../shapes/index.ts';
import { batches } from './batches.ts';

test('each shape is in one batch, in order, and keys have bits for its number and its cells', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = createRandom(seed);
    const entries = Array.from({ length: random.integer(2000) }, () => ({
      leafCount: random.integer([5000, 50_000, 500_000][random.integer(3)]),
      nodeOffset: 0,
    }));
    const found = [...batches(entries)];
    expect(found.flatMap(batch => batch.entries).length, `seed ${seed}`).toBe(entries.length);
    let next = 0;
    for (const { entries: together, cellBits = 0 } of found) {
      expect(together.every(entry => entry === entries[next++])).toBe(true);
      expect(3 * cellBits + Math.ceil(Math.log2(together.length)), `seed ${seed}`).toBeLessThanOrEqual(32);
      const largest = Math.max(...together.map(({ leafCount }) => leafCount));
      expect(cellBits, `seed ${seed}`).toBeGreaterThanOrEqual(largest <= 4096 ? 6 : 8);
      expect(together.length).toBeGreaterThan(0);
    }
  }
});

test('a few shapes of any size are one batch', () => {
  const sizes = [1, 5000, 35_000, 112_000, 300, 12_000];
  const entries = sizes.map(leafCount => ({ leafCount, nodeOffset: 0 }));
  expect([...batches(entries)]).toEqual([{ entries, cellBits: 9 }]);
});

test('a shape with more triangles than a GPU can have is refused', () => {
  expect(() => [...batches([{ leafCount: 2 ** 26 + 1, nodeOffset: 0 }])]).toThrow(/too large/);
});
