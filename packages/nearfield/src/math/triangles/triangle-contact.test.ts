import { expect, test } from 'vitest';
import { Failures } from '../../../../../test/oracle/failures.ts';
import { randomIntegers } from '../../interferences/testing/brute-engine.ts';
import { mix, pointAt, samePoint } from '../exact/rational.ts';
import { type Corners, contactOf, holdsPoint } from './triangle-contact.ts';
import { trianglesMeet } from './triangle-triangle.ts';

const cornersAt = (p: Float64Array, at: number): Corners => [
  pointAt(p, at),
  pointAt(p, at + 3),
  pointAt(p, at + 6),
];

test('triangles on a small grid, also degenerate ones: both contain the common points, which exist iff they meet', () => {
  const counts = [0, 0, 0, 0];
  const failures = new Failures();
  const pairs = process.env.NEARFIELD_SLOW ? 20_000 : 5000;
  for (let seed = 1; seed <= pairs; seed++) {
    const random = randomIntegers(seed);
    const size = 2 + random(3);
    const p = Float64Array.from({ length: 18 }, () => random(size));
    // Every third pair lies in one plane.
    if (seed % 3 === 0) for (let i = seed % 9 === 0 ? 0 : 2; i < 18; i += 3) p[i] = 1;
    const [a, b] = [cornersAt(p, 0), cornersAt(p, 9)];
    const contact = contactOf(a, b);
    const where = () => `seed ${seed}: ${p.join()}`;
    failures.check(contact.length > 0 === trianglesMeet(p), where);
    const isHeld = contact.every(point => holdsPoint(a, point) && holdsPoint(b, point));
    const isOnce = contact.every((point, i) => contact.slice(0, i).every(other => !samePoint(point, other)));
    failures.check(isHeld && isOnce, where);
    // The contact is convex, and it is complete: it contains every corner of one triangle that lies in the other.
    if (contact.length > 0) failures.check(holdsPoint(a, mix(contact)) && holdsPoint(b, mix(contact)), where);
    for (const corner of [...a.filter(c => holdsPoint(b, c)), ...b.filter(c => holdsPoint(a, c))]) {
      if (contact.length === 0) failures.check(false, where);
      else if (contact.length < 3) {
        const ends: Corners = [contact[0], contact[contact.length - 1], contact[0]];
        failures.check(holdsPoint(ends, corner), where);
      } else {
        const fan = contact.slice(2).map((third, i): Corners => [contact[0], contact[i + 1], third]);
        failures.check(
          fan.some(part => holdsPoint(part, corner)),
          where,
        );
      }
    }
    counts[Math.min(contact.length, 3)]++;
  }
  expect(failures.list).toEqual([]);
  expect(Math.min(...counts)).toBeGreaterThan(300);
});
