import { expect, test, vi } from 'vitest';
import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { PlaneSigns } from '../../../curves/plane-signs.ts';
import { BruteEngine, placedSoup, randomIntegers } from '../../../testing/brute-engine.ts';
import {
  crossingSurface,
  soupOf,
  split,
  turnedSoup,
  withSplitEdges,
} from '../../../testing/crossing-surfaces.ts';
import { solidOfBoxes } from '../../../testing/grid-solids.ts';
import { Facet } from '../facet.ts';
import { Probe } from '../probe.ts';
import { changesDifference, changesOf, Difference } from './difference.ts';

// A number that is said not to change at a triangle does not change at many of its points, by counting what a line
// crosses there. And equal surfaces, triangulated differently or repeated, are recognised as equal.

const differenceOf = (bodies: readonly [Placed, Placed]): Difference =>
  new Difference(bodies, new PlaneSigns(bodies));

const isSlow = Boolean(process.env['NEARFIELD_SLOW']);
if (isSlow) vi.setConfig({ testTimeout: 1_000_000 });

type Soup = readonly (readonly number[])[];

test('a number that does not change at a triangle is the same above and below its points', () => {
  const counts = { samples: 0, ofA: 0, ofB: 0, ofDifference: 0 };
  for (let seed = 1; seed <= (isSlow ? 3000 : 40); seed++) {
    const random = randomIntegers(seed);
    const size = 2 + random(4);
    const surfaces = Array.from({ length: 1 + random(3) }, () =>
      crossingSurface(random, 4 + 2 * random(3), size),
    );
    // Each surface several times, split, reversed, or with a corner moved.
    const make = (): Soup => {
      const soup = surfaces.flatMap(surface =>
        Array.from({ length: random(4) }, () => {
          const fine = withSplitEdges(random, surface, surface.triangles.length + 2 * random(3));
          const made = random(4)
            ? fine
            : split(
                fine,
                0,
                0,
                [0, 1, 2].map(() => 4 * random(size)),
              );
          return random(4) ? soupOf(made) : turnedSoup(soupOf(made));
        }).flat(),
      );
      return soup.length > 0 ? soup : soupOf(surfaces[0]);
    };
    const bodies = [placedSoup(make()), placedSoup(make())] as const;
    const difference = differenceOf(bodies);
    const probe = new Probe(new BruteEngine(), bodies[0], bodies[1]);
    for (const side of [0, 1] as const) {
      const { positions, mesh } = bodies[side].shape;
      for (let t = 0; t < mesh.triangleCount; t++) {
        const corners = [0, 1, 2].flatMap(k => {
          const at = 3 * mesh.indices[3 * t + k];
          return [...positions.subarray(at, at + 3)];
        });
        const facet = new Facet(Float64Array.from(corners));
        if (facet.axis < 0) continue;
        for (let sample = 0; sample < 4; sample++) {
          const weights = [1 + random(50), 1 + random(50), 1 + random(50)];
          const sum = weights[0] + weights[1] + weights[2];
          const [u, v] = [1, 2].map(step =>
            weights.reduce((x, w, k) => x + (w / sum) * facet.p[3 * k + ((facet.axis + step) % 3)], 0),
          );
          if (!facet.holdsProjection(u, v)) continue;
          const sides = probe.at(facet, u, v);
          if (!sides) continue;
          const name = `seed ${seed}, body ${side}, triangle ${t}`;
          const changes = difference.changes[side][t];
          counts.samples++;
          for (const body of [0, 1] as const) {
            if (changes & changesOf[body]) continue;
            if (body === side) counts[side === 0 ? 'ofA' : 'ofB']++;
            expect(sides.above[body], `${name}, winding numbers of ${body}`).toBe(sides.below[body]);
          }
          if (!(changes & changesDifference)) {
            counts.ofDifference++;
            expect(difference.at(sides.above) === difference.at(sides.below), `${name}, difference`).toBe(
              true,
            );
          }
          if (difference.isZero)
            expect(difference.at(sides.above) === 0, `${name}, no difference`).toBe(true);
          if (difference.shared[side][t]) {
            const [inA, inB] = [0, 1].map(body => sides.above[body] !== sides.below[body]);
            expect(inA, `${name}, shared`).toBe(inB);
          }
        }
      }
    }
  }
  expect(counts.samples).toBeGreaterThan(2000);
  expect(counts.ofA).toBeGreaterThan(20);
  expect(counts.ofB).toBeGreaterThan(20);
  expect(counts.ofDifference).toBeGreaterThan(400);
});

test('the same surface with other triangles, reversed or repeated has difference zero', () => {
  for (let seed = 1; seed <= (isSlow ? 1000 : 20); seed++) {
    const random = randomIntegers(seed);
    const surface = crossingSurface(random, 4 + 2 * random(10), 2 ** (2 + random(18)));
    const soup = (): number[][] => {
      const fine = soupOf(withSplitEdges(random, surface, surface.triangles.length + 2 * random(20)));
      return random(2) ? fine : turnedSoup(fine);
    };
    const laid = (): number[][] => {
      const one = soup();
      return Array.from({ length: 1 + random(3) }, () => one).flat();
    };
    const difference = differenceOf([placedSoup(laid()), placedSoup(laid())]);
    expect(difference.isZero, `seed ${seed}`).toBe(true);
  }
});

test('boxes cut in two have difference zero, boxes of another size do not', () => {
  const box = (low: number[], high: number[]) => ({ low, high, sign: 1 as const });
  const random = randomIntegers(1);
  const whole = placedSoup(solidOfBoxes(random, [box([0, 0, 0], [4, 4, 4])]).triangles);
  const cut = [box([0, 0, 0], [1, 4, 4]), box([1, 0, 0], [4, 4, 4])];
  expect(differenceOf([whole, placedSoup(solidOfBoxes(random, cut).triangles)]).isZero).toBe(true);
  const less = [box([0, 0, 0], [1, 4, 4]), box([1, 0, 0], [4, 4, 3])];
  expect(differenceOf([whole, placedSoup(solidOfBoxes(random, less).triangles)]).isZero).toBe(false);
});
