import { expect, test } from 'vitest';
import { trianglesMeet } from '../../../packages/nearfield/src/math/triangles/triangle-triangle.ts';
import { toIntegers } from '../integers.ts';
import { meetByDifferences } from './difference-hull.ts';
import { publishedPairs } from './published-pairs.ts';

test.each(publishedPairs)('%s', (_source, triangles, meet) => {
  const p = Float64Array.from(triangles);
  expect(trianglesMeet(p)).toBe(meet);
  expect(meetByDifferences(toIntegers(p))).toBe(meet);
});
