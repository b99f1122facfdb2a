// Points of a curve are exact intersections, rounded. Points that differ by less than rounding were repeated, with a
// segment of no length between.

import { open } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { cellSolid } from '../../oracle/voxel-contacts.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

test('curves of rotated cells have no segment without length', () => {
  const rounds = process.env.NEARFIELD_SLOW ? 2000 : 15;
  let [state, segments] = [7, 0];
  const random = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  for (let round = 0; round < rounds; round++) {
    const cells = () =>
      Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]).filter(
        (_, i) => i === 0 || random(2) === 0,
      );
    // A turn by whole numbers over 25: rounded, so that what lies in one plane no longer does.
    const [c, s] = [
      [0.6, 0.8],
      [0.28, 0.96],
      [0.96, -0.28],
    ][random(3)];
    const turns = [
      [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0],
      [1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0],
    ];
    const turn = turns[random(2)];
    const place = (): number[] => [0, 1, 2].map(() => (random(5) - 2) / 2);
    const moved = (by: readonly number[]): number[] =>
      [0, 1, 2].map(i => turn[i] * by[0] + turn[4 + i] * by[1] + turn[8 + i] * by[2]);
    const scene = nf.scene();
    const a = scene.add(cellSolid(cells()), { pose: [...turn, ...moved(place()), 1] });
    const b = scene.add(cellSolid(cells()), { pose: [...turn, ...moved(place()), 1] });
    for (const { points, closed, trianglePairs } of scene.curvesSync(a, b)) {
      const count = points.length / 3;
      const ends = count === 1 ? 0 : closed ? count : count - 1;
      expect(trianglePairs.length, `round ${round}`).toBe(2 * Math.max(1, ends));
      for (let i = 0; i < ends; i++) {
        const [p, q] = [3 * i, 3 * ((i + 1) % count)];
        const same = [0, 1, 2].every(axis => points[p + axis] === points[q + axis]);
        expect(same, `round ${round}, point ${i} of ${count}`).toBe(false);
        segments++;
      }
    }
    scene.close();
  }
  expect(segments).toBeGreaterThan(10 * rounds);
});
