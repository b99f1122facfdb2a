// Rays of which products underflow or whose times overflow.

import { mesh, open } from 'nearfield';
import { afterAll, expect, it } from 'vitest';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

it('a tiny triangle beside a large one is hit at the right time', () => {
  // Both sides of the test whether the time is precise were 0, so that any time counted as certain.
  const e = 2 ** -230;
  const corners = [0, 0, 0, e, 0, 0, 0, e, 0.3 * e];
  const positions = Float64Array.of(...corners, 1, 1, 1, 2, 1, 1, 1, 2, 1);
  const scene = nf.scene();
  const body = scene.add(mesh(positions));
  const height = e * 2 ** -40;
  // At (0.25 e, 0.5 e) the triangle has z = 0.15 e.
  const ray = Float64Array.of(0.25 * e, 0.5 * e, 0.15 * e + height, 0, 0, -1);
  const { count, times, triangles } = scene.raysSync(body, ray);
  expect([count, triangles[0]]).toEqual([1, 0]);
  const exact = ray[2] - 0.5 * corners[8];
  expect(Math.abs(times[0] - exact)).toBeLessThanOrEqual(2 ** -40 * exact);
});

it('a time near the largest double is finite, and compared with upTo', () => {
  const size = 1.5e308;
  const scene = nf.scene();
  const body = scene.add(mesh(Float64Array.of(-size, -size, 0, size, -size, 0, 0, size, 0)));
  const ray = Float64Array.of(0, 0, 1e308, 0, 0, -1);
  expect(scene.raysSync(body, ray).times[0]).toBeCloseTo(1e308, -300);
  expect(scene.raysSync(body, ray, { upTo: 1.1e308 }).count).toBe(1);
  expect(scene.raysSync(body, ray, { upTo: 0.9e308 }).count).toBe(0);
});

it('a body whose world positions do not fit is refused, as by other questions', () => {
  const scene = nf.scene();
  const pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1.7e308, 0, 0, 1];
  const body = scene.add(mesh(Float64Array.of(0, 0, 0, 1e308, 0, 0, 0, 1e308, 0)), { pose });
  expect(() => scene.raysSync(body, Float64Array.of(0, 0, 1, 0, 0, -1))).toThrow('do not fit in doubles');
});
