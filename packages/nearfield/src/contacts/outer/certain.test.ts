// If triangles certainly meet, or certainly do not, that stays true wherever their corners move within the slack.

import { expect, test } from 'vitest';
import { Failures } from '../../../../../test/oracle/failures.ts';
import { randomIntegers } from '../../interferences/testing/brute-engine.ts';
import { trianglesMeet } from '../../math/triangles/triangle-triangle.ts';
import { meetsForCertain } from './certain.ts';

test('certain answers stay the same when corners move within the slack', { timeout: 600_000 }, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 400_000 : 3000;
  const count = { meet: 0, apart: 0, uncertain: 0 };
  const failures = new Failures();
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomIntegers(seed);
    // Small whole numbers: many touch. Slacks range from far below their distances to as large as some.
    const slack = 2 ** -(1 + random(12));
    const p = Float64Array.from({ length: 18 }, () => random(9));
    if (!meetsForCertain(p, slack)) {
      count.uncertain++;
      continue;
    }
    const meet = trianglesMeet(p);
    count[meet ? 'meet' : 'apart']++;
    for (let i = 0; i < 8; i++) {
      const moved = p.map(x => x + slack * (i < 4 ? random(3) - 1 : (random(257) - 128) / 128));
      failures.check(trianglesMeet(moved) === meet, () => `seed ${seed}, ${Array.from(moved)}`);
    }
  }
  expect(failures.list).toEqual([]);
  // Touching is never certain.
  expect(
    meetsForCertain(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, -1, 0, 1), 2 ** -52),
  ).toBe(false);
  for (const cases of Object.values(count)) expect(cases).toBeGreaterThan(rounds / 50);
});
