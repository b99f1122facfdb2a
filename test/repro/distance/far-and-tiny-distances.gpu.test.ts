import { mesh, open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { testDevice } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';

const gpu = await open({ device: (await testDevice()).device });
const cpu = await open({ backend: 'cpu' });
afterAll(() => {
  gpu.close();
  cpu.close();
});

const scaled = (s: number) => [s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1];
const sphere = shapes.icosphere({ frequency: 4 });
const grown = (factor: number) =>
  mesh(
    Float64Array.from(sphere.positions, x => (Math.round(x * 2 ** 20) / 2 ** 20) * factor),
    sphere.indices,
  );

// Squares of distances overflowed to the value that stands for none, and one triangle or none was kept of all that
// are equally near.
test.each([2 ** 39.9, 2 ** 41, 2 ** 55, 2 ** 70, 2 ** 130])(
  'the nearest points for points %f sizes away',
  async away => {
    const points = new Float64Array(3 * 128);
    for (let i = 0; i < 128; i++) {
      const direction = [Math.sin(i), Math.cos(1.7 * i), Math.sin(2.3 * i + 1)];
      const length = Math.hypot(...direction);
      direction.forEach((x, axis) => {
        points[3 * i + axis] = (x / length) * away;
      });
    }
    const one = gpu.scene();
    const other = cpu.scene();
    const [a, b] = [one.add(sphere), other.add(sphere)];
    for (const upTo of [Infinity, 1.001 * away, 0.999 * away, 1]) {
      const found = await one.closest(a, points, { upTo });
      const expected = other.closestSync(b, points, { upTo });
      expect(found.triangles, `upTo ${upTo}`).toEqual(expected.triangles);
      expect(found.distances, `upTo ${upTo}`).toEqual(expected.distances);
    }
  },
);

// Denormal doubles have fewer digits: their products became integers that were too small.
test('a uniform gap between spheres scaled down by a pose of the smallest doubles', async () => {
  const pose = scaled(2 ** -1072);
  const [large, small] = [grown(2 ** 400), grown(0.75 * 2 ** 400)];
  const one = gpu.scene();
  const other = cpu.scene();
  const found = await one.distance(one.add(large, { pose }), one.add(small, { pose }), { surface: true });
  const expected = other.distanceSync(other.add(large, { pose }), other.add(small, { pose }), {
    surface: true,
  });
  expect([found.distance, found.triangleA, found.triangleB]).toEqual([
    expected.distance,
    expected.triangleA,
    expected.triangleB,
  ]);
});
