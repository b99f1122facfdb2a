import { expect, test, vi } from 'vitest';
import { fromDoubles, type Homogeneous } from '../../math/exact/rational.ts';
import { type Corners, Hull, outside } from '../../math/triangles/triangle-contact.ts';
import { randomIntegers } from '../testing/brute-engine.ts';
import { isDivided, randomSheets } from '../testing/grid-sheets.ts';
import { type Around, crossesAt } from './link.ts';

if (process.env['NEARFIELD_SLOW']) vi.setConfig({ testTimeout: 1_000_000 });

const cornersOf = (t: readonly number[]): Corners => [
  fromDoubles(t[0], t[1], t[2]),
  fromDoubles(t[3], t[4], t[5]),
  fromDoubles(t[6], t[7], t[8]),
];
const trianglesAt = (triangles: readonly Hull[], point: Homogeneous): Around[] =>
  triangles.map(hull => ({ hull, place: hull.placeOf(point) })).filter(({ place }) => place !== outside);

test('links divide each other as the cells of the grid do', () => {
  const seen = [0, 0];
  const rounds = process.env['NEARFIELD_SLOW'] ? 6000 : 400;
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomIntegers(seed);
    const count = 2 + random(12);
    const size = 2 + random(2);
    const [a, b] = [randomSheets(random, count, size), randomSheets(random, count, size)];
    const [trianglesA, trianglesB] = [a, b].map(({ triangles }) =>
      triangles.map(t => new Hull(cornersOf(t))),
    );
    for (const cell of a.cells) {
      if (!b.cells.has(cell)) continue;
      const at = cell.split(',').map(Number);
      const point = fromDoubles(at[0] / 2, at[1] / 2, at[2] / 2);
      const expected = isDivided(at, a, b) || isDivided(at, b, a);
      const crosses = crossesAt(trianglesAt(trianglesA, point), trianglesAt(trianglesB, point));
      expect(crosses, `seed ${seed} at ${cell}`).toBe(expected);
      seen[expected ? 1 : 0]++;
    }
  }
  expect(Math.min(...seen)).toBeGreaterThan(50);
});
