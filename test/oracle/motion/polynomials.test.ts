import { expect, test } from 'vitest';
import { createRandom } from '../../../packages/nearfield/src/shapes/random.ts';
import { exactFirstCrossing, exactRootCount, exactSign } from './polynomials.ts';

/** Product of (x − root), exact for small whole roots. */
function fromRoots(...roots: number[]): number[] {
  let p = [1];
  for (const root of roots)
    p = Array.from({ length: p.length + 1 }, (_, i) => (p[i - 1] ?? 0) - root * (p[i] ?? 0));
  return p;
}

test('known roots', () => {
  expect(exactFirstCrossing(fromRoots(3), 0, 10)).toEqual({ time: 3, sign: 1 });
  expect(exactFirstCrossing(fromRoots(1, 2, 5, 7), 0, 10)).toEqual({ time: 1, sign: -1 });
  expect(exactFirstCrossing(fromRoots(1, 2, 5, 7), 1, 10)).toEqual({ time: 2, sign: 1 });
  expect(exactFirstCrossing(fromRoots(1, 1, 2), 0, 10)).toEqual({ time: 2, sign: 1 });
  expect(exactFirstCrossing(fromRoots(1, 1, 1), 0, 10)).toEqual({ time: 1, sign: 1 });
  expect(exactFirstCrossing(fromRoots(1, 1, 3, 3), 0, 10)).toBeUndefined();
  expect(exactFirstCrossing(fromRoots(4), 0, 4)).toBeUndefined();
  expect(exactFirstCrossing(fromRoots(0, 4), 0, 5)).toEqual({ time: 4, sign: 1 });
  expect(exactFirstCrossing([0, 0, 0], 0, 5)).toBeUndefined();
  expect(exactFirstCrossing([5], 0, 5)).toBeUndefined();
  expect(exactFirstCrossing([-2, 0, 1], 0, 5)!.time).toBe(Math.SQRT2);
  expect(exactFirstCrossing([-2e-100, 0, 1e-100, 0, 0], 0, 5)!.time).toBeCloseTo(Math.SQRT2, 14);
  expect(exactRootCount(fromRoots(1, 1, 2, 3), 0, 2)).toBe(2);
  expect([0, 1, 2].map(x => exactSign([-1, 0, 1], x))).toEqual([-1, 0, 1]);
});

test('whole roots in any order, with and without a guess', () => {
  const random = createRandom(1);
  for (let round = 0; round < 500; round++) {
    const roots = Array.from({ length: 1 + random.integer(4) }, () => random.integer(9) - 2);
    const counts = new Map<number, number>();
    for (const root of roots) counts.set(root, (counts.get(root) ?? 0) + 1);
    const odd = [...counts].filter(([root, n]) => n % 2 === 1 && root > 0 && root < 5).map(([root]) => root);
    const first = odd.length === 0 ? undefined : Math.min(...odd);
    const p = fromRoots(...roots);
    expect(exactFirstCrossing(p, 0, 5)?.time, `${roots}`).toBe(first);
    expect(exactFirstCrossing(p, 0, 5, random.integer(6))?.time, `${roots}`).toBe(first);
    expect(exactFirstCrossing(p, 0, 5, first)?.time, `${roots}`).toBe(first);
  }
});
