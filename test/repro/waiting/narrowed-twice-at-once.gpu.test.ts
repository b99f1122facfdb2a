import { exact, narrow, open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';

const gpu = await open({ device: (await testDevice()).device });
afterAll(() => gpu.close());

// The same candidates narrowed several times at once are one question asked several times. The first answer released
// the bodies' shapes while the others still used them.
test('a body deforms after the first of four answers', async () => {
  const sphere = shapes.icosphere({ frequency: 2 });
  const moved = (by: number) => sphere.positions.map((x, i) => (i % 3 === 0 ? x + by : x));
  const scene = gpu.scene();
  const body = scene.add(sphere);
  scene.add(sphere);
  body.deform(moved(0.5));
  const expected = exact(await narrow(scene.candidates())).pairs.map(pair => pair.triangleCount);
  expect(expected[0]).toBeGreaterThan(0);
  const candidates = scene.candidates();
  const asked = [1, 2, 3, 4].map(() => narrow(candidates));
  await asked[0];
  body.deform(moved(1.75));
  for (const pairs of await Promise.all(asked)) {
    expect(exact(pairs).pairs.map(pair => pair.triangleCount)).toEqual(expected);
  }
});
