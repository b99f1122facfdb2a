// Is the answer of a method that samples within its own bounds? It is compared with the exact pairs of another scene.

import type { Body, CpuScene, LayersInterferences, RaycastInterferences, shapes } from 'nearfield';
import { expect } from 'vitest';
import { boxInCommon, commonBall } from './solids.ts';

/** The two bodies of a pair, in scenes that have the same bodies. */
export const keyOf = ({ a, b }: { a: Body; b: Body }) => `${a.index} ${b.index}`;

/**
 * What is reported but apart is near, and what is missed has no large ball in common. Returns the keys of the exact pairs; `oracle`
 * has the same bodies on the CPU.
 */
export function holdToBounds(
  oracle: CpuScene,
  answer: LayersInterferences | RaycastInterferences,
  random: shapes.Random,
  about: string,
): Set<string> {
  const exact = new Set(oracle.interferencesSync({ detail: 'any' }).pairs.map(keyOf));
  const found = new Set(answer.pairs.map(keyOf));
  expect(answer.complete, about).toBe(true);
  for (const [a, b] of oracle.candidates()) {
    const key = keyOf({ a, b });
    if (found.has(key) && !exact.has(key)) {
      const { distance } = oracle.distanceSync(a, b);
      expect(distance, `${about}: ${key} are apart`).toBeLessThanOrEqual(answer.mayReportWithin);
    }
    if (exact.has(key) && !found.has(key)) {
      const size = commonBall(oracle, a, b, boxInCommon(a, b), random);
      expect(size, `${about}: ${key} were missed`).toBeLessThan(answer.mayMissBelow);
    }
    found.delete(key);
  }
  expect([...found], `${about}: not even candidates`).toEqual([]);
  return exact;
}
