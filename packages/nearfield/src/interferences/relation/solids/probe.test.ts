import { expect, test } from 'vitest';
import { fractionBits, scaledInteger } from '../../../math/exact/rational.ts';
import { PlaneSigns } from '../../curves/plane-signs.ts';
import { WholeFrame } from '../../curves/whole-frame.ts';
import { BruteEngine, placedSoup, randomIntegers } from '../../testing/brute-engine.ts';
import { randomBoxes } from '../../testing/grid-solids.ts';
import { Column } from './cells/column.ts';
import { CutFacet } from './cells/cut-facet.ts';
import type { Triple } from './cells/flat-view.ts';
import { Facet } from './facet.ts';
import { Parts } from './parts/parts.ts';
import { Probe, type Sides } from './probe.ts';

const written = ({ above, below }: Sides): string => `${above.join()} above, ${below.join()} below`;

test('the winding numbers on both sides of a triangle are the same at a point in doubles and at an exact point', () => {
  let compared = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomIntegers(seed);
    const pose = () => Float64Array.from([3, 1, -2, 0, 1, 2, 1, 0, -1, 1, 4, 0, 7, -3, 1, 1]);
    const solidA = randomBoxes(random, 3, 4);
    const [a, b] = [
      placedSoup(solidA.triangles, pose()),
      placedSoup(randomBoxes(random, 3, 4).triangles, pose()),
    ];
    const engine = new BruteEngine();
    const probe = new Probe(engine, a, b);
    const [frame, parts] = [new WholeFrame([a, b]), [new Parts(a), new Parts(b)] as const];
    const planes = new PlaneSigns([a, b]);
    for (const [t, triangle] of placedWorld(solidA.triangles, pose()).entries()) {
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
      const cut = new CutFacet(facet, 0, t, [a, b], parts, planes, frame);
      for (const [body, { shape }] of [a, b].entries()) {
        for (let other = 0; other < shape.mesh.triangleCount; other++) cut.addGroup(body as 0 | 1, other);
      }
      const column = new Column(engine, [a, b], cut);
      // The same point as a mean of the corners.
      const exact = column.at(cut.view.spotOf(weightsAt(triangle, u, v, at)));
      expect(exact && written(exact.sides), `seed ${seed}, exactly`).toBe(sides && written(sides));
      for (const body of [0, 1] as const) {
        const sums = [0, 0];
        cut.groups.forEach((group, i) => {
          if (group.body !== body || !exact) return;
          sums[0] += exact.above[i];
          sums[1] += exact.below[i];
        });
        if (exact) expect(sums, `seed ${seed}`).toEqual([exact.sides.above[body], exact.sides.below[body]]);
      }
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(500);
});

/** The weights of a point of a triangle, projected along an axis, as whole numbers: areas of triangles with the point. */
function weightsAt(triangle: readonly number[], u: number, v: number, at: readonly number[]): Triple {
  const bits = Math.max(...[...triangle, ...at].map(fractionBits));
  const [a, b, c] = [0, 3, 6].map(i => [triangle[i + u], triangle[i + v]].map(x => scaledInteger(x, bits)));
  const p = [at[u], at[v]].map(x => scaledInteger(x, bits));
  const turn = (d: bigint[], e: bigint[]): bigint =>
    (e[0] - d[0]) * (p[1] - d[1]) - (e[1] - d[1]) * (p[0] - d[0]);
  return [turn(b, c), turn(c, a), turn(a, b)];
}

function placedWorld(triangles: readonly (readonly number[])[], m: Float64Array): number[][] {
  return triangles.map(t =>
    [0, 3, 6].flatMap(i =>
      [0, 1, 2].map(r => m[r] * t[i] + m[4 + r] * t[i + 1] + m[8 + r] * t[i + 2] + m[12 + r]),
    ),
  );
}
