// A distance below the smallest positive double is not 0: only bodies that meet are 0 apart.

import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { extremePoints, extremeSolid } from '../../oracle/extremes.ts';
import { randomFrom } from '../../oracle/triangles/generators.ts';
import { whatIsWrong } from '../../spec/proximity/closest-slivers.ts';

const least = Number.MIN_VALUE;
/** Triangles in one plane: the corner (1, 0) of the second is 1/√10 units from the line y = x/3 of the first, a unit being the least double. */
const first = [0, 0, 0, 3, 1, 0, 0, 9, 0];
const second = [1, 0, 0, 1, -9, 0, 9, -9, 0];
const triangle = (units: readonly number[]) =>
  mesh(
    Float64Array.from(units, x => x * least),
    Uint32Array.of(0, 1, 2),
  );

test('triangles and points a third of the smallest double apart have a distance above 0', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const [a, b] = [scene.add(triangle(first)), scene.add(triangle(second))];
  expect(scene.interferencesSync().pairs.length).toBe(0);
  expect(scene.distanceSync(a, b).distance).toBe(least);
  const points = Float64Array.of(least, 0, 0, 0, 0, 0);
  expect([...scene.closestSync(a, points).distances]).toEqual([least, 0]);
  nf.close();
});

test('points beside a spindle of size 10^-282 have their exact distances', async () => {
  const nf = await open({ backend: 'cpu' });
  for (const count of [8, 16, 24, 32, 48, 64]) {
    const random = randomFrom(35084);
    const { mesh: solid } = extremeSolid(random);
    const world = new Float64Array(3 * solid.indices.length);
    solid.indices.forEach((vertex, k) => {
      for (let axis = 0; axis < 3; axis++) world[3 * k + axis] = solid.positions[3 * vertex + axis];
    });
    const points = extremePoints(random, world, count);
    const scene = nf.scene();
    const found = scene.closestSync(scene.add(solid), points);
    for (let i = 0; i < count; i++) {
      const wrong = whatIsWrong(world, points.subarray(3 * i, 3 * i + 3), {
        distance: found.distances[i],
        nearest: found.points.subarray(3 * i, 3 * i + 3),
        triangle: found.triangles[i],
      });
      expect(wrong, `point ${i} of ${count}`).toBe('');
    }
  }
  nf.close();
});
