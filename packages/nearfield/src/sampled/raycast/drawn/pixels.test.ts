// Pixels that were read back, against a search of one after the other.

import { expect, test } from 'vitest';
import { createRandom } from '../../../shapes/random.ts';
import { drawnStateWords, stencilZero } from './layouts.ts';
import { hasPositive, namesIn, type PixelRows } from './pixels.ts';

test.each(['narrow', 'wide'] as const)('%s names: every pixel counts, whatever lies beside it', kind => {
  const random = createRandom(kind === 'wide' ? 5 : 4);
  const isWide = kind === 'wide';
  const bodies = isWide ? 70_000 : 2 ** 16 - 2;
  // Names with only their highest bit set, among others.
  const known = [1, 2, 2 ** 15, 2 ** 15 + 1, bodies];
  for (let round = 0; round < 200; round++) {
    const [columns, rows] = [1 + random.integer(70), 1 + random.integer(4)];
    const rowBytes = Math.ceil(((isWide ? 8 : 4) * columns) / 256) * 256;
    const words = new Uint32Array((rowBytes / 4) * rows);
    const pairs = known.flatMap(a => known.filter(b => a < b).map(b => [a - 1, b - 1]));
    const candidates = Uint32Array.from(pairs.flat());
    const bodyWords = Math.ceil(bodies / 32);
    const flagsAt = drawnStateWords + 2 * bodyWords;
    const expected = new Uint32Array(flagsAt + pairs.length);
    for (let row = 0; row < rows; row++) {
      // Beyond the columns lies what an earlier picture left there.
      for (let at = 0; at < rowBytes / (isWide ? 8 : 4); at++) {
        if (random.integer(6) > 0) continue;
        const [owner, enclosing] = [0, 0].map(() => (random.integer(3) === 0 ? 0 : known[random.integer(5)]));
        if (isWide) words.set([owner, enclosing], (row * rowBytes) / 4 + 2 * at);
        else words[(row * rowBytes) / 4 + at] = owner + 2 ** 16 * enclosing;
        if (at >= columns || owner === 0) continue;
        expected[drawnStateWords + ((owner - 1) >> 5)] |= 1 << ((owner - 1) & 31);
        const pair = pairs.findIndex(
          ([a, b]) => a === Math.min(owner, enclosing) - 1 && b === Math.max(owner, enclosing) - 1,
        );
        if (pair >= 0) expected[flagsAt + pair] |= owner < enclosing ? 2 : 4;
      }
    }
    const layout: PixelRows = { kind, columns, rows, rowBytes };
    const state = namesIn(words, layout, { stateWords: expected.length, bodyWords }, candidates);
    expect(
      state.findIndex((word, i) => word !== expected[i]),
      `round ${round}`,
    ).toBe(-1);
  }
});

test('a stencil has a positive count if any pixel within the picture has', () => {
  const [rowBytes, rows] = [256, 3];
  for (const columns of [1, 6, 100, 253]) {
    const layout: PixelRows = { kind: 'stencil', columns, rows, rowBytes };
    const bytes = new Uint8Array(rowBytes * rows).fill(stencilZero);
    const has = () => hasPositive(new Uint32Array(bytes.buffer), layout);
    expect(has()).toBe(false);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < rowBytes; column++) {
        for (const count of [stencilZero - 1, stencilZero + 1, 255]) {
          bytes[row * rowBytes + column] = count;
          const isPositive = count > stencilZero && column < columns;
          if (has() !== isPositive) expect([columns, row, column, count]).toEqual([]);
        }
        bytes[row * rowBytes + column] = stencilZero;
      }
    }
  }
});
