// Bodies that touch in many places during a screw motion: `nearestApproach` named other triangles of a body that had been deformed
// before than of one that had not, because those equally near were taken in the order of its tree.

import { type Mesh, open } from 'nearfield';
import { displacedSphere } from 'nearfield/shapes';
import { expect, it } from 'vitest';
import { randomFrom } from '../../oracle/triangles/generators.ts';

const nf = await open({ backend: 'cpu' });

const stretched = ({ positions }: Mesh, by: number): Float64Array =>
  Float64Array.from(positions, (x, i) => Math.fround(i % 3 === 0 ? by * x : x));

it.each([1, 3, 6])('seed %i: what a body was before does not matter', async seed => {
  const random = randomFrom(seed);
  const given = displacedSphere({ triangles: 320, seed });
  const end = stretched(given, 2);
  // Away from the origin, where poses in doubles are not precise enough, and triangles are measured one by one.
  const at = [46, 0, 0].map(x => x + random() - 0.5);
  const pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 40, 0, 0, 1];
  const answers = [];
  for (const before of [[], [0.5, 1.5], [0.1, 4]]) {
    const scene = nf.scene();
    const body = scene.add(given, { pose });
    for (const by of before) {
      body.deform(stretched(given, by), { rebuild: by > 1 });
      scene.add(given, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...at, 1] });
      await scene.distance(body, scene.bodies[1]);
      scene.remove(scene.bodies[1]);
    }
    body.deform(end);
    const other = scene.add(given, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...at, 1] });
    const to = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 34.25, -0.5, 0.125, 1];
    const [found] = await scene.nearestApproach({ bodies: [{ body: other, to, path: 'screw' }] });
    const { time, distance, triangleA, triangleB, pointA, pointB } = found;
    answers.push({ time, distance, triangleA, triangleB, pointA: [...pointA], pointB: [...pointB] });
    scene.close();
  }
  expect(answers[0].distance.upper).toBe(0);
  expect(answers[0].time).toBeGreaterThan(0);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
});
