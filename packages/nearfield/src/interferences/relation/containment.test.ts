// A solid within another, from clearly solid to so flat that doubles cannot tell its volume from 0. Whether it bounds
// volume is decided here by integers.

import { expect, test } from 'vitest';
import { BruteEngine, placedSoup, randomIntegers } from '../testing/brute-engine.ts';
import { holdsPartOf } from './containment.ts';

type Point = readonly number[];

/** The four sides of a tetrahedron, closed and consistently oriented. */
const tetrahedron = (a: Point, b: Point, c: Point, d: Point): number[][] => [
  [...a, ...c, ...b],
  [...a, ...b, ...d],
  [...b, ...c, ...d],
  [...c, ...a, ...d],
];

/** Six times the volume, of integer corners. */
function volumeOf(a: Point, b: Point, c: Point, d: Point): bigint {
  const [u, v, w] = [b, c, d].map(p => p.map((x, i) => BigInt(x) - BigInt(a[i])));
  return (
    u[0] * (v[1] * w[2] - v[2] * w[1]) +
    u[1] * (v[2] * w[0] - v[0] * w[2]) +
    u[2] * (v[0] * w[1] - v[1] * w[0])
  );
}

test('a part within a solid counts if it bounds any volume, however little', () => {
  const random = randomIntegers(7);
  const far = 2 ** 50;
  const around = placedSoup(
    tetrahedron([-far, -far, -far], [3 * far, -far, -far], [-far, 3 * far, -far], [-far, -far, 3 * far]),
  );
  const counts = { flat: 0, solid: 0 };
  for (let i = 0; i < 400; i++) {
    const size = 2 ** (1 + random(26));
    const point = () => [0, 1, 2].map(() => random(size) - size / 2);
    const [a, b, c] = [point(), point(), point()];
    // The last corner lies in the plane of the others, or a unit or so beside it.
    const [s, t] = [random(4), random(4)];
    const beside = random(3) === 0 ? 0 : 1 + random(2);
    const d = a.map((x, k) => x + s * (b[k] - x) + t * (c[k] - x) + (k === i % 3 ? beside : 0));
    const corners = [a, b, c, d] as const;
    const hasVolume = volumeOf(...corners) !== 0n;
    counts[hasVolume ? 'solid' : 'flat']++;
    const inner = placedSoup(tetrahedron(...corners));
    if (!inner.shape.mesh.solid) continue;
    expect(holdsPartOf(new BruteEngine(), around, inner), `case ${i}`).toBe(hasVolume);
  }
  expect(counts.flat).toBeGreaterThan(50);
  expect(counts.solid).toBeGreaterThan(50);
});
