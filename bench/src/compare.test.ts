import { describe, expect, it } from 'vitest';
import { addComparisons, comparePairs } from './compare.ts';

const pairs = (...values: number[]) => Uint32Array.from(values);

describe('comparePairs', () => {
  it('compares sets, not counts', () => {
    const exact = pairs(0, 1, 2, 3, 4, 5);
    expect(comparePairs(exact, pairs(4, 5, 0, 1, 2, 4))).toEqual({ found: 2, missed: 1, false: 1 });
  });
  it('counts a repeated pair once and distinguishes (a, b) from (b, a)', () => {
    expect(comparePairs(pairs(1, 2), pairs(1, 2, 1, 2, 2, 1))).toEqual({ found: 1, missed: 0, false: 1 });
  });
  it('handles large indices and empty sets', () => {
    const large = pairs(1_003_519, 1_003_518);
    expect(comparePairs(large, large)).toEqual({ found: 1, missed: 0, false: 0 });
    expect(comparePairs(large, pairs())).toEqual({ found: 0, missed: 1, false: 0 });
    expect(comparePairs(pairs(), pairs())).toEqual({ found: 0, missed: 0, false: 0 });
  });
  it('adds up over frames', () => {
    const sum = addComparisons({ found: 1, missed: 2, false: 3 }, { found: 4, missed: 5, false: 6 });
    expect(sum).toEqual({ found: 5, missed: 7, false: 9 });
  });
});
