// What JavaScript's heap takes for many bodies, and for the pairs of an answer.

import { expect, it } from 'vitest';
import type { BoxesRow } from '../../bench/src/programs/many-boxes.ts';
import { runProgram } from './child.ts';

it('a body takes at most 600 bytes of heap, and a pair at most 32', async () => {
  const { status, out, err } = await runProgram(
    { file: 'bench/src/programs/many-boxes.ts' },
    { node: ['--expose-gc'], words: ['--measure', '100000'] },
  );
  expect(status, err).toBe(0);
  const row: BoxesRow = JSON.parse(out);
  expect(row.bodies).toBe(100_000);
  expect(row.pairs).toBeGreaterThan(500_000);
  expect(row.heapPerBody).toBeLessThanOrEqual(600);
  // No body takes less than this. So the figure was measured, and the bodies exist.
  expect(row.heapPerBody).toBeGreaterThan(16);
  expect(row.heapPerPair).toBeLessThanOrEqual(32);
});
