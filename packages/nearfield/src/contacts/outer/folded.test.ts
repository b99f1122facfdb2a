// Contacts found from exact cells equal those found from crossings of edges and triangles: two ways that share nothing
// but the sums at their end. The bodies are boxes on a grid, so that rounding plays no part. They may overlap one
// another within one mesh, and face in or out.

import { expect, test } from 'vitest';
import {
  BruteEngine,
  meetingTriangles,
  placedSoup,
  randomIntegers,
} from '../../interferences/testing/brute-engine.ts';
import { box } from '../../shapes/index.ts';
import type { RawPatch } from '../patch.ts';
import { contactPatches, foldedPatches } from '../patches.ts';
import { Surface } from '../surface.ts';

/** The corners of one to three boxes of whole numbers, moved by halves. */
function randomBoxes(random: (n: number) => number): number[][] {
  const { positions, indices } = box();
  const soup: number[][] = [];
  const shift = [0, 1, 2].map(() => random(3) / 2);
  for (let count = 1 + random(3); count > 0; count--) {
    const low = [0, 1, 2].map(() => random(2));
    const high = low.map(x => x + 1 + random(2));
    const inwards = random(4) === 0;
    for (let i = 0; i < indices.length; i += 3) {
      const corners = [indices[i], indices[i + 1], indices[i + 2]];
      soup.push(
        (inwards ? corners.reverse() : corners).flatMap(vertex =>
          [0, 1, 2].map(axis => (positions[3 * vertex + axis] < 0 ? low : high)[axis] + shift[axis]),
        ),
      );
    }
  }
  return soup;
}

/** The part of the answer that does not depend on how surfaces are divided. */
const seen = (patches: readonly RawPatch[]): string[] =>
  patches
    .map(({ point, normal, depth, area, points }) => {
      // If several points or directions are equally good, either may be given: a line has many points, and several
      // directions may have the least extent.
      if (depth > 0 && points.length === 1) return `depth ${Math.round(depth * 2 ** 20)}`;
      const numbers = [depth, area, points.length];
      if (area > 0) numbers.push(...normal);
      if (depth === 0 && points.length > 2) numbers.push(...point);
      return numbers.map(x => Math.round(x * 2 ** 20) / 2 ** 20 + 0).join(' ');
    })
    .sort();

test('contacts found by exact cells equal those found by crossings', { timeout: 600_000 }, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 800 : 6;
  let patchCount = 0;
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomIntegers(seed);
    const [a, b] = [placedSoup(randomBoxes(random)), placedSoup(randomBoxes(random))];
    const engine = new BruteEngine();
    const pairs = meetingTriangles(a, b);
    const expected = contactPatches(engine, a, b, pairs);
    const surfaces = [new Surface(engine, a, 1, true), new Surface(engine, b, 1, true)] as const;
    if (!surfaces.every(({ solid }) => solid)) continue;
    expect(seen(foldedPatches(engine, surfaces, pairs)), `seed ${seed}`).toEqual(seen(expected));
    patchCount += expected.length;
  }
  expect(patchCount).toBeGreaterThan(rounds / 2);
});
