// Pairs nearer than a clearance, of so many candidates that threads take batches of them: the same as from one question
// per two bodies. Most candidates are far apart, some meet, some lie in each other.

import { open, shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { rigid } from '../spec/scenes.ts';

it('pairs of several batches, against the distances of every two', async () => {
  const nf = await open({ backend: 'cpu', threads: 2 });
  const random = shapes.createRandom(77);
  const scene = nf.scene();
  const ball = shapes.icosphere({ frequency: 2 });
  const small = shapes.icosphere({ frequency: 1, radius: 0.2 });
  const bodies = Array.from({ length: 240 }, (_, i) =>
    scene.add(i % 4 === 0 ? small : ball, { pose: rigid(random, 5) }),
  );
  const clearance = 1.5;
  const expected: string[] = [];
  for (const [i, a] of bodies.entries()) {
    for (const b of bodies.slice(i + 1)) {
      const { distance, pointA, triangleB } = scene.distanceSync(a, b);
      if (distance < clearance) expected.push(`${a.index} ${b.index} ${distance} ${pointA} ${triangleB}`);
    }
  }
  const found = await scene.within(clearance);
  expect(
    [...found].map(
      ({ a, b, distance, pointA, triangleB }) => `${a.index} ${b.index} ${distance} ${pointA} ${triangleB}`,
    ),
  ).toEqual(expected);
  expect(expected.length).toBeGreaterThan(1024);
  nf.close();
});
