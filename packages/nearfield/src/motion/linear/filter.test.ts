// The filter in doubles finds the same first contact as the exact stage, or is unsure.

import { expect, test } from 'vitest';
import { Failures } from '../../../../../test/oracle/failures.ts';
import {
  degenerateQuery,
  generalQuery,
  smallStep,
} from '../../../../../test/oracle/motion/moving-features.ts';
import { randomFrom } from '../../../../../test/oracle/triangles/generators.ts';
import { edgeMeetsEdge, never, vertexMeetsFace } from './exact/contact.ts';
import { surelyFirstCell, unsure } from './filter.ts';

const bits = 40;
const last = 2 ** 41;
const count = process.env.NEARFIELD_SLOW ? 1_000_000 : 4000;

/** How many queries doubles may leave open, at most. Degenerate ones are for the exact stage. */
const queries = {
  general: [generalQuery, 0.05],
  'small steps': [smallStep, 0.15],
  degenerate: [degenerateQuery, 1],
} as const;

test.each(Object.entries(queries))('%s queries', { timeout: 1e7 }, (_, [query, mostUnsure]) => {
  const failures = new Failures();
  const seed = 7;
  const random = randomFrom(seed);
  const points = new Float64Array(24);
  let open = 0;
  for (let i = 0; i < count; i++) {
    query(random, points);
    const isFace = i % 2 === 0;
    const found = surelyFirstCell(isFace ? 'vertex-face' : 'edge-edge', points, bits, last);
    if (found === unsure) {
      open++;
      continue;
    }
    const truth = (isFace ? vertexMeetsFace : edgeMeetsEdge)(points, bits);
    failures.check(
      found === truth,
      () => `seed ${seed}, query ${i}: ${found}, not ${truth}: ${Array.from(points)}`,
    );
    // With a limit before the contact there is none.
    const limit = truth === never ? last : truth - 1;
    const limited = surelyFirstCell(isFace ? 'vertex-face' : 'edge-edge', points, bits, limit);
    const isRight = limited === unsure || limited === never || limited === truth;
    failures.check(
      isRight,
      () => `seed ${seed}, query ${i}, up to ${limit}: ${limited}: ${Array.from(points)}`,
    );
  }
  expect(failures.list).toEqual([]);
  expect(open).toBeLessThanOrEqual(mostUnsure * count);
});

test('numbers whose products overflow or vanish are unsure or answered correctly', () => {
  const failures = new Failures();
  const random = randomFrom(8);
  const points = new Float64Array(24);
  for (let i = 0; i < 2000; i++) {
    generalQuery(random, points);
    const scale = 2 ** [-1000, -400, -330, 99, 340, 1020][i % 6];
    const moved = points.map(x => x * scale);
    const found = surelyFirstCell(i % 2 === 0 ? 'vertex-face' : 'edge-edge', moved, bits, last);
    const truth = (i % 2 === 0 ? vertexMeetsFace : edgeMeetsEdge)(moved, bits);
    failures.check(found === unsure || found === truth, () => `${i}: ${found}, not ${truth}`);
  }
  expect(failures.list).toEqual([]);
});
