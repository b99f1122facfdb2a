// The side of an edge on which a point lies is the sign of a product of two sums. One may underflow while the other
// is large. The bound did not cover that error, so points just beside an edge were said to be nearest to the face, or
// the other way round.

import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { cornerAt, cross, dot, subtract, toIntegers, type Vector } from '../../oracle/integers.ts';
import { randomFrom } from '../../oracle/triangles/generators.ts';

/** 2 for a corner, 1 for an edge, 0 for the face: by definition, in integers. */
function featureOf(corners: readonly Vector[], point: Vector): number {
  const around = [0, 1, 2].map(i => [0, 1, 2].map(k => corners[(i + k) % 3]));
  const ahead = (from: Vector, to: Vector) => dot(subtract(point, from), subtract(to, from)) > 0;
  if (around.some(([a, b, c]) => !ahead(a, b) && !ahead(a, c))) return 2;
  const normal = cross(subtract(corners[1], corners[0]), subtract(corners[2], corners[0]));
  const isInward = (a: Vector, b: Vector) => dot(cross(subtract(b, a), subtract(point, a)), normal) > 0;
  return around.some(([a, b]) => ahead(a, b) && ahead(b, a) && !isInward(a, b)) ? 1 : 0;
}

test('the nearest feature is exact where products underflow', async () => {
  const nearfield = await open({ backend: 'cpu', threads: 1 });
  const seed = 1;
  const random = randomFrom(seed);
  const power = (least: number, most: number) => 10 ** (least + (most - least) * random());
  for (let i = 0; i < 200; i++) {
    const angle = 7 * random();
    const [size, reach, away] = [power(30, 58), power(30, 58), power(-162, -150)];
    // The foot of the point is a little ahead of the corner at the origin.
    const share = power(-15, -9);
    const [s, c] = [Math.sin(angle), Math.cos(angle)];
    const edge = [power(-170, -150) * (i % 2 === 0 ? 1 : -1), size * c, size * s];
    const point = [0, away * (share * c - s), away * (share * s + c)];
    const positions = Float64Array.of(0, 0, 0, ...edge, reach, 0, 0);
    const whole = toIntegers([...positions, ...point]);
    const expected = featureOf(
      [0, 3, 6].map(at => cornerAt(whole, at)),
      cornerAt(whole, 9),
    );
    const scene = nearfield.scene();
    const { features } = scene.closestSync(scene.add(mesh(positions)), Float64Array.from(point));
    expect(features[0], `seed ${seed}, point ${i}: ${point.join(' ')}`).toBe(expected);
    scene.close();
  }
  nearfield.close();
});
