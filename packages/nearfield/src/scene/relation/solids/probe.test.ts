import { expect, test } from 'vitest';
import { fromDoubles } from '../../../math/rational.ts';
import { BruteEngine, placedSoup, randomIntegers } from '../../testing/brute-engine.ts';
import { randomBoxes } from '../../testing/grid-solids.ts';
import { Facet } from './cells.ts';
import { Probe, type Sides } from './probe.ts';

const written = ({ above, below }: Sides): string => `${above.join()} above, ${below.join()} below`;

test('both sides of a triangle are the same looked at in doubles and exactly', () => {
  let compared = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomIntegers(seed);
    const pose = () => Float64Array.from([3, 1, -2, 0, 1, 2, 1, 0, -1, 1, 4, 0, 7, -3, 1, 1]);
    const solidA = randomBoxes(random, 3, 4);
    const [a, b] = [
      placedSoup(solidA.triangles, pose()),
      placedSoup(randomBoxes(random, 3, 4).triangles, pose()),
    ];
    const probe = new Probe(new BruteEngine(), a, b);
    for (const triangle of placedWorld(solidA.triangles, pose())) {
      const facet = new Facet(Float64Array.from(triangle));
      const [u, v] = [(facet.axis + 1) % 3, (facet.axis + 2) % 3];
      const weights = [1 + random(50), 1 + random(50), 1 + random(50)];
      const sum = weights[0] + weights[1] + weights[2];
      const at = [0, 0, 0];
      for (const axis of [u, v]) {
        at[axis] = weights.reduce((total, weight, i) => total + (weight / sum) * triangle[3 * i + axis], 0);
      }
      if (!facet.holdsProjection(at[u], at[v])) continue;
      const sides = probe.at(facet, at[u], at[v]);
      const exact = probe.atExactly(facet, facet.pointAbove(fromDoubles(at[0], at[1], at[2])));
      expect(exact && written(exact), `seed ${seed}`).toBe(sides && written(sides));
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(500);
});

function placedWorld(triangles: readonly (readonly number[])[], m: Float64Array): number[][] {
  return triangles.map(t =>
    [0, 3, 6].flatMap(i =>
      [0, 1, 2].map(r => m[r] * t[i] + m[4 + r] * t[i + 1] + m[8 + r] * t[i + 2] + m[12 + r]),
    ),
  );
}
