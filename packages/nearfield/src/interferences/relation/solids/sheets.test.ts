import { expect, test } from 'vitest';
import { Failures } from '../../../../../../test/oracle/failures.ts';
import { contactsBetween, contactsWithin } from '../../curves/contact-signs.ts';
import { PlaneSigns } from '../../curves/plane-signs.ts';
import { BruteEngine, meetingTriangles, placedSoup, randomIntegers } from '../../testing/brute-engine.ts';
import { type GridSolid, randomBoxes, randomCubes, solidOfBoxes } from '../../testing/grid-solids.ts';
import { Facet } from './facet.ts';
import { Probe } from './probe.ts';
import { faces, Sheets } from './sheets.ts';

// Sheets against samples at many points of each face: along a face with a constant winding number all samples agree,
// and faces that are said to share the number do.

test('winding numbers along faces agree with samples at their points', () => {
  let [samples, shared, varying] = [0, 0, 0];
  const failures = new Failures();
  for (let seed = 1; seed <= (process.env['NEARFIELD_SLOW'] ? 600 : 16); seed++) {
    const random = randomIntegers(seed);
    const make = (): GridSolid => (random(2) ? randomBoxes(random, 3, 4) : randomCubes(random, 3));
    const pose = (): Float64Array =>
      Float64Array.from(
        random(2)
          ? [3, 1, -2, 0, 1, 2, 1, 0, -1, 1, 4, 0, 7, -3, 1, 1]
          : [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
      );
    const common = pose();
    const [a, b] = [placedSoup(make().triangles, common), placedSoup(make().triangles, common.slice())];
    const engine = new BruteEngine();
    const planes = new PlaneSigns([a, b]);
    const [contacts] = contactsBetween(a, b, meetingTriangles(a, b), planes);
    const own = contactsWithin(engine, a, contacts.triangles, planes, 0);
    for (const [body, sheets] of [
      [1, new Sheets(a, b, contacts)],
      [0, new Sheets(a, a, own)],
    ] as const) {
      const probe = new Probe(engine, a, b);
      for (let i = 0; i < contacts.triangles.length; i++) {
        const facet = new Facet(contacts.corners.slice(9 * i, 9 * i + 9));
        if (facet.axis < 0) continue;
        for (let sample = 0; sample < 6; sample++) {
          const weights = [1 + random(50), 1 + random(50), 1 + random(50)];
          const sum = weights[0] + weights[1] + weights[2];
          const at = [1, 2].map(step =>
            weights.reduce((x, w, k) => x + (w / sum) * facet.p[3 * k + ((facet.axis + step) % 3)], 0),
          );
          if (!facet.holdsProjection(at[0], at[1])) continue;
          const sides = probe.at(facet, at[0], at[1]);
          if (!sides) continue;
          for (const face of faces) {
            const seen = (face === 0 ? sides.below : sides.above)[body];
            let isFirst = false;
            const known = sheets.windingAlong(i, face, () => {
              isFirst = true;
              return seen;
            });
            samples++;
            if (known === undefined) varying++;
            else if (!isFirst) shared++;
            failures.check(
              known === undefined || known === seen,
              () => `seed ${seed}, triangle ${i}, face ${face}: ${known}, seen ${seen}`,
            );
          }
        }
      }
    }
  }
  expect(failures.list).toEqual([]);
  expect(samples).toBeGreaterThan(10_000);
  expect(shared).toBeGreaterThan(samples / 3);
  expect(varying).toBeGreaterThan(samples / 50);
});

test('nothing is inferred from one side of a fold to the other', () => {
  // A flap without volume lies in the middle of a box's floor; the floor continues around its rim.
  const flap = [
    [2, 2, 0, 4, 2, 0, 3, 4, 0],
    [2, 2, 0, 3, 4, 0, 4, 2, 0],
  ];
  const box = solidOfBoxes(randomIntegers(1), [{ low: [0, 0, 0], high: [6, 6, 2], sign: 1 }]);
  const [a, b] = [placedSoup(flap), placedSoup(box.triangles)];
  const planes = new PlaneSigns([a, b]);
  const [contacts] = contactsBetween(a, b, meetingTriangles(a, b), planes);
  const probe = new Probe(new BruteEngine(), a, b);
  const sheets = new Sheets(a, b, contacts);
  for (let i = 0; i < 2; i++) {
    const facet = new Facet(contacts.corners.slice(9 * i, 9 * i + 9));
    const sides = probe.at(facet, 3.1, 2.7)!;
    for (const face of faces) {
      const seen = (face === 0 ? sides.below : sides.above)[1];
      expect(sheets.windingAlong(i, face, () => seen)).toBe(seen);
    }
  }
});
